// Retries after failed requests, with exponential backoff.
import { MAX_RETRY_DELAY } from "../base/constants.js";
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";
import { localize, messagesOf } from "../language/messages.js";
import { backoffDelay, isNotFound, isRejected } from "../windows/server.js";

/**
 * Reloads the strip after a failed request, and shows a notice meanwhile. Cards stay in view.
 *
 * - A server that does not answer: after its `Retry-After`, or after a growing delay.
 * - A revision that is gone: the newest one at once, and after a growing delay if this happens again.
 * - A rejected request, such as one with a wrong `where`: never. The notice says why.
 */
export function retry(strip, on) {
  const notice = create("p", { part: "notice", role: "status" });
  let shown = ""; // the name of the message, or a text of the server
  let failures = 0;
  let goneCount = 0; // lost revisions, each within MAX_RETRY_DELAY after the one before
  let lastGone = -Infinity; // when the last one was lost
  const say = (name = shown) => setText(notice, messagesOf(strip)[(shown = name)] ?? name);
  localize(strip, on, () => say());
  let timer;
  /** Reloads after `delay` ms. The last failure counts: one after a long `Retry-After` can have a shorter delay. */
  const reload = (delay, isGone) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      failures += 1;
      strip.reload(isGone ? undefined : null); // another server can have a revision that this one does not have yet
    }, delay);
  };
  on("error", (event) => {
    if (event.target === strip) event.stopPropagation(); // in `window` it would count as an error of the page
  }, document);
  on("error", ({ detail: error, timeStamp }) => {
    if (!error || isNotFound(error)) return;
    const isGone = error.status === 410;
    if (isGone || error.parameter === "revision") {
      goneCount = timeStamp - lastGone < MAX_RETRY_DELAY ? goneCount + 1 : 0;
      lastGone = timeStamp;
      // After a backup was restored, no server has it.
      return reload(goneCount && backoffDelay(goneCount - 1), isGone || goneCount > 2);
    }
    if (isRejected(error)) {
      clearTimeout(timer);
      strip.toggleAttribute("data-waiting", false);
      return say(error.parameter === "strip" ? "missing" : error.message || "refused");
    }
    strip.toggleAttribute("data-waiting", !strip.meta);
    say("unavailable");
    reload(backoffDelay(failures, error));
  });
  on("window reload", ({ detail }) => {
    failures = 0;
    say(detail.count ? "" : detail.view ? "unmatched" : "empty");
  });
  on("reload", () => clearTimeout(timer)); // all that was wanted is there
  on("online", () => reload(), window);
  strip.viewport.parentNode.append(notice); // below the controls
  return () => {
    clearTimeout(timer);
    notice.remove();
  };
}
