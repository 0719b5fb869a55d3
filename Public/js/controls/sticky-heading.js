// The title of the group at the leading edge, in an element of the page.
import { groupTitle } from "../base/months.js";
import { setText } from "../base/text.js";
import { positionOf } from "../windows/geometry.js";
import { observeGroups } from "../axes/groups.js";
import { visibleItems } from "../windows/in-view.js";

/**
 * Shows the title of the group at the leading edge in the strip's element `.group`, if it has one. The former title
 * stays until the groups are loaded.
 */
export function stickyHeading(strip, on) {
  const heading = () => strip.querySelector(":scope > .group"); // a page can replace it
  if (!heading()) return;
  let groups;
  const update = () => {
    const [item] = visibleItems(strip);
    if (!item && strip.meta.count) return; // it is loading
    const index = positionOf(item?.index, strip.meta.count) - 1;
    if (groups && heading()) setText(heading(), groupTitle(groups.find(({ first, end }) => first <= index && index < end)?.title, strip));
  };
  on("afterRender", update);
  observeGroups(strip, on, (loaded) => {
    groups = loaded;
    update();
  });
}
