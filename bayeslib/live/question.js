// One question: radio buttons or a number field, a button, and a verdict with feedback that a screen reader hears.
const SILENT_MS = 2500; // Python that has not answered by then is busy or gone
const SILENT = "Python has not answered for 3 seconds. If it is busy with a cell, the reply follows when it is done. If it was restarted, run the cells above again, then this cell.";

function render({ model, el }) {
  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const form = make("form", { className: "bayeslib-question", noValidate: true });
  const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey; // not the notebook's keys
  form.addEventListener("keydown", (event) => isPlain(event) && event.stopPropagation());
  const mark = (event) => form.contains(event.target) && event.target.toggleAttribute("data-lm-suppress-shortcuts", isPlain(event));
  window.addEventListener("keydown", mark, true); // see keepKeys in frame.js
  const set = make("fieldset", {}, make("legend", { textContent: model.get("heading") }), make("p", { textContent: model.get("prompt") }));

  const options = model.get("options");
  const group = `bayeslib-${Math.random().toString(36).slice(2)}`;
  const inputs = (options.length ? options : ["Your number: "]).map((text, number) => {
    const input = make("input", options.length ? { type: "radio", name: group, value: number } : { type: "number", step: "any" });
    const words = make("span", { textContent: text });
    set.append(make("label", {}, ...(options.length ? [input, words] : [words, input])));
    return input;
  });

  const button = make("button", { type: "submit", textContent: model.get("button") });
  const skip = make("button", { type: "button", onclick: () => send({ skipped: true }) });
  const feedback = make("div");
  feedback.setAttribute("role", "status");
  form.append(set, button, ...(model.get("skip") ? [skip] : []), feedback);
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
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = options.length ? inputs.findIndex((input) => input.checked) : inputs[0].value.trim();
    if (chosen === -1 || chosen === "" || !Number.isFinite(Number(chosen))) {
      say("", options.length ? "Pick one of the answers first." : "Type a number first.");
      return;
    }
    send({ answer: Number(chosen) });
  });
  // Once the figure below the question is drawn: the words about the guess on top, the figure under them.
  function bringIntoSight(tries = 50) {
    const figure = form.closest(".bayeslib-live")?.querySelector(".bayeslib-live");
    if (!figure?.querySelector("img")?.naturalWidth) {
      if (tries) setTimeout(() => bringIntoSight(tries - 1), 100);
    } else if (feedback.textContent) feedback.scrollIntoView({ block: "start" });
    else figure.scrollIntoView({ block: "nearest" });
  }
  function say(verdict, words) {
    const name = model.get("verdicts")[verdict];
    if (feedback.className === verdict && feedback.textContent === `${name ? `${name} ` : ""}${words}`) return; // said once
    feedback.className = verdict;
    feedback.replaceChildren(...(name ? [make("strong", { textContent: name }), " "] : []), words);
  }
  const show = () => {
    say(model.get("verdict"), model.get("feedback"));
    skip.textContent = model.get("skip");
    const chosen = model.get("chosen");
    if (typeof chosen === "number") {
      if (!options.length) inputs[0].value ||= chosen;
      else if (inputs[chosen] && !inputs.some((input) => input.checked)) inputs[chosen].checked = true;
    }
    if (asked) bringIntoSight();
    if (model.get("locked")) [...inputs, button, skip].forEach((each) => (each.disabled = true));
  };
  model.on("change:verdict change:feedback change:chosen change:locked change:skip change:answered", show);
  show();
  return () => {
    clearTimeout(silent);
    window.removeEventListener("keydown", mark, true);
  };
}

export default { render };
