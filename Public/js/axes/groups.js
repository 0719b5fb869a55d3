// The groups of a strip: what headings and the scrubber show.
import { MAX_GROUPS } from "../base/constants.js";
import { languageOf } from "../base/language.js";
import { isRejected, retryUntilLoaded } from "../server/retries.js";

/**
 * Calls `show` with the first 10,000 groups of a strip, as in `/window`: {title, first, end, start}. Calls it again for
 * another strip, view, revision or height. The titles of a view sorted by a number come as they are, and again once their formats
 * are loaded. Before the first input, a strip that is not on the screen waits.
 */
export function observeGroups(strip, on, show) {
  let requestedKey; // what the groups depend on
  on("afterRender", async () => {
    const { strip: name, revision, view } = strip.meta;
    const crossParameter = strip.axis.parameter === "width" ? "height" : "width"; // its value is that of the drawn windows
    const query = { limit: 1000, revision, ...strip.axis.query, wrap: null, [crossParameter]: strip.meta[crossParameter], ...view };
    const key = languageOf(strip) + name + JSON.stringify(query);
    if (key === requestedKey || !(strip.isOnScreen || strip.mayPrefetch())) return;
    requestedKey = key;
    const groups = [];
    do {
      const isFinal = (error) => key !== requestedKey || !strip.isConnected || isRejected(error);
      const response = await retryUntilLoaded(() => strip.fetchJSON(`strips/${name}/groups`, query), isFinal).catch((error) => ({ groups: [], error }));
      if (key !== requestedKey || !strip.isConnected) return;
      if (response.error?.status === 410) return strip.isReloading || strip.emit("error", response.error); // after the reload, this begins again
      groups.push(...response.groups);
      query.after = response.next;
    } while (query.after != null && groups.length < MAX_GROUPS);
    const { layout } = strip.dataSource ?? {}; // the layout by measured widths, if the page measures them
    const placed = groups.map((group) => ({ ...group, start: layout?.start(group.first) ?? group.start }));
    show(placed);
    const formatted = view?.sort && (await withFormats(placed, strip, /^-?([^,]*)/.exec(view.sort)[1]));
    if (formatted && key === requestedKey) show(formatted);
  });
}

/** The groups of a view sorted by `field`, with their titles as readers see its values. Undefined for texts and dates: they stay. */
async function withFormats(groups, strip, field) {
  const { loadFormatter } = await retryUntilLoaded(() => import("../language/fields.js"));
  const formatter = await loadFormatter(strip, languageOf(strip));
  if (formatter.formatOf(field) === "date") return;
  return groups.map((group) => ({ ...group, title: group.title && formatter.format(group.title, field) }));
}
