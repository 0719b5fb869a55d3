// Retries after failed requests, with exponential backoff.
import { MAX_RETRY_DELAY } from "../base/constants.js";
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";
import { localize } from "../language/messages.js";
import { backoffDelay, isNotFound, isRejected } from "../server/retries.js";

/**
 * Reloads the strip after a failed request, and shows a notice until it has succeeded. Cards stay in view.
 *
 * - A server that does not answer: after its `Retry-After`, or after a growing delay.
 * - A revision that is gone: the newest one at once, and after a growing delay if this happens again.
 * - A rejected request, such as one with a wrong `where`: never. The notice says why.
 */
export function retry(strip, on) {
  const [notice, showNotice] = createNotice(strip, on);
  let goneCount = 0; // lost revisions, each within MAX_RETRY_DELAY after the one before
  let lastGone; // when the last one was lost, if one was
  let failures = 0;
  let timer; // undefined unless a reload is due
  const reloadAfter = (delay, revision) => {
    clearTimeout(timer); // the last failure counts: one after a long `Retry-After` can have a shorter delay
    timer = setTimeout(() => {
      failures += 1;
      timer = strip.reload(revision); // undefined
    }, delay);
  };
  on("error", ({ detail: error, timeStamp }) => {
    if (!error || isNotFound(error)) return;
    if (error.status === 410 || error.parameter === "revision") { // or later than those of this server: another one can have it, unless a backup was restored
      if (!timer) goneCount = timeStamp - lastGone < MAX_RETRY_DELAY ? goneCount + 1 : 0; // further failures before the reload are of the same revision
      lastGone = timeStamp;
      return reloadAfter(goneCount && backoffDelay(goneCount - 1), error.status === 410 || goneCount > 2 ? undefined : null);
    }
    if (isRejected(error)) {
      timer = clearTimeout(timer);
      strip.toggleAttribute("data-waiting", false);
      return showNotice(error.parameter === "strip" ? "missing" : error.message || "refused");
    }
    strip.toggleAttribute("data-waiting", !strip.meta);
    showNotice("unavailable");
    reloadAfter(backoffDelay(failures, error), null);
  });
  on("reload", ({ detail }) => {
    timer = clearTimeout(timer);
    if (!strip.pendingScroll.place) failures = 0; // all that was wanted is there
    showNotice(detail.count ? "" : detail.view ? "unmatched" : "empty");
  });
  on("online", () => reloadAfter(0, null), window);
  return () => {
    clearTimeout(timer);
    notice.remove();
  };
}

/** Returns a notice below the controls, and a function that sets its text: by the name of a message, or a text of the server. */
function createNotice(strip, on) {
  const notice = create("p", { part: "notice", role: "status" });
  let shown = "";
  const update = localize(strip, on, (messages) => setText(notice, messages[shown] ?? shown));
  on("error", (event) => {
    if (event.target === strip) event.stopPropagation(); // in `window` it would count as an error of the page
  }, document);
  strip.viewport.parentNode.append(notice);
  return [notice, (name) => {
    shown = name;
    update();
  }];
}
