// New revisions, as server-sent events: one event stream for all strips of the page.
import { JITTER, MAX_STRIPS, STREAM_DELAY } from "../element/constants.js";
import { withAttribute } from "../element/lifecycle.js";
import { SERVER, backoffDelay } from "./server.js";

const strips = new Map(); // whether the server has the strip, by element
let stream;
let timer; // strips of a page connect one after another
let failures = 0; // to open the stream, in a row

/**
 * With the attribute `live`, the strip reloads when there is a new revision. With `live="5"`, it starts to listen after
 * five seconds. This suits a cache that serves first windows up to 5 s old: readers who leave sooner open no stream.
 */
export const liveUpdates = withAttribute("live", (strip, on, seconds) => {
  const start = setTimeout(() => {
    strips.set(strip, true);
    updateStream();
  }, seconds * 1000);
  const setFound = (isFound) => {
    if (strips.has(strip)) strips.set(strip, isFound);
    updateStream();
  };
  on("reload", () => setFound(true));
  on("error", ({ detail: error }) => error?.parameter === "strip" && setFound(false));
  on("visibilitychange", updateStream, document);
  return () => {
    clearTimeout(start);
    strips.delete(strip);
    updateStream();
  };
});

/** Opens a stream for all strips, and closes the former one. A hidden page has none. */
function updateStream() {
  clearTimeout(timer);
  timer = setTimeout(openStream, STREAM_DELAY);
}

function openStream() {
  const found = [...strips].flatMap(([strip, isFound]) => (isFound && (strip.head?.strip ?? strip.strip)) || []);
  const names = document.hidden ? [] : [...new Set(found)].slice(0, MAX_STRIPS);
  const url = names[0] && `${SERVER}events?${new URLSearchParams({ strips: names })}`;
  if (stream?.url === url) return;
  stream?.close();
  stream = url && new EventSource(url);
  stream?.addEventListener("open", () => (failures = 0));
  stream?.addEventListener("error", ({ target }) => target.readyState === EventSource.CLOSED && reopen(target));
  stream?.addEventListener("revision", (event) => {
    const { strip: name, revision } = JSON.parse(event.data);
    for (const strip of strips.keys()) {
      setTimeout(() => {
        if (strip.head?.strip === name && strip.head.revision < revision) strip.reload(revision);
      }, Math.random() * JITTER);
    }
  });
}

/**
 * Opens another stream after a delay, and reloads all strips. The browser itself restores a lost connection. It does not
 * after an answer other than 200, which a proxy sends if its server is away.
 */
function reopen(closed) {
  setTimeout(() => {
    if (stream !== closed) return;
    stream = null;
    for (const strip of strips.keys()) strip.reload();
    updateStream();
  }, backoffDelay(failures++) + Math.random() * JITTER);
}
