// Draws scenes (scene.py) on a canvas and glides from state to state by name. It is sent to a page once, for all its figures.
// A mark here is {name, kind, n, s, alpha}: n are its numbers, with NaN between pieces, s its style, alpha its share of presence.
const UNIT = 10; // numbers are tenths of a pixel
const STACK = '"Course Sans", "DejaVu Sans", sans-serif';
const HALO = 5; // pixels, as look.py has it
const SHARPEST = 3; // device pixels for a pixel of the page, at most
const HAND = 160, HANDED = -1; // ms, when a control was moved by key or click, and how the kernel says so; while a pointer drags, the picture follows at once
const FADE = 120; // ms in which new words appear, once everything has arrived
const SHADES = 16; // of a look that turns into another, where a crowd walks in files
const TOUCH = 36; // pixels of a handle, at least
const WEIGHT = 72 / 100; // of points in pixels
const shared = { light: {}, dark: {}, motion: true, redraw: new Set() }; // what the one engine widget brought

const clamp = (t) => Math.min(1, Math.max(0, t));
const ease = (t) => t * t * t * (t * (6 * t - 15) + 10);
const mix = (a, b, t) => a + (b - a) * t;
const make = (tag, options = {}) => Object.assign(document.createElement(tag), options);

// From scene and update to marks by name

const parsed = new WeakMap(); // marks of opening scenes, so that a mark which did not change is the same object
function ready([name, kind, n, s]) {
  const mark = { name, kind, s, alpha: 1, n: Float64Array.from(n, (each) => each ?? NaN) };
  return kind === "points" ? Object.assign(mark, { of: unrolled(s.of), looks: s.looks }) : mark;
}
function marksOf(opening, changes) {
  if (!parsed.has(opening)) parsed.set(opening, new Map(opening.map((mark) => [mark[0], [mark, ready(mark)]])));
  const first = parsed.get(opening), marks = new Map([...first].map(([name, [, mark]]) => [name, mark]));
  for (const [name, kind, n, s] of changes) {
    const old = first.get(name)?.[0];
    if (!kind) marks.delete(name);
    else marks.set(name, ready([name, kind, Array.isArray(n) ? n : patched(old[2], n), s ?? old[3]]));
  }
  return marks;
}
function patched(old, runs) {
  const all = [...old];
  for (const [start, run] of Object.entries(runs)) run.forEach((each, k) => (all[+start + k] = each));
  return all;
}
function unrolled(runs) {
  const all = [];
  for (let k = 0; k < runs.length; k += 2) for (let i = 0; i < runs[k + 1]; i++) all.push(runs[k]);
  return all;
}

// Between two marks of one name: a function of t (0 to 1, not yet eased) and of the words' share that gives the marks to draw.
// A style may say whether its mark grows, is swapped, or walks a way, and in a step also when it moves within the time of the whole (README.md).

