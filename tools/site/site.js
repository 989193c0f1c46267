// What the pages do by themselves: flip through drawn frames, answer questions. No library, no request but for files beside the page.
function make(tag, options = {}, ...children) {
  const node = Object.assign(document.createElement(tag), options);
  node.append(...children);
  return node;
}

const same = (a, b) => a.every((value, at) => value === b[at]);
let groups = 0; // names for radio buttons

// A figure: its controls move among the states that were drawn.
class Flips {
  constructor(box) {
    Object.assign(this, JSON.parse(box.querySelector("script").textContent));
    this.box = box;
    this.figure = box.querySelector("figure");
    this.image = box.querySelector("img");
    this.words = box.querySelector(".words");
    this.words.parentNode.setAttribute("aria-live", "polite");
    this.now = this.shown;
    this.waiting = [];
    this.note = make("p", { className: "note" });
    this.note.setAttribute("role", "status");
    this.setters = this.controls.map((control, at) => this.control(control, at)).filter(Boolean);
    const bars = make("div", { className: "bars" }, ...this.setters.map((each) => each.node));
    const rows = [this.presetRow(), bars];
    if (this.interval) rows.push(this.player());
    box.prepend(...rows.filter((row) => row.children.length));
    box.append(this.note);
    this.refresh();
    const near = (entries, watch) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      this.load();
    };
    new IntersectionObserver(near, { rootMargin: "50%" }).observe(this.figure);
  }

  // Bring the states, and a canvas in the place of the picture.
  load() {
    Promise.all([unpack(this.scene), fonts()]).then(
      ([recorded]) => {
        this.states = recorded.states;
        this.drawing = new Scene(recorded);
        this.canvas = make("canvas");
        this.canvas.setAttribute("role", "img");
        this.image.replaceWith(this.canvas);
        Flips.drawn.push(this);
        this.draw();
        new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.canvas.parentNode);
        this.waiting.forEach((act) => act());
      },
      () => (this.note.textContent = "The states of this figure could not be loaded, so it stands still."),
    );
  }

  // Do something with the states: now, or when they are there.
  when(act) {
    if (this.states) act();
    else this.waiting.push(act);
  }

  go(number) {
    this.when(() => this.show(this.states[number]));
  }

  draw() {
    const room = this.canvas.parentNode.clientWidth || this.width;
    const fine = printing ? 3 : devicePixelRatio;
    const stacked = room < NARROW && !printing;
    const width = Math.round(Math.min(room, this.width) * fine);
    const pieces = stacked ? stack(this.narrow, width, fine) : undefined;
    const height = stacked ? Math.ceil(Math.max(...pieces.map(({ y, down }) => y + down))) : Math.round((width * this.height) / this.width);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      Object.assign(this.canvas, { width, height });
      Object.assign(this.canvas.style, { width: stacked ? "100%" : `${this.width}px`, aspectRatio: `${width} / ${height}` });
    }
    this.drawing.draw(this.canvas, (stacked ? this.now.narrow : undefined) ?? this.now.frame, isDark() && !printing, pieces);
    this.canvas.setAttribute("aria-label", this.now.alt);
    this.canvas.dataset.frame = this.now.frame;
  }

  presetRow() {
    const row = make("div", { className: "row" });
    const named = Object.entries(this.presets).filter(([label]) => label);
    if (this.answer) named.push(["the answer", this.answer]);
    if (named.length || this.interval || this.controls.some(({ values }) => values.length > 1)) named.push(["reset", 0]);
    for (const [label, number] of named) {
      row.append(make("button", { type: "button", textContent: label, onclick: () => this.go(number) }));
    }
    return row;
  }

  control({ label, kind, values }, at) {
    if (values.length < 2) return null;
    const move = (value) => this.move(at, Number(value));
    if (kind === "slider") {
      const [node, input, shown] = slider(label, values.length - 1, move);
      return { node, set: (value) => ((input.value = value), (shown.value = values[value]), input.setAttribute("aria-valuetext", values[value])) };
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
      Object.assign(input, { max: last, value: step });
      shown.value = `${step} of ${last}`;
      input.setAttribute("aria-valuetext", shown.value);
    };
    const keys = { ArrowRight: () => this.step(this.now.step + 1), ArrowLeft: () => this.step(this.now.step - 1) };
    Object.assign(keys, { Home: () => this.step(0), End: () => this.step(this.now.last), " ": () => this.play(!this.timer) });
    this.figure.tabIndex = 0;
    this.figure.setAttribute("role", "group");
    this.figure.setAttribute("aria-label", "Left and right arrows step, Home restarts, Space plays and pauses");
    this.figure.addEventListener("keydown", (event) => {
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
    this.show(next, moved);
  }

  move(control, value) {
    if (!this.states) return this.when(() => this.move(control, value));
    if (this.timer) this.play(false);
    const wish = (at) => at.map((old, each) => (each === control ? value : old));
    const kept = this.history(wish(this.now.at));
    const found = kept ?? this.history(wish(this.states[0].at));
    const end = this.now.step === this.now.last;
    const far = (state) => (end ? state.last - state.step : Math.abs(state.step - this.now.step));
    this.show(found.reduce((best, state) => (far(state) < far(best) ? state : best)), !kept);
  }

  show(state, reset = false) {
    this.now = state;
    this.note.textContent = reset ? "The other controls went back to where the figure opens." : "";
    this.refresh();
    this.words.textContent = state.alt;
    this.draw();
  }

  refresh() {
    let at = 0;
    this.controls.forEach(({ values }, control) => values.length > 1 && this.setters[at++].set(this.now.at[control]));
    this.setStep?.(this.now);
  }
}
Flips.drawn = [];
let printing = false;
const redraw = () => Flips.drawn.forEach((each) => each.draw());
document.addEventListener("themechange", redraw);
byNight.addEventListener("change", redraw);
addEventListener("resize", redraw); // a zoom changes the pixels, and not always the width
for (const when of ["beforeprint", "afterprint"]) {
  addEventListener(when, () => {
    printing = when === "beforeprint"; // paper is white, and finer than a screen
    redraw();
  });
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

const digits = (number, count) => String(Number(number.toPrecision(count)));

function question(box) {
  const fold = box.querySelector(".reveal");
  const flips = fold && new Flips(fold.querySelector(".flips"));
  const model = new Asked(JSON.parse(box.querySelector("script").textContent), fold, flips);
  model.recall();
  const el = make("div");
  form.render({ model, el });
  box.classList.add("scripted", "bayeslib-live"); // the second is what question.js scrolls by
  flips?.box.classList.add("bayeslib-live");
  box.querySelector(".folds").before(el);
}

document.querySelectorAll(".question").forEach(question);
document.querySelectorAll(".answers").forEach(answers);
document.querySelectorAll(".again").forEach(lookAgain);
document.querySelectorAll(".go-on").forEach(goOn);
document.querySelectorAll("main[data-lesson]").forEach(keepPlace);
document.querySelectorAll("main[data-lesson]").forEach(anchors);
document.querySelectorAll(".flips").forEach((box) => box.closest(".reveal") || new Flips(box));
if (document.getElementById("query")) searchPage(document.getElementById("query"));
keepPages();
document.querySelectorAll("header .tools").forEach(themeButton);
if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".menu").open = false;
// What scrolls sideways must be reachable by keyboard; what a fold hides has no width until it opens.
function reach() {
  for (const each of document.querySelectorAll(".scroll, pre, mjx-container[display]")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  }
}
reach();
document.addEventListener("toggle", reach, true);
