// The server of the strips: its address, and requests for JSON.
import { REQUEST_TIMEOUT } from "../base/constants.js";

/** The root of the server: that of this module, or the one that the page has set. */
export let SERVER = new URL("../..", import.meta.url);

/** Sets the root of the server. A page that bundles this module needs it. */
export function setServer(url) {
  SERVER = new URL(".", new URL(url, location));
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
    shared.response.then(resolve, reject).then(() => signal?.removeEventListener("abort", leave)); // a page can pass one signal to many requests
  });
}

function send(url, retainUntil) {
  requestCount += 1;
  const shared = new AbortController();
  shared.users = 0;
  const forget = () => inFlight.get(url) === shared && inFlight.delete(url);
  shared.signal.onabort = forget;
  shared.response = receive(url, shared.signal);
  shared.response.catch(() => {}).then(() => retainUntil).then(forget); // each user handles the rejection
  inFlight.set(url, shared);
  return shared;
}

async function receive(url, signal) {
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT)]) });
  const body = await response.json().catch(() => null);
  if (!response.ok || !body) throw Object.assign(new Error(body?.detail), body, { response });
  return body;
}
