// The groups of a strip: what headings and the scrubber show.
import { MAX_GROUPS } from "../base/constants.js";
import { languageOf } from "../base/language.js";
import { isRejected, retryUntilLoaded } from "../windows/server.js";

/**
 * Calls `show` with the first 10,000 groups of a strip, as in `/window`: {title, first, end, start}. Calls it again for
 * another strip, view, revision or height, and when the titles of a view sorted by a number have their formats. Before
 * the first input, a strip that is not on the screen waits.
 */
export function observeGroups(strip, on, show) {
  let requested; // what the groups depend on
  on("afterRender", async () => {
    const { strip: name, revision, view } = strip.meta;
    const across = strip.axis.parameter === "width" ? "height" : "width"; // the parameter across the axis, with the value of the drawn windows
    const query = { limit: 1000, revision, ...strip.axis.query, wrap: null, [across]: strip.meta[across], ...view };
    const key = name + JSON.stringify(query);
    if (key === requested || !(strip.isOnScreen || strip.mayPrefetch())) return;
    requested = key;
    const groups = [];
    do {
      const isFinal = (error) => key !== requested || !strip.isConnected || isRejected(error);
      const response = await retryUntilLoaded(() => strip.fetchJSON(`strips/${name}/groups`, query), isFinal).catch((error) => ({ groups: [], error }));
      if (key !== requested) return;
      if (response.error?.status === 410) return strip.emit("error", response.error); // the strip reloads, and this begins again at a later revision
      groups.push(...response.groups);
      query.after = response.next;
    } while (query.after != null && groups.length < MAX_GROUPS);
    const { layout } = strip.dataSource ?? {}; // the layout by measured widths, if the page measures them
    const placed = groups.map((group) => ({ ...group, start: layout?.start(group.first) ?? group.start }));
    show(placed);
    const formatted = view?.sort && (await withFormats(placed, strip, /^-?([^,]*)/.exec(view.sort)[1]));
    if (formatted && key === requested) show(formatted);
  });
}

/** The groups of a view sorted by `field`, with their titles as readers see its values. Undefined for texts and dates: they stay. */
async function withFormats(groups, strip, field) {
  const { loadFormatter } = await retryUntilLoaded(() => import("../language/fields.js"));
  const formatter = await loadFormatter(strip, languageOf(strip));
  if (formatter.formatOf(field) === "date") return;
  return groups.map((group) => ({ ...group, title: group.title && formatter.format(group.title, field) }));
}
