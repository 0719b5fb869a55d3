// A scrubber: a slider as long as the strip, which names the groups.
import { listen, whenDrawn } from "./listen.js";
import { make } from "./make.js";
import { goTo, progress } from "./progress.js";
import { SERVER } from "./server.js";

/** More titles than these are not shown; the slider says the one it stands at. */
const MOST = 40;

/** A slider under the titles of the strip's groups, each over its stretch; `scale` is a line that has both already. */
export function scrubber(strip, signal, scale = line()) {
  const [titles, input] = scale.children;
  let [groups, sought] = [[], null];
  listen(input, "input", () => goTo(strip, input.valueAsNumber), signal);

  const show = () => {
    const share = progress(strip);
    const at = strip.head.wrap ? share * strip.head.extent : strip.offset;
    const group = groups.findLast(({ start }) => start <= at) ?? groups[0];
    input.disabled = !strip.furthest;
    if (!input.matches(":active")) input.value = share;
    input.ariaValueText = [group?.title, `${Math.round(share * 100)} %`].filter(Boolean).join(", ");
  };

  /** Asks for the groups, once for each revision and height. */
  const seek = async () => {
    const { strip: name, revision, height, extent } = strip.head;
    const address = new URL(`strips/${name}/groups?limit=1000&revision=${revision}&height=${height}`, SERVER).href;
    if (address === sought) return;
    sought = address;
    const answer = await fetch(address, { signal }).then((response) => response.json()).catch(() => ({}));
    if (address !== sought) return;
    groups = answer.groups ?? [];
    if (answer.next) groups.push({ start: groups.at(-1).start }); // from there on they are not known
    titles.replaceChildren(...(groups.length > MOST ? [] : groups).map(({ title, start }, k) => {
      const made = make("span", {}, make("span", {}, title));
      made.style.insetInlineStart = `${(100 * start) / extent}%`;
      made.style.width = `${(100 * ((groups[k + 1]?.start ?? extent) - start)) / extent}%`;
      return made;
    }));
    show();
  };

  whenDrawn(strip, () => {
    show();
    seek();
  }, signal);
  return scale;
}

function line() {
  const slider = { type: "range", max: 1, step: "any", autocomplete: "off", ariaLabel: "Place in the strip" };
  return make("div", { part: "scale" },
    make("div", { part: "titles", ariaHidden: "true" }),
    make("input", { part: "scrubber", ...slider }));
}
