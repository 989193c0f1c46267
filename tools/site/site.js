// What the pages do by themselves: flip through drawn frames, answer questions. No library, no request but for files beside the page.
function make(tag, options = {}, ...children) {
  const node = Object.assign(document.createElement(tag), options);
  node.append(...children);
  return node;
}

const same = (a, b) => a.every((value, at) => value === b[at]);
let groups = 0; // names for radio buttons
const NARROW = 560, JUMP = 500, STEPPED = -2, HANDED = -1; // ms of motion to a preset; what a step and a hand on a control ask for (scene.js of the figures)

// What stands in files beside the page comes as scripts: a page that is opened from a file may not fetch.
const SCENES = {};
const underWay = new Map();

function load(src) {
  if (!underWay.has(src)) underWay.set(src, new Promise((onload, onerror) => document.head.append(make("script", { src, onload, onerror }))));
  return underWay.get(src);
}

async function unpack(name, file = `scenes/${name}.js`) {
  await load(file);
  const bytes = Uint8Array.from(atob(SCENES[name]), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

let staged; // the stage of the notebook's figures
function stage() {
  return (staged ??= (async () => {
    const known = { ...COLOURS, motion: true, fonts: [] }; // the stylesheet brings the typeface
    stageScript.initialize({ model: { get: (name) => known[name], on() {} } });
    await Promise.all(["16px", "bold 16px"].map((size) => document.fonts.load(`${size} "Course Sans"`)));
    return globalThis.bayeslibStage.promise;
  })());
}

// A figure: its controls move among the states that were drawn.
class Flips {
  constructor(box) {
    Object.assign(this, JSON.parse(box.querySelector("script").textContent));
    this.box = box;
    this.figure = box.querySelector("figure");
    this.place = box.querySelector(".stage");
    this.image = box.querySelector("img");
    this.words = box.querySelector(".words");
    this.words.parentNode.setAttribute("aria-live", "polite");
    this.now = this.shown;
    this.waiting = [];
    this.note = make("p", { className: "note" });
    this.note.setAttribute("role", "status");
    this.setters = this.controls.map((control, at) => this.control(control, at)).filter(Boolean);
    const bars = make("div", { className: "bars" }, ...this.setters.map((each) => each.node));
    const rows = [bars];
    if (this.interval) rows.unshift((this.steps = this.player()));
    rows.push(this.presetRow());
    if (this.walks) rows.splice(0, 3, bars, make("div", { className: "row" }, make("button", { type: "button", textContent: "Play again", onclick: () => this.play(true) })));
    const shown = rows.filter((row) => row.children.length);
    this.offer();
    document.addEventListener("answerschange", () => this.offer());
    if (shown.length) this.place.after(make("div", { className: "controls" }, ...shown));
    box.append(this.note);
    if (shown.length && !this.walks) this.link();
    this.refresh();
    const near = (entries, watch) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      this.load();
    };
    new IntersectionObserver(near, { rootMargin: "50%" }).observe(this.figure);
  }

  // What it offers: before its question is answered only `offers`, then all that no other question locks.
  offer(waiting = this.asks) {
    this.asks = waiting;
    const locked = new Set(Object.entries(this.locks).flatMap(([name, names]) => (isAnswered(name) ? [] : names)));
    const named = this.controls.filter(({ values }) => values.length > 1).map(({ name }, at) => [name, this.setters[at].node]);
    named.push(...Object.entries(this.buttons), ...(this.steps ? [["step", this.steps]] : []));
    for (const [name, node] of named) node.hidden = waiting ? !this.offers.includes(name) : locked.has(name);
  }

  // A link to the state that is shown; one that was followed waits until the question before it is answered.
  link() {
    const cell = this.box.closest(".cell").id, keys = this.controls.map(({ name }) => name);
    const button = make("button", { type: "button", className: "state-link", textContent: "Copy link to this state" });
    button.onclick = async () => {
      const at = this.now.at.slice(0, keys.length).map((value, k) => `${encodeURIComponent(keys[k])}=${value}`);
      const address = `${location.href.split("#")[0]}#${[cell, ...at, ...(this.steps ? [`step=${this.now.step}`] : [])].join("&")}`;
      await navigator.clipboard.writeText(address).then(() => (this.note.textContent = "Copied."), () => (this.note.textContent = address));
    };
    this.box.append(button);
    this.buttons["reset"] && (this.buttons["copy"] = button);
    this.linked = () => {
      const [there, ...settings] = location.hash.slice(1).split("&");
      if (there !== cell || !settings.length || this.followed === location.hash) return;
      this.box.closest(".cell").scrollIntoView();
      if (this.asks) return;
      this.followed = location.hash;
      const wish = new URLSearchParams(settings.join("&"));
      this.when(() => {
        const near = (state) => keys.every((key, k) => !wish.has(key) || +wish.get(key) === state.at[k]) && (!wish.has("step") || +wish.get("step") === state.step);
        const found = this.states.findLast((state) => near(state) && state.at.at(-1) === (this.states[this.answer] ?? this.states[0]).at.at(-1));
        if (found) this.show(found, false, JUMP);
        else this.note.textContent = "This link leads to a state that these pages do not have.";
      });
      this.load();
    };
    addEventListener("hashchange", this.linked);
    if (!this.box.closest(".question")) this.linked();
  }

  // Bring the states, and a canvas in the place of the picture.
  load() {
    if (this.loads) return;
    this.loads = true;
    Promise.all([unpack(this.scene), stage()]).then(
      ([recorded, makeStage]) => {
        this.states = recorded.states;
        this.put(recorded, makeStage);
        this.waiting.forEach((act) => act());
        this.walks && this.walk();
      },
      () => {
        this.box.classList.add("dead");
        this.note.textContent = "Without a network this figure stands still: its states were not kept on this device.";
      },
    );
  }

  // The notebook's stage shows what was recorded, without a kernel.
  put(recorded, makeStage) {
    const host = make("div"), narrow = recorded.opening.narrow ? NARROW : 0;
    const known = { opening: recorded.opening, narrow, layouts: ["wide", "narrow"], answered: 0, mark_keys: {}, dragged: {} };
    const hand = (name, value) => ((known[name] = value), name === "dragged" && this.drag(value, known));
    const shown = makeStage({ get: (name) => known[name], set: hand, save_changes() {} }, host, (key) => this.press(key.split(":")));
    const changeOf = ({ frame }) => Object.fromEntries(Object.entries(recorded.frames[frame]).map(([layout, numbers]) => [layout, numbers.map((number) => recorded.marks[number])]));
    this.image.replaceWith(host);
    this.placeOf = (state, name) => shown.place(changeOf(state), name);
    this.draw = () => {
      const { frame, alt } = this.now;
      shown.show({ change: changeOf(this.now), alt, key: String(frame), pace: this.pace === STEPPED ? recorded.pace : this.pace, by: this.by });
      host.querySelector("canvas").dataset.frame = frame;
    };
    this.draw();
    // On a phone the picture stays in view while the controls below it are moved.
    new ResizeObserver(() => (this.place.style.top = `${Math.min(0, innerHeight - this.place.offsetHeight - 190)}px`)).observe(host);
  }

  draw() {} // until the stage is there

  // The first walk of the home page's figure: step by step, unless motion is not wanted.
  walk() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.step(this.now.last);
    else this.play(true);
  }

  // The hand on a mark: along the control that moves it most, the state in which it is where the hand wants it.
  reached(name, off) {
    const here = this.placeOf(this.now, name), ways = this.controls.map(() => []);
    for (const state of this.states) {
      const moved = state.at.flatMap((value, k) => (value === this.now.at[k] ? [] : [k])), place = moved.length === 1 && state.step === this.now.step && this.placeOf(state, name);
      if (place) ways[moved[0]]?.push({ state, off: off(place), far: Math.hypot(place[0] - here[0], place[1] - here[1]) });
    }
    const far = (way) => Math.max(0, ...way.map((each) => each.far)), along = ways.reduce((best, way) => (far(way) > far(best) ? way : best), []);
    return along.reduce((best, each) => (each.off >= 0 && each.off < best.off ? each : best), { off: Infinity });
  }

  drag({ at, number }, known) {
    known.answered = number;
    const from = (this.from ??= this.now);
    for (const [name, [x, y]] of Object.entries(at)) {
      const away = (place) => Math.hypot(place[0] - x, place[1] - y), { state, off } = this.reached(name, away);
      if (off < away(this.placeOf(this.now, name))) this.show(state);
    }
    this.draw();
    if (Object.values(at).some(([, , held]) => held)) return;
    this.from = null;
    if (this.now === from) this.note.textContent = "No place nearby was drawn beforehand.";
  }

  press([, key, name]) {
    const to = this.now.clicks?.[name];
    if (!key && to === undefined) this.note.textContent = "These pages have drawn no further clicks from here; the notebook has them all.";
    if (!key) return to === undefined || this.go(to);
    const axis = +/Up|Down/.test(key), way = /Up|Left/.test(key) ? -1 : 1, here = this.placeOf(this.now, name);
    const { state } = this.reached(name, (at) => ((at[axis] - here[axis]) * way > 0.5 ? (at[axis] - here[axis]) * way : -1));
    if (state) this.show(state);
  }

  // Do something with the states: now, or when they are there.
  when(act) {
    if (this.states) act();
    else this.waiting.push(act);
  }

  go(number) {
    this.when(() => this.show(this.unhaunted(this.states[number]), false, JUMP));
  }

  // A state with the reader's guess in it stands among those without: its controls and steps lead to them.
  unhaunted(state) {
    return this.told && !this.asks ? { ...state, at: [...state.at.slice(0, -1), this.states[this.answer].at.at(-1)] } : state;
  }

  presetRow() {
    const row = make("div", { className: "row" });
    this.buttons = {};
    const named = Object.entries(this.presets).filter(([label]) => label);
    if (this.answer && !this.told) named.push(["the answer", this.answer]);
    if (named.length || this.interval || this.controls.some(({ values }) => values.length > 1)) named.push(["reset", this.told ? this.answer : 0]);
    for (const [label, number] of named) {
      row.append((this.buttons[label] = make("button", { type: "button", textContent: label, onclick: () => this.go(number) })));
    }
    return row;
  }

  control({ label, kind, values }, at) {
    if (values.length < 2) return null;
    const move = (value) => this.move(at, Number(value));
    if (kind === "slider") {
      const [node, input, shown] = slider(label, values.length - 1, move);
      return { node, set: (value) => (put(input, value), (shown.value = values[value]), input.setAttribute("aria-valuetext", values[value])) };
    }
    if (kind === "menu") {
      const input = make("select", { onchange: () => move(input.value) });
      input.append(...values.map((text, value) => make("option", { value, textContent: text })));
      return { node: make("label", {}, make("span", { textContent: label }), input), set: (value) => (input.value = value) };
    }
    const name = `group-${groups++}`;
    const inputs = values.map((_, value) => make("input", { type: "radio", name, onchange: () => move(value) }));
    const labels = values.map((text, value) => make("label", {}, inputs[value], make("span", { textContent: text })));
    return { node: make("fieldset", {}, make("legend", { textContent: label }), ...labels), set: (value) => (inputs[value].checked = true) };
  }

  player() {
    const row = make("div", { className: "row" });
    const press = (label, act) => {
      const button = make("button", { type: "button", textContent: label, onclick: act });
      row.append(button);
      return button;
    };
    press("restart", () => this.step(0));
    press("back", () => this.step(this.now.step - 1));
    this.playButton = press("play", () => this.play(!this.timer));
    press("forward", () => this.step(this.now.step + 1));
    const [node, input, shown] = slider("step", 0, (value) => this.step(Number(value)));
    row.append(node);
    this.setStep = ({ step, last }) => {
      input.max = last;
      put(input, step);
      shown.value = `${step} of ${last}`;
      input.setAttribute("aria-valuetext", shown.value);
    };
    const keys = { ArrowRight: () => this.step(this.now.step + 1), ArrowLeft: () => this.step(this.now.step - 1) };
    Object.assign(keys, { Home: () => this.step(0), End: () => this.step(this.now.last), " ": () => this.play(!this.timer) });
    this.place.tabIndex = 0;
    this.place.setAttribute("role", "group");
    this.place.setAttribute("aria-label", "Left and right arrows step, Home restarts, Space plays and pauses");
    this.place.addEventListener("keydown", (event) => {
      if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    return row;
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => this.step(this.now.step + 1, true), this.interval) : 0;
    if (on) this.step(this.now.step === this.now.last ? 0 : this.now.step + 1, true);
    this.playButton.textContent = this.timer ? "pause" : "play";
  }

  // The states of one history; that of the opening controls where none was drawn for the present ones.
  history(at) {
    const found = this.states.filter((state) => same(at, state.at));
    return found.length ? found : null;
  }

  step(number, playing = false) {
    if (!this.states) return this.when(() => this.step(number, playing));
    let steps = this.history(this.now.at);
    const moved = steps.length === 1 && this.now.last > 0;
    if (moved) steps = this.history(this.states[0].at);
    const last = Math.max(...steps.map((state) => state.last));
    const next = steps.find((state) => state.step === Math.min(Math.max(number, 0), last));
    if (!playing || next.step === last) this.play(false);
    this.show(next, moved, moved ? JUMP : STEPPED);
  }

  move(control, value) {
    if (!this.states) return this.when(() => this.move(control, value));
    if (this.timer) this.play(false);
    const wish = (at) => at.map((old, each) => (each === control ? value : old));
    const kept = this.history(wish(this.now.at));
    const found = kept ?? this.history(wish(this.states[0].at));
    const end = this.walks || this.now.step === this.now.last;
    const far = (state) => (end ? state.last - state.step : Math.abs(state.step - this.now.step));
    this.show(found.reduce((best, state) => (far(state) < far(best) ? state : best)), !kept);
  }

  show(state, reset = false, pace = HANDED) {
    [this.pace, this.by] = [pace, (state.step ?? 0) - (this.now.step ?? 0)];
    this.now = state;
    this.note.textContent = reset ? "The other controls went back to where the figure opens." : "";
    this.refresh();
    if (state.words) this.words.innerHTML = state.words;
    else this.words.textContent = state.alt;
    this.draw();
  }

  refresh() {
    let at = 0;
    this.controls.forEach(({ values }, control) => values.length > 1 && this.setters[at++].set(this.now.at[control]));
    this.setStep?.(this.now);
  }
}

function put(input, value) {
  input.value = value;
  input.style.setProperty("--fill", `${(100 * value) / (input.max || 1)}%`);
}

function slider(label, max, move) {
  const input = make("input", { type: "range", min: 0, max, step: 1, ariaLabel: label }); // the value is said by itself
  input.addEventListener("input", () => move(input.value));
  const shown = make("output");
  return [make("label", {}, make("span", { textContent: label }), input, shown), input, shown];
}

// Behind the notebook's question.js stands a model that Python answers; here the replies were written down beforehand
// (Quiz.page in live/quiz.py). `fold` and `flips` are the figure of a prediction.
class Asked {
  constructor(asked, fold, flips) {
    Object.assign(this, { asked, fold, flips, listeners: [] });
    this.values = { ...asked.form, verdict: "", feedback: "", chosen: null, locked: false, reply: {} };
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
  }

  on(names, act) {
    this.listeners.push(act);
  }

  save_changes() {
    const { answer, skipped } = this.values.reply;
    if (skipped && !this.fold.open) this.open();
    else {
      const refused = skipped ? "" : this.refusal(answer);
      const { verdict, parts } = skipped || refused ? { verdict: "", parts: refused || this.asked.solution } : this.reply(answer);
      const note = skipped || refused ? "" : record.remember(this.asked.name, answer, verdict === "correct");
      Object.assign(this.values, { verdict, feedback: note ? `${parts} (${note})` : parts });
      if (!refused && !skipped) this.values.chosen = answer;
      if (this.flips && !refused) this.tell();
      if (skipped) opened(this.asked.name, 2);
    }
    this.listeners.forEach((act) => act());
  }

  // As it was left: the answer that was given, or how far its figure was opened without one.
  recall() {
    const [answers, note] = record.look();
    const kept = answers[this.asked.name];
    const much = this.fold && opened(this.asked.name);
    if (kept && this.possible(kept.answer)) {
      const { verdict, parts } = this.reply(kept.answer);
      Object.assign(this.values, { verdict, feedback: note ? `${parts} (${note})` : parts, chosen: kept.answer });
      if (this.flips) this.tell();
    } else if (much > 1) {
      this.values.feedback = this.asked.solution;
      this.tell();
    } else {
      if (much) this.open();
      this.values.feedback = note;
    }
  }

  // A restored file may hold an answer to an older form of the question.
  possible(answer) {
    return this.asked.letters.length ? answer in this.asked.letters : !this.refusal(answer);
  }

  // Why an answer does not count, in words.
  refusal(answer) {
    const { percent, low = -Infinity, high = Infinity, possible } = this.asked;
    if (percent && answer > 0 && answer < 1 && !this.known(answer)) return percent.replace("{}", digits(100 * answer, 6));
    return answer < low || answer > high ? possible : "";
  }

  known(answer) {
    return this.asked.replies.find((each) => Math.abs(answer - each.value) <= each.tolerance);
  }

  reply(answer) {
    const { verdict, parts } = this.known(answer) ?? this.asked.otherwise;
    return { verdict, parts: this.asked.guess.replace("{}", this.guessed(answer)) + parts };
  }

  guessed(answer) {
    if (this.asked.letters.length) return this.asked.letters[answer];
    const off = answer - this.asked.answer;
    const way = Math.abs(off) <= this.asked.tolerance ? "near" : off > 0 ? "high" : "low";
    return `${digits(answer, 6)}, ${this.asked.distances[way].replace("{}", digits(Math.abs(off), 3))}`;
  }

  // The figure without a guess, from its first step on.
  open() {
    this.flips.go(this.flips.first);
    this.fold.open = true;
    this.values.skip = this.asked.tell;
    opened(this.asked.name, 1);
  }

  // The figure as it answers.
  tell() {
    this.values.locked = true;
    this.flips.go(this.flips.answer);
    this.fold.open = true;
  }
}

// A question of the third edition: all that it shows follows the record, wherever it was answered (live/quiz.py).
class Followed extends Asked {
  constructor(asked, flips, told) {
    super(asked, null, flips);
    this.told = told;
    this.kind = asked.form.kind;
    document.addEventListener("answerschange", () => this.recall());
  }

  save_changes() {
    const { answer, skipped } = this.values.reply, { name } = this.asked, placed = record.look()[0][name];
    const opens = skipped || (placed && this.kind === "settle"), refused = opens ? "" : this.refusal(answer), right = !opens && this.reply(answer).verdict === "correct";
    let note = "";
    if (skipped) opened(name, 2);
    else if (refused) note = refused;
    else if (this.kind === "predict") note = record.remember(name, answer, right);
    else {
      if (!placed || this.kind === "raise") note = record.bet(name, answer, right);
      if (this.kind === "settle") note = record.settle(name);
    }
    this.recall();
    if (note) this.values.feedback += ` ${note}`;
    this.listeners.forEach((act) => act());
  }

  recall() {
    const { asked, kind } = this, [answers] = record.look(), entry = answers[asked.name], bets = betsOf(entry);
    const settled = Boolean(entry) && (entry.settled ?? true), skipped = kind === "predict" && !entry && opened(asked.name) > 1;
    const told = kind === "predict" ? Boolean(entry) || skipped : kind === "settle" && settled;
    const sealed = !told && Boolean(entry) && (kind !== "raise" || bets.length > 1 || settled);
    Object.assign(this.values, asked.form, { feedback: "", chosen: null, marks: [], locked: told || sealed, sealed });
    if (sealed) {
      const [last, ...earlier] = bets.map((each) => asked.said[each] ?? digits(each, 6)).reverse();
      const was = earlier.filter((each) => each !== last).map((each) => `<s>${each}</s> `).join("");
      Object.assign(this.values, { note: "", place: settled ? "settled" : "sealed", feedback: `You bet <span class="bayeslib-stake">${was}<b>${last}</b></span>` });
      if (kind === "settle") Object.assign(this.values, { button: asked.open, locked: false, place: "not settled yet" });
    } else if (kind === "raise" && entry) {
      const more = Object.entries(asked.once).filter(([name]) => isAnswered(name)).map(([, text]) => text);
      const prompt = [asked.again.replace("{}", asked.said[bets[0]] ?? digits(bets[0], 6)), ...more].join(" ");
      Object.assign(this.values, { prompt, chosen: bets[0], place: "may still change", note: "" });
    }
    let words = "";
    if (told) {
      const guesses = entry ? (kind === "settle" ? bets : [entry.answer]) : [], names = guesses.length > 1 ? ["first", "said"] : ["said"];
      const said = Object.fromEntries(guesses.map((each, at) => [each, names[at]]));
      this.values.marks = asked.said.map((_, at) => [asked.right[at] && "right", said[at]].filter(Boolean).join(" "));
      Object.assign(this.values, { chosen: entry?.answer ?? null, note: "", ...(kind === "settle" && { place: "settled" }) });
      const { verdict, parts } = entry ? this.reply(entry.answer) : { verdict: "", parts: asked.unguessed };
      words = `${verdict || parts ? `<p class="verdict">${verdict ? `<strong>${asked.form.verdicts[verdict]}.</strong> ` : ""}${parts}</p>` : ""}${asked.reveal}`;
      this.told.className = `bayeslib-reveal bayeslib-${verdict}`;
    }
    if (this.told.innerHTML !== words) this.told.innerHTML = words;
    this.listeners.forEach((act) => act());
    if (!this.flips) return;
    const guess = told ? (this.flips.told[entry?.answer] ?? this.flips.answer) : (this.flips.ghosts[bets.at(-1)] ?? this.flips.open);
    this.flips.offer(!told);
    if (guess !== this.stands) this.flips.go(guess);
    this.stands = guess;
    this.flips.linked?.();
  }
}

const digits = (number, count) => String(Number(number.toPrecision(count)));

function question(box) {
  const fold = box.querySelector(".reveal");
  const flips = fold && new Flips(fold.querySelector(".flips"));
  const asked = JSON.parse(box.querySelector("script").textContent);
  if ("reveal" in asked) return followed(box, asked);
  const model = new Asked(asked, fold, flips);
  model.recall();
  const el = make("div");
  form.render({ model, el });
  box.classList.add("scripted", "bayeslib-live"); // the second is what question.js scrolls by
  flips?.box.classList.add("bayeslib-live");
  box.querySelector(".folds").before(el);
}

function followed(box, asked) {
  const place = box.querySelector(".flips"), el = make("div"), told = make("div");
  told.setAttribute("role", "status");
  const model = new Followed(asked, place && new Flips(place), told);
  model.recall();
  form.render({ model, el });
  box.classList.add("scripted", "bayeslib-live");
  place?.classList.add("bayeslib-live");
  box.querySelector(".folds").before(el);
  box.append(told);
}

// A card of the home page: a detail of a figure that moves when it is looked at.
function card(link) {
  const detail = link.querySelector(".detail"), script = detail.querySelector("script");
  if (!script) return;
  const { scene, shown, crop: [left, top, across], width } = JSON.parse(script.textContent), host = make("div", { inert: true });
  const share = (each) => `${(100 * each) / across}%`;
  Object.assign(host.style, { width: share(width), left: share(-left), marginTop: share(-top) });
  const load = async () => {
    const [recorded, makeStage] = await Promise.all([unpack(scene), stage()]);
    const known = { opening: recorded.opening, narrow: 0, layouts: ["wide"], answered: 0, mark_keys: {}, dragged: {} };
    detail.append(host);
    const on = makeStage({ get: (name) => known[name], set() {}, save_changes() {} }, host, () => {});
    const show = (at) => {
      const change = Object.fromEntries(Object.entries(recorded.frames[shown[at]]).map(([layout, numbers]) => [layout, numbers.map((number) => recorded.marks[number])]));
      on.show({ change, alt: "", key: String(at), pace: recorded.pace ?? JUMP, by: at });
    };
    show(0);
    for (const type of ["pointerenter", "focus"]) link.addEventListener(type, () => show(1));
    for (const type of ["pointerleave", "blur"]) link.addEventListener(type, () => show(0));
  };
  new IntersectionObserver((entries, watch) => entries.some((each) => each.isIntersecting) && (watch.disconnect(), load().catch(() => {})), { rootMargin: "50%" }).observe(detail);
}

document.querySelectorAll(".question").forEach(question);
document.querySelectorAll(".answers").forEach(answers);
document.querySelectorAll(".again").forEach(lookAgain);
document.querySelectorAll(".go-on").forEach(goOn);
document.querySelectorAll("main[data-lesson]").forEach(keepPlace);
document.querySelectorAll("main[data-lesson]").forEach(anchors);
document.querySelectorAll(".flips").forEach((box) => box.closest(".question") || new Flips(box));
if (document.getElementById("query")) searchPage(document.getElementById("query"));
keepPages();
document.querySelectorAll("header .theme").forEach(themeButtons);
document.querySelectorAll(".card").forEach(card);
document.querySelectorAll(".side").forEach(parts);
document.querySelectorAll(".print").forEach(printButton);
document.querySelectorAll(".keep").forEach(keepButton);
// What scrolls sideways must be reachable by keyboard; what a fold hides has no width until it opens.
function reach() {
  for (const each of document.querySelectorAll(".scroll, pre, .formula, .long")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  }
}
reach();
document.addEventListener("toggle", reach, true);
