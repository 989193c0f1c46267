// Shows the frames that the kernel draws, tells them to screen readers, and reports pointer and keys back.
// Everything that goes to the kernel is a trait with a running total or a position, never an event: the widget
// manager keeps one message in flight and merges the rest, and a merged total loses nothing. Of keys and clicks the order
// counts too, so the last of them go with their total.
const SILENT_MS = 2500; // a kernel that has not answered by then is busy or gone
const HANDED = -1; // the pace of what the hand moves (scene.js)
const RUNS = 50; // of one key each, more than fit between two answers
const TRACK = 120; // px: a slider's least length, under which it is not exact enough to drag
const sights = new Map(); // the figures on the page by the id of their model: a player that nobody sees stops

const make = (tag, options = {}) => Object.assign(document.createElement(tag), options);

function initialize({ model }) {
  let timer = 0;
  const tick = () => {
    clearTimeout(timer);
    if (!model.get("playing")) return;
    timer = setTimeout(() => {
      if ([...(sights.get(model.get("own")) ?? [])].some(inSight)) return press(model, "tick");
      model.set("playing", false);
      model.save_changes();
    }, model.get("interval"));
  };
  model.on("change:playing", tick);
  model.on("change:key", tick);
}

function press(model, key) {
  const { total = 0, runs = [] } = model.get("pressed"), last = runs.at(-1);
  const now = last?.[0] === key ? [...runs.slice(0, -1), [key, last[1] + 1]] : [...runs, [key, 1]];
  model.set("pressed", { total: total + 1, runs: now.slice(-RUNS) });
  model.save_changes();
}

function inSight(el) {
  const { top, bottom } = el.getBoundingClientRect();
  const shown = el.checkVisibility?.({ visibilityProperty: true }) ?? el.isConnected; // a slide that has gone is still in its place
  return shown && !document.hidden && bottom > 0 && top < innerHeight;
}

// Inside the figure's box plain keys belong to its sliders and buttons, not to the notebook; Shift+Enter still runs a cell.
// JupyterLab's shortcuts take what the box lets through; those of Notebook 7 come first, and look for a mark on the target.
function keepKeys(box) {
  const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
  const mark = (event) => box.contains(event.target) && event.target.toggleAttribute("data-lm-suppress-shortcuts", isPlain(event));
  box.addEventListener("keydown", (event) => isPlain(event) && event.stopPropagation());
  window.addEventListener("keydown", mark, true);
  return () => window.removeEventListener("keydown", mark, true);
}

function render({ model, el }) {
  const figure = make("figure", { className: "bayeslib-frame" });
  const [caption, tell, sized] = captioned(el);
  figure.append(caption);
  copied(model, figure);
  el.append(figure);
  const own = model.get("own");
  sights.set(own, (sights.get(own) ?? new Set()).add(figure));
  const shows = "change:change change:key change:opening change:answered";
  const { load, paint, end } = scenes(model, figure, tell);
  const leave = [() => sized.disconnect(), () => sights.get(own).delete(figure), end];
  const [ready, behind, stop] = flipbook(model, el, load, paint);
  leave.push(stop);
  let mute = () => false;
  (async () => {
    const controls = await controlsOf(model);
    const box = await boxOf(el, controls);
    if (!box) return; // closed before it was shown
    sized.observe(box);
    leave.push(keepKeys(box), spoken(model, box, controls), layout(box), await clicks(model, box));
    const [muted, unwatch] = await vigil(model, el, box, controls, behind);
    mute = muted;
    leave.push(unwatch);
  })();
  function show() {
    if (!ready()) paint(load(model)); // else the hand has moved on, and a picture drawn ahead shows where it is
  }
  model.on(shows, show);
  show();

  const listen = () => {
    if (!model.get("listens").length && !model.get("draggable")) return ["tabindex", "role", "aria-label", "title"].forEach((name) => figure.removeAttribute(name));
    figure.tabIndex = 0;
    figure.setAttribute("role", "group");
    figure.setAttribute("aria-label", model.get("help"));
    figure.title = model.get("help");
  };
  model.on("change:listens", listen);
  listen();
  figure.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !model.get("listens").includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!mute()) press(model, event.key);
  });
  if (model.get("draggable")) dragged(model, figure, () => mute());
  return () => {
    leave.forEach((end) => end());
    model.off(shows, show);
    model.off("change:listens", listen);
  };
}

