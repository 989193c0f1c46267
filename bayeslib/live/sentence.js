// A sentence that follows its model.
function render({ model, el }) {
  const line = document.createElement("p");
  line.setAttribute("role", "status");
  el.append(line);
  const show = () => (line.textContent = model.get("value"));
  model.on("change:value", show);
  show();
}

export default { render };
