// Saves the answers to the reader's own disk and takes such a file back.
function render({ model, el }) {
  const line = document.createElement("p");
  line.setAttribute("role", "status");
  const save = document.createElement("button");
  save.textContent = "Save my answers to a file";
  const forget = document.createElement("button");
  forget.textContent = "Forget my answers";
  forget.addEventListener("click", () => {
    model.set("forgotten", model.get("forgotten") + 1);
    model.save_changes();
  });
  const label = document.createElement("label");
  label.textContent = "Restore from a saved file ";
  const file = document.createElement("input");
  file.type = "file";
  file.accept = ".json,application/json";
  label.append(file);
  const box = document.createElement("div");
  box.className = "bayeslib-question";
  box.addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && event.stopPropagation());
  box.append(line, save, forget, label);
  el.append(box);

  save.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([model.get("text")], { type: "application/json" }));
    link.download = "my-answers.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    model.set("restored", { text: await file.files[0].text(), number: (model.get("restored").number || 0) + 1 });
    model.save_changes();
    file.value = "";
  });
  const show = () => (line.textContent = model.get("status"));
  model.on("change:status", show);
  show();
}

export default { render };
