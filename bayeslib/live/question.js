// One question: radio buttons or a number field, a button, and feedback that a screen reader hears.
function render({ model, el }) {
  const form = document.createElement("form");
  form.className = "bayeslib-question";
  form.noValidate = true;
  form.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) event.stopPropagation(); // not the notebook's keys
  });
  const set = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = model.get("heading");
  const prompt = document.createElement("p");
  prompt.textContent = model.get("prompt");
  set.append(legend, prompt);

  const options = model.get("options");
  const group = `bayeslib-${Math.random().toString(36).slice(2)}`;
  const inputs = (options.length ? options : ["Your number: "]).map((text, number) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = options.length ? "radio" : "number";
    if (options.length) Object.assign(input, { name: group, value: number });
    else input.step = "any";
    const words = document.createElement("span");
    words.textContent = text;
    label.append(...(options.length ? [input, words] : [words, input]));
    set.append(label);
    return input;
  });

  const button = document.createElement("button");
  button.type = "submit";
  button.textContent = model.get("button");
  form.append(set, button);
  const skip = document.createElement("button");
  if (model.get("skip")) {
    skip.type = "button";
    skip.addEventListener("click", () => send({ skipped: true }));
    form.append(skip);
  }
  const feedback = document.createElement("div");
  feedback.setAttribute("role", "status");
  form.append(feedback);
  el.append(form);

  let asked = false;
  function send(reply) {
    asked = true;
    model.set("reply", { ...reply, number: (model.get("reply").number || 0) + 1 });
    model.save_changes();
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = options.length ? inputs.findIndex((input) => input.checked) : inputs[0].value.trim();
    if (chosen === -1 || chosen === "") {
      feedback.textContent = options.length ? "Pick one of the answers first." : "Type a number first.";
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
  const show = () => {
    feedback.textContent = model.get("feedback");
    skip.textContent = model.get("skip");
    if (asked) bringIntoSight();
    if (model.get("locked")) [...inputs, ...form.querySelectorAll("button")].forEach((each) => (each.disabled = true));
  };
  model.on("change:feedback change:locked change:skip", show);
  show();
}

export default { render };
