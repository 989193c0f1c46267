// The search: every word must begin a word of the piece, or come within one slip of the finger of beginning it; pieces
// that need no slip come first, words in headings count more. Returns what to mark, the pieces, and how many need no slip.
function search(pieces, query) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (!words.length) return [null, [], 0];
  const patterns = words.map((word) => [pattern([word], ""), pattern(alike(pieces, word), "(?![\\p{L}\\p{N}])")]);
  const score = ([, title, heading, text], word) => 12 * count(heading, word) + 4 * count(title, word) + Math.min(count(text, word), 8);
  const found = [];
  for (const piece of pieces) {
    const exact = patterns.map(([word]) => score(piece, word));
    const scores = exact.map((each, at) => each || score(piece, patterns[at][1]));
    const slips = exact.filter((each) => !each).length;
    if (scores.every(Boolean)) found.push({ slips, score: scores.reduce((a, b) => a + b), piece });
  }
  found.sort((a, b) => a.slips - b.slips || b.score - a.score);
  return [patterns.flat().filter(Boolean), found.map(({ piece }) => piece), found.filter(({ slips }) => !slips).length];
}

const count = (text, word) => (word ? (text.match(word) ?? []).length : 0);
const pattern = (words, end) => (words.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})${end}`, "giu") : null);

let vocabulary; // the words of five letters or more

function alike(pieces, word) {
  if (word.length < 4) return [];
  vocabulary ??= [...new Set(pieces.flat().join(" ").toLowerCase().match(/[\p{L}\p{N}]{5,}/gu))];
  return vocabulary.filter((each) => !each.startsWith(word) && isSlip(word, each));
}

// Whether one letter more, less, other or two swapped make `typed` a beginning of `word`. If it is short or only its last
// letter is wrong, it must be nearly all of the word: else "model" would find "modern".
function isSlip(typed, word) {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  if ((at === typed.length - 1 || typed.length < 6) && word.length > typed.length + 1) return false;
  const swapped = typed[at] === word[at + 1] && typed[at + 1] === word[at] && word.startsWith(typed.slice(at + 2), at + 2);
  const rest = typed.slice(at + 1);
  return swapped || word.startsWith(rest, at + 1) || word.startsWith(rest, at) || word.startsWith(typed.slice(at), at + 1);
}

function marked(text, words) {
  const any = new RegExp(words.map((word) => word.source).join("|"), "giu");
  const first = Math.max(text.search(any) - 80, 0);
  const part = (first ? "… " : "") + text.slice(first, first + 260) + (text.length > first + 260 ? " …" : "");
  const node = make("p");
  let end = 0;
  for (const found of part.matchAll(any)) {
    node.append(part.slice(end, found.index), make("mark", { textContent: found[0] }));
    end = found.index + found[0].length;
  }
  node.append(part.slice(end));
  return node;
}

function searchPage(input) {
  const results = document.getElementById("results");
  const status = document.getElementById("count");
  const look = (pieces) => {
    const [words, found, exact] = search(pieces, input.value);
    const more = found.length - exact;
    status.textContent = words
      ? `${exact} ${exact === 1 ? "place" : "places"}${more ? `, and ${more} with a word that is spelt alike` : ""}`
      : "Type one or more words.";
    results.replaceChildren(
      ...found.slice(0, 50).map(([address, title, heading, text]) =>
        make("li", {}, make("a", { href: address, textContent: heading }), make("small", { textContent: title }), marked(text, words))),
    );
  };
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.form.addEventListener("submit", (event) => event.preventDefault());
  unpack("words", "words.js").then((pieces) => {
    input.addEventListener("input", () => look(pieces));
    look(pieces);
  });
}
