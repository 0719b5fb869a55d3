// All that the requests of a strip for windows have in common.
import { tileSizeFor } from "./geometry.js";
import { QUERY, viewOf } from "./view.js";

/**
 * What a strip asks of `/window` now, without the place: a value that never changes. It is of a `revision`, by default the newest, but
 * not of one below `least`.
 *
 * - `parameters`: those that all requests share.
 * - `sizes`: what the sizes of the items depend on, as text. A response has it too: it is stale once this is another.
 * - `items`: which items these are, as text: from which strip and view, and along which axis.
 * - `view`: that of the windows, in the order of `VIEW`.
 */
export function windowQuery(strip, revision, least) {
  const sizes = strip.axis.query;
  const options = Object.fromEntries(QUERY.map((name) => [name, strip.option(name)]));
  const pool = tileSizeFor(strip.viewportSize);
  const parameters = { revision: revision < least ? least : revision, ...options, ...sizes, v: strip.dataset.version, pool };
  return { parameters, sizes: JSON.stringify(sizes), items: JSON.stringify([options, strip.axis.parameter]), view: viewOf(strip) };
}
