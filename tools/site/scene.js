// Draws a recorded figure (scene.py) on a canvas, sharp at any size, in the colours of day or night.
const UNIT = 10; // of the recorded coordinates: tenths of a pixel
const MANY = 200; // places from which on a marker is drawn once and stamped
const CAPS = ["butt", "round", "square"];
const JOINS = ["miter", "round", "bevel"];
const NARROW = 560; // pixels of the page below which a figure is stacked (narrow.py)
const LARGEST = 0.7; // of a piece of it: larger print would shout

// Colours by night: lightness is turned over, hue stays (OKLab, Ottosson 2020). What stood out still does, and paper gets dark.
// Bent upwards, because on a dark paper what is dim loses more.
const NIGHT = { paper: "#17181b", ink: 0.95, bend: 0.7 };
const nightly = new Map([["#ffffff", NIGHT.paper]]);

function night(colour) {
  if (!nightly.has(colour)) {
    const [l, a, b] = toLab(colour);
    const [paper] = toLab(NIGHT.paper);
    const turned = paper + Math.max(1 - l, 0) ** NIGHT.bend * (NIGHT.ink - paper);
    let chroma = 1;
    let rgb = fromLab(turned, a, b);
    while (rgb.some((each) => each < -0.001 || each > 1.001)) rgb = fromLab(turned, a * (chroma *= 0.95), b * chroma);
    const hex = (each) => Math.round(255 * Math.min(Math.max(each, 0), 1)).toString(16).padStart(2, "0");
    nightly.set(colour, `#${rgb.map(hex).join("")}${colour.slice(7)}`);
  }
  return nightly.get(colour);
}

