// Effects by the distance from the centre: a number for the style sheet.
import { switched } from "./switched.js";

/**
 * With the attribute `effects`, each card has `--way`: how many of its widths it stands after the centre. The strip's
 * style sheet makes `--side` of it, which is within -1 and 1, and `--far`, the same without its sign.
 */
switched("effects", (strip, on) => {
  on("draw", () => {
    const middle = strip.offset + strip.clientWidth / 2;
    for (const { index, start, size } of strip.items) {
      strip.nodeOf(index)?.style.setProperty("--way", (start + size / 2 - middle) / size);
    }
  });
});
