// A server that fails is asked again, after growing pauses; for the newest revision at once where one is gone. What is
// there stays, and where that is nothing, a quiet notice says why.
import { isGone } from "./landing.js";
import { listen } from "./listen.js";
import { make } from "./make.js";
import { say } from "./template.js";

/** The first pause, and the longest, in ms: each is twice the one before. */
const [FIRST, LONGEST] = [500, 30_000];

export function patience(strip, signal) {
  const line = make("p", { part: "notice", role: "status" });
  let [pause, timer] = [FIRST, 0];
  const ask = () => {
    clearTimeout(timer);
    timer = 0;
    strip.reload();
  };
  listen(strip, "error", ({ detail: error }) => {
    const isOut = error && !(error.status < 500);
    if (isOut && strip.isWaiting) {
      say(line, `${navigator.onLine ? "The server does not answer" : "You are offline"}. Trying again.`);
    }
    if (timer || !error) return;
    if (isGone(error)) ask();
    else if (isOut) {
      timer = setTimeout(ask, pause);
      pause = Math.min(LONGEST, 2 * pause);
    }
  }, signal);
  listen(strip, "window", () => (pause = FIRST), signal);
  listen(strip, "draw", () => strip.isWaiting || say(line, ""), signal);
  listen(window, "online", () => timer && ask(), signal);
  listen(signal, "abort", () => {
    clearTimeout(timer);
    line.remove();
  });
  strip.after(line);
}
