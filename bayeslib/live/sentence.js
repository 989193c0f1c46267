// Words that follow their model: a sentence, or what an answer reveals.
function render({ model, el }) {
  const box = document.createElement("div");
  box.setAttribute("role", "status");
  el.append(box);
  const show = () => {
    box.innerHTML = model.get("value"); // from the course's own texts (prose.py)
    box.className = model.get("kind").split(" ").filter(Boolean).map((name) => `bayeslib-${name}`).join(" ");
  };
  model.on("change:value", show);
  show();
}

export default { render };
