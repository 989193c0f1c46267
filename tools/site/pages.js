// What every page has: its colours, links to copy, and a copy of it for the hours without a network.

// Light, dark or as the device.
function themeButtons(box) {
  const root = document.documentElement, buttons = [...box.querySelectorAll("button")];
  const set = (name) => {
    if (name) root.dataset.theme = name;
    else delete root.dataset.theme;
    for (const each of buttons) each.setAttribute("aria-pressed", each.value === name);
    try {
      store.setItem("bayeslib-theme", name);
    } catch {} // then it lasts as long as the page
  };
  for (const each of buttons) each.onclick = () => set(each.value);
  set(buttons.some(({ value }) => value === root.dataset.theme) ? root.dataset.theme : "");
}

// The parts of a lesson: which one is in view. Beside the text they stand open, above it in a menu.
function parts(nav) {
  const menu = nav.querySelector("details"), name = menu.querySelector("summary"), links = [...nav.querySelectorAll("a")];
  const wide = matchMedia("(min-width: 62rem)"), fold = () => (menu.open = wide.matches);
  wide.addEventListener("change", fold);
  fold();
  const places = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const look = () => {
    const at = places.findLastIndex((each) => each?.getBoundingClientRect().top < innerHeight / 3);
    links.forEach((link, k) => (k === at ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
    name.textContent = at < 0 ? "In this lesson" : links[at].firstElementChild.textContent;
  };
  let asked = 0;
  addEventListener("scroll", () => (asked ||= requestAnimationFrame(() => ((asked = 0), look()))), { passive: true });
  nav.addEventListener("click", (event) => !wide.matches && event.target.closest("a") && (menu.open = false));
  look();
}

function printButton(button) {
  button.onclick = () => {
    document.body.classList.toggle("handout", button.classList.contains("handout"));
    print();
  };
}

// All files of the site, for the hours without a network: the worker keeps what is asked for.
async function keepButton(box) {
  if (!location.protocol.startsWith("http") || !navigator.serviceWorker) return;
  const { files, bytes } = await (await fetch("files.json")).json();
  const [button, status] = box.children, size = `${(bytes / 1e6).toFixed(0)} MB`;
  status.textContent = `${size}, then every figure moves without a network.`;
  box.hidden = false;
  button.onclick = async () => {
    button.disabled = true;
    await navigator.serviceWorker.register("worker.js").then(() => navigator.serviceWorker.ready);
    if (!navigator.serviceWorker.controller) await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
    let kept = 0;
    const left = [...files], take = async () => {
      for (let file = left.pop(); file; file = left.pop()) {
        const reply = await fetch(file);
        await reply.arrayBuffer();
        if (reply.ok) status.textContent = `${++kept} of ${files.length} files kept`;
      }
    };
    try {
      await Promise.all([take(), take(), take(), take()]);
      status.textContent = `Kept, ${size}. You can close this page and come back without a network.`;
    } catch {
      status.textContent = `The network went away after ${kept} of ${files.length} files. Press once more to go on.`;
      button.disabled = false;
    }
  };
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
  for (const each of main.querySelectorAll('.formula[id^="eq-"]')) add(each.querySelector(".tag"), each.id, `equation ${each.id.slice(3)}`);
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
