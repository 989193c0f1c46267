// Saves the answers to the reader's own disk and takes such a file back; forgets them when asked twice.
function render({ model, el }) {
  const line = document.createElement("p");
  line.setAttribute("role", "status");
  const press = (text, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", act);
    return button;
  };
  const save = press("Save my answers to a file", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([model.get("text")], { type: "application/json" }));
    link.download = "my-answers.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  const ask = (asking) => {
    forget.hidden = asking;
    really.hidden = keep.hidden = !asking;
    (asking ? keep : forget).focus();
  };
  const forget = press("Forget my answers", () => ask(true));
  const really = press("Yes, forget all of them", () => {
    ask(false);
    model.set("forgotten", model.get("forgotten") + 1);
    model.save_changes();
  });
  const keep = press("No, keep them", () => ask(false));
  really.hidden = keep.hidden = true;
  const label = document.createElement("label");
  label.textContent = "Restore from a saved file ";
  const file = document.createElement("input");
  file.type = "file";
  file.accept = ".json,application/json";
  label.append(file);
  const box = document.createElement("div");
  box.className = "bayeslib-question";
  const isOurs = (event) => event.key === "Enter" && !event.shiftKey;
  box.addEventListener("keydown", (event) => isOurs(event) && event.stopPropagation());
  const mark = (event) => box.contains(event.target) && event.target.toggleAttribute("data-lm-suppress-shortcuts", isOurs(event));
  window.addEventListener("keydown", mark, true); // see keepKeys in frame.js
  box.append(line, save, forget, keep, really, label); // a second click where the first was keeps them
  el.append(box);

  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    model.set("restored", { text: await file.files[0].text(), number: (model.get("restored").number || 0) + 1 });
    model.save_changes();
    file.value = "";
  });
  const show = () => (line.textContent = model.get("status"));
  model.on("change:status", show);
  show();
  return () => window.removeEventListener("keydown", mark, true);
}

export default { render };
