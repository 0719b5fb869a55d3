// The groups of a strip: what the sticky heading and the scrubber show.
import { MAX_GROUPS } from "../base/constants.js";
import { groupTitle } from "../base/months.js";
import { setText } from "../base/text.js";
import { positionOf } from "./geometry.js";
import { visibleItems } from "./in-view.js";
import { isRejected, retryUntilLoaded } from "./server.js";

/**
 * Calls `show` with the first 10,000 groups of a strip, as in `/window`: {title, first, end, start}. Calls it again for
 * another strip, view, revision or height. Before the first input, a strip that is not on the screen waits.
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
    show(groups.map((group) => ({ ...group, start: layout?.start(group.first) ?? group.start })));
  });
}

/**
 * Shows the title of the group at the leading edge in the strip's element `.group`, if it has one. The former title
 * stays until the groups are loaded.
 */
export function stickyHeading(strip, on) {
  const heading = () => strip.querySelector(":scope > .group"); // a page can replace it
  if (!heading()) return;
  let groups;
  const update = () => {
    const index = positionOf(visibleItems(strip)[0]?.index, strip.meta.count) - 1;
    if (groups && heading()) setText(heading(), groupTitle(groups.find(({ first, end }) => first <= index && index < end)?.title, strip));
  };
  on("afterRender", update);
  observeGroups(strip, on, (loaded) => {
    groups = loaded;
    update();
  });
}
