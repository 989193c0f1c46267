// The search: every word must begin a word of the piece; words in headings count more.
function search(pieces, query) {
  const escaped = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "giu"));
  if (!escaped.length) return [null, []];
  const count = (text, word) => (text.match(word) ?? []).length;
  const found = [];
  for (const piece of pieces) {
    const [, title, heading, text] = piece;
    const scores = escaped.map((word) => 12 * count(heading, word) + 4 * count(title, word) + Math.min(count(text, word), 8));
    if (scores.every(Boolean)) found.push([scores.reduce((a, b) => a + b), piece]);
  }
  return [escaped, found.sort((a, b) => b[0] - a[0]).map(([, piece]) => piece)];
}

function marked(text, words) {
  const pattern = new RegExp(words.map((word) => word.source).join("|"), "giu");
  const first = Math.max(text.search(pattern) - 80, 0);
  const part = (first ? "… " : "") + text.slice(first, first + 260) + (text.length > first + 260 ? " …" : "");
  const node = make("p");
  let end = 0;
  for (const found of part.matchAll(pattern)) {
    node.append(part.slice(end, found.index), make("mark", { textContent: found[0] }));
    end = found.index + found[0].length;
  }
  node.append(part.slice(end));
  return node;
}

function searchPage(input) {
  const results = document.getElementById("results");
  const status = document.getElementById("count");
  const look = () => {
    const [words, found] = search(window.WORDS, input.value);
    status.textContent = words ? `${found.length} ${found.length === 1 ? "place" : "places"}` : "Type one or more words.";
    results.replaceChildren(
      ...found.slice(0, 50).map(([address, title, heading, text]) =>
        make("li", {}, make("a", { href: address, textContent: heading }), make("small", { textContent: title }), marked(text, words))),
    );
  };
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", look);
  document.head.append(make("script", { src: "words.js", onload: look }));
}
