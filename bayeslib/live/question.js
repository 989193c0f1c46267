// One question: radio buttons or a number field, a button, and what a screen reader hears of the reply. Texts come as HTML.
const SILENT_MS = 2500; // Python that has not answered by then is busy or gone
const SILENT = "Python has not answered for 3 seconds. If it is busy with a cell, the reply follows when it is done. If it was restarted, run the cells above again, then this cell.";
const NOTES = { right: "right", said: "you said", first: "your first bet" };

function render({ model, el }) {
  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const form = make("form", { className: `bayeslib-question bayeslib-${model.get("kind")}`, noValidate: true });
  const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey; // not the notebook's keys
  form.addEventListener("keydown", (event) => isPlain(event) && event.stopPropagation());
  const mark = (event) => form.contains(event.target) && event.target.toggleAttribute("data-lm-suppress-shortcuts", isPlain(event));
  window.addEventListener("keydown", mark, true); // see keepKeys in frame.js

  const legend = make("legend"), place = make("span", { className: "bayeslib-place" }), heading = make("span"), prompt = make("p");
  legend.append(heading, place);
  const set = make("fieldset", {}, legend, prompt), choices = make("div", { className: "bayeslib-options" });
  set.append(choices);
  const options = model.get("options"), group = `bayeslib-${Math.random().toString(36).slice(2)}`;
  const inputs = (options.length ? options : ["Your number: "]).map((text, number) => {
    const input = make("input", options.length ? { type: "radio", name: group, value: number } : { type: "number", step: "any" });
    const words = make("span", { innerHTML: text });
    choices.append(make("label", {}, ...(options.length ? [input, words, make("em")] : [words, input])));
    return input;
  });
  choices.classList.toggle("bayeslib-short", options.every((text) => text.length <= 22));

  const button = make("button", { type: "submit" }), skip = make("button", { type: "button", onclick: () => send({ skipped: true }) });
  const note = make("span", { className: "bayeslib-note" }), feedback = make("div");
  feedback.setAttribute("role", "status");
  form.append(set, button, ...(model.get("skip") ? [skip] : []), note, feedback);
  el.append(form);

  let asked = false, silent = 0;
  function send(reply) {
    asked = true;
    say(model.get("verdict"), model.get("feedback")); // the same answer again changes nothing in the model
    const number = (model.get("reply").number || 0) + 1;
    clearTimeout(silent);
    if (model.widget_manager) silent = setTimeout(() => model.get("answered") !== number && say("", SILENT), SILENT_MS);
    model.set("reply", { ...reply, number });
    model.save_changes();
  }
  form.addEventListener("room", ({ detail }) => send({ room: detail })); // in a lecture (tools/lecture)
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = options.length ? inputs.findIndex((input) => input.checked) : inputs[0].value.trim();
    if (!model.get("sealed") && (chosen === -1 || chosen === "" || !Number.isFinite(Number(chosen)))) {
      say("", options.length ? "Pick one of the answers first." : "Type a number first.");
      return;
    }
    send({ answer: Number(chosen) });
  });
  // Once the figure below the question is drawn: the words about the guess on top, the figure under them; or what is revealed.
  function bringIntoSight(tries = 50) {
    const box = form.closest(".bayeslib-live"), told = box?.querySelector(".bayeslib-reveal"), figure = box?.querySelector(".bayeslib-live");
    if (told?.textContent) {
      told.tabIndex = -1;
      told.focus({ preventScroll: true });
      asked = false;
      figure?.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    } else if (!figure?.querySelector("img")?.naturalWidth) {
      if (tries) setTimeout(() => bringIntoSight(tries - 1), 100);
    } else if (feedback.textContent) feedback.scrollIntoView({ block: "start" });
    else figure.scrollIntoView({ block: "nearest" });
  }
  function say(verdict, words) {
    const name = model.get("verdicts")[verdict], html = `${name ? `<strong>${name}</strong> ` : ""}${words}`;
    if (feedback.className === verdict && feedback.dataset.said === html) return; // said once
    feedback.className = verdict;
    feedback.dataset.said = html;
    feedback.innerHTML = html;
  }
  // The button waits for a choice, and half-way says what the choice does to the bet.
  const name = () => {
    const at = inputs.findIndex((input) => input.checked), kept = model.get("chosen");
    button.textContent = model.get("kind") === "raise" && typeof kept === "number" && at !== kept ? "Change my bet" : model.get("button");
    form.classList.toggle("bayeslib-waiting", !model.get("sealed") && (options.length ? at < 0 : !inputs[0].value));
  };
  form.addEventListener("input", name);
  const show = () => {
    heading.textContent = model.get("heading");
    place.textContent = model.get("place") ?? "";
    prompt.innerHTML = model.get("prompt");
    note.innerHTML = model.get("note") ?? "";
    skip.textContent = model.get("skip");
    say(model.get("verdict"), model.get("feedback"));
    const chosen = model.get("chosen"), locked = model.get("locked"), marks = model.get("marks") ?? [];
    if (typeof chosen === "number") {
      if (!options.length) inputs[0].value ||= chosen;
      else if (inputs[chosen] && !inputs.some((input) => input.checked)) inputs[chosen].checked = true;
    } else if (locked && !marks.length) inputs.forEach((input) => (input.checked = false));
    name();
    form.classList.toggle("bayeslib-told", marks.length > 0);
    form.classList.toggle("bayeslib-locked-in", locked);
    form.classList.toggle("bayeslib-sealed", Boolean(model.get("sealed")));
    inputs.forEach((input, number) => {
      const label = input.parentNode, said = (marks[number] ?? "").split(" ").filter(Boolean);
      label.className = said.map((each) => `bayeslib-${each}`).join(" ");
      if (options.length) label.lastChild.textContent = said.map((each) => NOTES[each]).join(", ");
    });
    [...inputs, button, skip].forEach((each) => (each.disabled = locked));
    if (asked) bringIntoSight();
  };
  model.on("change:verdict change:feedback change:chosen change:locked change:skip change:answered change:marks change:prompt change:heading change:place change:button change:sealed", show);
  show();
  return () => {
    clearTimeout(silent);
    window.removeEventListener("keydown", mark, true);
  };
}

export default { render };
