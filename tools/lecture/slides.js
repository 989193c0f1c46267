// Puts the notebook's cells on slides by their slide types and moves between them by key.
(() => {
  const [LARGEST, SMALLEST] = [1.2, 0.6]; // of the sizes in slides.css; what is too tall even then scrolls
  const make = (tag, options = {}) => Object.assign(document.createElement(tag), options);
  const stage = make("main", { id: "slides" });
  const slides = []; // { section, content, fragments, notes, shown }

  for (const cell of document.querySelectorAll("#cells > [cell-index]")) {
    const type = cell.dataset.slide;
    if (!slides.length || type === "slide" || type === "subslide") {
      const content = make("div", { className: "content" });
      const section = make("section");
      section.dataset.number = slides.length + 1;
      section.append(content);
      stage.append(section);
      slides.push({ section, content, fragments: [], notes: [], shown: 0 });
    }
    const slide = slides.at(-1);
    slide.content.append(cell);
    if (type === "skip" || type === "notes") cell.className = "hidden";
    if (type === "notes") slide.notes.push(cell);
    if (type === "fragment") slide.fragments.push(cell);
  }
  const question = (slide) => slide?.content.querySelector(".bayeslib-question fieldset p")?.textContent ?? "";
  const title = (slide) => slide?.content.querySelector("h1, h2, h3, :not(.hidden) > .jp-Cell summary:not(.code > *, .jp-OutputArea *)")?.textContent.replace("¶", "") || question(slide);
  const bar = make("div", { id: "bar" });
  const [name, hint, place] = ["", "", ""].map(() => make("span"));
  name.textContent = title(slides[0]);
  // Every visit has a Python of its own, which knows of no other's guesses.
  const forget = make("button", { textContent: "Forget the guesses", onclick: () => votes.forget().finally(() => location.reload()) });
  forget.title = "Python starts again, and so do all figures; the slide stays";
  const [earlier, later] = [["‹", "slide back", () => back()], ["›", "slide on", () => forward()]].map(([sign, does, onclick]) => {
    const button = make("button", { textContent: sign, onclick });
    button.setAttribute("aria-label", does);
    return button;
  });
  const steps = make("span");
  steps.append(earlier, " ", place, " ", later);
  bar.append(name, hint, forget, steps);
  document.querySelector("#cells").after(stage, bar);
  document.querySelector("#waking").remove();

  // Size: as large as the screen allows. What comes later on a slide (a picture, an opened fold) may shrink it, never enlarge
  // it, so that nothing jumps under the hand.
  const screen = () => Math.min(innerWidth / 1280, innerHeight / 720);
  const tooLarge = ({ section, content }) =>
    section.scrollHeight > section.clientHeight + 1 || content.scrollWidth > content.clientWidth + 1;
  function shrinkFormulas({ content }) {
    const wide = [...content.querySelectorAll('mjx-container[display="true"]')];
    for (const each of wide) each.style.fontSize = each.dataset.size ??= each.style.fontSize || "100%";
    for (const each of wide) {
      const part = each.clientWidth / each.scrollWidth;
      if (part < 1) each.style.fontSize = `${Math.max(part, 0.6) * parseFloat(each.dataset.size) * 0.99}%`;
    }
  }
  function fit(slide, part = LARGEST) {
    if (stage.classList.contains("overview")) return;
    for (; ; part -= 0.04) {
      slide.part = Math.max(part, SMALLEST);
      slide.content.style.zoom = screen() * slide.part;
      shrinkFormulas(slide);
      if (!tooLarge(slide) || part <= SMALLEST) return;
    }
  }
  const refit = (slide) => !pressed && tooLarge(slide) && fit(slide, slide.part);
  let pressed = false;
  addEventListener("pointerdown", () => (pressed = true), true);
  for (const end of ["pointerup", "pointercancel"])
    addEventListener(end, () => {
      pressed = false;
      refit(slides[at]);
    }, true);
  const grown = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const slide = slides.find((each) => each.content === target);
      target.querySelectorAll(".bayeslib-live:has(.bayeslib-live)").forEach((each) => each.classList.add("answered"));
      requestAnimationFrame(() => refit(slide));
    }
    tellNotesSoon();
  });
  addEventListener("resize", () => slides.forEach((slide) => fit(slide)));

  let at = 0;
  const began = Date.now();
  const votes = new Votes(() => slides[at], () => {
    refit(slides[at]);
    tellNotesSoon();
  });
  function show(number, fragments) {
    slides[at].section.classList.remove("current");
    at = Math.min(Math.max(number, 0), slides.length - 1);
    const slide = slides[at];
    slide.shown = Math.min(fragments, slide.fragments.length);
    slide.fragments.forEach((cell, index) => cell.classList.toggle("waiting", index >= fragments));
    slide.section.classList.add("current");
    slide.section.scrollTop = 0;
    document.activeElement?.blur();
    place.textContent = `${at + 1} / ${slides.length}`;
    history.replaceState(null, "", `#${at + 1}`);
    fit(slide);
    tellKeys();
    tellNotes();
    votes.look();
  }
  const scrolled = (by) => {
    const { section } = slides[at];
    refit(slides[at]); // a picture that has come just now is no reason to scroll
    const before = section.scrollTop;
    section.scrollBy(0, by * section.clientHeight * 0.85);
    return Math.abs(section.scrollTop - before) > 2;
  };
  const forward = () => {
    const slide = slides[at];
    if (slide.shown < slide.fragments.length) show(at, slide.shown + 1);
    else if (!scrolled(+1) && !votes.step() && !ask() && at + 1 < slides.length) show(at + 1, 0);
  };
  const back = () => {
    const slide = slides[at];
    if (scrolled(-1)) return;
    if (slide.shown > 0) show(at, slide.shown - 1);
    else if (at > 0) show(at - 1, Infinity);
  };
  // A prediction's own button shows its figure, then tells the answer. A press that Python has not followed yet is not sent
  // again, for two of them may reach it as one; one that it does not follow at all holds nobody up.
  const PATIENCE = 2000;
  const sent = new WeakMap();
  const has = (form) => Boolean(form.closest(".bayeslib-live").querySelector(".bayeslib-live"));
  const unanswered = () => slides[at].content.querySelector('form.bayeslib-question > button[type="button"]:not(:disabled)');
  function ask() {
    const button = unanswered();
    if (!button) return false;
    const shows = has(button.form), last = sent.get(button);
    if (last?.shows === shows) return Date.now() - last.when < PATIENCE;
    sent.set(button, { shows, when: Date.now() });
    button.click();
    return true;
  }
  const draw = () => unanswered() && !has(unanswered().form) && ask();
  function tell(tries = 40) {
    const button = unanswered();
    if (!button) return;
    if (has(button.form)) ask();
    else {
      draw();
      if (tries) setTimeout(() => button === unanswered() && tell(tries - 1), 50);
    }
  }
  const play = () => slides[at].content.querySelector(".bayeslib-step:is(:has(.fa-play), :has(.fa-pause))")?.click();
  // Enter opens the slide's folds one after the other, then closes them all; C does it with the slide's code.
  function fold(kind = "details:not(.code)") {
    const folds = [...slides[at].content.querySelectorAll(kind)].filter((each) => !each.closest(".hidden"));
    const next = folds.find((each) => !each.open);
    if (next) next.open = true;
    else folds.forEach((each) => (each.open = false));
  }
  // Overview: all slides small, the present one framed; arrows choose, Enter or a click goes there.
  function overview(on = !stage.classList.contains("overview")) {
    stage.classList.toggle("overview", on);
    show(at, slides[at].shown);
    if (on) slides[at].section.scrollIntoView({ block: "center" });
  }
  function choose(key) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -4, ArrowDown: 4, PageUp: -1, PageDown: 1 }[key];
    if (by) {
      show(at + by, 0);
      slides[at].section.scrollIntoView({ block: "nearest" });
    } else if (["Enter", " ", "Escape"].includes(key)) overview(false);
    else return false;
    return true;
  }
  // A number and Enter go to that slide; G only asks for the number.
  let typed = null;
  function jump(key) {
    if (/^\d$/.test(key) || key === "g") typed = (typed ?? "") + key.replace("g", "");
    else if (typed === null) return false;
    else if (key === "Backspace") typed = typed.slice(0, -1);
    else {
      const wanted = Number(typed);
      typed = null;
      if (key === "Enter" && wanted) {
        stage.classList.remove("overview");
        show(wanted - 1, 0);
      } else if (!["Enter", "Escape"].includes(key)) return false;
    }
    tellKeys();
    return true;
  }
  function blank() {
    const black = document.querySelector("#blank");
    if (black) black.remove();
    else document.body.append(make("div", { id: "blank" }));
  }

  async function fullScreen() {
    if (document.fullscreenElement) return document.exitFullscreen();
    await document.documentElement.requestFullscreen();
    navigator.keyboard?.lock?.(["Escape"]); // Escape gives the keys back here, too; held down, it leaves the full screen
  }

  // Notes: of this slide, in a second window (S) or below the slide (N).
  let second = null, below = null;
  function tellNotes() {
    for (const panel of [second && !second.closed ? second.document.body : null, below]) {
      if (!panel) continue;
      panel.replaceChildren(
        make("p", { className: "clock", textContent: "" }),
        make("h2", { textContent: question(slides[at]) || title(slides[at]) || name.textContent }),
        ...votes.notes(),
        ...slides[at].notes.map((cell) => make("div", { className: "jp-RenderedHTMLCommon", innerHTML: cell.innerHTML })),
        make("p", { textContent: at + 1 < slides.length ? `Next: ${title(slides[at + 1]) || "more of the same"}` : "The last slide." })
      );
      panel.querySelectorAll("details").forEach((each) => (each.open = true));
      if (panel !== below && at + 1 < slides.length) panel.append(preview(slides[at + 1]));
      if (!slides[at].notes.length) panel.querySelector("h2").after(make("p", { textContent: "No notes for this slide." }));
    }
    tick();
  }
  let soon = 0;
  function tellNotesSoon() {
    clearTimeout(soon);
    if (second) soon = setTimeout(tellNotes, 400);
  }
  // A slide as a small picture: its own elements once more, with copies of what is drawn.
  function preview({ content }) {
    const copy = content.cloneNode(true), drawn = content.querySelectorAll("img");
    copy.querySelectorAll("img").forEach((each, index) => {
      const canvas = make("canvas", { width: drawn[index].naturalWidth, height: drawn[index].naturalHeight });
      if (!canvas.width || !each.src.startsWith("blob:")) return; // only a figure's address is forgotten once it is shown
      canvas.getContext("2d").drawImage(drawn[index], 0, 0);
      each.src = canvas.toDataURL();
    });
    copy.querySelectorAll(".hidden, .voila-skeleton-container").forEach((each) => each.remove());
    copy.style.zoom = 0.42;
    const frame = make("div", { id: "slides", className: "next", inert: true });
    frame.append(copy);
    return frame;
  }
  function tick() {
    if (second?.closed) {
      second = null;
      sessionStorage.removeItem("notes");
    }
    const seconds = Math.floor((Date.now() - began) / 1000);
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} since the start · slide ${at + 1} of ${slides.length}`;
    for (const root of [second && !second.closed ? second.document : null, below]) {
      const line = root?.querySelector(".clock");
      if (line) line.textContent = clock;
    }
  }
  setInterval(tick, 1000);
  function openNotes() {
    second = open("", "bayeslib-notes", "width=900,height=700");
    if (!second) return;
    sessionStorage.setItem("notes", "open"); // so that a reload finds them again
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText));
    second.document.head.replaceChildren(
      make("title", { textContent: "Notes" }),
      make("style", { textContent: `${rules.join("\n")} body { overflow: auto !important; padding: 20px !important; zoom: 1.4; }` })
    );
    second.addEventListener("keydown", keys, true);
    addEventListener("pagehide", () => second?.removeEventListener("keydown", keys, true));
    tellNotes();
  }
  function toggleBelow() {
    if (below) below = below.remove() ?? null;
    else {
      below = document.body.appendChild(make("div", { id: "notes" }));
      tellNotes();
    }
  }

  // Keys belong to the slides, unless a slider, a player, a picture, a field or a list has the focus; Escape gives them back.
  // A clicker has no Escape: its two keys always turn slides.
  const CLICKER = ["PageDown", "PageUp"];
  const OWNERS = '[role="slider"], .bayeslib-frame, input:not([type="button"]), textarea, select';
  const ACTIONS = {
    ArrowRight: forward, ArrowDown: forward, PageDown: forward, " ": forward,
    ArrowLeft: back, ArrowUp: back, PageUp: back,
    Home: () => show(0, 0),
    End: () => show(slides.length - 1, Infinity),
    Enter: () => fold(),
    c: () => fold(".code"),
    s: openNotes,
    n: toggleBelow,
    d: draw,
    t: () => tell(),
    p: play,
    v: () => votes.step(),
    a: () => votes.again(),
    f: fullScreen,
    o: () => overview(),
    b: blank,
    ".": blank,
  };
  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focus = event.currentTarget === second ? null : document.activeElement; // the notes' window has keys for slides only
    if (focus?.matches(OWNERS) && event.key !== "Escape" && !CLICKER.includes(event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (jump(key) || (stage.classList.contains("overview") && choose(key))) {
      event.preventDefault();
      return event.stopPropagation();
    }
    if (key === "Escape") return focus?.blur();
    if (focus?.matches("button, summary, a") && ["Enter", " "].includes(key)) return; // they press it
    const act = key === " " && event.shiftKey ? back : ACTIONS[key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
  addEventListener("keydown", keys, true);
  function tellKeys() {
    if (typed !== null) hint.textContent = `Go to slide ${typed}… Enter`;
    else if (document.activeElement?.matches(OWNERS)) hint.textContent = "The keys move this control; Esc gives them back to the slides, a clicker turns them";
    else hint.textContent = at ? "" : "→ ← slides · D figure · T answer · P play · C code · Enter folds · O overview · S N notes · F full · B black";
  }
  addEventListener("focusin", tellKeys);
  addEventListener("focusout", () => setTimeout(tellKeys));

  // A click on a question's title shows the question again beside its figure.
  stage.addEventListener("click", (event) => {
    const answered = event.target.closest("legend")?.closest(".answered");
    if (answered) answered.classList.toggle("asked-again");
  });
  stage.addEventListener("toggle", () => fit(slides[at]), true);

  // Fingers and wheel, where nothing else wants them: a tap goes on (at the left edge back), a swipe and the wheel turn.
  const TOUCHED = `${OWNERS}, .bayeslib-controls, .bayeslib-question, button, a, summary, label, .code`;
  let from = null, still = 0;
  stage.addEventListener("pointerdown", (event) => {
    const free = event.pointerType === "touch" && event.isPrimary && !event.target.closest(TOUCHED);
    from = free && !stage.classList.contains("overview") ? event : null;
  });
  stage.addEventListener("pointercancel", () => (from = null));
  stage.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [right, down] = [event.clientX - from.clientX, event.clientY - from.clientY];
    const tapped = Math.hypot(right, down) < 10 && event.timeStamp - from.timeStamp < 500;
    if (tapped ? event.clientX > innerWidth / 4 : right < -60 && -right > 2 * Math.abs(down)) forward();
    else if (tapped || (right > 60 && right > 2 * Math.abs(down))) back();
    from = null;
  });
  stage.addEventListener("wheel", (event) => {
    const { section } = slides[at], down = event.deltaY > 0;
    const room = down ? section.scrollHeight - section.clientHeight - section.scrollTop : section.scrollTop;
    if (stage.classList.contains("overview") || event.ctrlKey || !event.deltaY || room > 2) return;
    const same = event.timeStamp - still < 250; // one turn of the wheel is many events
    still = event.timeStamp;
    if (!same) (down ? forward : back)();
  }, { passive: true });
  stage.addEventListener("click", (event) => {
    if (!stage.classList.contains("overview")) return;
    event.preventDefault();
    event.stopPropagation();
    const chosen = slides.findIndex(({ section }) => section === event.target.closest("section"));
    stage.classList.remove("overview");
    show(chosen < 0 ? at : chosen, 0);
  }, true);

  // Figures notice themselves when Python is gone; a slide without one does not.
  const { baseUrl, kernelId } = JSON.parse(document.querySelector("#jupyter-config-data").textContent);
  const trouble = make("div", { id: "trouble", hidden: true });
  const why = make("span"), again = make("button", { textContent: "Start again", onclick: () => location.reload() });
  trouble.setAttribute("role", "alert");
  trouble.append(why, again);
  bar.before(trouble);
  async function listen() {
    try {
      const answer = await fetch(`${baseUrl}api/kernels/${kernelId}`, { cache: "no-store" });
      why.textContent = answer.status === 404 ? "Python has ended, so the figures no longer answer. " : "";
    } catch {
      why.textContent = "The slides get no answer from their server. If it was ended: make lecture, then ";
    }
    trouble.hidden = !why.textContent;
    setTimeout(listen, 3000);
  }
  listen();

  slides.forEach((slide) => fit(slide));
  slides.forEach(({ content }) => grown.observe(content));
  const asked = () => show((Number(location.hash.slice(1)) || 1) - 1, 0);
  addEventListener("hashchange", asked);
  asked();
  if (sessionStorage.getItem("notes")) openNotes();
})();
