// A scrubber: a slider for the whole strip, with the titles of its groups.
import { MAX_TITLES } from "../element/constants.js";
import { create, createControl } from "../element/dom.js";
import { offsetAt, scrollProgress } from "../windows/geometry.js";
import { SERVER } from "../windows/server.js";

/** Creates a slider below the titles of the strip's groups. */
export function scrubber(strip, on) {
  const titles = create("div", { part: "titles", ariaHidden: true });
  const input = createControl(strip, "input", { part: "scrubber", type: "range", max: 1, step: "any", value: 0, ariaLabel: "Position" });
  let groups = [];
  let requested; // the URL of the groups
  on("input", () => strip.scrollTo({ offset: offsetAt(strip, +input.value) }), input);

  const update = () => {
    const progress = scrollProgress(strip);
    const offset = offsetAt(strip, progress);
    const group = groups.findLast((one) => one.start <= offset) ?? groups[0];
    input.disabled = offsetAt(strip, 1) === offsetAt(strip, 0);
    if (!input.matches(":active")) input.value = progress;
    input.ariaValueText = `${Math.round(progress * 100)} % ${group?.title ?? ""}`;
  };

  on("draw", async () => {
    update();
    const { head } = strip;
    const url = `${SERVER}strips/${head.strip}/groups?limit=1000&revision=${head.revision}&height=${head.height}`;
    if (url === requested) return;
    requested = url;
    const answer = await fetch(url).then((response) => response.json()).catch(() => null);
    if (url !== requested) return;
    groups = answer?.groups ?? [];
    if (answer?.next) groups.push({ start: groups.at(-1).start }); // the following groups are not loaded
    titles.replaceChildren(...(groups.length > MAX_TITLES ? [] : groups).map(({ title, start }, k) => {
      const style = `flex-grow:${(groups[k + 1]?.start ?? head.extent) - start}`;
      return create("span", { style }, create("span", {}, title));
    }));
    update();
  });
  return create("div", { part: "scale" }, titles, input);
}
