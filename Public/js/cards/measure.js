// Widths that the page measures, with its own fonts and styles.
import { MAX_MEASURED, MEASURE_BATCH } from "../base/constants.js";
import { create } from "../base/dom.js";
import { retryUntilLoaded } from "../server/retries.js";
import { sizeClass } from "../windows/geometry.js";
import { QUERY_ATTRIBUTES } from "../windows/view.js";
import { fill, findPlaceholders, placeholdersOf, templateOf } from "./template.js";

/**
 * Items of a kind whose template has `data-measure` are as wide as their cards in this page, whatever widths the server has.
 *
 * The strip loads all its items once for each revision, measures their cards without pictures, and lays them out by the server's
 * law. It measures again if a font is loaded, or the font size of the page or the font of the strip changes. With more than 2,000
 * items, and in a list, a grid or rows, widths are the server's.
 */
export function measure(strip, on) {
  let stop;
  const update = () => {
    if (!strip.axis.isVertical && strip.querySelector(":scope > template[data-measure]")) stop ??= startMeasuring(strip, on);
  };
  on("option", update); // the page can add a template at any time
  update();
  return () => stop?.();
}

function startMeasuring(strip, on) {
  const loading = retryUntilLoaded(() => import("./measured-items.js")); // it shares no import with this module: a chunk of both would be one request more
  const dependencies = { QUERY_ATTRIBUTES, sizeClass, MAX_MEASURED, MEASURE_BATCH, fill, findPlaceholders, placeholdersOf, templateOf };
  const items = loading.then(({ MeasuredItems }) => new MeasuredItems(strip, dependencies));
  const source = async (query, signal) => {
    const { response, layout } = await (await items).respond(query, signal);
    source.layout = layout;
    return response;
  };
  strip.dataSource = source;
  const remeasure = async () => {
    (await items).invalidate();
    strip.reload();
  };
  on("loadingdone", remeasure, document.fonts);
  const probe = create("i", { style: "position: absolute; visibility: hidden; width: calc(1rem + 1ch)" });
  strip.shadowRoot.append(probe);
  let probeWidth;
  const observer = new ResizeObserver(([{ contentRect: { width } }]) => {
    if (probeWidth && width && width !== probeWidth) remeasure();
    probeWidth = width || probeWidth; // 0 if the strip is hidden
  });
  observer.observe(probe);
  strip.reload(); // with the measured widths. A strip that is not drawn yet requests its items anyway
  return () => {
    observer.disconnect();
    probe.remove();
    strip.dataSource = null;
  };
}
