// Moves between the slides by key, fits them to the screen, and shows the speaker what to say.
(() => {
  const [LEAST, MOST] = [24 / 28, 1.5]; // of the text's size in slides.css: never below 24 px on a wall of 1280
  const NARROWEST = 0.5; // of its width, for a figure that leaves room for the rest of its slide
  const PATIENCE = 2000; // ms for a Python that is busy; then it holds nobody up
  const make = (tag, options = {}) => Object.assign(document.createElement(tag), options);
  const stage = document.querySelector("#slides"), slides = [...stage.querySelectorAll("section")];
  slides.forEach((slide, number) => (slide.dataset.number = number + 1));
  const title = (slide) => slide.querySelector(".content :is(h1, h2, h3), fieldset p, details summary")?.textContent.replace("¶", "") || slide.dataset.part;
  const lesson = title(slides[0]);

  // Size: text fills its slide, a figure takes the width. Nothing jumps under the hand: it moves again when the hand rests.
  const screen = () => Math.min(innerWidth / 1280, innerHeight / 720);
  const isTall = (slide) => slide.scrollHeight > slide.clientHeight + 1 || slide.firstElementChild.nextElementSibling.scrollWidth > slide.clientWidth;
  function fit(slide) {
    if (stage.classList.contains("overview")) return;
    const content = slide.querySelector(".content"), pictured = [...content.querySelectorAll(".bayeslib-frame :is(img, canvas), .jp-OutputArea-output img:not(.polls img)")].find((each) => each.checkVisibility());
    stage.style.setProperty("--screen", screen());
    document.body.style.setProperty("--screen", screen());
    const set = (part, width) => {
      content.style.zoom = screen() * part;
      content.style.setProperty("--figure", width);
      content.style.setProperty("--small", `${24 / Math.min(1, part)}px`);
      return !isTall(slide) && !formulas().some(isWide);
    };
    const formulas = () => [...content.querySelectorAll('mjx-container[display="true"]')], isWide = (each) => each.scrollWidth > each.clientWidth + 1 || wide(each) > wide(content) + 1, wide = (each) => each.getBoundingClientRect().width;
    for (const each of formulas()) each.style.fontSize = "";
    if (!pictured) for (let part = MOST; part > LEAST; part -= 0.05) if (set(part, 1)) return;
    for (const part of pictured ? [1, LEAST] : [LEAST]) {
      if (set(part, 1)) return;
      if (!pictured) break;
      const high = pictured.getBoundingClientRect().height; // it gives the rest of the slide its room
      if (set(part, Math.max(NARROWEST, (high - slide.scrollHeight + slide.clientHeight - 2) / high))) return;
    }
    for (const each of formulas().filter(isWide)) each.style.fontSize = `${99 * Math.min(each.clientWidth / each.scrollWidth, wide(content) / wide(each))}%`;
  }
  let pressed = false, resting = 0;
  const refit = () => (clearTimeout(resting), (resting = setTimeout(() => !pressed && !slides[at].querySelector(".bayeslib-frame :focus, .bayeslib-controls :focus") && fit(slides[at]), 60)));
  for (const type of ["pointerdown", "pointerup", "pointercancel"]) addEventListener(type, () => (pressed = type === "pointerdown"), true);
  const grown = new ResizeObserver(() => {
    for (const box of stage.querySelectorAll(".bayeslib-live:has(> .bayeslib-question, > * > .bayeslib-question)")) box.classList.add("asks");
    refit();
    tellNotes();
  });

  let at = 0, began = 0;
  const votes = new Votes(() => slides[at], refit);
  const foot = make("div", { id: "foot" }), [name, voted] = [make("span"), make("span")], bar = make("div", { id: "bar" }), place = make("span");
  const press = (textContent, label, onclick) => bar.appendChild(make("button", { textContent, title: label, ariaLabel: textContent.length > 1 ? textContent : label, onclick }));
  foot.append(name, voted);
  press("‹", "back", () => back());
  bar.append(place);
  press("›", "on", () => forward());
  press("Start afresh", "Python starts again, without guesses and votes; the slide stays", () => votes.forget().finally(() => location.reload()));
  document.body.append(foot, bar);
  document.querySelector("#waking").remove();

  function show(number) {
    slides[at].classList.remove("current");
    at = Math.min(Math.max(number, 0), slides.length - 1);
    if (at) began ||= Date.now(); // the title waits for the room
    const slide = slides[at];
    slide.classList.add("current");
    slide.scrollTop = 0;
    for (const fold of slide.querySelectorAll(".content:not(:has(:is(p, li, table, pre, .bayeslib-live):not(details *))) details")) fold.open = true;
    document.activeElement?.blur();
    place.textContent = `${at + 1} / ${slides.length}`;
    name.textContent = at ? [lesson, slide.dataset.part].filter(Boolean).join(" · ") : "";
    history.replaceState(null, "", `#${at + 1}`);
    fit(slide);
    tellNotes();
    votes.look();
  }
  // On: the rest of a slide, its folds, the vote, the figure, the answer, the figure alone, the explanation; then the next.
  function scrolled(by) {
    const slide = slides[at], before = slide.scrollTop;
    if (isTall(slide) && !before) fit(slide); // what has come just now is no reason to scroll
    slide.scrollBy(0, by * slide.clientHeight * 0.8);
    return Math.abs(slide.scrollTop - before) > 2;
  }
  function opened() {
    const fold = [...slides[at].querySelectorAll(".content details:not([open])")].find((each) => each.checkVisibility());
    if (fold) fold.open = true;
    return Boolean(fold);
  }
  const sent = new WeakMap();
  function ask() {
    const form = slides[at].querySelector("form.bayeslib-question:not(.bayeslib-locked-in)"), cell = form?.closest("[data-role]");
    if (!form || /bet/.test(cell.dataset.role)) return false;
    const draws = cell.dataset.role === "predict" && !cell.querySelector(".bayeslib-frame, .bayeslib-reveal"); // second edition
    const last = sent.get(form);
    if (last?.draws === draws) return Date.now() - last.when < PATIENCE; // two presses might reach Python as one
    sent.set(form, { draws, when: Date.now() });
    if (draws) form.querySelector(".bayeslib-skip").click();
    else votes.tell(form, votes.wall(cell)?.guesses?.[0]);
    return true;
  }
  function settle(by) {
    const slide = slides[at], { dataset } = slide, has = (part) => Boolean(slide.querySelector(part)?.textContent || slide.querySelector(`${part} canvas, ${part} img`));
    const phases = ["", ...(has(".asks .bayeslib-frame") ? ["settled"] : []), ...(has(".bayeslib-reveal") ? ["explained"] : [])];
    const next = phases[phases.indexOf(dataset.phase ?? "") + by];
    if (!slide.querySelector(".bayeslib-locked-in:not(.bayeslib-bet, .bayeslib-raise)") || next === undefined) return false;
    dataset.phase = next;
    fit(slide);
    return true;
  }
  const forward = () => scrolled(+1) || opened() || votes.step() || ask() || settle(+1) || show(at + 1);
  const back = () => scrolled(-1) || settle(-1) || show(at - 1);

  // Overview: all slides small; arrows choose, Enter or a click goes there. A number and Enter go to that slide.
  function overview(on = !stage.classList.contains("overview"), to = at) {
    stage.classList.toggle("overview", on);
    show(to);
    if (on) slides[at].scrollIntoView({ block: "center" });
  }
  const BY = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -4, ArrowDown: 4, PageUp: -1, PageDown: 1 };
  let typed = "";
  function chooses(key) {
    const wanted = Number(typed), small = stage.classList.contains("overview");
    typed = /^\d$/.test(key) ? typed + key : "";
    if (key === "Enter" && wanted) overview(false, wanted - 1);
    else if (small && BY[key]) overview(true, at + BY[key]);
    else if (small && ["Enter", " ", "Escape"].includes(key)) overview(false);
    else return Boolean(typed);
    return true;
  }
  stage.addEventListener("click", (event) => {
    if (!stage.classList.contains("overview")) return;
    event.preventDefault();
    event.stopPropagation();
    overview(false, Math.max(0, slides.indexOf(event.target.closest("section"))));
  }, true);

  // Notes in a window of their own: the clock beside the plan, what to say, and the slide that comes.
  let speaker = null, soon = 0;
  const minutes = (slide) => Math.round(Number(slide.dataset.planned));
  function tellNotes() {
    clearTimeout(soon);
    soon = setTimeout(() => {
      if (!speaker || speaker.closed) return;
      const slide = slides[at], next = slides[at + 1], box = speaker.document.querySelector("#speaker");
      box.querySelector(".say").innerHTML = slide.querySelector(".notes").innerHTML || "No notes for this slide.";
      box.querySelector("h2 span").textContent = next ? `Next · minute ${minutes(next)}` : "The last slide";
      box.querySelector("#slides").replaceChildren(...(next ? [preview(next)] : []));
      box.querySelector(".vote").replaceChildren(...votes.notes().map((textContent) => make("p", { textContent })));
      tick();
    }, 300);
  }
  function tick() {
    if (!speaker || speaker.closed) return;
    const set = (part, words) => (speaker.document.querySelector(`#speaker ${part}`).textContent = words);
    const now = began ? Math.floor((Date.now() - began) / 60_000) : 0, late = now - minutes(slides[at + 1] ?? slides[at]);
    set("b", new Date().toTimeString().slice(0, 5));
    set(".plan", `minute ${now} · planned ${minutes(slides[at])}`);
    set(".late", late > 0 ? `${late} ${late > 1 ? "minutes" : "minute"} behind` : "");
    set(".place", `slide ${at + 1} of ${slides.length}`);
  }
  setInterval(tick, 1000);
  // A slide as a small picture: its own elements once more, with copies of what is drawn.
  function preview(slide) {
    const copy = slide.cloneNode(true), drawn = slide.querySelectorAll("img, canvas");
    copy.querySelectorAll("img, canvas").forEach((each, k) => {
      const from = drawn[k], canvas = make("canvas", { width: from.naturalWidth ?? from.width, height: from.naturalHeight ?? from.height });
      if (!canvas.width || /^data:/.test(from.src ?? "")) return;
      canvas.getContext("2d").drawImage(from, 0, 0);
      each.replaceWith(make("img", { src: canvas.toDataURL(), style: `width: ${from.matches("canvas") ? "100%" : ""}` }));
    });
    copy.querySelectorAll("[hidden], .voila-skeleton-container, .bayeslib-controls").forEach((each) => each.remove());
    copy.querySelector(".content").style.zoom /= screen();
    copy.querySelector(".content").style.marginTop = `-${slide.scrollTop / screen()}px`;
    copy.inert = true;
    return copy;
  }
  stage.copy = () => preview(slides[at]); // for the deck
  const SPEAKER = `<main id="speaker"><header><b></b><span class="plan"></span><span class="late"></span><span class="place"></span></header>
    <div><h2>Say</h2><div class="say jp-RenderedHTMLCommon"></div></div><div><h2><span></span></h2><div id="slides"></div><div class="vote"></div></div>
    <footer><span>→ on</span><span>V vote</span><span>A again</span><span>T answer</span><span>C controls</span><span>P play</span><span>B blank</span><span>O overview</span></footer></main>`;
  function openNotes() {
    speaker = open("", "bayeslib-notes", "width=1100,height=700");
    if (!speaker) return;
    sessionStorage.setItem("notes", "open"); // so that a reload finds them again
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText.replaceAll('url("', `url("${location.origin}`)));
    speaker.document.head.replaceChildren(make("title", { textContent: "Notes" }), make("style", { textContent: rules.join("\n") }));
    speaker.document.body.className = "jp-Notebook";
    speaker.document.body.innerHTML = SPEAKER;
    speaker.addEventListener("keydown", keys, true);
    addEventListener("pagehide", () => speaker?.removeEventListener("keydown", keys, true));
    tellNotes();
  }

  // Keys belong to the slides, unless a slider, a player, a picture, a field or a list has the focus; Escape gives them back.
  // A clicker has no Escape: its two keys always turn slides.
  const CLICKER = ["PageDown", "PageUp"];
  const OWNERS = '[role="slider"], .bayeslib-frame, .bayeslib-stage button, input:not([type="button"]), textarea, select';
  const blank = () => (document.querySelector("#blank") ? document.querySelector("#blank").remove() : document.body.append(make("div", { id: "blank" })));
  async function fullScreen() {
    if (document.fullscreenElement) return document.exitFullscreen();
    await document.documentElement.requestFullscreen();
    navigator.keyboard?.lock?.(["Escape"]); // Escape gives the keys back here, too; held down, it leaves the full screen
  }
  const ACTIONS = {
    ArrowRight: forward, ArrowDown: forward, PageDown: forward, " ": forward, ArrowLeft: back, ArrowUp: back, PageUp: back,
    Home: () => show(0), End: () => show(slides.length - 1),
    o: () => overview(), s: openNotes, b: blank, ".": blank, f: fullScreen,
    c: () => document.body.classList.toggle("steered"),
    p: () => slides[at].querySelector(".bayeslib-step:is(:has(.fa-play), :has(.fa-pause))")?.click(),
    t: ask, v: () => votes.step(), a: () => votes.again(),
    d: () => (document.body.dataset.jpThemeLight = document.body.dataset.jpThemeLight === "false"),
  };
  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focus = event.currentTarget === speaker ? null : document.activeElement; // the notes' window has keys for slides only
    if (event.key === "Escape") focus?.blur();
    else if (focus?.matches(OWNERS) && !CLICKER.includes(event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, act = key === " " && event.shiftKey ? back : ACTIONS[key];
    const chosen = chooses(key), presses = focus?.matches("button, summary, a") && ["Enter", " "].includes(key); // they press it
    if (!chosen && (presses || !act)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!chosen) act();
  }
  addEventListener("keydown", keys, true);

  // A pointer that moves brings the controls; a finger turns slides where nothing else wants it, at the left edge back.
  let awake = 0;
  addEventListener("pointermove", ({ pointerType }) => {
    if (pointerType === "touch") return;
    document.body.classList.add("awake");
    clearTimeout(awake);
    awake = setTimeout(() => document.body.classList.toggle("awake", Boolean(document.querySelector(".bayeslib-controls:hover, #bar:hover"))), 2500);
  });
  let from = null;
  stage.addEventListener("pointerdown", (event) => (from = event.pointerType === "touch" && !event.target.closest(`${OWNERS}, .bayeslib-controls, button, a, summary`) ? event : null));
  stage.addEventListener("pointerup", (event) => {
    const by = event.clientX - from?.clientX, left = Math.abs(by) < 10 ? event.clientX < innerWidth / 4 : by > 60;
    if (from && !stage.classList.contains("overview") && Math.abs(event.clientY - from.clientY) < 60) (left ? back : forward)();
    from = null;
  });

  // Figures notice themselves when Python is gone; a slide without one does not.
  const { baseUrl, kernelId } = JSON.parse(document.querySelector("#jupyter-config-data").textContent);
  const trouble = make("div", { id: "trouble", hidden: true, role: "alert" }), why = make("span");
  trouble.append(why, make("button", { textContent: "Start again", onclick: () => location.reload() }));
  document.body.append(trouble);
  async function listen() {
    const status = await fetch(`${baseUrl}api/kernels/${kernelId}`, { cache: "no-store" }).then((answer) => answer.status, () => 0);
    why.textContent = status === 404 ? "Python has ended, so the figures no longer answer. " : status ? "" : "The slides get no answer from their server. If it was ended: make lecture, then ";
    trouble.hidden = !why.textContent;
    setTimeout(listen, 3000);
  }
  listen();

  slides.forEach((slide) => grown.observe(slide.querySelector(".content")));
  addEventListener("resize", () => slides.forEach(fit));
  document.fonts.addEventListener("loadingdone", () => slides.forEach(fit));
  slides.forEach(fit);
  const asked = () => show((Number(location.hash.slice(1)) || 1) - 1);
  addEventListener("hashchange", asked);
  asked();
  if (sessionStorage.getItem("notes")) openNotes();
})();
