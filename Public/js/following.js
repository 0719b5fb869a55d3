// New revisions, told by the server as they come: one stream for all the strips of a page.
import { SERVER } from "./server.js";
import { switched } from "./switched.js";

/** Refetches are spread over so many ms, so that a thousand readers do not come at once. */
const SPREAD = 1000;

const strips = new Set();
let stream = null;
let isDue = false;

/** With the attribute `live`, the strip goes on to a new revision when there is one. */
export const following = switched("live", (strip, signal) => {
  strips.add(strip);
  strip.addEventListener("reload", reopen, { signal });
  document.addEventListener("visibilitychange", reopen, { signal });
  signal.addEventListener("abort", () => {
    strips.delete(strip);
    reopen();
  });
  reopen();
});

/** Opens the stream for the strips that are drawn, once the present task is done; none while the page is hidden. */
function reopen() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    const names = new Set([...strips].map(({ head }) => head?.strip).filter(Boolean));
    const address = new URL("events", SERVER);
    address.searchParams.set("strips", [...names].sort().join());
    const isWanted = names.size > 0 && !document.hidden;
    if (isWanted && stream?.url === address.href) return;
    stream?.close();
    stream = isWanted ? new EventSource(address) : null;
    stream?.addEventListener("revision", ({ data }) => hear(JSON.parse(data)));
  });
}

function hear({ strip: name, revision }) {
  for (const strip of strips) {
    if (strip.head?.strip !== name || strip.head.revision >= revision) continue;
    setTimeout(() => strip.isConnected && strip.head.revision < revision && strip.reload(), Math.random() * SPREAD);
  }
}