const GOES = [0, 0.4], COMES = [0.4, 1]; // what goes, goes first; what comes, comes last
const newWords = (a, b) => b?.kind === "text" && (a?.kind !== "text" || `${a.s.words}` !== `${b.s.words}` || (!b.s.when && `${a.n}` !== `${b.n}`));
function glide(a, b, step) {
  if (a === b) return () => [b];
  if (newWords(a, b)) return (t, words) => [{ ...b, alpha: step && b.s.when ? clock(b.s.when, t)[0] : words }]; // words neither interpolate nor walk,
  if (a?.kind === "text" && !b) return () => []; // and what is no longer true goes at once
  const s = (b ?? a).s, when = (step && s.when && (b ? s.when : s.when.map((_, k, all) => 1 - all[k ^ 1]))) || (s.grow ? null : !b ? GOES : !a ? COMES : null);
  const absent = (mark) => (s.grow ? { ...mark, n: collapsed(mark) } : { ...mark, alpha: 0 });
  if (s.swap && a && b) return (t) => [{ ...a, s: { ...a.s, z: a.s.z - 0.5 } }, { ...b, alpha: clock(when, t)[0] }]; // the new one covers the old one
  const [from, to] = [a ?? absent(b), b ?? absent(a)];
  if (from.kind === to.kind && to.kind === "points") return walk(from, to, when, step);
  const [m, n] = from.kind === to.kind && to.kind !== "image" ? matched(from, to) : [];
  if (!m) return a && b ? (t) => [{ ...a, alpha: a.alpha * (1 - ease(t)) }, { ...b, alpha: ease(t) }] : (t) => [{ ...to, alpha: mix(from.alpha, to.alpha, clock(when, t)[0]) }];
  const axis = when?.length > 2 && axes(n, to.kind);
  return (t) => {
    const [u, v] = clock(when, t), out = new Float64Array(n.length);
    for (let k = 0; k < n.length; k++) out[k] = mix(m[k], n[k], axis && axis[k] ? v : u);
    return [{ ...to, n: out, s: mixStyle(from.s, to.s, u), alpha: mix(from.alpha, to.alpha, u) }];
  };
}
// The eased time of a mark: [from, to] for all of it, or [from, to, from, to] for its x and its y.
function clock(when, t) {
  const at = (from, to) => ease(clamp((t - from) / (to - from)));
  return when ? [at(when[0], when[1]), at(...when.slice(-2))] : [ease(t), ease(t)];
}
function axes(n, kind) {
  const all = new Uint8Array(n.length);
  for (let k = 0, c = 0; k < n.length; k++) isNaN(n[k]) ? (c = 0) : ((all[k] = c === 1), (c = (c + 1) % (kind === "text" ? 3 : 2)));
  return all;
}
// Where a mark that grows begins: at the x or the y of its first corner.
function collapsed({ n, kind, s }) {
  const axis = axes(n, kind), c = s.grow === "y" ? 1 : 0;
  return n.map((each, k) => (isNaN(each) || axis[k] !== c ? each : n[c]));
}
function mixStyle(a, b, t) {
  if (a === b) return b;
  const colour = (role, other) => (role === other ? role : mixColour(role, other, t));
  const number = (x, y) => (typeof x === "number" && typeof y === "number" ? mix(x, y, t) : y);
  return { ...b, color: colour(a.color, b.color), edge: colour(a.edge, b.edge), width: number(a.width, b.width), size: number(a.size, b.size), alpha: mix(a.alpha ?? 1, b.alpha ?? 1, t) };
}
// A crowd: point k stays point k. With lags the points set out one after the other, within the same time.
function walk(a, b, when, step) {
  const [before, after] = [a.of.length, b.of.length], count = Math.max(before, after), { lag, via } = b.s, [start, end] = when ?? [0, 1];
  const at = (k, c) => [k < before ? a.n[2 * k + c] : b.n[2 * k + c], k < after ? b.n[2 * k + c] : a.n[2 * k + c]], gone = (look) => ({ ...look, alpha: 0 });
  const places = Array.from({ length: count }, (_, k) => [...at(k, 0), ...at(k, 1)]), wait = lag && unrolled(lag).map((each) => each / 100), lasts = lag && 1 - Math.max(...wait);
  const way = step && via && count === 1 && wayOf(start ? via : [a.n[0], a.n[1], ...via], b.n);
  return (t) => {
    const n = new Float64Array(2 * count), of = new Array(count), looks = [], known = new Map(), [ux, uy] = clock(when, t);
    for (let k = 0; k < count; k++) {
      const u = lag ? ease(clamp((t - (wait[k] ?? 0)) / lasts)) : ux, v = lag ? u : uy, shade = lag ? Math.round(u * SHADES) : 0;
      const [i, j] = [a.of[k] ?? -1, b.of[k] ?? -1], key = ((i + 1) * 64 + j + 1) * (SHADES + 1) + shade;
      let look = known.get(key);
      if (look === undefined) {
        const [from, to] = [a.looks[i] ?? gone(b.looks[j]), b.looks[j] ?? gone(a.looks[i])], w = lag ? shade / SHADES : u;
        known.set(key, (look = looks.push({ ...to, ...mixStyle(from, to, w), shape: w < 0.5 ? from.shape : to.shape, rank: j < 0 ? i : j }) - 1));
      }
      of[k] = look;
      const [x, x1, y, y1] = places[k];
      [n[2 * k], n[2 * k + 1]] = [mix(x, x1, u), mix(y, y1, v)];
    }
    if (way) n.set(t < start ? [mix(a.n[0], via[0], ease(t / start)), mix(a.n[1], via[1], ease(t / start))] : way(ease(clamp((t - start) / (end - start)))));
    return [{ ...b, n, of, looks, alpha: mix(a.alpha, b.alpha, ux) }];
  };
}
// A place on a way by the share of its length.
function wayOf(via, end) {
  const n = [...via, ...end], far = [0];
  for (let k = 2; k < n.length; k += 2) far.push(far.at(-1) + Math.hypot(n[k] - n[k - 2], n[k + 1] - n[k - 1]));
  return (u) => {
    const want = u * far.at(-1), k = Math.max(1, far.findIndex((each) => each >= want)), t = far[k] > far[k - 1] ? (want - far[k - 1]) / (far[k] - far[k - 1]) : 1;
    return [mix(n[2 * k - 2], n[2 * k], t), mix(n[2 * k - 1], n[2 * k + 1], t)];
  };
}
// The numbers of two marks, made equally many: as they are, or each piece with the corners of both, by their share of its length; else nothing.
function matched(a, b) {
  if (a.n.length === b.n.length && a.n.every((each, k) => isNaN(each) === isNaN(b.n[k]))) return [a.n, b.n];
  const [p, q] = [pieces(a.n), pieces(b.n)];
  if (p.length !== q.length || b.kind === "text" || !p.length) return [];
  const both = p.map((piece, k) => [piece, q[k]].map((each, _, pair) => resampled(each, pair.flatMap(lengths).sort((x, y) => x - y))));
  return [0, 1].map((side) => Float64Array.from(both.flatMap((pair, k) => (k ? [NaN, ...pair[side]] : pair[side]))));
}
function pieces(n) {
  const all = [[]];
  for (const each of n) isNaN(each) ? all.push([]) : all.at(-1).push(each);
  return all.filter((piece) => piece.length);
}
function lengths(n) {
  const far = [0];
  for (let k = 2; k < n.length; k += 2) far.push(far.at(-1) + Math.hypot(n[k] - n[k - 2], n[k + 1] - n[k - 1]));
  return far.map((each) => each / (far.at(-1) || 1));
}
function resampled(n, shares) {
  const own = lengths(n), out = [];
  let k = 0;
  for (const want of shares) {
    while (k < own.length - 2 && own[k + 1] < want) k++;
    const t = own[k + 1] > own[k] ? clamp((want - own[k]) / (own[k + 1] - own[k])) : 1;
    for (const c of [0, 1]) out.push(mix(n[2 * k + c], n[2 * k + 2 + c] ?? n[2 * k + c], t));
  }
  return out;
}