// The stage draws the picture (scene.js), once it is on the page.
function scenes(model, figure, tell) {
  const stage = (globalThis.bayeslibStage ??= Promise.withResolvers()).promise.then((make) => make(model, figure, (key) => press(model, key)));
  return {
    load: (from) => {
      const get = (name) => (from === model ? model.get(name) : from[name]);
      return { change: get("change"), alt: get("alt"), words: get("words"), key: get("key"), pace: from === model ? get("pace") : HANDED, by: from === model ? get("by") : 0, ahead: from !== model };
    },
    paint: async (scene) => {
      tell(scene.alt, scene.words);
      (await stage).show(scene);
    },
    end: async () => (await stage).end(),
  };
}

function dragged(model, figure, mute) {
  figure.classList.add("bayeslib-draggable");
  let presses = 0, from = null;
  const place = (event) => {
    const box = figure.querySelector("canvas").getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const report = (event) => {
    model.set("pointer", { press: presses, from, to: place(event) });
    model.save_changes();
  };
  figure.addEventListener("pointerdown", (event) => {
    if (event.target.tagName !== "CANVAS" || mute()) return;
    figure.setPointerCapture(event.pointerId);
    presses = (model.get("pointer").press ?? 0) + 1; // not an old one's, after a reload or from another view
    from = place(event);
    report(event);
  });
  figure.addEventListener("pointermove", (event) => {
    if (from) report(event);
  });
  const release = () => (from = null);
  figure.addEventListener("pointerup", release);
  figure.addEventListener("pointercancel", release);
}

// Frames drawn ahead (see ahead.py): kept here by state, shown as soon as a control moves, without waiting for the kernel.
// Returns `ready`, whether a kept frame shows the controls better than the last frame that came, and `stop`.
function flipbook(model, el, load, paint) {
  const frames = new Map(); // by state, oldest first; the kernel says when to drop some
  const watched = model.get("watched"), flips = [];
  let controls = [], hand = null;
  const number = (_, value) => (typeof value === "number" ? Number(value.toPrecision(9)) : value);
  const name = (state) => JSON.stringify(state, number);
  const here = () => model.get("state").map((value, k) => (controls[k] ? controls[k].get(watched[k][1]) : value));

  function find(state) {
    const exact = frames.get(name(state));
    if (exact) return exact;
    let best = null, least = Infinity; // else one whose moved control is nearest, within its reach
    for (const frame of frames.values()) {
      const k = frame.control, off = Math.abs(frame.state[k] - state[k]);
      if (off < least && off <= frame.reach && name(frame.state.with(k, 0)) === name(state.with(k, 0))) [best, least] = [frame, off];
    }
    return best;
  }
  const behind = () => name(here()) !== name(model.get("state"));
  const ready = () => behind() && find(here()) !== null;
  const flip = () => {
    const frame = ready() && find(here());
    if (frame) paint(frame.picture);
  };

  function heard(content) {
    for (const old of [...frames.keys()].slice(0, content.drop)) frames.delete(old);
    if (!content.ahead) return;
    const { state, control, reach } = content.ahead;
    frames.set(name(state), { state, control, reach, picture: load(content.ahead) });
    model.send({ got: content.ahead.number });
  }
  // Only a control under the reader's own hand looks into the store, so that a preset never flashes half of its settings.
  async function touched(event) {
    let found = "";
    for (const [k, control] of controls.entries()) {
      for (const view of Object.values(control?.views ?? {})) {
        if ((await view).el.contains(event.target)) found = watched[k][2];
      }
    }
    if (found && hand === null) model.send({ opened: true });
    if (found) {
      model.set("hand", found);
      model.save_changes();
    }
    hand = found || (hand === null ? null : "");
  }
  (async () => {
    controls = await controlsOf(model);
    controls.forEach((control, k) => control?.on(`change:${watched[k][1]}`, (flips[k] = () => hand === watched[k][2] && flip())));
    const box = el.closest(".bayeslib-live");
    for (const kind of ["pointerover", "focusin"]) box?.addEventListener(kind, touched);
  })();
  model.on("msg:custom", heard);
  return [
    ready,
    behind,
    () => {
      controls.forEach((control, k) => control?.off(`change:${watched[k][1]}`, flips[k]));
      model.off("msg:custom", heard);
    },
  ];
}

// The present state as a line of Python, to be run below a figure that has this name.
const literal = (value) => (Array.isArray(value) ? `[${value.map(literal).join(", ")}]` : typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value) ?? "None");
function copied(model, figure) {
  const button = make("button", { type: "button", className: "bayeslib-copy", textContent: "Copy this state", title: "as figure.set(…)" });
  button.onclick = () => {
    const values = Object.entries(JSON.parse(model.get("key"))).filter(([name]) => name);
    const line = `figure.set(${values.map(([name, value]) => `${name}=${literal(value)}`).join(", ")})`;
    navigator.clipboard.writeText(line).then(() => (button.textContent = "Copied"), () => (button.textContent = line));
    setTimeout(() => (button.textContent = "Copy this state"), 2000);
  };
  if (model.get("watched").length) figure.append(button);
}

