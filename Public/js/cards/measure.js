// Widths that the page measures, with its own fonts and styles.
import { MAX_MEASURED, MEASURED_AT_ONCE } from "../base/constants.js";
import { create } from "../base/dom.js";
import { sizeClass } from "../windows/geometry.js";
import { retryUntilLoaded } from "../windows/server.js";
import { QUERY } from "../windows/view.js";
import { fill, findPlaceholders, placeholdersOf, templateOf } from "./template.js";

/**
 * Items of a kind whose template has `data-measure` are as wide as their cards in this page, whatever widths the server has.
 *
 * The strip loads all its items once for each revision, measures their cards without pictures, and lays them out by the server's
 * law. It measures again if a font is loaded, or the font size of the page or the font of the strip changes. With more than 2,000
 * items, and in a list, a grid or rows, widths are the server's.
 */
export function measure(strip, on) {
  if (strip.axis.isVertical || !strip.querySelector(":scope > template[data-measure]")) return;
  const loading = retryUntilLoaded(() => import("./measured-items.js")); // it shares no import with this module, so that bundles have it apart
  const dependencies = { QUERY, sizeClass, MAX_MEASURED, MEASURED_AT_ONCE, fill, findPlaceholders, placeholdersOf, templateOf };
  const items = loading.then(({ MeasuredItems }) => new MeasuredItems(strip, dependencies));
  const source = async (query, signal) => {
    const { response, layout } = await (await items).respond(query, signal);
    source.layout = layout;
    return response;
  };
  strip.dataSource = source;
  const again = async () => {
    (await items).forget();
    strip.reload();
  };
  on("loadingdone", again, document.fonts);
  const probe = create("i", { style: "position: absolute; visibility: hidden; width: calc(1rem + 1ch)" });
  strip.shadowRoot.append(probe);
  let probeWidth;
  const observer = new ResizeObserver(([{ contentRect: { width } }]) => {
    if (probeWidth && width && width !== probeWidth) again();
    probeWidth = width || probeWidth; // 0 if the strip is hidden
  });
  observer.observe(probe);
  strip.reload(); // a strip that is not drawn yet requests them anyway
  return () => {
    observer.disconnect();
    probe.remove();
    strip.dataSource = null;
  };
}
