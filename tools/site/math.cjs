// Typesets formulas at build time: JSON lines of {tex, display} on stdin, {html, glyphs, css} as JSON on stdout.
// Formulas share their glyphs by reference, so that a page holds each letter's outline once.
const mathjax = require(process.argv[2]);

async function main() {
  const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const MathJax = await mathjax.init({
    loader: { load: ["input/tex-full", "output/svg", "a11y/assistive-mml"] },
    svg: { fontCache: "global", mtextInheritFont: false },
    tex: { formatError: (_, error) => { throw error; } },
    options: { enableAssistiveMml: true },
  });
  const { adaptor, document } = MathJax.startup;
  const html = [];
  for (const { tex, display } of asked) {
    try {
      html.push(adaptor.outerHTML(await MathJax.tex2svgPromise(tex, { display })));
    } catch (error) {
      throw new Error(`${error.message} in ${tex}`);
    }
  }
  const glyphs = adaptor.innerHTML(document.outputJax.fontCache.getCache());
  console.log(JSON.stringify({ html, glyphs, css: adaptor.textContent(MathJax.svgStylesheet()) }));
}

main().catch((error) => { console.error(error.message); process.exit(1); });
