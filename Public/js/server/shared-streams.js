// Event streams that the pages of an origin share.
import { JITTER, MAX_STRIPS, STREAM_DELAY } from "../base/constants.js";
import { SERVER } from "./requests.js";
import { backoffDelay } from "./retries.js";

/**
 * Server-sent events about the strips of this page. A stream is for up to 64 strips.
 *
 * A browser opens six connections to a server over HTTP/1.1, for all its pages. So one page has the streams, and sends the
 * others what it hears: the page with a lock of the origin. When it closes or is hidden, the next one gets the lock.
 * Without locks, as in a page that is not secure, each page has streams.
 */
export class SharedStreams {
  /** The newest revision that a stream has named, by strip. */
  revisions = new Map();
  #namesOf;
  #onRevision;
  #onReopen;
  #page = crypto.getRandomValues(new Uint32Array(2)).join(); // names this page to the others
  #names = []; // of the strips that this page follows
  #channel; // to the other pages, while this one follows a strip. None without locks
  #lockRequest; // an AbortController: this page has the streams, or waits for them
  #releaseLock; // gives up the streams
  #otherPages; // the names that other pages follow, by page. Undefined unless this page has the streams
  #streams = []; // each for up to MAX_STRIPS strips
  #followed; // the names of these strips, in order
  #timer; // strips of a page connect one after another
  #failures = 0; // how often opening a stream has failed in a row

  /**
   * `namesOf()` returns the names of the strips that this page follows. `onRevision({strip, revision})` is called with each revision, and
   * `onReopen()` when some may have been missed.
   */
  constructor(namesOf, onRevision, onReopen) {
    [this.#namesOf, this.#onRevision, this.#onReopen] = [namesOf, onRevision, onReopen];
  }

  /** Follows the strips of this page after a delay. A hidden page follows none, from now on: it can be kept for "back". */
  update() {
    if (document.hidden) this.#follow([]);
    else this.#timer ??= setTimeout(() => this.#follow(this.#namesOf()), STREAM_DELAY); // edits without a pause do not delay it
  }

  #follow(names) {
    this.#timer = clearTimeout(this.#timer);
    this.#names = [...new Set(names)];
    if (this.#names[0] && !this.#lockRequest) this.#requestLock();
    this.#sendNames();
    if (!this.#names[0]) this.#releaseStreams();
    this.#openStreams();
  }

  /** Lets another page have the streams. */
  #releaseStreams() {
    this.#channel?.close();
    this.#lockRequest?.abort();
    this.#releaseLock?.();
    this.#channel = this.#lockRequest = this.#otherPages = this.#releaseLock = undefined;
  }

  /** Waits until no other page has the streams. */
  #requestLock() {
    const { signal } = (this.#lockRequest = new AbortController());
    const hold = () => {
      if (signal.aborted) return undefined;
      this.#otherPages = new Map();
      this.#channel?.postMessage({ wantsNames: true });
      this.update();
      return new Promise((resolve) => (this.#releaseLock = resolve));
    };
    if (!navigator.locks) return void hold();
    this.#channel = new BroadcastChannel(`carousel-strip ${SERVER}`);
    this.#channel.onmessage = ({ data }) => this.#handleMessage(data);
    navigator.locks.request(`carousel-strip ${SERVER}`, { signal }, hold).catch(hold); // an opaque origin has no locks
  }

  #sendNames() {
    this.#channel?.postMessage({ page: this.#page, names: this.#names });
  }

  /** Handles a message of another page: the strips that it follows, a revision, or that it has the streams from now on. */
  #handleMessage({ page, names, wantsNames, reloads, ...event }) {
    if (wantsNames) this.#sendNames();
    if (reloads) this.#onReopen();
    if (event.revision) this.#setRevision(event);
    if (!names || !this.#otherPages) return;
    if (names[0]) this.#otherPages.set(page, names);
    else this.#otherPages.delete(page);
    for (const strip of names) if (this.revisions.has(strip)) this.#channel.postMessage({ strip, revision: this.revisions.get(strip) });
    this.update();
  }

  /** Opens streams for all strips, and closes the former ones, unless those are for the same strips. */
  #openStreams() {
    const all = this.#otherPages ? [...new Set([...this.#names, ...[...this.#otherPages.values()].flat()])].sort() : [];
    if (all.join() === this.#followed) return;
    this.#followed = all.join();
    for (const stream of this.#streams) stream.close();
    this.revisions = new Map();
    this.#streams = all.flatMap((_, k) => (k % MAX_STRIPS ? [] : this.#open(all.slice(k, k + MAX_STRIPS))));
  }

  #open(strips) {
    const stream = new EventSource(`${SERVER}events?${new URLSearchParams({ strips })}`);
    stream.addEventListener("open", () => {
      if (this.#streams.every(({ readyState }) => readyState === EventSource.OPEN)) this.#failures = 0;
    });
    stream.addEventListener("error", () => stream.readyState === EventSource.CLOSED && this.#reopen(stream));
    stream.addEventListener("revision", ({ data }) => {
      const event = JSON.parse(data);
      this.#channel?.postMessage(event);
      this.#setRevision(event);
    });
    return stream;
  }

  #setRevision({ strip, revision }) {
    this.revisions.set(strip, revision);
    this.#onRevision({ strip, revision });
  }

  /**
   * Opens all streams again after a delay. The browser itself restores a lost connection, but not after a response other than 200, which
   * a proxy sends if its server is away.
   */
  #reopen(closed) {
    setTimeout(() => {
      if (!this.#streams.includes(closed)) return;
      this.#followed = null;
      this.#channel?.postMessage({ reloads: true });
      this.#onReopen();
      this.update();
    }, backoffDelay(this.#failures++) + Math.random() * JITTER);
  }
}
