// Shows the frames that the kernel draws, tells them to screen readers, and reports pointer and keys back.
// Everything that goes to the kernel is a trait with a running total or a position, never an event: the widget
// manager keeps one message in flight and merges the rest, and a merged total loses nothing.
const REST_MS = 250;
const FAR_MS = 40; // a kernel that takes longer to answer is far away: then it draws ahead, and the page flips

function initialize({ model }) {
  let timer = 0;
  const tick = () => {
    clearTimeout(timer);
    if (!model.get("playing")) return;
    timer = setTimeout(() => press(model, "tick"), model.get("interval"));
  };
  model.on("change:playing", tick);
  model.on("change:key", tick);
}

function press(model, key) {
  const pressed = model.get("pressed");
  model.set("pressed", { ...pressed, [key]: (pressed[key] || 0) + 1 });
  model.save_changes();
}

// Inside the figure's box plain keys belong to its sliders and buttons, not to the notebook; Shift+Enter still runs a cell.
function keep(event) {
  if (!event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) event.stopPropagation();
}

function render({ model, el }) {
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  let image = new Image();
  caption.setAttribute("aria-live", "polite");
  figure.className = "bayeslib-frame";
  figure.append(image, caption);
  el.append(figure);
  setTimeout(() => el.closest(".bayeslib-live")?.addEventListener("keydown", keep));

  function load({ png, alt, key, sharp, ahead }) {
    const next = new Image();
    next.alt = alt;
    next.width = model.get("width");
    next.height = model.get("height");
    next.draggable = false;
    Object.assign(next.dataset, { key, sharp, ahead });
    next.decoding = "sync"; // painted in the frame that swaps it in, so that no blank is ever seen
    next.src = URL.createObjectURL(new Blob([png], { type: "image/png" }));
    next.loaded = new Promise((loaded) => (next.onload = next.onerror = loaded)).then(() => URL.revokeObjectURL(next.src));
    return next;
  }
  let asked = 0, shown = 0, rest = 0;
  async function paint(next) {
    const number = ++asked;
    await next.loaded;
    if (number < shown) return;
    shown = number;
    image.replaceWith(next);
    image = next;
    caption.textContent = next.alt;
    clearTimeout(rest);
    if (next.dataset.sharp === "true" || next.dataset.ahead === "true") return;
    rest = setTimeout(() => {
      model.set("rest", model.get("rest") + 1);
      model.save_changes();
    }, REST_MS);
  }
  const [ready, stop] = flipbook(model, el, load, paint);
  function show() {
    if (ready()) return; // the hand has moved on, and a picture drawn ahead shows where it is
    const [png, alt, key, sharp] = ["png", "alt", "key", "sharp"].map((name) => model.get(name));
    paint(load({ png, alt, key, sharp, ahead: false }));
  }
  model.on("change:png", show);
  show();

  const keys = model.get("listens");
  if (keys.length || model.get("draggable")) {
    figure.tabIndex = 0;
    figure.setAttribute("role", "group");
    figure.setAttribute("aria-label", model.get("help"));
    figure.title = model.get("help");
  }
  figure.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys.includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    press(model, event.key);
  });

  if (model.get("draggable")) {
    figure.classList.add("bayeslib-draggable");
    let presses = 0, from = null;
    const place = (event) => {
      const box = image.getBoundingClientRect();
      return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    };
    const report = (event) => {
      model.set("pointer", { press: presses, from, to: place(event) });
      model.save_changes();
    };
    figure.addEventListener("pointerdown", (event) => {
      if (event.target !== image) return;
      figure.setPointerCapture(event.pointerId);
      presses += 1;
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
  return () => {
    stop();
    clearTimeout(rest);
    model.off("change:png", show);
  };
}

// Frames drawn ahead (see ahead.py): kept here by state, shown as soon as a control moves, without waiting for the kernel.
// Returns `ready`, whether a kept frame shows the controls better than the last frame that came, and `stop`.
function flipbook(model, el, load, paint) {
  const frames = new Map(); // by state, oldest first; the kernel says when to drop some
  const watched = model.get("watched");
  let controls = [], pings = 0, pinged = 0, far = false, hand = "";
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
  const ready = () => name(here()) !== name(model.get("state")) && find(here()) !== null;
  const flip = () => {
    const frame = ready() && find(here());
    if (frame) paint(frame.image);
  };

  function heard(content, buffers) {
    if (content.pong) {
      far = performance.now() - pinged > FAR_MS;
      if (far && pings < 2) ping(); // it may have been busy
      else if (far) reach(hand);
    } else if (content.ahead) {
      for (const old of [...frames.keys()].slice(0, content.drop)) frames.delete(old);
      const { state, control, reach, alt, key } = content.ahead; // loaded now, so that a flip has nothing to wait for
      frames.set(name(state), { state, control, reach, image: load({ png: buffers[0], alt, key, sharp: false, ahead: true }) });
      model.send({ got: content.ahead.number });
    }
  }
  function ping() {
    [pings, pinged, far] = [pings + 1, performance.now(), false];
    model.send({ ping: "new" });
  }
  function reach(control) {
    hand = control;
    if (!pings) ping();
    else if (far) {
      model.set("hand", hand);
      model.save_changes();
    }
  }
  async function touched(event) {
    for (const [k, control] of controls.entries()) {
      for (const view of Object.values(control?.views ?? {})) {
        if ((await view).el.contains(event.target) && hand !== watched[k][2]) return reach(watched[k][2]);
      }
    }
  }
  (async () => {
    controls = await Promise.all(watched.map(([id]) => (id ? model.widget_manager.get_model(id) : null)));
    controls.forEach((control, k) => control?.on(`change:${watched[k][1]}`, flip));
    const box = el.closest(".bayeslib-live");
    for (const kind of ["pointerover", "focusin"]) box?.addEventListener(kind, touched);
  })();
  model.on("msg:custom", heard);
  return [
    ready,
    () => {
      controls.forEach((control, k) => control?.off(`change:${watched[k][1]}`, flip));
      model.off("msg:custom", heard);
    },
  ];
}

export default { initialize, render };
