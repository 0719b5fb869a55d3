// The server of the strips: its address, what is loaded from it, its errors, and the URLs in its items.
import { MAX_RETRY_DELAY, MIN_RETRY_DELAY, REQUEST_TIMEOUT } from "../base/constants.js";

/** The root of the server: that of this module, or the one that the page has set. */
export let SERVER = new URL("../..", import.meta.url);

/** Sets the root of the server. A page that bundles this module needs it. */
export function setServer(url) {
  SERVER = new URL(".", new URL(url, location));
}

/**
 * A random delay before the next retry of a failed request, in ms: readers of a server that failed come back one by one. `failures`
 * counts the retries so far. The `Retry-After` of an `error` comes first, as far as timers reach.
 */
export function backoffDelay(failures, error) {
  return Math.min(1e9, 1000 * error?.response?.headers.get("Retry-After")) || Math.min(MAX_RETRY_DELAY, 2 ** (Math.random() + failures) * MIN_RETRY_DELAY);
}

/**
 * The result of `load`, which imports a module or fetches a file. Tries again after growing delays until it succeeds, or until an
 * error `isFinal`. Firefox never requests a module again that it did not get: its message has the address, which then gets a query.
 */
export async function retryUntilLoaded(load, isFinal) {
  for (let failures = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (isFinal?.(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, backoffDelay(failures++)));
      const [, url] = /^error loading.*: ([^?]+)/.exec(error.message) ?? [];
      if (url) load = () => import(`${url}?retry=${failures}`);
    }
  }
}

/**
 * The text of a style sheet, in which a rem becomes 16 to 32 px. A page can have made it less: `html { font-size: 62.5% }` is
 * common. Media queries in the style sheets use em, which follows the reader's font size alone.
 */
export const withOwnRem = (text) => text.replace(/(-?[\d.]+)rem/g, "calc($1*clamp(16px,1rem,32px))");

/** The text of a file of the server. Tries again until the server has answered, or rejects the request. */
export function loadFile(path) {
  return retryUntilLoaded(async () => {
    const response = await fetch(SERVER + path);
    if (!response.ok) throw response;
    return response.text();
  }, isRejected);
}

/**
 * Loads css/NAME.css into a constructed style sheet, once the promise `isReady` is fulfilled. A Content-Security-Policy allows it by
 * `connect-src`. Without the file, the sheet becomes empty, so that what its former rules hid is visible.
 */
export async function loadSheet(sheet, name, isReady) {
  await isReady;
  sheet.replaceSync(await loadFile(`css/${name}.css`).then(withOwnRem, () => ""));
}

/** How many requests were sent. */
export let requestCount = 0;

/** The requests that run, by URL: AbortControllers with the promise of the `response` and the number of `users`. */
const inFlight = new Map();

/**
 * Requests JSON from the server. Parameters that are null are left out. Requests of the same address share one, until it is
 * answered and the promise `retainUntil` is fulfilled. Throws an error with the members of the problem, and with the `response`.
 */
export async function fetchJSON(path, query, signal, retainUntil) {
  signal?.throwIfAborted();
  const parameters = Object.entries(query).filter(([, value]) => value != null);
  const url = `${SERVER}${path}?${new URLSearchParams(parameters)}`;
  const shared = inFlight.get(url) ?? send(url, retainUntil);
  shared.users += 1;
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason);
      if (!--shared.users) shared.abort();
    };
    signal?.addEventListener("abort", leave);
    shared.response.then(resolve, reject).then(() => signal?.removeEventListener("abort", leave)); // a page can use it for many requests
  });
}

function send(url, retainUntil) {
  requestCount += 1;
  const shared = new AbortController();
  shared.users = 0;
  const forget = () => inFlight.get(url) === shared && inFlight.delete(url);
  shared.signal.onabort = forget;
  shared.response = receive(url, shared.signal);
  shared.response.catch(() => {}).then(() => retainUntil).then(forget); // each user has its own rejection
  inFlight.set(url, shared);
  return shared;
}

async function receive(url, signal) {
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT)]) });
  const body = await response.json().catch(() => null);
  if (!response.ok || !body) throw Object.assign(new Error(body?.detail), body, { response });
  return body;
}

/**
 * Whether the URL of an item is relative or has one of `schemes`, as on the server (Cards.swift). Items are untrusted data,
 * and a `javascript:` URL would run code. Browsers remove control characters, which could hide a scheme.
 */
export function isLink(url, schemes = /^(https?|mailto)$/i) {
  const scheme = /^ *([^:/?#]*):/.exec(url)?.[1];
  return !/[\0-\x1f]/.test(url) && (scheme === undefined || schemes.test(scheme));
}

/** Resolves a URL of an item, relative to the strips' server. Undefined if it is invalid or not a link. */
export function safeURL(url) {
  try {
    if (isLink(url)) return new URL(url, SERVER).href;
  } catch {
    // The URL is invalid.
  }
}

/** Whether an error says that the strip has no such place: no such item or index, or it cannot be aligned so. */
export function isNotFound(error) {
  return ["index", "item", "align", "at"].includes(error.parameter);
}

/** Whether the server would reject the same request again. */
export function isRejected({ status }) {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}
