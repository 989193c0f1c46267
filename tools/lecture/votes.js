// The room's votes on the slides: a code to scan and how many have voted; once the vote is closed, bars or dots. voila asks
// the votes for us (wall.py), so the lecturer's key is on no page.
const ROUND = { bet: 1, raise_bet: 2, settle: 0 }; // of a bet, which is placed at the start, may be raised, and is settled at the end
const NAMED = 0.1; // of the votes, from which on a frequent mistake is named

class Votes {
  // `current` is the slide on the wall; `changed` is called when something on it was drawn anew.
  constructor(current, changed) {
    Object.assign(this, { current, changed, where: "", busy: false, walls: new Map() });
    this.address = `${JSON.parse(document.querySelector("#jupyter-config-data").textContent).baseUrl}votes`;
    this.ask().then(({ where }) => {
      this.where = where ?? "";
      if (where) setInterval(() => this.look(), 1000);
      this.look();
    });
  }

  async ask(question = "", step = "") {
    const token = document.cookie.match(/(?:^|; )_xsrf=([^;]*)/)?.[1] ?? "";
    const options = { method: step ? "POST" : "GET", headers: { "X-XSRFToken": token }, cache: "no-store" };
    try {
      const answer = await fetch(`${this.address}?${new URLSearchParams({ question, step })}`, options);
      return answer.ok ? await answer.json() : { failed: true };
    } catch {
      return { failed: true };
    }
  }

  cell() {
    const cell = this.current()?.querySelector('[data-question]:not([data-question=""]):has(form.bayeslib-question)');
    return this.where ? cell : null;
  }
  wall = (cell) => this.walls.get(cell?.dataset.question);
  told = (cell) => Boolean(cell.querySelector(".bayeslib-locked-in"));

  // Asks how the vote stands, while it is open or when its slide comes.
  async look() {
    const cell = this.cell(), wall = this.wall(cell);
    if (!cell || this.busy) return;
    if (!wall || wall.open || wall.failed) await this.take(cell);
    else this.draw(cell, wall); // the figure or the answer may have come
  }

  async take(cell, step = "") {
    const name = cell.dataset.question, before = this.walls.get(name);
    this.busy = true;
    const wall = await this.ask(name, step);
    this.busy = false;
    this.walls.set(name, wall.failed ? { ...before, failed: true } : wall);
    this.draw(cell, this.walls.get(name));
    if (this.pressed && !step) this.step(); // while we looked; while a step was taken it was the same press twice
    this.pressed = false;
  }

  // One press of the clicker: open, close, and if the room is divided, once more. False where the slides go on.
  step() {
    const cell = this.cell(), wall = this.wall(cell);
    if (!cell) return false;
    if (!wall) this.look();
    this.pressed = !wall || this.busy;
    if (this.pressed) return true;
    const round = ROUND[cell.dataset.role] ?? (this.divided(wall) ? 2 : 1);
    if (wall.failed || !wall.offered || this.told(cell) || (!wall.open && wall.round >= round)) return false;
    this.take(cell, wall.open ? "close" : wall.round ? "again" : "open");
    return true;
  }

  again() {
    const cell = this.cell(), wall = this.wall(cell);
    if (wall?.round === 1 && !wall.open && !this.told(cell)) this.take(cell, "again");
  }

  forget = () => (this.where ? this.ask("", "forget") : Promise.resolve());

  // Worth a second vote: some can convince others.
  divided({ round, right, votes, open }) {
    const part = right?.[0] / votes?.[0];
    return round > 1 || (round === 1 && !open && part >= 0.3 && part <= 0.7);
  }