// Colours: a role, or red, green, blue and alpha while one role turns into another

function channels(role) {
  if (Array.isArray(role)) return role;
  const colours = palette();
  if (!colours.known[role]) {
    const hex = colours[role] ?? role.split(" ")[isDark() ? 1 : 0]; // a role, or a colour by day and by night (recorded.py)
    colours.known[role] = [...[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)), hex.length > 7 ? parseInt(hex.slice(7), 16) / 255 : 1];
  }
  return colours.known[role];
}
const CLASSES = ["case", "other", "best", "fourth"]; // between two of them colours go through grey, else orange to blue would pass plum
function mixColour(a, b, t) {
  if (!a || !b) return [...channels(a ?? b).slice(0, 3), mix(a ? channels(a)[3] : 0, b ? channels(b)[3] : 0, t)];
  const [from, to] = [a, b].map((role) => !Array.isArray(role) && role.split("_")[0]);
  if (CLASSES.includes(from) && CLASSES.includes(to) && from !== to) {
    const grey = /_/.test(a + b) ? "mist" : "muted";
    return t < 0.5 ? mixColour(a, grey, 2 * t) : mixColour(grey, b, 2 * t - 1);
  }
  const [x, y] = [channels(a), channels(b)];
  return x.map((each, k) => mix(each, y[k], t));
}
function css(role) {
  const [r, g, b, alpha] = channels(role);
  return `#${[r, g, b, 255 * alpha].map((each) => Math.round(each).toString(16).padStart(2, "0")).join("")}`;
}
const byNight = matchMedia("(prefers-color-scheme: dark)");
function isDark() {
  if (printing) return false; // paper is white, and finer than a screen
  const { jpThemeLight } = document.body.dataset, { theme } = document.documentElement.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  return /vscode-(dark|high)/.test(document.body.className) || (theme || (byNight.matches && "dark")) === "dark";
}
let now = null, printing = false; // the palette of this moment; the paper is the page's own
function palette() {
  return (now ??= { ...shared[isDark() ? "dark" : "light"], ...(pagePaper() && { paper: pagePaper() }), known: {} });
}
function pagePaper() {
  if (printing) return null;
  const probe = make("canvas").getContext("2d"), colour = getComputedStyle(document.body).getPropertyValue("--jp-layout-color0").trim();
  if (!colour) return null;
  probe.fillStyle = colour; // a canvas gives back every colour in one form, with six digits
  return probe.fillStyle;
}

