// New revisions, told by the server as they come: one stream for all the strips of a page.
import { listen } from "./listen.js";
import { SERVER } from "./server.js";
import { switched } from "./switched.js";

/** Refetches are spread over so many ms, so that a thousand readers do not come at once. */
const SPREAD = 1000;

const strips = new Set();
let [stream, isDue] = [null, false];

/** With the attribute `live`, the strip goes on to a new revision when there is one. */
export const following = switched("live", (strip, signal) => {
  strips.add(strip);
  listen(strip, "reload", reopen, signal);
  listen(document, "visibilitychange", reopen, signal);
  listen(signal, "abort", () => {
    strips.delete(strip);
    reopen();
  });
  reopen();
});

/** Opens the stream for the strips that are drawn, once the present task is done; none while the page is hidden. */
async function reopen() {
  if (isDue) return;
  isDue = true;
  await null;
  isDue = false;
  const names = new Set([...strips].flatMap(({ head }) => head?.strip ?? []));
  const address = new URL(`events?strips=${[...names].sort().map(encodeURIComponent)}`, SERVER).href;
  const isWanted = names.size > 0 && !document.hidden;
  if (isWanted && stream?.url === address) return;
  stream?.close();
  stream = isWanted ? new EventSource(address) : null;
  if (stream) listen(stream, "revision", ({ data }) => hear(JSON.parse(data)));
}

function hear({ strip: name, revision }) {
  for (const strip of strips) {
    const isBehind = () => strip.isConnected && strip.head?.strip === name && strip.head.revision < revision;
    if (isBehind()) setTimeout(() => isBehind() && strip.reload(), Math.random() * SPREAD);
  }
}
