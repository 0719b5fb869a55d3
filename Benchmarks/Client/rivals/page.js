// The page of a rival: a horizontal list of `count` cards in #box, with 8 px between them. The items are in memory. With
// `?remote` they are on the server, and a list asks for 50 at a time. Their widths are known in both cases.

const address = new URL(location.href).searchParams;
const isRemote = address.has("remote");
const changedWidths = new Map();

export const count = Number(address.get("count"));
export const gap = 8;
export const box = document.querySelector("#box");
export const chunkSize = 50;

export const widthOf = (index) => changedWidths.get(index) ?? 96 + ((index * 7919) % 160);
export const setWidth = (index, width) => changedWidths.set(index, width);

const itemOf = (index) => ({ id: `i${index}`, index, title: `Item ${index}` });

/** All items. Those that have not been loaded are numbers. */
export const items = Array.from({ length: count }, (_, index) => (isRemote ? index : itemOf(index)));

export const isLoaded = (item) => typeof item === "object";

/** The items from `first`. */
export async function load(first) {
  const answer = await fetch(`/items?first=${first}&count=${Math.min(chunkSize, count - first)}`);
  return answer.json();
}

const asked = new Set();
let draw = () => {};

/** Calls `next` when items have been loaded. */
export const onLoad = (next) => (draw = next);

/** The item at `index`, or undefined. Then the items around it are loaded. */
export function itemAt(index) {
  if (isLoaded(items[index])) return items[index];
  const first = index - (index % chunkSize);
  if (!asked.has(first)) {
    asked.add(first);
    load(first).then((loaded) => {
      loaded.forEach((item, k) => (items[first + k] = item));
      draw();
    });
  }
  return undefined;
}

/** The inside of a card, as HTML. */
export const inside = (item) =>
  `<b style="background:hsl(${(item.index * 47) % 360} 45% 40%)"></b><span>${item.title}</span>`;

/** A card as HTML: empty until its item has been loaded. */
export const cardOf = (item, index) =>
  item ? `<div class="card" data-index="${index}">${inside(item)}</div>` : '<div class="card"></div>';

/** Gives the list to the benchmark: the element that scrolls, and the functions `scrollTo` and `resize`. */
export function ready(list) {
  window.list = list;
}

export { isRemote };
