// A reader's progress, kept in this browser. The answers have the format and the rules of the notebook's file
// (questions/record.py): either reads what the other saved. Nothing that was not understood is overwritten.
const KEPT = "bayeslib-answers", DAMAGED = ".damaged", OLD = ".old", OPENED = "bayeslib-opened", PLACE = "bayeslib-place";
const NOT_KEPT = "This browser keeps nothing for this page: answers are forgotten when it closes. Save them to a file first.";
const FROM_FILE = "These pages were opened from a file, and some browsers then keep answers for each page by itself: save them to a file.";

// The browser's memory, or, where it is refused, one that lasts as long as the page.
const store = (() => {
  try {
    localStorage.setItem("bayeslib-try", "");
    localStorage.removeItem("bayeslib-try");
    return localStorage;
  } catch {
    const held = new Map();
    return {
      refused: true,
      getItem: (key) => held.get(key) ?? null,
      setItem: (key, text) => held.set(key, text),
      removeItem: (key) => held.delete(key),
    };
  }
})();

const record = {
  // All answers so far, and what is wrong with them, in words.
  look() {
    const text = store.getItem(KEPT);
    if (text === null) return [{}, ""];
    try {
      const [answers, strange] = record.parse(text);
      return [answers, strange.length ? `In what this browser kept, ${leftOut(strange)}.` : ""];
    } catch {
      return [{}, "Your earlier answers cannot be read: what this browser kept is damaged. It is set aside, and new answers begin afresh."];
    }
  },

  // The answers in a saved file's text, and the names of entries that are none.
  parse(text) {
    let entries;
    try {
      entries = JSON.parse(text);
    } catch (error) {
      throw new Error(`text must be a saved answers file (JSON), got something else: ${error.message}`);
    }
    if (!isObject(entries)) throw new Error("text must be a saved answers file: question names, each with answer, right and tries");
    const good = ([name, entry]) => /^(\d\d|own)\/[a-z0-9-]{1,60}$/.test(name) && isAnswer(entry);
    const all = Object.entries(entries), sound = all.filter(good), renamed = sound.filter(([name]) => name in RENAMED);
    return [Object.fromEntries([...renamed.map(([name, entry]) => [RENAMED[name], entry]), ...sound]), all.filter((each) => !good(each)).map(([name]) => name)];
  },

  // Add one answer; right once stays right. Returns what the reader should know, in words.
  remember(name, answer, right) {
    if (!isNumber(answer)) return "";
    const [answers] = record.look();
    const earlier = answers[name] ?? { tries: 0, right: false };
    let entry = { ...earlier, tries: earlier.tries + 1 };
    if (!earlier.right) {
      const wrong = [...(earlier.wrong ?? [])];
      if (!right && !wrong.includes(answer)) wrong.push(answer);
      entry = { answer, right, tries: entry.tries, ...(wrong.length ? { wrong: wrong.slice(-20) } : {}) };
    }
    return record.keep(name, entry);
  },

  // Add a guess to a bet, the first or the one half-way; settle it.
  bet: (name, answer, right) => record.keep(name, { answer, right, tries: 1, bets: [...betsOf(record.look()[0][name]).slice(0, 1), answer], settled: false }),
  settle: (name) => record.keep(name, { ...record.look()[0][name], settled: true }),
  keep(name, entry) {
    const [answers, note] = record.look();
    return [note, write({ ...answers, [name]: entry }, note && DAMAGED), store.refused && NOT_KEPT].filter(Boolean).join(" ");
  },

  // Put back a saved file: its answers join those already here, and win where both have one. Tells what was done.
  restore(text) {
    const [saved, strange] = record.parse(text);
    const count = Object.keys(saved).length;
    if (strange.length && !count) throw new Error(`text must be a saved answers file, got one in which ${leftOut(strange)}`);
    const [answers, note] = record.look();
    const lost = Object.keys(saved).filter((name) => answers[name] && asText(answers[name]) !== asText(saved[name])).length;
    const trouble = write({ ...answers, ...saved }, note && DAMAGED, lost && OLD);
    if (trouble) throw new Error(trouble.replace(/\.$/, ""));
    const said = [`${count} ${count === 1 ? "answer" : "answers"} restored.`];
    if (lost) said.push(`${lost} of them took the place of another; what was here before is kept below.`);
    if (strange.length) said.push(`Not everything was taken: in the saved file ${leftOut(strange)}.`);
    return [...said, note].join(" ").trim();
  },

  // Set the answers aside; tells what was done.
  forget() {
    const text = store.getItem(KEPT);
    store.removeItem(OPENED);
    if (text === null) return "Nothing to forget.";
    try {
      store.setItem(free(OLD), text);
    } catch (error) {
      return `Nothing was forgotten: the old answers cannot be set aside (${error.name}).`;
    }
    store.removeItem(KEPT);
    changed();
    return "Forgotten; the old answers are kept below.";
  },

  // What was set aside: its name and its text.
  aside() {
    return [DAMAGED, OLD].flatMap((suffix) => copies(suffix).map((key) => [key.replace(KEPT, "my-answers.json"), store.getItem(key)]));
  },

  text: () => asText(record.look()[0]),
};

