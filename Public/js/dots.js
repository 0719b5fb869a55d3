// Position dots: where a strip stands among its pages or its items.
import { DOTS } from "./figures.js";
import { placeOf } from "./labels.js";
import { control, make } from "./make.js";
import { glide } from "./paging.js";
import { offsetAt, progress } from "./progress.js";
import "./properties.js";

/** Dots for the pages of a strip, or for its items where it steps by those; returns their line. */
export function dots(strip, on) {
  const line = make("div", { part: "dots" });
  let told; // of how many

  on("draw", () => {
    const { count, extent } = strip.head;
    const isByItems = strip.step === "item";
    const total = isByItems ? count : Math.ceil(extent / strip.clientWidth);
    const last = Math.min(DOTS, total) - 1;

    const dot = (_, k) => {
      const share = k / (last || 1);
      const index = Math.round(share * (total - 1));
      const onclick = () => {
        if (isByItems) strip.scrollTo({ index, behavior: "smooth" });
        else glide(strip, offsetAt(strip, share));
      };
      return control(strip, "button", { part: "dot", ariaLabel: `${index + 1} of ${total}`, onclick });
    };
    if (total !== told) line.replaceChildren(...Array.from({ length: last + 1 }, dot));
    told = total;
    const share = isByItems ? (placeOf(strip.current?.index, count) - 1) / (count - 1 || 1) : progress(strip);
    [...line.children].forEach((one, k) => (one.ariaCurrent = k === Math.round(share * last)));
  });
  return line;
}
