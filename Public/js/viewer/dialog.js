// The dialog of a viewer: a strip with one item a screen, its details, and what moves it.
import { create } from "../base/dom.js";
import { languageOf } from "../base/language.js";
import { start } from "../base/lifecycle.js";
import { setText } from "../base/text.js";
import { cardTemplate } from "../cards/appearance.js";
import { templateOf } from "../cards/template.js";
import { formatPosition, labelOf, labelledBy } from "../language/format.js";
import { localize } from "../language/messages.js";
import { retryUntilLoaded, safeURL } from "../windows/server.js";
import { VIEW } from "../windows/view.js";
import { detailsOf } from "./details.js";
import { PageAxis } from "./page-axis.js";
import { zoom } from "./zoom.js";

/** English messages. Other languages have theirs with those of the strip. */
const ENGLISH = {
  close: "Close",
  details: "Details",
  open: "Open",
  openAt: "Open at …",
  lost: "There is no such picture.",
};
/** How long a note is in view, in ms. */
const NOTE_TIME = 8000;
/** The widest picture that is loaded when a reader zooms in, for `{w}` in its URL. */
const MAX_WIDTH = 2560;

/** Whether details are shown: at first, where they have room. The reader's choice holds for the next picture, too. */
let showsDetails = matchMedia("(width >= 60rem)").matches;

/**
 * Opens a dialog with the items of `strip`, at the item `id`. `settings` are those of the strip. Calls `onMove` with each item
 * that is shown, and `onLeave` when the reader wants to leave. Returns `show(id)` and `close()`.
 */
export function openDialog(strip, id, settings, { onMove, onLeave }) {
  const pages = pagesOf(strip, id, settings);
  const stage = create("div", { className: "stage" }, pages);
  const place = create("p", { className: "place" });
  const [previous, next, info, close] = ["previous", "next", "info", "close"].map((className) => create("button", { type: "button", className }));
  const details = create("section", { className: "fields" });
  const status = create("p", { className: "status", role: "status" });
  const dialog = create("dialog", { className: "carousel-viewer", lang: languageOf(strip) }, stage, previous, next, details, place, info, close, status);
  dialog.dir = strip.matches(":dir(rtl)") ? "rtl" : "ltr";
  dialog.ariaLabel = pages.ariaLabel;

  let item; // that is shown
  let requested; // the last width of the pages, in px
  let sharp; // the last item whose picture was loaded as large as there is one
  let target = null; // the index of the item that the strip moves to
  let isRepeated; // whether the strip was sent there again
  let messages = ENGLISH;
  let formatter;

  const isPicture = ({ kind }) => templateOf(pages, kind).dataset.select !== "none";
  const step = (direction, behavior = "smooth") => {
    const from = target ?? item?.index ?? strip.items.find((one) => one.id === id)?.index; // a key can come before the item is drawn
    if (from === undefined) return;
    const loaded = new Map(pages.loadedItems.map((one) => [one.index, one]));
    let index = from + direction;
    while (loaded.has(index) && !isPicture(loaded.get(index))) index += direction; // one that is not loaded counts as a picture
    showIndex(index, behavior);
  };
  const showIndex = (index, behavior) => {
    zooming.reset();
    isRepeated = false;
    target = pages.clampIndex(index);
    pages.scrollTo({ index: target, behavior });
  };
  const showDetails = () => {
    dialog.toggleAttribute("data-details", showsDetails);
    info.ariaExpanded = showsDetails;
    if (item && showsDetails) details.replaceChildren(detailsOf(item, pages.meta.count, dialog, formatter, messages));
  };
  const toggleDetails = () => {
    showsDetails = !showsDetails;
    showDetails();
  };
  const update = () => {
    const { count } = pages.meta;
    previous.disabled = item.index === 0;
    next.disabled = item.index === count - 1;
    setText(place, formatPosition(item.index, count, dialog));
    showDetails();
  };

  let zooming;
  const stop = start((_, on) => {
    zooming = zoom(stage, on, () => pages.nodeOf(pages.current?.index)?.querySelector(".picture"), showSharp);
    localize(dialog, on, (known) => {
      messages = { ...ENGLISH, ...known };
      [previous, next, info, close].forEach((button, k) => (button.ariaLabel = button.title = messages[["previous", "next", "details", "close"][k]]));
      details.ariaLabel = messages.details;
      if (item) update();
    });
    on("pointerdown touchstart wheel", () => {
      target = null; // the reader moves the strip
    }, stage);
    on("settle", ({ detail }) => {
      // A browser can end a movement when the next key is pressed. The strip then rests at an item on the way.
      const isMissed = target !== null && !isRepeated && detail && detail.index !== target;
      isRepeated = isMissed;
      if (isMissed) pages.scrollTo({ index: target });
      else target = null;
      if (!detail || !pages.meta.count) return;
      const isOtherItem = item && item.id !== detail.id;
      if (isOtherItem) zooming.reset();
      item = detail;
      if (isOtherItem) setText(status, labelOf(item, pages));
      update();
      onMove(item);
    });
    on("reload", () => {
      if (!pages.meta.count) onLeave();
    });
    on("draw", () => {
      const { width } = pages.axis.query;
      if (Math.abs(pages.meta.width - width) < 1 || width === requested) return;
      requested = width; // the pages are as wide as the stage is now
      pages.refetch([{ item: item?.id ?? id }, {}]);
    });
    on("error", ({ detail }) => {
      if (detail.parameter !== "item") return;
      showNote(messages.lost); // there is none of the address
      onLeave();
    });
    on("willdisplay", ({ detail: { item: shown, node } }) => {
      const picture = node.querySelector(".picture");
      if (!limit(picture, shown.fields)) showSmall(picture, strip.nodeOf(shown.index), shown.id);
    });
    on("click", () => step(-1), previous);
    on("click", () => step(1), next);
    on("click", toggleDetails, info);
    on("click", onLeave, close);
    on("cancel", (event) => {
      event.preventDefault();
      onLeave();
    }, dialog);
    on("close", onLeave, dialog);
    on("wheel", ({ target }) => stage.contains(target) || (details.contains(target) && details.scrollHeight > details.clientHeight) ? undefined : false, dialog);
    on("keydown", (event) => {
      const { key, ctrlKey, altKey, metaKey } = event;
      if (ctrlKey || altKey || metaKey) return;
      const way = { ArrowLeft: -pages.direction, ArrowRight: pages.direction, PageUp: -1, PageDown: 1 }[key];
      if (way) step(way, event.repeat ? "instant" : "smooth");
      else if (key === "Home") showIndex(0);
      else if (key === "End") showIndex(pages.meta.count - 1);
      else if (/^[+=-]$/.test(key)) zooming.by(key === "-" ? 0.5 : 2);
      else if (key === "i") toggleDetails();
      else if (/^Arrow/.test(key)) details.scrollBy({ top: key === "ArrowUp" ? -60 : 60 });
      else if (key !== " " || event.target.matches("button")) return; // the page behind would scroll
      event.stopPropagation(); // the strip has keys of its own
      return false;
    }, dialog, true);
  }, pages);

  /** Loads the picture as large as the server has it, once the reader has zoomed in. */
  function showSharp(picture, scale) {
    const image = picture.querySelector("img");
    const url = item?.fields.image;
    if (scale === 1 || !image || item === sharp || !url?.includes("{w}")) return;
    sharp = item;
    const large = new Image();
    const { id } = item;
    large.onload = () => picture.closest("[data-id]")?.dataset.id === id && Object.assign(image, { srcset: "", src: large.src }); // a card shows many items
    large.src = safeURL(url.replaceAll("{w}", MAX_WIDTH));
  }

  retryUntilLoaded(() => import("../language/fields.js")).then(async ({ loadFormatter }) => {
    formatter = await loadFormatter(strip, languageOf(strip));
    if (item) update();
  });
  showDetails(); // the column takes its room before the pages have their width
  document.body.append(dialog);
  dialog.showModal();
  close.focus();

  return {
    show: (id) => id !== item?.id && pages.scrollTo({ item: id }),
    close() {
      stop();
      dialog.close();
      dialog.remove();
      return item;
    },
  };
}

