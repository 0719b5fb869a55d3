// The dialog of a viewer: a strip with one item a screen, its details, and what moves it.
import { create } from "../base/dom.js";
import { languageOf } from "../base/language.js";
import { startPlugin } from "../base/plugin.js";
import { setText } from "../base/text.js";
import { cardTemplate } from "../cards/default-card.js";
import { copyTemplates, templateOf } from "../cards/template.js";
import { formatPosition, labelOf, labelledBy } from "../language/format.js";
import { localize } from "../language/messages.js";
import { safeURL } from "../server/links.js";
import { retryUntilLoaded } from "../server/retries.js";
import { VIEW_ATTRIBUTES } from "../windows/view.js";
import { detailsOf } from "./item-details.js";
import { PageAxis } from "./page-axis.js";
import { Zoom } from "./zoom.js";

/** English messages. Other languages have theirs with those of the strip. */
const ENGLISH = {
  close: "Close",
  details: "Details",
  open: "Open",
  openAt: "Open at …",
  lost: "There is no such picture.",
};
/** How long a notice is in view, in ms. */
const NOTICE_TIME = 8000;
/** The widest picture that is loaded when a reader zooms in, for `{w}` in its URL. */
const MAX_WIDTH = 2560;

/** Whether details are shown: at first, where they have room. The reader's choice holds for the next picture, too. */
let showsDetails = matchMedia("(width >= 60rem)").matches;

/**
 * A dialog with the items of `strip`. It opens at the item `id`. `settings` are those of the strip. Calls `onMove` with each item that
 * is shown, and `onLeave` when the reader wants to leave.
 */
export class ViewerDialog {
  #strip;
  #id; // the id of the item that it opens at
  #onMove;
  #onLeave;
  #pages; // the strip that has one item a screen
  #stage = create("div", { className: "stage" });
  #position = create("p", { className: "place" });
  #previous = button("previous");
  #next = button("next");
  #detailsButton = button("info");
  #closeButton = button("close");
  #details = create("section", { className: "fields" });
  #status = create("p", { className: "status", role: "status" });
  #dialog;
  #zoom; // of the picture in view
  #stop; // ends all listeners
  #item; // the item that is shown
  #target = null; // the index of the item that the strip moves to
  #isRetried; // whether the strip was sent to the target again
  #requestedWidth; // the width that pages were requested for last, in px
  #fullSizeItem; // the item whose picture was last loaded in its full size
  #messages = ENGLISH;
  #formatter; // of the strip's fields, once it is loaded

