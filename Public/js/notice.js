// A quiet notice while the server cannot be had: what is there stays, and it is asked again.
import { make } from "./make.js";

export function notice(strip, signal) {
  const line = make("p", { part: "notice", role: "status" });
  strip.after(line);
  strip.addEventListener("error", ({ detail }) => {
    if (detail instanceof Error && !(detail.status < 500) && strip.isWaiting) {
      line.textContent = navigator.onLine ? "The server does not answer. Trying again." : "You are offline. Trying again.";
    }
  }, { signal });
  for (const type of ["window", "settle", "reload"]) {
    strip.addEventListener(type, () => strip.isWaiting || (line.textContent = ""), { signal });
  }
  signal.addEventListener("abort", () => line.remove());
}