/** A strip of the same items as `strip`, with one item a screen. */
function pagesOf(strip, id, settings) {
  const pages = create("carousel-strip", { ariaLabel: strip.ariaLabel ?? labelledBy(strip) ?? settings.title });
  const attributes = {
    ...{ strip: strip.strip, layout: "strip", snap: "center", selection: "none", "initial-item": id },
    ...{ live: strip.getAttribute("live"), "data-version": strip.dataset.version },
  };
  for (const name of VIEW) attributes[name] = strip.getAttribute(name);
  for (const [name, value] of Object.entries(attributes)) if (value != null) pages.setAttribute(name, value);
  const templates = [...strip.querySelectorAll(":scope > template")].map((template) => template.cloneNode(true));
  for (const template of templates) delete template.dataset.measure;
  const drawings = templates.flatMap(({ content }) => [...content.querySelectorAll("svg[viewBox]")]);
  for (const drawing of drawings) drawing.setAttribute("preserveAspectRatio", "xMidYMid meet"); // whole
  for (const template of templates) if (template.content.firstChild && !template.content.querySelector(".picture")) template.content.replaceChildren(cardTemplate().content);
  if (!templates.some(({ dataset }) => dataset.kind === "card")) templates.push(cardTemplate());
  pages.append(...templates, create("ul", { role: "list" }));
  pages.axis = new PageAxis(pages, settings);
  return pages;
}

/** Says something on the page, for a while. */
function showNote(text) {
  const note = create("p", { className: "carousel-viewer-note", role: "status" });
  document.body.append(note);
  setText(note, text); // screen readers speak what changes
  setTimeout(() => note.remove(), NOTE_TIME);
}

/** Shows a picture at most twice as large as it is, by its field `pixels`: `640 x 480`. Returns whether it is smaller than the screen then. */
function limit(picture, { pixels }) {
  const sizes = /^(\d+) x (\d+)$/.exec(pixels)?.slice(1).map((px) => Math.max(2 * px, 160));
  if (!picture) return false;
  ["--widest", "--highest"].forEach((name, k) => picture.style.setProperty(name, sizes ? `${sizes[k]}px` : ""));
  return sizes?.[0] < innerWidth && sizes[1] < innerHeight;
}

/** Shows the picture that the strip has already loaded, until the large one is there. */
function showSmall(picture, card, id) {
  const image = card?.dataset.id === id && card.querySelector("img");
  if (picture && image && image.complete && image.naturalWidth) picture.style.background = `center / contain no-repeat url(${JSON.stringify(image.currentSrc)})`;
}
