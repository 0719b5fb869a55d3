// A server that fails is asked again, after growing pauses or when it says; for the newest revision at once where one is
// gone. What is there stays, and a quiet notice says why no more comes.
import { behaviours } from "./element.js";
import { FIRST_PAUSE, LONGEST_PAUSE } from "./figures.js";
import { isGone, isMissing } from "./landing.js";
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
    if (timer || !error || isMissing(error)) return;
    if (isGone(error)) return ask();
    say(line, "No answer.");
    timer = setTimeout(ask, 1000 * error.response?.headers.get("Retry-After") || pause);
    pause = Math.min(LONGEST_PAUSE, 2 * pause);
  });
  on("window", () => {
    pause = FIRST_PAUSE;
    say(line, "");
  });
  on("online", ask, window);
  strip.after(line);
  return () => {
    clearTimeout(timer);
    line.remove();
  };
});
