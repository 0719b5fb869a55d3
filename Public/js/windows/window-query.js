// All that the requests of a strip for windows have in common.
import { tileSizeFor } from "./geometry.js";
import { QUERY_ATTRIBUTES, viewOf } from "./view.js";

/**
 * What a strip asks of `/window` now, without the place: a value that never changes. It is for a `revision`, by default the newest, but
 * for `minRevision` if that is later.
 *
 * - `parameters`: those that all requests share.
 * - `sizesKey`: a text of all that the sizes of the items depend on. A response has the one of its query: with another one, it is stale.
 * - `itemsKey`: a text of all that says which items these are: the strip, the view and the axis.
 * - `view`: the view of the windows, in the order of `VIEW_ATTRIBUTES`.
 */
export function windowQuery(strip, revision, minRevision) {
  const sizeParameters = strip.axis.query;
  const options = Object.fromEntries(QUERY_ATTRIBUTES.map((name) => [name, strip.option(name)]));
  const pool = tileSizeFor(strip.viewportSize);
  const parameters = { revision: revision < minRevision ? minRevision : revision, ...options, ...sizeParameters, v: strip.dataset.version, pool };
  return { parameters, sizesKey: JSON.stringify(sizeParameters), itemsKey: JSON.stringify([options, strip.axis.parameter]), view: viewOf(strip) };
}
