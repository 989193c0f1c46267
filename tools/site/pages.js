// What every page has: its colours.
const THEMES = { "": "◐ as the device", light: "☀ light", dark: "☾ dark" };

// Light, dark or as the device; pictures that follow listen to `themechange`.
function themeButton(box) {
  const root = document.documentElement;
  const names = Object.keys(THEMES);
  const button = make("button", { type: "button", className: "theme" });
  const set = (name) => {
    root.dataset.theme = name;
    button.textContent = THEMES[name];
    button.ariaLabel = `Colours: ${THEMES[name].slice(2)}`;
    document.dispatchEvent(new Event("themechange"));
  };
  button.onclick = () => {
    set(names[(names.indexOf(root.dataset.theme) + 1) % names.length]);
    try {
      store.setItem("bayeslib-theme", root.dataset.theme);
    } catch {} // then it lasts as long as the page
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => document.dispatchEvent(new Event("themechange")));
  set(names.includes(root.dataset.theme) ? root.dataset.theme : "");
  box.append(button);
}
