// The groups of a strip: what the sticky heading and the scrubber show.
import { MAX_GROUPS } from "../element/constants.js";
import { SERVER } from "./server.js";

/**
 * Calls `show` with the first 10,000 groups of a strip, as in `/window`: {title, first, end, start}. Calls it again for
 * another strip, view, revision or height.
 */
export function followGroups(strip, on, show) {
  let requested; // the URL
  on("draw", async () => {
    const { strip: name, revision, height, view } = strip.head;
    const query = new URLSearchParams({ limit: 1000, revision, height, ...view, after: "" });
    const url = `${SERVER}strips/${name}/groups?${query}`;
    if (url === requested) return;
    requested = url;
    const groups = [];
    let next = "";
    do {
      const answer = await fetch(url + next).then((response) => response.json()).catch(() => null);
      groups.push(...(answer?.groups ?? []));
      next = answer?.next;
    } while (next && groups.length < MAX_GROUPS);
    if (url === requested) show(groups);
  });
}