const controlsOf = (model) =>
  Promise.all(model.get("watched").map(([id]) => (id ? model.widget_manager.get_model(id) : null)));

// Clicks on the figure's buttons take the way of the keys, so that they are answered in their order.
async function clicks(model, box) {
  const ids = model.get("buttons"), buttons = await Promise.all(ids.map((id) => model.widget_manager.get_model(id)));
  const views = await Promise.all(buttons.map((button) => viewIn(box, button)));
  const take = (event) => {
    const at = views.findIndex((view) => view?.el.contains(event.target));
    if (at < 0) return;
    event.stopPropagation(); // before the button itself tells
    press(model, ids[at]);
  };
  box.addEventListener("click", take, true);
  return () => box.removeEventListener("click", take, true);
}

// The figure's box, once it and the views of its controls are on the page; null if that never comes.
async function boxOf(el, controls) {
  for (let tries = 0; tries < 200; tries += 1) {
    const box = el.closest(".bayeslib-live");
    const there = await Promise.all(controls.map((control) => !control || (box && viewIn(box, control))));
    if (box?.isConnected && there.every(Boolean)) return box;
    await new Promise((soon) => setTimeout(soon, 25));
  }
  return null;
}

async function viewIn(box, control) {
  const views = await Promise.all(Object.values(control.views ?? {}));
  return views.find((view) => box.contains(view.el));
}

// The caption: where the whole figure is higher than the notebook's window, its first sentence, and the rest behind a button.
function captioned(el) {
  const [first, rest] = [make("span"), make("span")];
  const whole = make("button", { type: "button", className: "bayeslib-whole", textContent: "more words" });
  const caption = make("figcaption");
  caption.setAttribute("aria-live", "polite");
  caption.setAttribute("aria-atomic", "true");
  caption.append(first, rest);
  let width = 0, high = 0, opened = false;
  const fold = (folded) => {
    caption.classList.toggle("bayeslib-folded-words", folded);
    if (folded) caption.after(whole);
    else whole.remove();
  };
  whole.onclick = () => {
    opened = true;
    fold(false);
    caption.closest("figure").focus();
  };
  const sized = new ResizeObserver(() => {
    const box = el.closest(".bayeslib-live");
    const room = el.closest(".jp-WindowedPanel-outer")?.clientHeight; // elsewhere the page is as high as it likes
    if (!box || !room) return;
    if (box.clientWidth !== width || room !== high) {
      [width, high, opened] = [box.clientWidth, room, false];
      fold(false);
    }
    if (!opened && rest.textContent.trim() && box.offsetHeight > room) fold(true);
  });
  sized.observe(caption);
  const tell = (words, typeset = []) => {
    if (typeset.length) return ([first.innerHTML, rest.innerHTML] = [typeset[0], typeset[1] && ` ${typeset[1]}`]);
    const end = words.search(/[.!?](\s|$)/) + 1 || words.length;
    first.textContent = words.slice(0, end);
    rest.textContent = words.slice(end);
  };
  return [caption, tell, sized];
}

// Every slider gets a name, its value in words with the unit, and one Tab stop; the step of a player says the round it shows.
function spoken(model, box, controls) {
  const ends = [];
  model.get("watched").forEach(async ([, , name, unit], k) => {
    const el = controls[k] && (await viewIn(box, controls[k]))?.el;
    const handle = el?.querySelector('[role="slider"]');
    if (!handle) return;
    const readout = el.querySelector(".widget-readout"), round = make("div", { className: "widget-readout bayeslib-round" });
    const rounds = name === "step" ? model.get("rounds") : [];
    handle.setAttribute("aria-label", controls[k].get("description"));
    readout.tabIndex = -1;
    if (rounds.length) el.append(round);
    const say = () => {
      const [at, most] = ["value", "max"].map((trait) => controls[k].get(trait));
      if (rounds.length) round.textContent = rounds[at] ?? at;
      const words = name === "step" ? `${rounds.length ? `${rounds[at]}, step ` : ""}${at} of ${most}` : `${readout.textContent} ${unit}`.trim();
      if (handle.getAttribute("aria-valuetext") !== words) handle.setAttribute("aria-valuetext", words);
    };
    const changed = new MutationObserver(say); // the slider writes a bare number there whenever it moves
    changed.observe(handle, { attributeFilter: ["aria-valuetext", "aria-valuemax"] });
    changed.observe(readout, { childList: true, characterData: true, subtree: true });
    ends.push(() => changed.disconnect());
    say();
  });
  return () => ends.forEach((end) => end());
}

