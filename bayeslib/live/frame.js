// Shows the frames that the kernel draws, tells them to screen readers, and reports pointer and keys back.
// Everything that goes to the kernel is a trait with a running total or a position, never an event: the widget
// manager keeps one message in flight and merges the rest, and a merged total loses nothing.
const REST_MS = 250;

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

  let asked = 0, shown = 0, rest = 0;
  async function show() {
    const number = ++asked;
    const next = new Image();
    next.alt = model.get("alt");
    next.width = model.get("width");
    next.height = model.get("height");
    next.draggable = false;
    next.dataset.key = model.get("key");
    next.dataset.sharp = model.get("sharp");
    next.decoding = "sync"; // painted in the frame that swaps it in, so that no blank is ever seen
    next.src = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
    await new Promise((loaded) => (next.onload = next.onerror = loaded));
    URL.revokeObjectURL(next.src);
    if (number < shown) return;
    shown = number;
    image.replaceWith(next);
    image = next;
    caption.textContent = next.alt;
    clearTimeout(rest);
    if (!model.get("sharp")) {
      rest = setTimeout(() => {
        model.set("rest", model.get("rest") + 1);
        model.save_changes();
      }, REST_MS);
    }
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
    clearTimeout(rest);
    model.off("change:png", show);
  };
}

export default { initialize, render };