const changed = () => document.dispatchEvent(new Event("answerschange"));
addEventListener("storage", changed); // another page answered
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isNumber = (value) => Number.isFinite(value) && Math.abs(value) < 1e15; // beyond, Python would read another number

function isAnswer(entry) {
  if (!isObject(entry)) return false;
  const { answer, right, tries, wrong = [], bets = [], settled = false, ...others } = entry;
  const counted = Number.isInteger(tries) && tries > 0 && tries < 1e9;
  return !Object.keys(others).length && isNumber(answer) && typeof right === "boolean" && counted && [wrong, bets].every((all) => Array.isArray(all) && all.every(isNumber)) && typeof settled === "boolean";
}

const betsOf = (entry) => entry?.bets ?? (entry ? [entry.answer] : []);
const isAnswered = (name) => ((entry) => Boolean(entry) && (entry.settled ?? true))(record.look()[0][name]);

function leftOut(names) {
  const shown = names.slice(0, 3).join(", ") + (names.length > 3 ? " and others" : "");
  return `${names.length} ${names.length === 1 ? "entry is" : "entries are"} not understood and left out (${shown.slice(0, 200)})`;
}

// As Python writes it: keys in order, indented by one.
function asText(value) {
  const sorted = (_, each) => (isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each);
  return JSON.stringify(value, sorted, 1);
}

function copies(suffix) {
  const found = [];
  for (let number = 1, key = KEPT + suffix; store.getItem(key) !== null; key = `${KEPT}${suffix}-${++number}`) found.push(key);
  return found;
}

function free(suffix) {
  const number = copies(suffix).length + 1;
  return KEPT + suffix + (number > 1 ? `-${number}` : "");
}

// Write all answers, after what is there was set aside under each of the suffixes. Tells trouble.
function write(answers, ...suffixes) {
  try {
    const text = store.getItem(KEPT);
    for (const suffix of suffixes.filter(Boolean)) if (text !== null) store.setItem(free(suffix), text);
    store.setItem(KEPT, asText(answers));
    changed();
  } catch (error) {
    return `Your answers could not be kept in this browser (${error.name}).`;
  }
  return "";
}

// What was opened without a guess, by the question's name: 1 its figure, 2 the answer too.
function opened(name, much) {
  let kept = {};
  try {
    kept = JSON.parse(store.getItem(OPENED)) ?? {};
    if (much) store.setItem(OPENED, JSON.stringify({ ...kept, [name]: much }));
  } catch {} // only how far a fold was open
  return kept[name] ?? 0;
}

// Behind the notebook's answers.js, as `Asked` stands behind question.js.
class Copies {
  constructor(aside) {
    Object.assign(this, { aside, values: { restored: {}, forgotten: 0 }, listeners: [] });
    this.show();
    document.addEventListener("answerschange", () => this.show());
  }

