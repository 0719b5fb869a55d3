// New revisions, as server-sent events: one event stream for up to 64 strips of all pages of an origin.
import { JITTER, MAX_STRIPS, STREAM_DELAY } from "../base/constants.js";
import { withOption } from "../base/lifecycle.js";
import { SERVER, backoffDelay } from "./server.js";

const strips = new Map(); // whether the server has the strip, by element
const page = crypto.getRandomValues(new Uint32Array(2)).join(); // names this page to the others
let channel; // to the other pages, while this one follows a strip. None without locks
let names = []; // of the strips that this page follows
let lockRequest; // an AbortController: this page has the stream, or waits for it
let otherPages; // if this page has the stream: the names that other pages follow, by page
let releaseLock; // gives up the stream
let newestRevisions = new Map(); // the newest revision that a stream has named, by strip
let streams = []; // each for up to MAX_STRIPS strips
let followed; // the names of these strips, in order
let timer; // strips of a page connect one after another
let failures = 0; // to open the stream, in a row

/**
 * With the attribute `live`, the strip reloads when there is a new revision. With `live="5"`, it starts to listen after
 * five seconds. This suits a cache that serves first windows up to 5 s old: readers who leave sooner open no stream.
 *
 * A browser opens six connections to a server over HTTP/1.1, for all its pages. So one page has the stream, and sends the
 * others what it hears: the page with a lock of the origin. When it closes or is hidden, the next one gets the lock.
 * Without locks, as in a page that is not secure, each page has a stream.
 */
export const liveUpdates = withOption("live", (strip, on, seconds) => {
  const start = setTimeout(() => {
    strips.set(strip, true);
    updateStream();
    for (const [name, revision] of newestRevisions) update({ strip: name, revision }); // a stream that others keep open does not repeat it
  }, seconds * 1000);
  const setFound = (isFound) => {
    if (strips.has(strip)) strips.set(strip, isFound);
    updateStream();
  };
  on("reload", () => {
    setFound(true);
    const { strip: name } = strip.meta;
    if (newestRevisions.has(name)) update({ strip: name, revision: newestRevisions.get(name) });
  });
  on("error", ({ detail: error }) => {
    if (error?.parameter === "strip") setFound(false);
  });
  on("visibilitychange", updateStream, document);
  return () => {
    clearTimeout(start);
    strips.delete(strip);
    updateStream();
  };
});

/** Follows the strips of this page after a delay. A hidden page follows none, from now on: it can be kept for "back". */
function updateStream() {
  clearTimeout(timer);
  if (document.hidden) subscribe([]);
  else timer = setTimeout(() => subscribe([...strips].flatMap(([strip, isFound]) => (isFound && (strip.meta?.strip ?? strip.strip)) || [])), STREAM_DELAY);
}

function subscribe(stripNames) {
  names = [...new Set(stripNames)];
  if (!names[0]) return unsubscribe();
  if (!lockRequest) requestStream();
  channel?.postMessage({ page, names });
  openStreams();
}

function unsubscribe() {
  channel?.postMessage({ page, names });
  channel?.close();
  lockRequest?.abort();
  releaseLock?.();
  channel = lockRequest = otherPages = releaseLock = undefined;
  openStreams();
}

/** Waits until no other page has the stream. */
function requestStream() {
  const { signal } = (lockRequest = new AbortController());
  const holdStream = () => {
    if (signal.aborted) return undefined;
    otherPages = new Map();
    channel?.postMessage({ wantsNames: true });
    updateStream();
    return new Promise((resolve) => (releaseLock = resolve));
  };
  if (!navigator.locks) return void holdStream();
  channel = new BroadcastChannel(`carousel-strip ${SERVER}`);
  channel.onmessage = ({ data }) => receive(data);
  navigator.locks.request(`carousel-strip ${SERVER}`, { signal }, holdStream).catch(holdStream); // an opaque origin has no locks
}

/** Hears another page: the strips that it follows, what the stream has told, or a new page with the stream. */
function receive(message) {
  if (message.wantsNames) channel.postMessage({ page, names });
  if (message.reloads) reloadAll();
  if (message.revision) update(message);
  if (!message.names || !otherPages) return;
  if (message.names[0]) otherPages.set(message.page, message.names);
  else otherPages.delete(message.page);
  for (const strip of message.names) if (newestRevisions.has(strip)) channel.postMessage({ strip, revision: newestRevisions.get(strip) });
  updateStream();
}

/** Opens streams for all strips, and closes the former ones, unless those are for the same strips. */
function openStreams() {
  const all = otherPages ? [...new Set([...names, ...[...otherPages.values()].flat()])].sort() : [];
  if (all.join() === followed) return;
  followed = all.join();
  for (const stream of streams) stream.close();
  newestRevisions = new Map();
  streams = all.flatMap((_, k) => (k % MAX_STRIPS ? [] : streamFor(all.slice(k, k + MAX_STRIPS))));
}

function streamFor(some) {
  const stream = new EventSource(`${SERVER}events?${new URLSearchParams({ strips: some })}`);
  stream.addEventListener("open", () => {
    if (streams.every(({ readyState }) => readyState === EventSource.OPEN)) failures = 0;
  });
  stream.addEventListener("error", () => stream.readyState === EventSource.CLOSED && reopen(stream));
  stream.addEventListener("revision", ({ data }) => {
    const message = JSON.parse(data);
    channel?.postMessage(message);
    update(message);
  });
  return stream;
}

/** Whether the requests of a reload run. A strip that is too far from the screen sends none, and so can begin with the newest revision. */
const isLoading = (strip) => strip.isReloading && strip.isNearViewport && strip.mayRequest;

/** Reloads the strips of a name. One that reloads already does so when that has ended: edits without a pause would end each reload. */
function update({ strip: name, revision }) {
  newestRevisions.set(name, revision);
  for (const strip of strips.keys()) {
    setTimeout(() => {
      if (!isLoading(strip) && strip.meta?.strip === name && strip.meta.revision < revision) strip.reload(revision);
    }, Math.random() * JITTER);
  }
}

/**
 * Opens other streams after a delay, and reloads all strips. The browser itself restores a lost connection. It does not
 * after a response other than 200, which a proxy sends if its server is away.
 */
function reopen(closed) {
  setTimeout(() => {
    if (!streams.includes(closed)) return;
    followed = null;
    channel?.postMessage({ reloads: true });
    reloadAll();
    updateStream();
  }, backoffDelay(failures++) + Math.random() * JITTER);
}

function reloadAll() {
  for (const strip of strips.keys()) strip.reload();
}
