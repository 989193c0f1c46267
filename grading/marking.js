// Marking by keyboard: the digits give or take a rubric line's points, Enter goes to the next answer that is not marked.
const answers = [...document.querySelectorAll(".ans")], past = [], count = document.querySelector("#count"), saved = document.querySelector("#saved");
let at = Math.max(0, answers.findIndex((each) => !each.dataset.done)), queue = Promise.resolve();
const boxes = (answer) => [...answer.querySelectorAll("input[type=checkbox]")], note = (answer) => answer.querySelector("textarea");
const state = (answer) => ({ lines: boxes(answer).map((box) => box.checked), comment: note(answer).value, done: !!answer.dataset.done });
function show(move) {
  answers.forEach((each, place) => each.toggleAttribute("aria-current", place === at));
  const done = answers.filter((each) => each.dataset.done).length;
  count.textContent = `${done} of ${answers.length} marked`;
  document.querySelector("progress").value = done;
  if (move) { answers[at].focus({ preventScroll: true }); answers[at].scrollIntoView({ block: "nearest" }); }
}
function save(answer, wanted) {
  boxes(answer).forEach((box, place) => { box.checked = wanted.lines[place]; });
  note(answer).value = wanted.comment;
  answer.dataset.done = wanted.done ? "1" : "";
  const points = boxes(answer).reduce((sum, box) => sum + box.checked * box.value, 0), said = answer.querySelector(".state");
  said.className = `state ${wanted.done ? "right" : "open"}`;
  said.textContent = wanted.done ? `${points} of ${answer.dataset.of}` : "to mark";
  const told = { student: answer.dataset.student, ...wanted };
  queue = queue.then(() => fetch("", { method: "POST", body: JSON.stringify(told) })).then(
    (reply) => { saved.textContent = reply.ok ? `Saved: ${told.student}, ${points} of ${answer.dataset.of}.` : `Not saved: ${told.student}. Reload this page.`; saved.className = reply.ok ? "muted" : ""; },
    () => { saved.textContent = "Not saved: the program has ended. Start make mark again and reload this page."; saved.className = ""; });
  show();
}
function change(answer, wanted) { past.push([answer, state(answer)]); save(answer, wanted); }
function flip(answer, place) { const now = state(answer); now.lines[place] = !now.lines[place]; change(answer, { ...now, done: true }); }
addEventListener("keydown", (event) => {
  const answer = answers[at], box = boxes(answer)[event.key - 1];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("textarea")) { if (event.key === "Escape") answer.focus(); return; }
  if (box) flip(answer, event.key - 1);
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") { at = Math.min(answers.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1))); show(true); }
  else if (event.key === "Enter") { if (!answer.dataset.done) change(answer, { ...state(answer), done: true }); const next = answers.findIndex((each, place) => place > at && !each.dataset.done); if (next > 0) at = next; show(true); }
  else if (event.key === "c") note(answer).focus();
  else if (event.key === "u" && past.length) { const [before, wanted] = past.pop(); at = answers.indexOf(before); save(before, wanted); show(true); }
  else return;
  event.preventDefault();
});
answers.forEach((answer, place) => {
  answer.addEventListener("click", () => { at = place; show(); });
  boxes(answer).forEach((box, line) => box.addEventListener("click", (event) => { event.preventDefault(); at = place; setTimeout(() => flip(answer, line)); }));
  note(answer).addEventListener("focus", () => { at = place; show(); });
  note(answer).addEventListener("change", () => save(answer, state(answer)));
});
show(true);
