// What every page has: its colours, links to copy, and a copy of it for the hours without a network.
const THEMES = { "": "◐ as the device", light: "☀ light", dark: "☾ dark" };

// Light, dark or as the device.
function themeButton(box) {
  const root = document.documentElement;
  const names = Object.keys(THEMES);
  const button = make("button", { type: "button", className: "theme" });
  const set = (name) => {
    if (name) root.dataset.theme = name;
    else delete root.dataset.theme;
    button.textContent = THEMES[name];
    button.ariaLabel = `Colours: ${THEMES[name].slice(2)}`;
  };
  button.onclick = () => {
    set(names[(names.indexOf(root.dataset.theme ?? "") + 1) % names.length]);
    try {
      store.setItem("bayeslib-theme", root.dataset.theme ?? "");
    } catch {} // then it lasts as long as the page
  };
  set(names.includes(root.dataset.theme) ? root.dataset.theme : "");
  box.append(button);
}

// A link to copy at each heading, figure and numbered equation. Followed it shows the address, clicked it copies it too.
function anchors(main) {
  const add = (node, id, what) => {
    const link = make("a", { className: "anchor", href: `#${id}`, ariaLabel: `Copy the link to ${what}` });
    link.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(link.href);
        said.textContent = `The link to ${what} is copied.`;
      } catch {
        said.textContent = "The link is in the address bar.";
      }
      link.classList.add("copied");
      setTimeout(() => link.classList.remove("copied"), 1500);
    });
    node.append(link);
  };
  const said = make("p", { className: "skip" });
  said.setAttribute("role", "status");
  for (const each of main.querySelectorAll(":is(h2, h3)[id]")) add(each, each.id, `“${each.textContent.replace(/\s+/g, " ").trim()}”`);
  for (const each of main.querySelectorAll(".cell figcaption > b")) add(each, each.closest(".cell").id, each.textContent.replace(/\.$/, ""));
  for (const each of main.querySelectorAll('[id^="mjx-eqn:"]')) {
    const formula = each.closest("mjx-container");
    const box = make("div", { className: "equation" });
    formula.replaceWith(box);
    box.append(formula);
    add(box, each.id, `equation ${each.id.slice(8)}`);
  }
  main.append(said);
}

// Where the pages are served, they can be installed, and a worker keeps them; who saves data is not asked to load them all.
function keepPages() {
  if (!location.protocol.startsWith("http")) return;
  document.head.append(make("link", { rel: "manifest", href: "manifest.webmanifest" }));
  if (!navigator.serviceWorker || navigator.connection?.saveData) return;
  addEventListener("load", async () => {
    try {
      await navigator.serviceWorker.register("worker.js");
      const { active } = await navigator.serviceWorker.ready;
      active.postMessage(performance.getEntriesByType("resource").map((each) => each.name));
    } catch {} // without it the pages need the network, as any others
  });
}
