// What to look at again, from a reader's own answers: the rules of questions/review.py and the words of live/quiz.py.
function shownErrors({ questions, misconceptions }, answers) {
  const found = {};
  for (const name of Object.keys(answers).sort()) {
    const question = questions.find((each) => each.name === name);
    if (!question) continue; // of another edition
    const { answer, right, wrong = [] } = answers[name];
    const tags = new Set([...wrong, ...(right ? [] : [answer])].map((each) => tagOf(question, each)));
    for (const tag of tags) if (tag in misconceptions) (found[tag] ??= []).push(question);
  }
  const order = ([a, first], [b, second]) => second.length - first.length || compare(first[0].name, second[0].name) || compare(a, b);
  return Object.entries(found).sort(order);
}

function onceMore({ questions, misconceptions }, answers, number = 3) {
  const shown = new Set(shownErrors({ questions, misconceptions }, answers).map(([tag]) => tag));
  const rank = ({ name, once, choice, tags }) => {
    const entry = answers[name];
    if (once || (entry?.right && entry.tries === 1)) return null;
    if (entry) return entry.right ? 2 : 0;
    return tags.some((each) => shown.has(choice ? each : each[2])) ? 1 : null;
  };
  const ranked = questions.map((question) => [rank(question), question]).filter(([each]) => each !== null);
  return ranked.sort(([a], [b]) => a - b).slice(0, number).map(([, question]) => question);
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function tagOf({ choice, tags }, answer) {
  if (choice) return answer >= 0 ? tags[Math.trunc(answer)] : null;
  return tags.find(([value, tolerance]) => Math.abs(answer - value) <= tolerance)?.[2];
}

function lookAgain(box) {
  const data = JSON.parse(box.querySelector("script").textContent);
  const place = box.appendChild(make("div"));
  const where = ({ name, title, place }) => {
    const words = `Section ${name.slice(0, 2)}, ${title}`;
    return place ? make("a", { href: place, textContent: words }) : words;
  };
  const heading = (text) => make("p", {}, make("strong", { textContent: text }));
  const error = ([tag, asked]) => {
    const [title, text] = data.misconceptions[tag];
    const head = /^.\p{L}/u.test(title) ? title[0].toUpperCase() + title.slice(1) : title; // x regressed on y
    const places = asked.flatMap((each, at) => [at ? "; " : "", where(each)]);
    return make("li", {}, make("strong", { innerHTML: `${head}.` }), make("span", { innerHTML: ` ${text} ` }), make("em", {}, "(", ...places, ")"));
  };
  const show = () => {
    const [answers] = record.look();
    if (!Object.keys(answers).length) {
      place.replaceChildren(make("p", { textContent: "There are no answers of yours yet. Answer some questions of a lesson, then come back." }));
      return;
    }
    const shown = shownErrors(data, answers), asked = onceMore(data, answers);
    const more = shown.length > data.most ? [make("p", { textContent: `And ${shown.length - data.most} more.` })] : [];
    place.replaceChildren(
      ...(shown.length
        ? [heading("Your answers point to"), make("ul", {}, ...shown.slice(0, data.most).map(error)), ...more]
        : [make("p", { textContent: "None of your answers so far shows one of the known misconceptions." })]),
      ...(asked.length
        ? [heading("Try once more"), make("ul", {}, ...asked.map((each) => make("li", {}, where(each), `: ${each.begins}`)))]
        : []),
    );
  };
  show();
  document.addEventListener("answerschange", show);
}
