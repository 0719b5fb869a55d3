// Zooming into the picture of a viewer: by pinching, a double click or a double tap, Ctrl and the wheel, and keys.
import { pointsOf, span } from "../base/pointers.js";

const MAX_SCALE = 8;
const DOUBLE_CLICK = { scale: 2.5, time: 400, distance: 30 }; // ms and px

/**
 * Zooms the node that `pictureOf` returns, within `stage`. While it is zoomed in, the mouse and a finger move it, and the stage has the
 * attribute `data-zoomed`. Calls `onZoom` with the picture and its scale.
 */
export class Zoom {
  #stage;
  #pictureOf;
  #onZoom;
  #scale = 1;
  #translation = [0, 0]; // the translation in px
  #picture; // the node that is zoomed in, or was last
  #gesture; // what fingers or the mouse hold: {points, scale, translation}, as they were at first
  #lastClick; // {timeStamp, point}, until a second one makes a double click

  constructor(stage, on, pictureOf, onZoom) {
    [this.#stage, this.#pictureOf, this.#onZoom] = [stage, pictureOf, onZoom];
    const touched = (event) => this.#touch(event);
    for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) stage.addEventListener(type, touched, { capture: true, passive: false });
    this.#listenToMouse(on);
  }

  /** Zooms in the middle, by a factor. */
  by(factor) {
    this.#zoomTo(this.#scale * factor, this.#middle);
  }

  /** Shows the whole picture. */
  reset() {
    if (this.#scale > 1) this.#zoomTo(1, this.#middle);
  }

  #listenToMouse(on) {
    const stage = this.#stage;
    on("pointerdown", (event) => {
      if (event.pointerType === "touch" || event.button || this.#scale === 1) return;
      this.#begin([[event.clientX, event.clientY]]);
      stage.setPointerCapture(event.pointerId);
      event.stopPropagation(); // the strip would be dragged
    }, stage, true);
    on("pointermove", ({ pointerType, clientX, clientY }) => {
      if (this.#gesture && pointerType !== "touch") this.#move([[clientX, clientY]]);
    }, stage);
    on("pointerup pointercancel", ({ pointerType }) => {
      if (pointerType !== "touch") this.#gesture = null;
    }, stage);
    on("click", (event) => this.#click(event), stage);
    on("wheel", (event) => this.#wheel(event), stage);
  }

  /** Fingers: the strip scrolls with one of them, unless the picture is zoomed in. */
  #touch(event) {
    const { type, touches } = event;
    const points = pointsOf(touches).slice(0, 2);
    if (type === "touchmove" && this.#gesture?.points.length === touches.length) this.#move(points);
    else this.#begin(points);
    if (!this.#gesture) return;
    event.stopPropagation();
    const isGesture = type === "touchmove" || touches.length > 1; // else it can become a tap
    if (isGesture && event.cancelable) event.preventDefault();
  }

  #begin(points) {
    const isGesture = points[1] || (points[0] && this.#scale > 1);
    this.#gesture = isGesture ? { points, scale: this.#scale, translation: this.#translation } : null;
  }

  #move(points) {
    const [from, to] = [span(this.#gesture.points), span(points)];
    this.#zoomTo(this.#gesture.scale * (from.distance ? to.distance / from.distance : 1), from.middle, to.middle, this.#gesture);
  }

  /** A double click or a double tap zooms in, or shows the whole picture. */
  #click({ timeStamp, clientX, clientY }) {
    const point = [clientX, clientY];
    const last = this.#lastClick;
    const isSecond = last && timeStamp - last.timeStamp < DOUBLE_CLICK.time && span([last.point, point]).distance < DOUBLE_CLICK.distance;
    this.#lastClick = isSecond ? null : { timeStamp, point };
    if (isSecond) this.#zoomTo(this.#scale > 1 ? 1 : DOUBLE_CLICK.scale, point);
  }

  /** The wheel zooms with Ctrl, and else moves the picture. Returns false where the page behind would scroll. */
  #wheel({ ctrlKey, deltaX, deltaY, clientX, clientY }) {
    const point = [clientX, clientY];
    if (ctrlKey) this.#zoomTo(this.#scale * Math.exp(-deltaY / 100), point);
    else if (this.#scale > 1) this.#zoomTo(this.#scale, point, [clientX - deltaX, clientY - deltaY]);
    return ctrlKey || this.#scale > 1 || Math.abs(deltaY) > Math.abs(deltaX) ? false : undefined;
  }

  /** Zooms to `scale`. What is at the point `from` of the window in the zoom `base` moves to the point `to`. */
  #zoomTo(scale, from, to = from, base = { scale: this.#scale, translation: this.#translation }) {
    if (!(this.#scale > 1)) this.#picture = this.#pictureOf();
    if (!this.#picture) return;
    const middle = this.#middle;
    this.#scale = Math.max(1, Math.min(MAX_SCALE, scale));
    this.#translation = [0, 1].map((k) => to[k] - middle[k] - ((from[k] - middle[k] - base.translation[k]) * this.#scale) / base.scale);
    this.#show();
  }

  /** Draws the picture, which stays at the edges of its box where it is larger. */
  #show() {
    const [picture, scale] = [this.#picture, this.#scale];
    const { offsetWidth, offsetHeight } = picture;
    const image = picture.matches("img") ? picture : picture.querySelector("img");
    const { naturalWidth: width = 0, naturalHeight: height = 0 } = image ?? {};
    const fit = width && height ? Math.min(offsetWidth / width, offsetHeight / height) : 0;
    const sizes = fit ? [width * fit, height * fit] : [offsetWidth, offsetHeight];
    this.#translation = this.#translation.map((px, k) => {
      const limit = Math.max(0, (sizes[k] * scale - [offsetWidth, offsetHeight][k]) / 2);
      return Math.max(-limit, Math.min(limit, px));
    });
    picture.style.transform = scale > 1 ? `translate(${this.#translation[0]}px, ${this.#translation[1]}px) scale(${scale})` : "";
    this.#stage.toggleAttribute("data-zoomed", scale > 1);
    this.#onZoom(picture, scale);
  }

  /** The middle of the stage, in px of the window. */
  get #middle() {
    const { left, top, width, height } = this.#stage.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }
}
