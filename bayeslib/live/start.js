// Runs the cells below, one after another, and leaves the page where it is; stops at the first error and says where.
const PRESS = "Press Shift+Enter in one cell after another, or choose Run All Cells in the menu Run.";

// In JupyterLab a view knows the cell that it stands in: [cell, cells, session], or null elsewhere.
async function cellOf(model) {
  let at = (await Object.values(model.views ?? {})[0])?.luminoWidget, cell = null;
  for (; at; at = at.parent) {
    if (at.model?.type === "code" && at.outputArea && at.constructor.execute) cell = at;
    if (cell && at.content?.widgets?.includes(cell) && at.sessionContext) return [cell, at.content.widgets, at.sessionContext];
  }
  return null;
}

function render({ model, el }) {
  const box = document.createElement("div"), button = document.createElement("button"), line = document.createElement("span");
  box.className = "bayeslib-start";
  Object.assign(button, { type: "button", textContent: "Start this lesson" });
  line.setAttribute("role", "status");
  box.append(button, line);
  el.append(box);
  line.textContent = "It prepares every figure below. The page stays here.";
  button.onclick = async () => {
    if (button.disabled) return;
    button.disabled = true;
    const found = model.widget_manager && (await cellOf(await model.widget_manager.get_model(model.get("own"))));
    line.textContent = found ? "" : PRESS;
    if (found) await run(...found);
  };
  async function run(own, cells, session) {
    const below = cells.slice(cells.indexOf(own) + 1).filter((each) => each.model.type === "code");
    for (const [number, each] of below.entries()) {
      line.textContent = `Preparing ${number + 1} of ${below.length}. Read on; the page stays here.`;
      const reply = await each.constructor.execute(each, session);
      if (reply?.content?.status !== "error") continue;
      line.textContent = `It stopped at an error in cell ${each.model.executionCount ?? number + 1}: ${reply.content.ename}. Mend it, then run the cells below it one by one. `;
      const go = document.createElement("button");
      Object.assign(go, { type: "button", textContent: "Show me", onclick: () => each.node.scrollIntoView({ block: "center" }) });
      line.after(go);
      return;
    }
    line.textContent = "Everything is ready.";
  }
}

export default { render };
