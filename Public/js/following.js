// New revisions, told by the server as they come: one stream for all the strips of a page.
import { FIRST_PAUSE, LONGEST_PAUSE, SPREAD, STRIPS_HEARD } from "./figures.js";
import { SERVER } from "./server.js";
import { switched } from "./switched.js";

const strips = new Map(); // and whether the server has them
let stream;
let pause = FIRST_PAUSE;

/**
 * With the attribute `live`, the strip goes on to a new revision when there is one; with `live="5"` after five seconds,
 * where a cache gives those who come a revision as old as that: then who leaves before has opened no stream.
 */
switched("live", (strip, on, seconds) => {
  const timer = setTimeout(() => {
    strips.set(strip, true);
    reopen();
  }, seconds * 1000);
  const note = (isThere) => {
    if (strips.has(strip)) strips.set(strip, isThere);
    reopen();
  };
  on("reload", () => note(true));
  on("error", ({ detail: error }) => error?.parameter === "strip" && note(false));
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
  const drawn = [...strips].flatMap(([strip, isThere]) => (isThere && strip.head?.strip) || []);
  const names = document.hidden ? [] : [...new Set(drawn)].slice(0, STRIPS_HEARD);
  const address = names[0] && `${SERVER}events?${new URLSearchParams({ strips: names })}`;
  if (stream?.url === address) return;
  stream?.close();
  stream = address && new EventSource(address);
  stream?.addEventListener("open", () => (pause = FIRST_PAUSE));
  stream?.addEventListener("error", ({ target }) => target.readyState === EventSource.CLOSED && retry(target));
  stream?.addEventListener("revision", (event) => {
    const { strip: name, revision } = JSON.parse(event.data);
    for (const strip of strips.keys()) {
      setTimeout(() => {
        if (strip.head?.strip === name && strip.head.revision < revision) strip.reload(revision);
      }, Math.random() * SPREAD);
    }
  });
}

/**
 * A connection that is lost the browser makes anew; one that is refused, by a proxy whose server is away, is over. All
 * strips then ask by themselves, after growing pauses, and for a stream again.
 */
function retry(refused) {
  setTimeout(() => {
    if (stream !== refused) return;
    stream = null;
    for (const strip of strips.keys()) strip.reload();
    reopen();
  }, pause + Math.random() * SPREAD);
  pause = Math.min(LONGEST_PAUSE, 2 * pause);
}
