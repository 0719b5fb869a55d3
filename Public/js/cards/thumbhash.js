// Blurred pictures until the real ones arrive: what the field `thumbhash` of an item encodes.
//
//     <script type="module" src="https://strips.example/js/cards/thumbhash.js"></script>

/** The greatest width and height of a decoded picture, in px. The browser draws it larger, and so blurred. */
const SIZE = 32;

/**
 * The picture that a thumbhash encodes, in base64: {width, height, rgba}. Throws if `hash` is not one. The format is
 * that of https://evanw.github.io/thumbhash/: a few factors of cosines for lightness, two colors and alpha.
 */
export function decode(hash) {
  const bytes = Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0));
  const bits = (place, count) => ((bytes[place >> 3] | (bytes[(place >> 3) + 1] << 8) | (bytes[(place >> 3) + 2] << 16)) >> (place & 7)) & ((1 << count) - 1);
  const hasAlpha = bits(23, 1) === 1;
  const isLandscape = bits(39, 1) === 1;
  const [long, short] = [hasAlpha ? 5 : 7, bits(24, 3)];
  if (bytes.length < 5 || !short) throw new RangeError("This is no thumbhash.");
  const [columns, rows] = isLandscape ? [long, short] : [short, long];
  const [width, height] = sizeOf(columns / rows);
  const factors = factorReader(bits, hasAlpha ? 48 : 40);
  const [inX, inY] = [cosines(width), cosines(height)];
  const channel = (average, ...shape) => rowsOf(average, factors(...shape), inX, inY);
  const lightness = channel(bits(0, 6) / 63, Math.max(3, columns), Math.max(3, rows), bits(18, 5) / 31);
  const yellow = channel(bits(6, 6) / 31.5 - 1, 3, 3, (1.25 * bits(27, 6)) / 63); // against blue
  const red = channel(bits(12, 6) / 31.5 - 1, 3, 3, (1.25 * bits(33, 6)) / 63); // against green
  const alpha = hasAlpha ? channel(bits(40, 4) / 15, 5, 5, bits(44, 4) / 15) : () => inX.map(() => 1);
  return { width, height, rgba: paint(width, height, lightness, yellow, red, alpha) };
}

/** The width and the height of a picture with this ratio of them. */
const sizeOf = (ratio) => [SIZE * Math.min(1, ratio), SIZE / Math.max(1, ratio)].map(Math.round);

/** A table of cosines: of each place on a line of `length` px, for each frequency. */
const cosines = (length) => Array.from({ length }, (_, place) => Array.from({ length: 7 }, (_, n) => Math.cos((Math.PI / length) * (place + 0.5) * n)));

/**
 * Returns a function that reads the factors of one channel after another, each with its frequencies in x and y. The first one is at the
 * bit `next`. A channel has `across` times `down` factors, less those beyond the diagonal.
 */
function factorReader(bits, next) {
  return (across, down, scale) => {
    const factors = [];
    for (let m = 0; m < down; m += 1) {
      for (let n = m ? 0 : 1; n * down < across * (down - m); n += 1, next += 4) factors.push([n, m, 2 * scale * (bits(next, 4) / 7.5 - 1)]);
    }
    return factors;
  };
}

/** Returns a function of y: the values of a channel in that row of px. `inX` and `inY` are tables of cosines. */
function rowsOf(average, factors, inX, inY) {
  return (y) => {
    const sums = [average, 0, 0, 0, 0, 0, 0]; // by the frequency in x
    for (const [n, m, factor] of factors) sums[n] += factor * inY[y][m];
    return inX.map((cosine) => cosine.reduce((sum, value, n) => sum + value * sums[n], 0));
  };
}

/** The bytes of a picture. Its channels are functions of y. */
function paint(width, height, ...channels) {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const [lightness, yellow, red, alpha] = channels.map((valuesIn) => valuesIn(y));
    for (let x = 0; x < width; x += 1) {
      const b = lightness[x] - (2 / 3) * yellow[x];
      const r = (3 * lightness[x] - b + red[x]) / 2;
      rgba.set([255 * r, 255 * (r - red[x]), 255 * b, 255 * alpha[x]], 4 * (y * width + x));
    }
  }
  return rgba;
}

/** Puts the blurred picture of an item into its card, behind the picture that is loading. */
function show({ fields: { thumbhash } }, node) {
  const image = node.querySelector(".picture > img");
  if (!thumbhash || !image || (image.complete && image.naturalWidth)) return;
  try {
    const { width, height, rgba } = decode(thumbhash);
    const canvas = Object.assign(document.createElement("canvas"), { width, height, ariaHidden: "true" });
    canvas.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
    image.before(canvas);
    const waiting = new AbortController(); // a card shows many items, and would keep the listeners of all
    const end = () => {
      waiting.abort();
      Promise.allSettled(image.getAnimations().map(({ finished }) => finished)).then(() => canvas.remove()); // the picture fades in over it
    };
    for (const type of ["load", "error"]) image.addEventListener(type, end, { signal: waiting.signal });
  } catch {
    // The card shows its color.
  }
}

if (globalThis.document) {
  document.addEventListener("willdisplay", ({ detail: { item, node } }) => show(item, node));
  for (const strip of document.querySelectorAll("carousel-strip")) {
    for (const item of strip.items ?? []) if (item.fields) show(item, strip.nodeOf(item.index));
  }
}