  get(name) {
    return name === "text" ? record.text() : this.values[name];
  }

  set(name, value) {
    if (name === "forgotten") this.said = record.forget();
    else {
      try {
        this.said = `${record.restore(value.text)} Pages that are open show them after a reload.`;
      } catch (error) {
        this.said = `Nothing was changed: ${error.message}.`;
      }
    }
    this.values[name] = value;
  }

  on(names, act) {
    this.listeners.push(act);
  }

  save_changes() {
    this.show();
    this.said = "";
  }

  show() {
    const [answers, note] = record.look();
    const all = Object.values(answers);
    const counted = `${all.length} questions answered so far, ${all.filter((each) => each.right).length} of them right.`;
    const where = store.refused ? NOT_KEPT : location.protocol === "file:" ? FROM_FILE : "";
    this.values.status = [this.said, counted, note, where].filter(Boolean).join(" ");
    this.aside.replaceChildren(
      ...record.aside().map(([name, text]) =>
        make("a", { download: name, textContent: `Save ${name}, which was set aside`, href: URL.createObjectURL(new Blob([text], { type: "application/json" })) })),
    );
    this.listeners.forEach((act) => act());
  }
}

function answers(box) {
  const aside = make("p", { className: "aside" });
  answersForm.render({ model: new Copies(aside), el: box });
  box.append(aside);
}

// The place: the last heading above the middle of the view, kept when the page is left or hidden.
function keepPlace(main) {
  const headings = [...main.querySelectorAll("h1[id], h2[id], h3[id]")];
  const keep = () => {
    const heading = headings.findLast((each) => each.getBoundingClientRect().top < innerHeight / 2) ?? headings[0];
    const place = { page: main.dataset.lesson, anchor: heading.id, heading: heading.textContent.replace(/\s+/g, " ").trim() };
    try {
      store.setItem(PLACE, JSON.stringify(place));
    } catch {} // a full memory forgets the place, never an answer
  };
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
}

// The home page: where one was, what is answered, what comes next. `lessons`: [page, title, names of its questions].
function goOn(box) {
  const { lessons } = JSON.parse(box.querySelector("script").textContent);
  const show = () => {
    const [answers, note] = record.look();
    const counts = lessons.map(([, , names]) => names.filter((name) => answers[name]).length);
    lessons.forEach(([page, , names], at) => {
      const card = document.querySelector(`.card[href="${page}.html"]`);
      card?.querySelector(".done")?.remove();
      if (card && counts[at]) card.append(make("span", { className: "done", textContent: `${counts[at]} of ${names.length} answered` }));
    });
    const place = lastPlace(lessons);
    box.hidden = !place && !note;
    if (note) box.querySelector(".state").textContent = note;
    if (!place) return;
    const at = lessons.findIndex(([page]) => page === place.page);
    const to = (page, title, text) => make("a", { href: page, textContent: text ?? title });
    const [page, title, names] = lessons[at];
    const here = make("p", { className: "here" }, "Go on in ", to(`${page}.html#${place.anchor}`, title), at && place.heading !== title ? `, at “${place.heading}”` : "");
    const done = names.length ? `${counts[at]} of the ${names.length} questions of this section are answered. ` : "";
    const next = lessons[at + 1] ? ["Next: ", to(`${lessons[at + 1][0]}.html`, lessons[at + 1][1]), "."] : [];
    box.querySelector(".state").replaceChildren(here, make("p", {}, note && `${note} `, done, ...next));
  };
  show();
  document.addEventListener("answerschange", show);
  addEventListener("pageshow", show); // back from a lesson
}

function lastPlace(lessons) {
  try {
    const place = JSON.parse(store.getItem(PLACE));
    const known = isObject(place) && typeof place.anchor === "string" && typeof place.heading === "string";
    return known && lessons.some(([page]) => page === place.page) ? place : null;
  } catch {
    return null;
  }
}