// Drawing

class Sheet {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.widths = new Map(); // of words; fonts that come late empty it
  }
  draw(marks, size, boxes) {
    const c = this.context, scale = this.canvas.width / size[0] / UNIT;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (const mark of marks) {
      if (mark.alpha <= 0 || mark.s.alpha === 0) continue;
      c.save();
      c.setTransform(scale, 0, 0, scale, 0, 0);
      const { clip } = mark.s;
      if (clip) c.beginPath(), c.rect(...(boxes[clip - 1] ?? clip).map((each) => each * UNIT)), c.clip();
      c.globalAlpha = mark.alpha * (mark.s.alpha ?? 1);
      this[mark.kind](c, mark.n, mark.s, mark);
      c.restore();
    }
  }
  trace(c, n, closed) {
    c.beginPath();
    for (let k = 0, next = "moveTo"; k < n.length; k += next === "moveTo" ? 1 : 2) {
      if (!isNaN(n[k])) c[next](n[k], n[k + 1]);
      else if (closed) c.closePath();
      next = isNaN(n[k]) ? "moveTo" : "lineTo";
    }
    if (closed) c.closePath();
  }
  stroke(c, role, width, dash) {
    Object.assign(c, { strokeStyle: css(role), lineWidth: width * UNIT, lineJoin: "round", lineCap: "round" });
    c.setLineDash((dash ?? []).map((each) => each * UNIT));
    c.stroke();
  }
  line(c, n, s) {
    this.trace(c, n, false);
    this.stroke(c, s.color, s.width, s.dash);
  }
  area(c, n, s) {
    this.trace(c, n, true);
    const whole = c.globalAlpha;
    if (s.color) Object.assign(c, { fillStyle: css(s.color), globalAlpha: whole * (s.fill ?? 1) }), c.fill();
    c.globalAlpha = whole;
    if (s.hatch) {
      c.save();
      c.clip();
      this.trace(c, ready(["", "line", s.hatch, s]).n, false);
      this.stroke(c, ...s.hatched);
      c.restore();
      this.trace(c, n, true);
    }
    if (s.edge && s.width) this.stroke(c, s.edge, s.width, s.dash);
  }
  points(c, n, s, { of, looks }) {
    const order = looks.map((look, k) => [look.rank ?? k, k]).sort(([a], [b]) => a - b), whole = c.globalAlpha;
    const members = looks.map(() => []);
    of.forEach((look, k) => members[look].push(k));
    for (const [, which] of order) {
      const look = looks[which], rim = look.edge && look.width, r = (look.size * UNIT) / 2; // without rims all of them are one path
      c.globalAlpha = whole * (look.alpha ?? 1);
      c.fillStyle = look.color ? css(look.color) : "transparent";
      if (rim) Object.assign(c, { strokeStyle: css(look.edge), lineWidth: look.width * UNIT, lineJoin: "round" });
      c.beginPath();
      for (const k of members[which]) {
        outline(c, look.shape, n[2 * k], n[2 * k + 1], r);
        if (rim) c.fill(), c.stroke(), c.beginPath();
      }
      if (!rim) c.fill();
    }
  }
  wedges(c, n, { color, size }) {
    const turn = (each) => (each / 500 - 0.5) * Math.PI;
    c.fillStyle = css(color);
    c.beginPath();
    for (let k = 0; k < n.length; k += 4) if (n[k + 3] > n[k + 2]) c.moveTo(n[k], n[k + 1]), c.arc(n[k], n[k + 1], (size * UNIT) / 2, turn(n[k + 2]), turn(n[k + 3])), c.closePath();
    c.fill();
  }
  text(c, n, s) {
    Object.assign(c, { font: `${s.italic ? "italic " : ""}${s.bold ? 700 : 400} ${s.size / WEIGHT}px ${STACK}`, fillStyle: css(s.color) });
    if (s.halo) Object.assign(c, { strokeStyle: css(s.halo), lineWidth: HALO, lineJoin: "round" });
    const still = c.getTransform();
    s.words.forEach((words, k) => {
      const own = this.width(c, words), [x, y, width] = n.subarray(3 * k, 3 * k + 3);
      c.setTransform(still);
      c.translate(x, y);
      c.rotate((-(s.angle ?? 0) * Math.PI) / 180);
      c.scale(own ? width / own : UNIT, UNIT); // the room that matplotlib gave it, whatever fonts the page has
      if (s.halo) c.strokeText(words, 0, 0);
      c.fillText(words, 0, 0);
    });
  }
  width(c, words) {
    const key = c.font + words;
    if (!this.widths.has(key)) this.widths.set(key, c.measureText(words).width);
    return this.widths.get(key);
  }
  image(c, [x0, y0, x1, y1], { roles, rows }) {
    const key = `${roles} ${rows}`, images = (palette().images ??= new Map());
    if (!images.has(key)) {
      const small = make("canvas", { width: rows[0].length, height: rows.length }), own = small.getContext("2d");
      const data = own.createImageData(small.width, small.height), colours = roles.map(channels);
      const bytes = colours.map(([r, g, b, a]) => [r, g, b, 255 * a]), cells = rows.join("");
      for (let k = 0; k < cells.length; k++) data.data.set(bytes[cells.charCodeAt(k) - 97], 4 * k);
      own.putImageData(data, 0, 0);
      if (images.size > 8) images.clear();
      images.set(key, small);
    }
    c.imageSmoothingEnabled = false;
    c.translate(x0, y0);
    c.scale((x1 - x0) / rows[0].length, (y1 - y0) / rows.length);
    c.drawImage(images.get(key), 0, 0);
  }
}
const STAR = Array.from({ length: 10 }, (_, k) => [Math.sin((k * Math.PI) / 5), -Math.cos((k * Math.PI) / 5)].map((each) => each * (k % 2 ? 0.381966 : 1))).flat();
const CORNERS = { "*": STAR, s: [-1, -1, 1, -1, 1, 1, -1, 1], "^": [0, -1, 1, 1, -1, 1], v: [0, 1, -1, -1, 1, -1], D: [0, -1.414, 1.414, 0, 0, 1.414, -1.414, 0] };
function outline(c, shape, x, y, r) {
  const polygons = CORNERS[shape] ? [CORNERS[shape]] : shape;
  if (polygons === "o") return c.moveTo(x + r, y), c.arc(x, y, r, 0, 2 * Math.PI);
  for (const corners of polygons) {
    for (let k = 0; k < corners.length; k += 2) c[k ? "lineTo" : "moveTo"](x + r * corners[k], y + r * corners[k + 1]);
    c.closePath();
  }
}

