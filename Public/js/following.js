// New revisions, told by the server as they come: one stream for all the strips of a page.
import { SPREAD } from "./figures.js";
import { SERVER } from "./server.js";
import { switched } from "./switched.js";

const strips = new Set();
let stream;

/**
 * With the attribute `live`, the strip goes on to a new revision when there is one; with `live="5"` after five seconds,
 * where a cache gives those who come a revision as old as that: then who leaves before has opened no stream.
 */
switched("live", (strip, on, seconds) => {
  const timer = setTimeout(() => {
    strips.add(strip);
    reopen();
  }, seconds * 1000);
  on("reload", reopen);
  on("visibilitychange", reopen, document);
  return () => {
    clearTimeout(timer);
    strips.delete(strip);
    reopen();
  };
});

/** Opens the stream for the strips that are drawn, once the present task is done; none while the page is hidden. */
async function reopen() {
  await null;
  const names = document.hidden ? [] : [...strips].flatMap((strip) => strip.head?.strip ?? []);
  const address = names[0] && `${SERVER}events?${new URLSearchParams({ strips: [...new Set(names)] })}`;
  if (stream?.url === address) return;
  stream?.close();
  stream = address && new EventSource(address);
  stream?.addEventListener("revision", (event) => {
    const { strip: name, revision } = JSON.parse(event.data);
    for (const strip of strips) {
      setTimeout(() => {
        if (strip.head?.strip === name && strip.head.revision < revision) strip.reload(revision);
      }, Math.random() * SPREAD);
    }
  });
}
