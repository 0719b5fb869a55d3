// Strips that reload when the server has a new revision.
import { JITTER } from "../base/constants.js";
import { withOption } from "../base/plugin.js";
import { SharedStreams } from "../server/shared-streams.js";

const strips = new Map(); // the live strips, each with whether the server has it
const streams = new SharedStreams(followedNames, reloadOlder, () => {
  for (const strip of strips.keys()) strip.reload();
});

/**
 * With the attribute `live`, the strip reloads when there is a new revision. With `live="5"`, it starts to listen after
 * five seconds. This suits a cache that serves first windows up to 5 s old: readers who leave sooner open no stream.
 */
export const liveUpdates = withOption("live", (strip, on, seconds) => {
  const start = setTimeout(() => {
    strips.set(strip, true);
    streams.update();
    for (const [name, revision] of streams.revisions) reloadOlder({ strip: name, revision }); // a stream that others keep open does not repeat it
  }, seconds * 1000);
  const setFound = (isFound) => {
    if (strips.has(strip)) strips.set(strip, isFound);
    streams.update();
  };
  on("reload", () => {
    setFound(true);
    const { strip: name } = strip.meta;
    if (streams.revisions.has(name)) reloadOlder({ strip: name, revision: streams.revisions.get(name) });
  });
  on("error", ({ detail: error }) => {
    if (error?.parameter === "strip") setFound(false);
  });
  on("visibilitychange", () => streams.update(), document);
  return () => {
    clearTimeout(start);
    strips.delete(strip);
    streams.update();
  };
});

/** The names of the live strips that the server has. */
function followedNames() {
  return [...strips].flatMap(([strip, isFound]) => (isFound && (strip.meta?.strip ?? strip.strip)) || []);
}

/**
 * Reloads the strips of a name that show an earlier revision. One that is reloading comes later, at its event `reload`: otherwise edits
 * without a pause would abort each reload.
 */
function reloadOlder({ strip: name, revision }) {
  for (const strip of strips.keys()) {
    setTimeout(() => {
      if (!isLoading(strip) && strip.meta?.strip === name && strip.meta.revision < revision) strip.reload(revision);
    }, Math.random() * JITTER);
  }
}

/** Whether the requests of a reload run. A strip that is too far from the screen sends none, and so can begin with the newest revision. */
const isLoading = (strip) => strip.isReloading && strip.isNearViewport && strip.mayRequest;
