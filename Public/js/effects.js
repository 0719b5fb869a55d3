// Effects by the distance from the centre: numbers for the style sheet.
import { whenDrawn } from "./listen.js";
import { switched } from "./switched.js";

/**
 * With the attribute `effects`, each card has `--side`, from -1 to 1 for a card's width before or after the centre, and
 * `--far`, the same without its sign.
 */
export const effects = switched("effects", (strip, signal) =>
  whenDrawn(strip, () => {
    const middle = strip.offset + strip.clientWidth / 2;
    for (const { index, start, size } of strip.items) {
      const side = Math.max(-1, Math.min(1, (start + size / 2 - middle) / size));
      const { style } = strip.nodeOf(index) ?? {};
      style?.setProperty("--side", side.toFixed(4));
      style?.setProperty("--far", Math.abs(side).toFixed(4));
    }
  }, signal),
);