// A stage: one canvas with its own size, layout and motion; a model may have several.
// Returns `show`, which goes to a scene, and `end`. `press` tells the kernel of a key or click on a mark (frame.js).

const STYLE = `
.bayeslib-stage {position: relative}
.bayeslib-stage canvas {display: block; width: 100%}
.bayeslib-stage button {position: absolute; padding: 0; border: 0; background: none; cursor: pointer; border-radius: 24px}
.bayeslib-stage button:focus-visible {outline: 3px solid currentColor; outline-offset: 2px}
.bayeslib-stage .bayeslib-grip {cursor: grab; border-radius: 50%; touch-action: none}
.bayeslib-stage .bayeslib-grip:active {cursor: grabbing}`;

function stage(model, figure, press) {
  const box = make("div", { className: "bayeslib-stage" }), canvas = make("canvas"), sheet = new Sheet(canvas);
  const calm = matchMedia("(prefers-reduced-motion: reduce)"), leave = new AbortController(), { signal } = leave;
  canvas.setAttribute("role", "img");
  box.dataset.lmSuppressShortcuts = "true"; // arrow keys belong to the figure, not to the notebook
  box.append(canvas);
  figure.prepend(box);
  let layout = "wide", used = "wide", scene = null, shown = [], target = new Map(), parts = [], begun = 0, lasts = 0, fades = 0, asked = 0, seen = true, pressed = false;
  let latest = null;
  const drags = new Map(); // by the name of the mark: every finger may hold one

  function paint() {
    const past = performance.now() - begun, t = lasts ? clamp(past / lasts) : 1, words = fades ? clamp((past - lasts) / FADE) : 1, moving = t < 1 || words < 1;
    shown = moving ? parts.flatMap((part) => part(t, words)) : [...target.values()];
    shown.sort((a, b) => a.s.z - b.s.z);
    if (drags.size) shown = shown.map((mark) => (drags.has(mark.name) ? moved(mark, drags.get(mark.name)) : mark)); // it stays under the pointer, whatever the kernel knows
    if (canvas.width && scene) sheet.draw(shown, scene.size, scene.boxes);
    asked = moving ? requestAnimationFrame(paint) : 0;
    if (!moving && latest) canvas.dataset.key = latest.key;
  }
  const repaint = () => asked || (asked = requestAnimationFrame(paint));
  const finish = () => ((lasts = fades = 0), cancelAnimationFrame(asked), paint());

  // A new scene takes over from what is on screen; nothing queues.
  function show(frame) {
    const opening = model.get("opening");
    used = frame.change[layout] ? layout : Object.keys(frame.change)[0];
    drags.forEach(({ held, number }, name) => held || model.get("answered") < number || drags.delete(name));
    const renewed = scene !== opening[used], turned = `${scene?.size}` !== `${opening[used].size}`, same = latest && !renewed && frame.key === latest.key && JSON.stringify(frame.change) === JSON.stringify(latest.change);
    [scene, latest] = [opening[used], frame];
    canvas.setAttribute("aria-label", frame.alt);
    canvas.dataset.ahead = frame.ahead ?? false;
    if (same) return asked || paint();
    const pace = frame.pace === HANDED ? (pressed ? 0 : HAND) : frame.pace;
    const next = marksOf(scene.marks, frame.change[used]), still = !shown.length || turned || !seen || document.hidden || calm.matches || !shared.motion || !pace;
    const before = new Map();
    for (const mark of shown) before.set(mark.name, mark);
    for (const [name, mark] of before) if (target.get(name) === mark && next.get(name) && sameMark(mark, next.get(name))) next.set(name, mark);
    [lasts, fades, parts] = [0, 0, []];
    for (const name of still ? [] : new Set([...before.keys(), ...next.keys()])) {
      const [a, b] = [before.get(name), next.get(name)], text = (a ?? b).kind === "text" || (b ?? a).kind === "text";
      const reverse = frame.by === -1 && !text && glide(b, a, true); // a step back is the step on, played backwards
      parts.push(reverse ? (t) => reverse(1 - t) : glide(a, b, frame.by === 1));
      if (newWords(a, b)) fades = FADE;
      else if (a !== b && !(text && !b)) lasts = pace;
    }
    [target, begun] = [next, performance.now()];
    delete canvas.dataset.key;
    canvas.style.aspectRatio = `${scene.size[0]} / ${scene.size[1]}`;
    box.style.maxWidth = `${scene.size[0]}px`;
    if (turned) fit();
    handles(box, held(next), scene, hands);
    cancelAnimationFrame(asked);
    if (seen && (lasts || fades)) asked = requestAnimationFrame(paint);
    else paint();
  }

  // A mark that is dragged stays under the pointer, whatever the kernel knows.
  const held = (marks) => new Map([...marks].map(([name, mark]) => [name, drags.has(name) ? moved(mark, drags.get(name)) : mark]));

  // What a hand does to a mark that can be clicked or dragged. Messages may be merged, so a drag tells places, never ways.
  const hands = {
    press: (key, name) => press(`mark:${key}:${name}`),
    keys: () => model.get("mark_keys") ?? {},
    drag: (name, event) => {
      const rect = canvas.getBoundingClientRect(), scale = scene.size[0] / rect.width, at = [(event.clientX - rect.left) * scale, (event.clientY - rect.top) * scale];
      if (event.type === "pointerdown") {
        const mark = shown.find((each) => each.name === name), middle = middleOf(mark);
        const off = mark.s.spot ? [0, 0] : [middle[0] - at[0], middle[1] - at[1]]; // of a spot the pointer's own place counts
        drags.set(name, { along: mark.s.along, held: true, off, place: middle });
      }
      const drag = drags.get(name);
      if (!drag?.held) return;
      drag.place = at.map((each, k) => Math.min(Math.max(each + drag.off[k], 2), scene.size[k] - 2));
      drag.held = !["pointerup", "pointercancel"].includes(event.type);
      if (event.type !== "pointerdown") report();
      handles(box, held(target), scene, hands);
      repaint();
    },
    drop: (name) => drags.get(name)?.held && ((drags.get(name).held = false), report()),
  };
  function report() {
    const number = (model.get("dragged").number ?? 0) + 1;
    drags.forEach((drag) => (drag.number = number));
    model.set("dragged", { number, layout: used, at: Object.fromEntries([...drags].map(([name, { place, held }]) => [name, [...place, held]])) });
    model.save_changes();
  }
  if (Object.values(model.get("dragged").at ?? {}).some(([, , held]) => held)) report(); // by a page that was closed in the middle of a drag

  let wide = 0;
  function fit() {
    if (!scene || !wide) return;
    const pixels = Math.round(wide * (printing ? SHARPEST : Math.min(SHARPEST, devicePixelRatio * (canvas.currentCSSZoom ?? 1))));
    [canvas.width, canvas.height] = [pixels, Math.round((pixels * scene.size[1]) / scene.size[0])];
    paint();
  }
  const sized = new ResizeObserver(([entry]) => {
    const { inlineSize: width } = entry.contentBoxSize[0];
    if (!width) return;
    layout = model.get("narrow") && width < (getComputedStyle(figure).getPropertyValue("--narrow") || model.get("narrow")) ? "narrow" : "wide"; // slides say themselves
    if (!model.get("layouts").includes(layout)) {
      model.set("layouts", [...model.get("layouts"), layout]);
      model.save_changes();
    }
    if (layout !== used && latest?.change[layout]) show({ ...latest, pace: 0 });
    wide = width;
    fit();
  });
  const sight = new IntersectionObserver(([entry]) => ((seen = entry.isIntersecting), finish()));
  const theme = new MutationObserver(() => setTimeout(() => ((now = null), repaint()), 0));
  const listen = (target, type, act) => target.addEventListener(type, act, { signal, capture: true });
  for (const type of ["beforeprint", "afterprint"]) listen(window, type, () => ((printing = type === "beforeprint"), (now = null), fit(), finish()));
  listen(window, "resize", fit); // a zoom changes the pixels, and not always the width
  listen(document, "visibilitychange", finish);
  for (const type of ["pointerdown", "pointerup", "pointercancel"]) listen(window, type, () => (pressed = type === "pointerdown"));
  const late = () => (sheet.widths.clear(), repaint());
  byNight.addEventListener("change", () => ((now = null), repaint()), { signal });
  sized.observe(figure);
  sight.observe(box);
  theme.observe(document.body, { attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  shared.redraw.add(late);
  return {
    show,
    place: (change, name) => {
      const mark = marksOf(scene.marks, change[used]).get(name);
      return mark && middleOf(mark);
    },
    end: () => {
      leave.abort();
      [sized, sight, theme].forEach((each) => each.disconnect());
      shared.redraw.delete(late);
      cancelAnimationFrame(asked);
    },
  };
}
const sameMark = (a, b) => a.kind === b.kind && a.n.length === b.n.length && a.n.every((each, k) => Object.is(each, b.n[k])) && (a.s === b.s || JSON.stringify(a.s) === JSON.stringify(b.s));

// A mark that can be clicked or dragged has a button over it: it has a name, a Tab stop and a focus ring.

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
function extent({ n, kind, looks, of }) {
  const [x, y] = [[], []], r = kind === "points" ? (looks[of[0]].size * UNIT) / 2 : 0;
  for (let k = 0; k < n.length; ) isNaN(n[k]) ? k++ : (x.push(n[k] - r, n[k] + r), y.push(n[k + 1] - r, n[k + 1] + r), (k += 2));
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)].map((each) => each / UNIT);
}
const middleOf = (mark) => (([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2])(extent(mark));
function moved(mark, { place, along }) {
  const by = middleOf(mark).map((each, c) => ((along ?? "xy").includes("xy"[c]) ? (place[c] - each) * UNIT : 0)), axis = axes(mark.n, mark.kind);
  return { ...mark, n: mark.n.map((each, k) => each + by[axis[k]]) };
}
function handles(stage, marks, { size }, hands) {
  const wanted = [...marks.values()].filter(({ s }) => s.click || s.grab);
  const there = new Map([...stage.querySelectorAll("button")].map((each) => [each.dataset.name, each])), percent = (each, of) => `${(each / of) * 100}%`;
  for (const mark of wanted) {
    const { name, s } = mark, button = there.get(name) ?? stage.appendChild(make("button", { type: "button" })), [left, top, right, bottom] = extent(mark);
    const least = s.grab ? TOUCH : 0, [x, y, w, h] = [(left + right) / 2, (top + bottom) / 2, Math.max(right - left, least), Math.max(bottom - top, least)];
    if (!there.has(name)) {
      button.dataset.name = name;
      if (s.click) button.onclick = () => hands.press("", name);
      if (s.grab) button.onpointermove = button.onpointerup = button.onpointercancel = (event) => hands.drag(name, event);
      if (s.grab) button.onpointerdown = (event) => (button.setPointerCapture(event.pointerId), hands.drag(name, event));
      button.onkeydown = (event) => {
        const listens = hands.keys()[event.key], arrow = s.grab && ARROWS[event.key];
        if (event.ctrlKey || event.metaKey || event.altKey || !(arrow || listens)) return;
        event.preventDefault();
        event.stopPropagation();
        hands.press(event.key, name);
      };
    }
    const does = Object.entries(hands.keys()).map(([key, words]) => `${key.toUpperCase()}: ${words}`);
    const help = [...(s.grab ? ["drag it, or move it with the arrow keys"] : []), ...does].join("; ");
    button.className = s.grab ? "bayeslib-grip" : "";
    button.setAttribute("aria-label", s.grab ?? s.click);
    if (help) button.setAttribute("aria-description", (button.title = help));
    Object.assign(button.style, { left: percent(x - w / 2, size[0]), top: percent(y - h / 2, size[1]), width: percent(w, size[0]), height: percent(h, size[1]) });
    there.delete(name);
  }
  there.forEach((button, name) => (button.remove(), hands.drop(name)));
}

// The engine widget is never shown. It brings code, colours and fonts once for a page, and the figures wait for it.
function initialize({ model }) {
  const known = [...document.fonts].some(({ family }) => family.includes("Course Sans"));
  for (const { weight, style, data } of known ? [] : model.get("fonts")) {
    const face = new FontFace("Course Sans", data, { weight: `${weight}`, style }); // from a buffer: no fetch, no CSP
    document.fonts.add(face);
    face.load().then(() => shared.redraw.forEach((each) => each()));
  }
  const take = () => (Object.assign(shared, { light: model.get("light"), dark: model.get("dark"), motion: model.get("motion") }), (now = null));
  model.on("change:motion", take);
  take();
  if (!globalThis.bayeslibStage?.ready) document.head.append(make("style", { textContent: STYLE }));
  Object.assign((globalThis.bayeslibStage ??= Promise.withResolvers()), { ready: true }).resolve(stage);
}

export default { initialize };
