// A scrubber: a slider as long as the strip, which names the groups.
import { TITLES } from "./figures.js";
import { control, make } from "./make.js";
import { offsetAt, progress } from "./progress.js";
import { SERVER } from "./server.js";

/** A slider under the titles of the strip's groups, each over its stretch. */
export function scrubber(strip, on) {
  const titles = make("div", { part: "titles", ariaHidden: true });
  const input = control(strip, "input", { part: "scrubber", type: "range", max: 1, step: "any", value: 0, ariaLabel: "Place" });
  let groups = [];
  let sought;
  on("input", () => strip.scrollTo({ offset: offsetAt(strip, +input.value) }), input);

  const show = () => {
    const share = progress(strip);
    const at = offsetAt(strip, share);
    const group = groups.findLast((one) => one.start <= at) ?? groups[0];
    input.disabled = !strip.furthest;
    if (!input.matches(":active")) input.value = share;
    input.ariaValueText = `${Math.round(share * 100)} % ${group?.title ?? ""}`;
  };

  on("draw", async () => {
    show();
    const { head } = strip;
    const address = `${SERVER}strips/${head.strip}/groups?limit=1000&revision=${head.revision}&height=${head.height}`;
    if (address === sought) return;
    sought = address; // asked once for each revision and height
    const answer = await fetch(address).then((response) => response.json()).catch(() => null);
    if (address !== sought) return;
    groups = answer?.groups ?? [];
    if (answer?.next) groups.push({ start: groups.at(-1).start }); // from there on they are not known
    titles.replaceChildren(...(groups.length > TITLES ? [] : groups).map(({ title, start }, k) => {
      const style = `flex-grow:${(groups[k + 1]?.start ?? head.extent) - start}`;
      return make("span", { style }, make("span", {}, title));
    }));
    show();
  });
  return make("div", { part: "scale" }, titles, input);
}