  draw(cell, wall) {
    const form = cell.querySelector("form.bayeslib-question"), told = this.told(cell), seen = JSON.stringify([wall, told]);
    if (form.dataset.votes === seen) return;
    form.dataset.votes = seen;
    form.querySelectorAll(".polls, .poll").forEach((each) => each.remove());
    const labels = form.querySelectorAll("label:has([type=radio])"), panel = document.createElement("div"), { answers = [], votes = [] } = wall;
    const add = (html) => panel.insertAdjacentHTML("beforeend", html);
    panel.className = "polls";
    if (wall.failed) add("<p>The votes do not answer; they are being started again.</p>");
    else if (wall.open) add(`<img src="${wall.code}" alt="Code that opens ${wall.where}"><strong class="where">${wall.where.replace(/http:|\//g, "")}</strong><br>`);
    if (wall.open) add(`${wall.round > 1 ? "Second vote: " : ""}${wall.voted} ${wall.voted === 1 ? "has" : "have"} voted`);
    else if (labels.length) {
      const most = Math.max(1, ...answers.flatMap((each) => each.votes)), bar = (n) => `<span><i style="--part: ${n / most}"></i>${n || ""}</span>`;
      labels.forEach((label, at) => answers[at] && label.querySelector("em").insertAdjacentHTML("beforebegin", `<div class="poll">${answers[at].votes.map(bar).join("")}</div>`));
    } else if (votes.length) votes.forEach((_, round) => add(this.dots(wall, round, told)));
    const frequent = told ? answers.filter(({ name, right, votes: n }) => name && !right && n.at(-1) >= NAMED * votes.at(-1)) : [];
    for (const { text, name, votes: n } of frequent) add(`<p><strong>${text}</strong> ${name} (${n.at(-1)})</p>`);
    if (votes.length && !wall.open) add(votes.length > 1 ? `${votes[0]} voted alone, ${votes[1]} after talking` : `${votes[0]} ${votes[0] === 1 ? "vote" : "votes"}`);
    if (wall.rehearsal) add(`<br>${new Option(wall.rehearsal).innerHTML}`);
    form.querySelector("fieldset").after(panel);
    const placed = ROUND[cell.dataset.role];
    if (placed && placed <= wall.round && !wall.open && !form.dataset.heard) {
      form.dataset.heard = true; // a bet is placed at once, and told at the end of the lesson
      this.tell(form, wall.guesses[placed - 1]);
    }
    this.changed();
  }

  // Guessed numbers on their axis, one dot a vote, as far as they go in the height there is.
  dots({ answers, value, round: rounds }, round, told) {
    const [low, high] = [answers[0].from, answers.at(-1).to], [wide, base] = [450, 190];
    const x = (each) => 8 + ((each - low) / (high - low)) * (wide - 16), most = Math.max(...answers.map(({ votes }) => votes[round]));
    const step = Math.min(12, 150 / Math.max(1, most)), total = answers.reduce((sum, { votes }) => sum + votes[round], 0);
    const middle = ({ from, to }) => x((from + to) / 2), clear = (at) => Math.min(Math.max(at, 40), wide - 60);
    const stack = (row) => Array.from({ length: row.votes[round] }, (_, k) => `<circle cx="${middle(row)}" cy="${base - 6 - k * step}" r="${Math.min(5.5, step / 1.6)}"/>`).join("");
    const truth = told ? `<line class="told" x1="${x(value)}" x2="${x(value)}" y1="30" y2="${base}"/><text class="told" x="${clear(x(value))}" y="24" text-anchor="middle">${value} ✓</text>` : "";
    const ends = `<text x="0" y="${base + 28}">${low}</text><text x="${wide}" y="${base + 28}" text-anchor="end">${high}</text>`;
    return `<svg viewBox="0 0 ${wide} ${base + 34}" class="${round < rounds - 1 ? "first" : ""}" role="img" aria-label="${total} guesses from ${low} to ${high}"><line x1="0" x2="${wide}" y1="${base}" y2="${base}"/>${truth}${answers.map(stack).join("")}${ends}</svg>`;
  }

  // What the room says is its answer: without a vote, none.
  tell = (form, guess = null) => form.dispatchEvent(new CustomEvent("room", { detail: guess }));

  // For the notes' window: how the vote went, and which beliefs stand behind the wrong answers.
  notes() {
    const wall = this.wall(this.cell());
    if (!wall?.votes?.length) return wall?.open ? [`${wall.voted} have voted.`] : [];
    const right = wall.right.map((number, round) => `${number} of ${wall.votes[round]}`).join(", then ");
    const beliefs = wall.beliefs.map(({ votes, title, text }) => `${votes}: ${title}. ${text}`);
    return [`Right: ${right}.`, ...beliefs, ...(wall.round === 1 && this.divided(wall) ? ["Divided: let them talk, then vote again (A, or the clicker)."] : [])];
  }
}
