// A server that fails is asked again, after growing pauses; for the newest revision at once where one is gone. What is
// there stays, and where that is nothing, a quiet notice says why.
import { behaviours } from "./element.js";
import { FIRST_PAUSE, LONGEST_PAUSE } from "./figures.js";
import { isGone } from "./landing.js";
import { make } from "./make.js";
import { say } from "./template.js";

behaviours.add((strip, on) => {
  const line = make("p", { part: "notice", role: "status" });
  let pause = FIRST_PAUSE;
  let timer;
  const ask = () => {
    clearTimeout(timer);
    timer = null;
    strip.reload();
  };
  on("error", ({ detail: error }) => {
    if (timer || !error) return;
    if (isGone(error)) return ask();
    if (error.status < 500) return;
    if (strip.isWaiting) say(line, "No answer: trying again.");
    timer = setTimeout(ask, pause);
    pause = Math.min(LONGEST_PAUSE, 2 * pause);
  });
  on("window", () => (pause = FIRST_PAUSE));
  on("draw", () => strip.isWaiting || say(line, ""));
  on("online", () => timer && ask(), window);
  strip.after(line);
  return () => {
    clearTimeout(timer);
    line.remove();
  };
});
