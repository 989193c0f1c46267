// The room's votes on the slides: a code to scan and how many have voted; once the vote is closed, bars. voila asks the votes
// for us (wall.py), so the lecturer's key is on no page.
class Votes {
  // `current` is the slide on the wall; `changed` is called when something on it was drawn anew.
  constructor(current, changed) {
    Object.assign(this, { current, changed, on: false, busy: false, walls: new Map(), told: new Set() });
    this.address = `${JSON.parse(document.querySelector("#jupyter-config-data").textContent).baseUrl}votes`;
    this.ask().then(({ where }) => {
      this.on = Boolean(where);
      if (this.on) setInterval(() => this.look(), 1000);
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
    const cells = this.current()?.content.querySelectorAll('[data-question]:not([data-question=""])') ?? [];
    return [...cells].find((cell) => cell.querySelector("form.bayeslib-question"));
  }

  // Asks how the vote stands, while it is open or when its slide comes.
  async look() {
    const cell = this.cell();
    if (!this.on || !cell || this.busy) return;
    const wall = this.walls.get(cell.dataset.question);
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
  }

  // One press of the clicker; false where the votes have nothing to do any more, and the slides go on.
  step() {
    const cell = this.cell();
    if (!this.on || !cell) return false;
    const wall = this.walls.get(cell.dataset.question);
    if (!wall) this.look();
    if (!wall || this.busy) return true;
    if (wall.failed || this.isTold(cell) || cell.querySelector(".answered")) return false;
    if (!wall.round) this.take(cell, "open");
    else if (wall.open) this.take(cell, "close");
    else if (this.divided(wall)) this.take(cell, "again");
    else if (cell.querySelector('form > button[type="button"]')) return false; // a prediction: its figure comes next
    else {
      this.told.add(cell.dataset.question);
      this.draw(cell, wall);
    }
    return true;
  }

  again() {
    const cell = this.cell(), wall = cell && this.walls.get(cell.dataset.question);
    if (this.on && wall?.round === 1 && !wall.open && !this.isTold(cell)) this.take(cell, "again");
  }

  forget() {
    return this.on ? this.ask("", "forget") : Promise.resolve();
  }

  // Worth a second vote: some can convince others.
  divided({ round, right, votes }) {
    const part = right[0] / votes[0];
    return round === 1 && part >= 0.3 && part <= 0.7;
  }

  isTold(cell) {
    return this.told.has(cell.dataset.question) || Boolean(cell.querySelector('form > button[type="button"]:disabled'));
  }

  draw(cell, wall) {
    const form = cell.querySelector("form.bayeslib-question"), told = this.isTold(cell);
    const seen = JSON.stringify([wall, told]);
    if (form.dataset.votes === seen) return;
    form.dataset.votes = seen;
    const make = (tag, options = {}, ...children) => {
      const node = Object.assign(document.createElement(tag), options);
      node.append(...children);
      return node;
    };
    const button = (textContent, step) => make("button", { type: "button", textContent, onclick: () => this.take(cell, step) });
    form.querySelectorAll(".votes, .shares").forEach((each) => each.remove());
    const panel = make("div", { className: "votes" });
    const closed = wall.round && !wall.open;
    if (wall.failed) panel.append(make("p", { textContent: "The votes do not answer; they are being started again." }));
    else if (!wall.round) panel.append(button("Open the vote (V)", "open"));
    else if (wall.open)
      panel.append(
        make("img", { src: wall.code, alt: `QR code of ${wall.where}` }),
        make("p", { className: "where", textContent: wall.where.replace("http://", "") }),
        make("p", { textContent: `${wall.round > 1 ? "Second vote: " : ""}${wall.voted} ${wall.voted === 1 ? "has" : "have"} voted` }),
        button("Close the vote (V)", "close")
      );
    else if (wall.round === 1 && !told) panel.append(button("Discuss and vote again (A)", "again"));
    if (wall.rehearsal) panel.append(make("p", { textContent: wall.rehearsal }));
    if (closed && wall.answers) {
      const labels = form.querySelectorAll("fieldset label:has(input[type=radio])");
      const most = Math.max(1, ...wall.answers.flatMap(({ votes }) => votes));
      const rows = wall.answers.map(({ votes, right }) => {
        const bars = votes.map((number, round) => {
          const bar = make("span", { className: `share round${round + 1}`, textContent: number });
          bar.style.setProperty("--part", number / most);
          return bar;
        });
        return make("span", { className: `shares${told && right ? " right" : ""}` }, ...bars);
      });
      if (labels.length) labels.forEach((label, at) => label.append(rows[at]));
      else panel.append(make("div", { className: "histogram" }, ...rows.map((row, at) => make("div", {}, make("span", { textContent: wall.answers[at].text }), row))));
      const total = wall.votes.map((number, round) => `${["first", "second"][round]} vote ${number}`).join(", ");
      panel.append(make("p", { className: "total", textContent: `Votes: ${total}` }));
      panel.append(make("p", { className: "summary", textContent: this.summary(wall, told) }));
      if (told && this.told.has(cell.dataset.question)) panel.append(make("p", { className: "solution", textContent: wall.solution }));
    }
    form.prepend(panel);
    this.changed();
  }

  // In one line, once the figure has taken the options' place.
  summary({ answers, votes, right, moved }, told) {
    const rounds = votes.map((_, round) =>
      answers.filter((each) => each.votes[round]).map((each) => `${each.text.split(" ")[0]}${told && each.right ? " ✓" : ""} ${each.votes[round]}`).join(", ")
    );
    const words = [`The room: ${rounds.join(" · second vote: ")}`];
    if (told) words.push(`right: ${right.map((number, round) => `${number} of ${votes[round]}`).join(", then ")}`);
    if (told && moved) words.push(`${moved.to_right} moved from wrong to right, ${moved.to_wrong} from right to wrong`);
    return words.join(" · ");
  }

  // For the notes' window: which beliefs stand behind the wrong answers.
  notes() {
    const cell = this.on && this.cell(), wall = cell && this.walls.get(cell.dataset.question);
    if (!wall?.votes?.length) return [];
    const make = (textContent, tag = "p") => Object.assign(document.createElement(tag), { textContent });
    const right = wall.right.map((number, round) => `${number} of ${wall.votes[round]}`).join(", then ");
    return [
      make(`The vote: right ${right}.`),
      ...wall.beliefs.map(({ votes, title, text }) => make(`${votes}: ${title}. ${text}`)),
      ...(this.divided(wall) ? [make("Divided: let them convince each other, then vote again (A, or the clicker).")] : []),
    ];
  }
}
