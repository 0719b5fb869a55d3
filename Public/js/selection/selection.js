// The selected item of a strip: by taps, keys, code or sliding.
import { templateOf } from "../cards/template.js";
import { inLap } from "../windows/geometry.js";
import { findItems } from "../windows/window-cache.js";

/** The selections, by strip. They have an `origin` until "select" was dispatched, which waits for the item's fields. */
export const selections = new WeakMap();

/** The selection of a strip, or an empty object. While the drawn items are stale, an index alone counts in the next items: its item is not known yet. */
function selectionOf(strip) {
  const selection = selections.get(strip);
  return selection?.id || !strip.isStale ? (selection ?? {}) : {};
}

/** The members of strips that select. */
export const selectionMembers = {
  /** The selected item, or null. */
  get selected() {
    const { response, ...item } = selectionOf(this);
    return item.index === undefined ? null : inLap(item, response); // the present response can have another count
  },

  /**
   * Selects and centers the item of an index. Dispatches `select` with an `origin`, which is "code" by default. If the
   * selection changes, dispatches `willselect` before. A listener that prevents the default keeps the selection.
   *
   * While the windows of another view are pending, an index from code is one of that view. An index from a tap or a key is one of the drawn
   * view: then the strip does not scroll.
   */
  select(number, origin = "code") {
    const index = this.clampIndex(number);
    const isOfNextItems = origin === "code" && this.isStale;
    const drawn = !isOfNextItems && this.items.find((other) => other.index === index);
    if (origin !== "code" && !isSelectable(this, drawn)) return;
    const item = { group: null, ...drawn, index, origin };
    const isOtherItem = isOfNextItems || !isSame(selectionOf(this), item);
    if (isOtherItem) {
      if (!this.emit("willselect", inLap(item, this.meta))) return;
      this.deselect();
    }
    selections.set(this, { ...item, response: this.meta });
    dispatchSelect(this);
    this.requestDraw();
    if (!drawn || !this.isStale) return this.scrollTo({ index, align: this.alignment ?? this.axis.align, behavior: "smooth" });
  },

  /** Removes the selection. Dispatches `deselect`. */
  deselect() {
    const item = this.selected;
    selections.delete(this);
    if (item) this.emit("deselect", item);
    this.requestDraw();
  },
};

/** The index of the selected item in the lap in which it was selected, as `nodeOf` and `items` have it. */
export function selectedIndex(strip) {
  return selectionOf(strip).index;
}

let isClickingLink = false; // whether a key has selected a card, and clicks its link

/** Clicks the link of a card that a key has selected. The click does not select it again. */
export function clickLink(link) {
  isClickingLink = true;
  link.click();
  isClickingLink = false;
}

/** What a tap is for, in a card. Roles are those of ARIA, such as `textbox` and `menuitemradio`. */
const INTERACTIVE = "a[href], button, label, summary, audio, video, input, select, textarea, [contenteditable]:not([contenteditable=false]), [role=slider], [role$=button], [role$=box], [role^=menuitem], [role=link], [role=option], [role=radio], [role=switch], [role=tab], [role=treeitem]";

/**
 * A tap selects the item of a card, unless a listener prevents its default, or it is for interactive content. Listeners
 * above the strip can prevent it too, so it selects after all of them. The link of a built-in card is the card. The card
 * of the selected item has `data-selected`.
 */
export function selection(strip, on) {
  on("click", (event) => {
    if (isClickingLink) return;
    const path = event.composedPath(); // it is empty after the event
    const finish = (other) => {
      if (other && other !== event) return;
      removeEventListener("click", finish);
      clearTimeout(timer);
      tap(strip, path, event);
    };
    const timer = setTimeout(finish); // if a listener stops the event
    addEventListener("click", finish); // the last listener of the window
  });
  on("reload", async () => {
    const { meta, selected } = strip;
    if (!selected) return;
    if (!meta.count) return strip.deselect();
    let item = { index: strip.clampIndex(selected.index) }; // the item is not known yet
    if (selected.id) {
      const { strip: name, revision, view } = meta;
      const found = await findItems(name, [selected.id], { revision, ...view }).catch(() => null);
      if (!found || strip.selected?.id !== selected.id || strip.meta !== meta) return; // another response follows
      item = found.get(selected.id); // items out of view can have moved
      if (!item) return strip.deselect();
    }
    selections.set(strip, { ...selectionOf(strip), index: item.index + (selected.lap ?? 0) * meta.count, response: meta });
    strip.requestDraw();
  });
  on("afterLayout", () => {
    dispatchSelect(strip);
    const { id = null } = selectionOf(strip);
    for (const node of strip.cardList.children) node.toggleAttribute("data-selected", node.dataset.id === id);
  });
}

/** Selects the item of the card that was clicked. A button in the shadow root of another element is in the event's path only. */
export function tap(strip, path, { defaultPrevented }) {
  const k = path.indexOf(strip.cardList) - 1; // the place of the card in the path
  const index = path[k]?.dataset.index;
  const control = path.slice(0, k).find((node) => node.matches?.(INTERACTIVE) || node.constructor.formAssociated); // that of a closed shadow root
  if (index && !defaultPrevented && (!control || control.matches("a.title"))) strip.select(+index, "tap");
}

/** Whether a reader can select an item: not with `selection="none"`, not without fields, and not if its template has `data-select="none"`. */
function isSelectable(strip, { kind, fields } = {}) {
  if (fields && !Object.keys(fields).length) return false; // a spacer
  return strip.selection !== "none" && templateOf(strip, kind)?.dataset.select !== "none";
}

/** Whether an item can be the current one: with `selection="current"`, only if it can be selected. */
export function canBeCurrent(strip, item) {
  return strip.selection !== "current" || isSelectable(strip, item);
}

/** Dispatches `select` once the item's fields are known. */
function dispatchSelect(strip) {
  const selected = selectionOf(strip);
  const copies = strip.items.filter((other) => isSame(selected, other)); // a loop can show an item more than once
  const item = copies.find(({ index }) => index === selected.index) ?? copies[0];
  if (!item?.fields) return;
  if (selected.origin && selected.origin !== "code" && !isSelectable(strip, item)) return selections.delete(strip); // the tap came before the fields
  selections.set(strip, { ...(selected.origin ? item : ofLap(selected, item, strip.meta)), response: strip.meta });
  if (selected.origin) strip.emit("select", { ...inLap(item, strip.meta), origin: selected.origin });
}

/** An item as it is in the lap of the selected one. */
function ofLap(selected, item, { wrap, count, extent }) {
  const laps = wrap ? Math.floor(selected.index / count) - Math.floor(item.index / count) : 0;
  return { ...item, index: item.index + laps * count, start: item.start + laps * extent };
}

/** Whether two items are the same: by id, or by index if an id is not known yet. */
function isSame(one, other) {
  return one.id && other.id ? one.id === other.id : one.index === other.index;
}