// Lays the controls out by the room there is. Long sliders are exact, so they share a row only where the height asks for it and
// each keeps its length; what is still too much folds under "more controls". The rows of buttons are one Tab stop each.
function layout(box) {
  const all = box.querySelector(":scope > .bayeslib-controls");
  const [presets, bars, buttons] = ["presets", "bars", "buttons"].map((name) => all.querySelector(`:scope > .bayeslib-${name}`));
  const more = make("button", { type: "button", className: "jupyter-button widget-button bayeslib-toggle" });
  let open = false;
  const each = (selector) => [...all.querySelectorAll(selector)].filter((control) => !control.closest(".bayeslib-locked"));
  const fits = () => all.scrollHeight <= all.clientHeight;

  function roomy(selects) {
    const tracks = each(".bayeslib-bars :is(.noUi-target, input, textarea)");
    return tracks.every((track) => track.offsetWidth >= TRACK) && selects.every(([select, width]) => select.offsetWidth >= width);
  }
  // Fold in this order until the rest fits, with the button "more controls" in this row; tells how many are folded.
  function fold(row, order) {
    const folded = () => order.filter((control) => control.classList.contains("bayeslib-folded"));
    row.append(more);
    order.forEach((control) => control.classList.remove("bayeslib-folded"));
    for (const control of order) {
      if (fits()) break;
      control.classList.add("bayeslib-folded");
    }
    for (const control of fits() ? folded().reverse() : []) {
      control.classList.remove("bayeslib-folded"); // it may have been another one that was in the way
      if (!fits()) control.classList.add("bayeslib-folded");
    }
    return fits() ? folded().length : Infinity;
  }
  function lay() {
    const order = [
      ...each(".bayeslib-more").reverse(),
      ...each(".bayeslib-bars > :not(.bayeslib-main, .bayeslib-more)").reverse(),
      ...each(".bayeslib-presets > .widget-button:not(.bayeslib-toggle)").slice(0, -1).reverse(),
      ...each(".bayeslib-buttons > :not(.bayeslib-step, .widget-hslider, .bayeslib-more, .bayeslib-toggle)").reverse(),
    ];
    order.forEach((control) => control.classList.remove("bayeslib-folded"));
    all.classList.remove("bayeslib-open", "bayeslib-stacked", "bayeslib-tight");
    more.remove();
    bars.style.setProperty("--bayeslib-label", "max-content");
    const selects = each(".bayeslib-bars select").map((select) => {
      select.style.flex = "none";
      const width = select.offsetWidth;
      select.style.flex = "";
      return [select, width];
    });
    const labels = [...bars.querySelectorAll(":scope > * > .widget-label")].map((label) => label.offsetWidth + 1);
    bars.style.setProperty("--bayeslib-label", `${Math.max(0, ...labels)}px`);
    const columns = (count) => bars.style.setProperty("grid-template-columns", `repeat(${count}, minmax(0, 1fr))`);
    columns(1);
    const stacked = all.classList.toggle("bayeslib-stacked", !roomy(selects)); // labels above their sliders
    for (let count = 2; !stacked && count <= 3 && count <= bars.childElementCount && !fits(); count += 1) {
      columns(count);
      if (roomy(selects)) continue;
      columns(count - 1);
      break;
    }
    all.classList.toggle("bayeslib-tight", !fits()); // the player's buttons without their words
    if (!fits()) {
      more.textContent = open ? "fewer controls" : "more controls";
      more.setAttribute("aria-expanded", open);
      const rows = open || !buttons.childElementCount ? [presets] : [presets, buttons]; // its place costs least in one of them
      const [best] = rows.map((row) => [row, open ? 0 : fold(row, order)]).sort(([, a], [, b]) => a - b);
      if (open) presets.append(more);
      else if (best[0] !== rows.at(-1)) fold(best[0], order);
      all.classList.toggle("bayeslib-open", open || !fits());
    }
    for (const row of [presets, buttons]) rove(row);
  }
  more.onclick = () => {
    open = !open;
    lay();
    more.focus();
  };
  function rove(row, to = null) {
    const there = [...row.querySelectorAll("button")].filter((button) => button.checkVisibility());
    const stop = to ?? there.find((button) => button.tabIndex === 0 && button.dataset.stop) ?? there[0];
    for (const button of there) {
      button.tabIndex = button === stop ? 0 : -1;
      button.dataset.stop = button === stop ? "yes" : "";
    }
    return there;
  }
  const go = (event) => {
    const row = event.currentTarget, by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.target.tagName !== "BUTTON" || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const there = rove(row), next = there[(there.indexOf(event.target) + by + there.length) % there.length];
    rove(row, next);
    next.focus();
    event.preventDefault();
  };
  for (const [row, name] of [[presets, "settings"], [buttons, "actions"]]) {
    row.setAttribute("role", "toolbar");
    row.setAttribute("aria-label", name);
    row.addEventListener("keydown", go);
    row.addEventListener("focusin", (event) => event.target.tagName === "BUTTON" && rove(row, event.target));
  }
  const sized = new ResizeObserver(lay);
  sized.observe(all);
  return () => sized.disconnect();
}