function toLab(colour) {
  const rgb = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [r, g, b] = rgb.map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab(light, a, b) {
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((each) => (each <= 0.0031308 ? 12.92 * each : 1.055 * each ** (1 / 2.4) - 0.055));
}

function sheet(width, height) {
  return Object.assign(document.createElement("canvas"), { width, height });
}

// Rows of pieces [left, top, right, bottom] below each other on so many pixels, each row as large as it may be.
function stack(rows, width, fine) {
  let end = 0;
  return rows.flatMap((row) => {
    const wide = row.reduce((sum, [left, , right]) => sum + right - left, 0);
    const scale = Math.min(width / wide, LARGEST * fine);
    const first = Math.min(...row.map((piece) => piece[1]));
    const y = end;
    let x = (width - wide * scale) / 2;
    return row.map(([left, top, right, bottom]) => {
      const piece = { left, top, scale, x, y: y + (top - first) * scale, across: (right - left) * scale, down: (bottom - top) * scale };
      x += piece.across;
      end = Math.max(end, Math.ceil(piece.y + piece.down));
      return piece;
    });
  });
}

// What was recorded of one figure: `frames` list numbers of `commands`, which begin with a number of `styles`.
class Scene {
  constructor({ width, height, styles, commands, frames }) {
    Object.assign(this, { width, height, styles, commands, frames, paths: new Map(), kept: new Map() });
  }

  // Fill the canvas, which has as many pixels as it is to have, with one frame: the whole of it, or pieces from `stack`.
  draw(canvas, frame, dark, pieces) {
    const context = (this.context = canvas.getContext("2d"));
    this.colour = dark ? night : (colour) => colour;
    const look = `${canvas.width} ${dark}`; // tiles, stamps and images are kept for one size and one light
    if (look !== this.look) this.kept.clear();
    this.look = look;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.colour("#ffffff");
    context.fillRect(0, 0, canvas.width, canvas.height);
    const all = { left: 0, top: 0, scale: canvas.width / this.width, x: 0, y: 0, across: canvas.width, down: canvas.height };
    for (const { left, top, scale, x, y, across, down } of pieces ?? [all]) {
      this.scale = scale;
      this.origin = [x - left * scale, y - top * scale];
      context.save();
      context.beginPath();
      context.rect(x, y, across, down);
      context.clip();
      context.setTransform(scale / UNIT, 0, 0, scale / UNIT, ...this.origin);
      this.frames[frame].forEach((number) => this.command(...this.commands[number]));
      context.restore();
    }
  }

  command(at, ...what) {
    const style = this.styles[at];
    this.context.save();
    if (what.length > 4) this.image(style, ...what);
    else if (what.length === 4) this.text(style, ...what);
    else this.shape(style, ...what);
    this.context.restore();
  }

  path(data) {
    if (!this.paths.has(data)) this.paths.set(data, new Path2D(data));
    return this.paths.get(data);
  }

  keep(what, make) {
    const key = `${this.scale} ${what}`;
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }

  clip(data) {
    if (data) this.context.clip(this.path(data));
  }

  text([colour, size, face, angle, clip], text, x, y, width) {
    const context = this.context;
    this.clip(clip);
    context.translate(x, y);
    context.rotate((-angle * Math.PI) / 180);
    context.scale(UNIT, UNIT);
    context.font = `${size}px "${face}"`;
    context.fillStyle = this.colour(colour);
    const own = context.measureText(text).width;
    if (own) context.scale(width / UNIT / own, 1); // Agg's letters stand on whole pixels
    context.fillText(text, 0, 0);
  }

  image([, , clip], palette, width, height, pixels, ...matrix) {
    const picture = this.keep(palette + pixels, () => {
      const canvas = sheet(width, height);
      const context = canvas.getContext("2d");
      const data = context.createImageData(width, height);
      const numbers = palette.split(" ").map((each) => {
        const [r, g, b, a] = this.colour(each).match(/\w\w/g).map((part) => parseInt(part, 16));
        return [r, g, b, a ?? 255];
      });
      for (let at = 0; at < width * height; at++) data.data.set(numbers[pixels.charCodeAt(at) - 0xa1], 4 * at);
      context.putImageData(data, 0, 0);
      return canvas;
    });
    this.clip(clip);
    this.context.transform(...matrix);
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(picture, 0, 0);
  }

  shape(style, data, places) {
    this.clip(style[2]);
    if (places === undefined) return this.paint(this.context, style, data);
    const steps = places.split(" ").map(Number);
    const draw = steps.length < 2 * MANY ? this.painter(style, data) : this.stamper(style, data);
    for (let at = 0, x = 0, y = 0; at < steps.length; at += 2) draw((x += steps[at]), (y += steps[at + 1]));
  }

  painter(style, data) {
    return (x, y) => {
      this.context.translate(x, y);
      this.paint(this.context, style, data);
      this.context.translate(-x, -y);
    };
  }

  // Pictures of the marker, one for each quarter of a pixel on which it may stand.
  stamper(style, data) {
    const scale = this.scale / UNIT;
    const half = Math.ceil(this.scale * 16);
    this.context.setTransform(1, 0, 0, 1, ...this.origin);
    return (x, y) => {
      const [across, down] = [x, y].map((each) => Math.round(4 * each * scale));
      const stamp = this.keep(`${style} ${data} ${across & 3} ${down & 3}`, () => {
        const canvas = sheet(2 * half, 2 * half);
        const context = canvas.getContext("2d");
        context.setTransform(scale, 0, 0, scale, half + (across & 3) / 4, half + (down & 3) / 4);
        this.paint(context, style, data);
        return canvas;
      });
      this.context.drawImage(stamp, (across >> 2) - half, (down >> 2) - half);
    };
  }

  paint(context, [fill, edge, , width, ends, dashes, hatch, hatchColour, hatchWidth], data) {
    const path = this.path(data);
    if (fill) {
      context.fillStyle = this.colour(fill);
      context.fill(path);
    }
    if (hatch) {
      context.fillStyle = this.hatching(hatch, hatchColour, hatchWidth);
      context.fill(path);
    }
    if (!edge) return;
    const [offset, ...gaps] = (dashes || "0").split(" ").map((each) => each * UNIT);
    context.setLineDash(gaps);
    Object.assign(context, { strokeStyle: this.colour(edge), lineWidth: width * UNIT, lineDashOffset: offset });
    Object.assign(context, { lineCap: CAPS[Math.floor(ends / 3)], lineJoin: JOINS[ends % 3], miterLimit: 4 });
    context.stroke(path);
  }

  // Agg's hatches are tiles of an inch.
  hatching(data, colour, width) {
    const side = Math.round(100 * this.scale);
    const tile = this.keep(`${data} ${colour} ${width}`, () => {
      const canvas = sheet(side, side);
      const context = canvas.getContext("2d");
      context.scale(side / 100 / UNIT, side / 100 / UNIT);
      context.fillStyle = context.strokeStyle = this.colour(colour);
      context.lineWidth = width * UNIT;
      context.fill(this.path(data));
      context.stroke(this.path(data));
      return canvas;
    });
    const pattern = this.context.createPattern(tile, "repeat");
    pattern.setTransform(new DOMMatrix().scale((100 * UNIT) / side));
    return pattern;
  }
}

// What stands in files beside the page comes as scripts: a page that is opened from a file may not fetch.
const SCENES = {};
const underWay = new Map();

function load(src) {
  if (!underWay.has(src)) underWay.set(src, new Promise((onload, onerror) => document.head.append(make("script", { src, onload, onerror }))));
  return underWay.get(src);
}

async function unpack(name, file = `scenes/${name}.js`) {
  await load(file);
  const bytes = Uint8Array.from(atob(SCENES[name]), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

let written; // the fonts, once for all figures
function fonts() {
  const add = ([name, data]) => document.fonts.add(new FontFace(name, `url(data:font/woff;base64,${data})`)).load(`1em "${name}"`);
  return (written ??= load("fonts.js").then(() => Promise.all(Object.entries(FONTS).map(add))));
}

const byNight = matchMedia("(prefers-color-scheme: dark)");
function isDark() {
  const { theme } = document.documentElement.dataset; // what the reader chose; else as the device has it
  return theme === "dark" || (theme !== "light" && byNight.matches);
}

