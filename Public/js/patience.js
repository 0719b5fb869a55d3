// A server that fails is asked again, after growing pauses; for the newest revision at once where one is gone.
import { isGone } from "./landing.js";

/** The first pause, and the longest, in ms: each is twice the one before. */
const PAUSES = [500, 30_000];

export function patience(strip, signal) {
  let [pause, longest] = PAUSES;
  let timer = 0;
  const ask = () => {
    clearTimeout(timer);
    timer = 0;
    strip.reload();
  };
  strip.addEventListener("error", ({ detail: error }) => {
    if (!(error instanceof Error) || timer) return;
    if (isGone(error)) ask();
    else if (!(error.status < 500)) {
      timer = setTimeout(ask, pause);
      pause = Math.min(longest, 2 * pause);
    }
  }, { signal });
  strip.addEventListener("window", () => ([pause] = PAUSES), { signal });
  addEventListener("online", () => timer && ask(), { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
}