// Says in words when Python cannot answer: restarted, out of reach, or silent after a control has moved.
const GONE = ["restarting", "autorestarting", "terminating", "dead"];
const WORDS = {
  gone: "Python was restarted or has ended, and no longer knows this figure. Run the cells above again, then this cell.",
  lost: "The connection to Python is lost. The figure goes on when it is back.",
  silent: "Python has not answered for 3 seconds. If it is busy with a cell, the picture follows when it is done; else run this cell again.",
};

async function vigil(model, el, box, controls, behind) {
  const manager = model.widget_manager, own = await manager.get_model(model.get("own"));
  const kernel = manager.kernel; // not every front end has one
  const notice = make("div", { className: "bayeslib-notice" }), words = make("span");
  notice.setAttribute("role", "alert");
  const again = make("button", { type: "button", className: "jupyter-button widget-button", textContent: "Run them now" });
  let gone = false, silent = 0, why = "";
  const say = (now) => {
    if (now === why) return;
    why = now;
    box.classList.toggle("bayeslib-mute", why !== "");
    box.querySelector(":scope > .bayeslib-controls").inert = why === "gone" || why === "lost";
    words.textContent = WORDS[why] ?? "";
    notice.replaceChildren(words);
    if (why) el.prepend(notice);
    else notice.remove();
    if (why === "gone") cellOf(own).then((found) => {
      if (!found) return;
      again.onclick = () => runTo(...found);
      notice.append(again);
    });
  };
  const check = () => {
    gone ||= !own.comm_live || kernel?.isDisposed || GONE.includes(kernel?.status);
    say(gone ? "gone" : kernel && kernel.connectionStatus !== "connected" ? "lost" : why === "silent" ? why : "");
  };
  const moved = () => {
    silent ||= setTimeout(() => {
      silent = 0;
      if (!why && behind()) say("silent");
    }, SILENT_MS);
  };
  const answered = () => {
    clearTimeout(silent);
    [silent, gone] = [0, false];
    if (why) say("");
  };
  const signals = ["statusChanged", "connectionStatusChanged", "disposed"].map((name) => kernel?.[name]);
  signals.forEach((signal) => signal?.connect(check));
  own.on("comm_live_update", check);
  model.on("change:key", answered);
  const traits = controls.map((control, k) => control && [control, `change:${model.get("watched")[k][1]}`]).filter(Boolean);
  for (const [control, change] of traits) control.on(change, moved);
  check();
  return [
    () => why === "gone" || why === "lost",
    () => {
      clearTimeout(silent);
      signals.forEach((signal) => signal?.disconnect(check));
      own.off("comm_live_update", check);
      model.off("change:key", answered);
      for (const [control, change] of traits) control.off(change, moved);
    },
  ];
}

// In JupyterLab a view knows the cell that it stands in: [cell, cells, session], or null elsewhere.
async function cellOf(own) {
  let at = (await Object.values(own.views)[0])?.luminoWidget, cell = null;
  for (; at; at = at.parent) {
    if (at.model?.type === "code" && at.outputArea && at.constructor.execute) cell = at;
    if (cell && at.content?.widgets?.includes(cell) && at.sessionContext) return [cell, at.content.widgets, at.sessionContext];
  }
  return null;
}

async function runTo(cell, cells, session) {
  for (const each of cells.slice(0, cells.indexOf(cell) + 1)) {
    const reply = each.model.type === "code" && (await each.constructor.execute(each, session));
    if (reply?.content?.status === "error") return;
  }
}

export default { initialize, render };
