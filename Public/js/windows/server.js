// The server of the strips: its address, what is loaded from it, its errors, and the URLs in its items.
import { MAX_RETRY_DELAY, MIN_RETRY_DELAY } from "../base/constants.js";

/** The root of the server: that of this module, or the one that the page has set. */
export let SERVER = new URL("../..", import.meta.url);

/** Sets the root of the server. A page that bundles this module needs it. */
export function setServer(url) {
  SERVER = new URL(".", new URL(url, location));
}

/** The attributes that select and order the strip's items: parameters of `/window`. */
export const VIEW = ["list", "where", "q", "sort"];

/** A random delay before the next retry of a failed request, in ms: readers of a server that failed come back one by one. `failures` counts the retries so far. The `Retry-After` of an `error` comes first. */
export function backoffDelay(failures, error) {
  return 1000 * error?.response?.headers.get("Retry-After") || Math.min(MAX_RETRY_DELAY, 2 ** (Math.random() + failures) * MIN_RETRY_DELAY);
}

/**
 * The result of `load`, which imports a module or fetches a file. Tries again after growing delays until it succeeds, or until an
 * error `isFinal`. Firefox never requests a module again that it did not get: its message has the address, which then gets a query.
 */
export async function untilLoaded(load, isFinal) {
  for (let failures = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (isFinal?.(error)) throw error;
      await new Promise((go) => setTimeout(go, backoffDelay(failures++)));
      const [, url] = /^error loading.*: ([^?]+)/.exec(error.message) ?? [];
      if (url) load = () => import(`${url}?retry=${failures}`);
    }
  }
}

/**
 * A style sheet in which a rem is 16 to 32 px, whatever a page has made of it: `html { font-size: 62.5% }` is common. Conditions of
 * rules have em: there it is the reader's.
 */
export const withOwnRem = (text) => text.replace(/(-?[\d.]+)rem/g, "calc($1*clamp(16px,1rem,32px))");

/** The text of a file of the server. */
export async function loadFile(path) {
  const response = await fetch(SERVER + path);
  if (!response.ok) throw response;
  return response.text();
}

/** Loads css/NAME.css into a style sheet, once the promise `isReady` is fulfilled. A Content-Security-Policy does not restrict it. */
export async function loadSheet(sheet, name, isReady) {
  await isReady;
  sheet.replaceSync(withOwnRem(await untilLoaded(() => loadFile(`css/${name}.css`))));
}

/** How many requests were sent. */
export let sent = 0;

/** The requests that run, by URL: AbortControllers with the promise of the `answer` and the number of `users`. */
const running = new Map();

/**
 * Requests JSON from the server. Parameters that are null are left out. Strips that request the same address at the same
 * time share one request, and until the promise `kept` is fulfilled. Throws an error with the members of the problem, and
 * with the `response`.
 */
export async function request(path, query, signal, kept) {
  const parameters = Object.entries(query).filter(([, value]) => value != null);
  const url = `${SERVER}${path}?${new URLSearchParams(parameters)}`;
  const shared = running.get(url) ?? send(url, kept);
  shared.users += 1;
  return new Promise((resolve, reject) => {
    shared.answer.then(resolve, reject);
    signal?.addEventListener("abort", () => {
      shared.users -= 1;
      if (!shared.users) shared.abort();
      reject(signal.reason);
    });
  });
}

function send(url, kept) {
  sent += 1;
  const shared = Object.assign(new AbortController(), { users: 0 });
  const forget = () => running.get(url) === shared && running.delete(url);
  shared.signal.onabort = forget;
  shared.answer = receive(url, shared.signal);
  shared.answer.catch(() => {}).then(() => kept).then(forget); // each user has its own rejection
  running.set(url, shared);
  return shared;
}

async function receive(url, signal) {
  const response = await fetch(url, { signal });
  const answer = await response.json().catch(() => null);
  if (!response.ok || !answer) throw Object.assign(new Error(answer?.detail), answer, { response });
  return answer;
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
