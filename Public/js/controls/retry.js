// Retries after failed requests, with exponential backoff.
import { MAX_DELAY } from "../base/constants.js";
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";
import { localize, wordsOf } from "../language/words.js";
import { backoffDelay, isNotFound, isRejected } from "../windows/server.js";

/**
 * Requests the strip again after a failure: after the `Retry-After` of the answer, or after a growing delay. If the
 * revision is gone, the newest one is requested at once, and after a growing delay if this happens repeatedly. Cards
 * stay in view, and a notice names the error. A rejected request, such as one with a wrong `where`, is not repeated: the
 * notice says that there is no such strip, has the server's message, or says that the server refused.
 */
export function retry(strip, on) {
  const notice = create("p", { part: "notice", role: "status" });
  let said = ""; // the name of the words, or a message
  let failures = 0;
  let losses = 0; // lost revisions, each within MAX_DELAY after the one before
  let lost = -Infinity; // the time of the last one
  const say = (name = said) => setText(notice, wordsOf(strip)[(said = name)] ?? name);
  localize(strip, on, () => say());
  let timer;
  let due = Infinity; // when the timer ends
  const stop = () => {
    clearTimeout(timer);
    due = Infinity;
  };
  const reload = (isGone) => {
    stop();
    strip.reload(isGone ? undefined : null); // another server can have a revision that this one does not have yet
  };
  /** Reloads after `delay` ms, unless it does so earlier: a later request may fail while a long `Retry-After` runs. */
  const reloadAfter = (delay, isGone) => {
    const time = performance.now() + delay;
    if (time >= due) return;
    stop();
    due = time;
    timer = setTimeout(() => {
      failures += 1;
      reload(isGone);
    }, delay);
  };
  on("error", ({ detail: error }) => {
    if (!error || isNotFound(error)) return;
    const isGone = error.status === 410;
    if (isGone || error.parameter === "revision") {
      losses = performance.now() - lost < MAX_DELAY ? losses + 1 : 0;
      lost = performance.now();
      return losses ? reloadAfter(backoffDelay(losses - 1), isGone) : reload(isGone);
    }
    if (isRejected(error)) {
      stop();
      strip.toggleAttribute("data-waiting", false);
      return say(error.parameter === "strip" ? "missing" : error.message || "refused");
    }
    strip.toggleAttribute("data-waiting", !strip.meta);
    say("unavailable");
    reloadAfter(1000 * error.response?.headers.get("Retry-After") || backoffDelay(failures));
  });
  on("window reload", ({ detail }) => {
    failures = 0;
    say(detail.count ? "" : detail.view ? "unmatched" : "empty");
  });
  on("online", () => reload(), window);
  strip.viewport.parentNode.append(notice); // below the controls
  return () => {
    stop();
    notice.remove();
  };
}
