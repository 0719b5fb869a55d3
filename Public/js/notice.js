// A quiet notice while the server cannot be had: what is there stays, and it is asked again.

export function notice(strip, signal) {
  const line = document.createElement("p");
  line.className = "notice";
  line.role = "status";
  strip.after(line);
  const hide = () => {
    if (!strip.isWaiting) line.textContent = "";
  };
  strip.addEventListener("error", ({ detail }) => {
    if (detail instanceof Error && !(detail.status < 500) && strip.isWaiting) {
      line.textContent = navigator.onLine ? "The server does not answer. Trying again." : "You are offline. Trying again.";
    }
  }, { signal });
  for (const type of ["window", "settle", "reload"]) strip.addEventListener(type, hide, { signal });
  signal.addEventListener("abort", () => line.remove());
}