  constructor(strip, id, settings, { onMove, onLeave }) {
    [this.#strip, this.#id, this.#onMove, this.#onLeave] = [strip, id, onMove, onLeave];
    this.#pages = pagesOf(strip, id, settings);
    this.#stage.append(this.#pages);
    const parts = [this.#stage, this.#previous, this.#next, this.#details, this.#position, this.#detailsButton, this.#closeButton, this.#status];
    this.#dialog = create("dialog", { className: "carousel-viewer", lang: languageOf(strip), ariaLabel: this.#pages.ariaLabel }, ...parts);
    this.#dialog.dir = strip.direction < 0 ? "rtl" : "ltr";
    this.#stop = startPlugin((_, on) => {
      const pictureInView = () => this.#pages.nodeOf(this.#pages.current?.index)?.querySelector(".picture");
      this.#zoom = new Zoom(this.#stage, on, pictureInView, (picture, scale) => this.#loadFullSize(picture, scale));
      localize(this.#dialog, on, (messages) => this.#translate(messages));
      this.#followPages(on);
      this.#listenToReader(on);
    }, this.#pages);
    this.#loadFormatter();
    this.#showDetails(); // before the pages are measured, whose width it reduces
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#closeButton.focus();
  }

  /** Shows the item `id`. */
  show(id) {
    if (id !== this.#item?.id) this.#pages.scrollTo({ item: id });
  }

  /** Removes the dialog. */
  close() {
    this.#stop();
    this.#dialog.close();
    this.#dialog.remove();
  }

  async #loadFormatter() {
    const { loadFormatter } = await retryUntilLoaded(() => import("../language/fields.js"));
    this.#formatter = await loadFormatter(this.#strip, languageOf(this.#strip));
    if (this.#item) this.#update();
  }

  #translate(messages) {
    this.#messages = { ...ENGLISH, ...messages };
    const { previous, next, details, close } = this.#messages;
    for (const [node, label] of [[this.#previous, previous], [this.#next, next], [this.#detailsButton, details], [this.#closeButton, close]]) node.ariaLabel = node.title = label;
    this.#details.ariaLabel = details;
    if (this.#item) this.#update();
  }

  /** Follows what the strip of pages shows. */
  #followPages(on) {
    const pages = this.#pages;
    on("settle", ({ detail: item }) => this.#settle(item));
    on("reload", () => {
      if (!pages.meta.count) this.#onLeave();
    });
    on("draw", () => {
      const { width } = pages.axis.query;
      if (Math.abs(pages.meta.width - width) < 1 || width === this.#requestedWidth) return;
      this.#requestedWidth = width; // the stage has another width, which the pages get
      pages.refetch([{ item: this.#item?.id ?? this.#id }, {}]);
    });
    on("error", ({ detail }) => {
      if (detail.parameter !== "item") return;
      showNotice(this.#messages.lost); // the address names an item that the strip does not have
      this.#onLeave();
    });
    on("willdisplay", ({ detail: { item, node } }) => {
      const picture = node.querySelector(".picture");
      if (!limitSize(picture, item.fields)) showPreview(picture, this.#strip.nodeOf(item.index), item.id);
    });
  }

  #listenToReader(on) {
    const [dialog, stage, details] = [this.#dialog, this.#stage, this.#details];
    on("pointerdown touchstart wheel", () => {
      this.#target = null; // the reader moves the strip
    }, stage);
    on("click", () => this.#step(-1), this.#previous);
    on("click", () => this.#step(1), this.#next);
    on("click", () => this.#toggleDetails(), this.#detailsButton);
    on("click", this.#onLeave, this.#closeButton);
    on("cancel", (event) => {
      event.preventDefault();
      this.#onLeave();
    }, dialog);
    on("close", this.#onLeave, dialog);
    on("wheel", ({ target }) => stage.contains(target) || (details.contains(target) && details.scrollHeight > details.clientHeight) ? undefined : false, dialog);
    on("keydown", (event) => this.#press(event), dialog, true);
  }

  /** Follows a key that is pressed. Returns false if it is for the dialog: the strip has keys of its own. */
  #press(event) {
    const { key, repeat, target, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey) return;
    const { direction, meta } = this.#pages;
    const step = { ArrowLeft: -direction, ArrowRight: direction, PageUp: -1, PageDown: 1 }[key];
    if (step) this.#step(step, repeat ? "instant" : "smooth");
    else if (key === "Home") this.#showIndex(0);
    else if (key === "End") this.#showIndex(meta.count - 1);
    else if (/^[+=-]$/.test(key)) this.#zoom.by(key === "-" ? 0.5 : 2);
    else if (key === "i") this.#toggleDetails();
    else if (/^Arrow/.test(key)) this.#details.scrollBy({ top: key === "ArrowUp" ? -60 : 60 });
    else if (key !== " " || target.matches("button")) return; // the page behind would scroll
    event.stopPropagation();
    return false;
  }

  /** Moves to the next picture if `direction` is 1, to the previous one if it is -1. An item that is not loaded counts as a picture. */
  #step(direction, behavior = "smooth") {
    const pages = this.#pages;
    const from = this.#target ?? this.#item?.index ?? this.#strip.items.find(({ id }) => id === this.#id)?.index; // a key can come before the item is drawn
    if (from === undefined) return;
    const loaded = new Map(pages.loadedItems.map((item) => [item.index, item]));
    const isSkipped = (item) => item && templateOf(pages, item.kind).dataset.select === "none";
    let index = from + direction;
    while (isSkipped(loaded.get(index))) index += direction;
    this.#showIndex(index, behavior);
  }

  #showIndex(index, behavior) {
    this.#zoom.reset();
    this.#isRetried = false;
    this.#target = this.#pages.clampIndex(index);
    this.#pages.scrollTo({ index: this.#target, behavior });
  }

  /**
   * The strip is at rest at `item`. A browser can end a movement when the next key is pressed: the strip then rests at an item on the
   * way, and is sent to its target once more.
   */
  #settle(item) {
    const isMissed = this.#target !== null && !this.#isRetried && item && item.index !== this.#target;
    this.#isRetried = isMissed;
    if (isMissed) this.#pages.scrollTo({ index: this.#target });
    else this.#target = null;
    if (!item || !this.#pages.meta.count) return;
    const isOtherItem = this.#item && this.#item.id !== item.id;
    this.#item = item;
    if (isOtherItem) {
      this.#zoom.reset();
      setText(this.#status, labelOf(item, this.#pages));
    }
    this.#update();
    this.#onMove(item);
  }

  /** Shows the place of the item among the others, and its details. */
  #update() {
    const { index } = this.#item;
    const { count } = this.#pages.meta;
    this.#previous.ariaDisabled = index === 0; // it keeps the focus, and with it the keys
    this.#next.ariaDisabled = index === count - 1;
    setText(this.#position, formatPosition(index, count, this.#dialog));
    this.#showDetails();
  }

  #toggleDetails() {
    showsDetails = !showsDetails;
    this.#showDetails();
  }

  #showDetails() {
    this.#dialog.toggleAttribute("data-details", showsDetails);
    this.#detailsButton.ariaExpanded = showsDetails;
    if (this.#item && showsDetails) this.#details.replaceChildren(detailsOf(this.#item, this.#pages.meta.count, this.#dialog, this.#formatter, this.#messages));
  }

  /** Loads the picture as large as the server has it, once the reader has zoomed in. */
  #loadFullSize(picture, scale) {
    const image = picture.querySelector("img");
    const url = this.#item?.fields.image;
    if (scale === 1) this.#fullSizeItem = null; // a card that shows another item has it no more
    if (scale === 1 || !image || this.#item === this.#fullSizeItem || !url?.includes("{w}")) return;
    this.#fullSizeItem = this.#item;
    const { id } = this.#item;
    const large = new Image();
    large.onload = () => picture.closest("[data-id]")?.dataset.id === id && Object.assign(image, { srcset: "", src: large.src }); // a card shows many items
    large.src = safeURL(url.replaceAll("{w}", MAX_WIDTH));
  }
}

const button = (className) => create("button", { type: "button", className });

/** A strip of the same items as `strip`, with one item a screen. */
function pagesOf(strip, id, settings) {
  const pages = create("carousel-strip", { ariaLabel: strip.ariaLabel ?? labelledBy(strip) ?? settings.title });
  const attributes = {
    ...{ strip: strip.strip, layout: "strip", snap: "center", selection: "none", "initial-item": id },
    ...{ live: strip.getAttribute("live"), "data-version": strip.dataset.version },
  };
  for (const name of VIEW_ATTRIBUTES) attributes[name] = strip.getAttribute(name);
  for (const [name, value] of Object.entries(attributes)) if (value != null) pages.setAttribute(name, value);
  const templates = copyTemplates(strip);
  for (const template of templates) delete template.dataset.measure;
  const drawings = templates.flatMap(({ content }) => [...content.querySelectorAll(".picture > svg")]);
  for (const drawing of drawings) drawing.setAttribute("preserveAspectRatio", "xMidYMid meet"); // shows it whole
  for (const template of templates) if (template.content.firstChild && !template.content.querySelector(".picture")) template.content.replaceChildren(cardTemplate().content);
  if (!templates.some(({ dataset }) => dataset.kind === "card")) templates.push(cardTemplate());
  pages.append(...templates, create("ul", { role: "list" }));
  pages.axis = new PageAxis(pages, settings);
  return pages;
}

/** Says something on the page, for a while. */
function showNotice(text) {
  const notice = create("p", { className: "carousel-viewer-note", role: "status" });
  document.body.append(notice);
  setText(notice, text); // screen readers speak what changes
  setTimeout(() => notice.remove(), NOTICE_TIME);
}

/** Shows a picture at most twice as large as it is, by its field `pixels`: `640 x 480`. Returns whether it is smaller than the screen then. */
function limitSize(picture, { pixels }) {
  const sizes = /^(\d+) x (\d+)$/.exec(pixels)?.slice(1).map((px) => Math.max(2 * px, 160));
  if (!picture) return false;
  ["--widest", "--highest"].forEach((name, k) => picture.style.setProperty(name, sizes ? `${sizes[k]}px` : ""));
  return sizes?.[0] < innerWidth && sizes[1] < innerHeight;
}

/** Shows the picture that the strip has already loaded, until the large one is there. */
function showPreview(picture, card, id) {
  const image = card?.dataset.id === id && card.querySelector("img");
  if (picture && image && image.complete && image.naturalWidth) picture.style.background = `center / contain no-repeat url(${JSON.stringify(image.currentSrc)})`;
}
