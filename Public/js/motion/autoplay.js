// Autoplay: regular steps or a steady movement, with a button that pauses it.
import { IDLE_DELAY, LOOKAHEAD_TIME } from "../base/constants.js";
import { create } from "../base/dom.js";
import { callHook, withOption } from "../base/plugin.js";
import { setText } from "../base/text.js";
import { localize, messagesOf } from "../language/messages.js";
import { isAtEnd, pageOffset, scrollSmoothly } from "./navigation.js";

/** English messages. Other languages have theirs with those of the strip. */
const ENGLISH = {
  pause: "Pause",
  play: "Play",
};

/**
 * The strip moves by itself with the option `autoplay`: the ms between steps, or "marquee 40" for 40 px/s. Any other value
 * turns it off, and so does a reader who prefers reduced motion. After the end, the strip returns to its start.
 *
 * It waits while less than half of the strip is on the screen, while the pointer, the keyboard's focus or a finger is on the strip
 * or its controls, while the page is hidden, and after Pause.
 */
export const autoplay = withOption("autoplay", (strip, on, value) => {
  const [, marquee, number] = /^(marquee )?(\d*[1-9]\d*)$/.exec(value) ?? [];
  if (!number) return;
  const player = new Autoplay(strip, on, marquee ? { speed: +number } : { interval: +number });
  return () => player.stop();
});

/** By strip: whether the reader pressed Pause. It outlasts a restart, as with another axis. */
const pausedStrips = new WeakMap();

class Autoplay {
  #strip;
  #interval; // ms between steps. Undefined for a marquee
  #speed; // px/s of a marquee. Undefined for steps
  #button = create("button", { type: "button", part: "pause" });
  #reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  #canHover = matchMedia("(hover: hover)").matches; // a tap leaves :hover behind
  #visibility;
  #isVisible; // whether at least half of the strip is on the screen
  #isPaused; // undefined before the first press of the button: a pointer or the focus on the strip pauses. True after Pause. False after Play: they do not pause
  #isMarqueeRunning; // whether a marquee moves the strip
  #waited = 0; // ms since the last step or wait
  #frame; // the next one, while at least half of the strip is on the screen
  #lastTime = 0; // when the last frame was drawn
  #lastOffset; // the offset in that frame

  constructor(strip, on, { interval, speed }) {
    [this.#strip, this.#interval, this.#speed, this.#isPaused] = [strip, interval, speed, pausedStrips.get(strip)];
    localize(strip, on, (messages) => this.#label(messages));
    on("click", () => {
      this.#isPaused = !this.#isPaused;
      pausedStrips.set(strip, this.#isPaused);
      this.#label(messagesOf(strip));
    }, this.#button);
    on("isMoving", () => !!speed && !this.#mustWait);
    strip.viewport.before(this.#button);
    this.#visibility = new IntersectionObserver((entries) => {
      this.#isVisible = entries.at(-1).intersectionRatio >= 0.5;
      this.#frame ||= requestAnimationFrame(this.#play); // also once it has left the screen: that frame stops a marquee
    }, { threshold: 0.5 });
    this.#visibility.observe(strip);
  }

  stop() {
    this.#visibility.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#strip.predictedOffset = undefined;
    this.#button.remove();
    this.#stopMarquee();
  }

  #label(messages) {
    setText(this.#button, { ...ENGLISH, ...messages }[this.#isPaused ? "play" : "pause"]);
  }

  get #mustWait() {
    const strip = this.#strip;
    const isInUse = () => this.#isFocused || (this.#canHover && strip.matches(":hover"));
    return !this.#isVisible || strip.isTouched || this.#reducedMotion.matches || !strip.meta || document.hidden || (this.#isPaused ?? isInUse());
  }

  get #isFocused() {
    const root = this.#strip.getRootNode();
    return this.#strip.contains(root.activeElement) && deepActiveElement(root).matches(":focus-visible");
  }

  /** Whether something else moves the strip: a button, a dot, code, or the throw of a finger. A marquee would end that. */
  get #isMovedByOthers() {
    const { pendingScroll, scrollTarget, offset } = this.#strip;
    return !!pendingScroll.place || scrollTarget !== offset || Math.abs(offset - this.#lastOffset) >= 1;
  }

  /** One frame: counts the time, and moves the strip if it is time to. */
  #play = (now) => {
    this.#frame = this.#isVisible && requestAnimationFrame(this.#play);
    this.#button.hidden = this.#reducedMotion.matches;
    const isMoved = this.#speed && this.#isMovedByOthers;
    if (isMoved) this.#isMarqueeRunning = false; // without the hook `motionEnd`: the other movement has its own end
    const waits = isMoved || this.#mustWait;
    if (waits) this.#stopMarquee();
    const passed = Math.min(100, now - this.#lastTime);
    this.#waited = waits ? 0 : this.#waited + passed;
    [this.#lastTime, this.#lastOffset] = [now, this.#strip.offset];
    this.#setPredictedOffset(waits ? undefined : this.#predictOffset());
    if (this.#isMarqueeRunning || this.#waited >= (this.#interval ?? IDLE_DELAY)) this.#move(passed);
  };

  /** Moves a marquee as far as it gets in `passed` ms, and others by a page. */
  #move(passed) {
    const strip = this.#strip;
    const start = isAtEnd(strip, 1) ? strip.axis.minOffset : undefined;
    this.#waited = 0;
    if (this.#interval) return scrollSmoothly(strip, start ?? pageOffset(strip, 1));
    this.#isMarqueeRunning = true;
    strip.scrollTo({ offset: start ?? strip.offset + (passed * this.#speed) / 1000 });
    this.#lastOffset = strip.offset;
  }

  /** Where the strip will be in a second. */
  #predictOffset() {
    const strip = this.#strip;
    if (this.#speed) return strip.offset + (LOOKAHEAD_TIME * this.#speed) / 1000;
    return this.#waited > this.#interval - LOOKAHEAD_TIME && !isAtEnd(strip, 1) ? pageOffset(strip, 1) : strip.scrollTarget;
  }

  /** The strip requests its windows there before it moves. */
  #setPredictedOffset(offset) {
    if (this.#strip.predictedOffset === offset) return;
    this.#strip.predictedOffset = offset;
    this.#strip.requestDraw();
  }

  /** A marquee stops: the strip comes to rest. */
  #stopMarquee() {
    if (this.#isMarqueeRunning) callHook(this.#strip, "motionEnd");
    this.#isMarqueeRunning = false;
  }
}

/** The element with the focus, also in shadow roots. */
function deepActiveElement({ activeElement }) {
  return activeElement?.shadowRoot?.activeElement ? deepActiveElement(activeElement.shadowRoot) : activeElement;
}
