// Failed requests: which of them are worth a retry, and when it follows.
import { MAX_RETRY_DELAY, MIN_RETRY_DELAY } from "../base/constants.js";

/** Whether an error says that the strip has no such place: no such item or index, or it cannot be aligned so. */
export function isNotFound(error) {
  return ["index", "item", "align", "at"].includes(error.parameter);
}

/** Whether the server would reject the same request again. */
export function isRejected({ status }) {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/**
 * The delay before the next retry of a failed request, in ms. It is random, so that the readers of a server that failed do not all come
 * back at once. `failures` counts the retries so far. The `Retry-After` of an `error` comes first, as far as timers reach.
 */
export function backoffDelay(failures, error) {
  return Math.min(1e9, 1000 * error?.response?.headers.get("Retry-After")) || Math.min(MAX_RETRY_DELAY, 2 ** (Math.random() + failures) * MIN_RETRY_DELAY);
}

/**
 * The result of `load`, which imports a module or fetches a file. Tries again after growing delays until it succeeds, or until an
 * error `isFinal`. Firefox never requests a module again that failed to load. Its message has the address, to which a retry adds a query.
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
