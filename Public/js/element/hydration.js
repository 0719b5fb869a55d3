// Pages that a server rendered.
import { isSized } from "../cards/list.js";
import { QUERY } from "../place/search.js";

/**
 * Returns the window in the page, or null. Cards of another view stay until the strip draws its own. So do those of a copy
 * of a strip that was drawn: they are at another place.
 */
export function readFirstWindow(strip) {
  const meta = strip.firstWindow ?? parsed(strip);
  delete strip.firstWindow;
  if (isSized(strip.cardList)) return null;
  if (!meta && strip.cardList.firstElementChild) console.warn("The cards have no data-window.", strip);
  return meta && matchesAttributes(meta, strip) ? meta : null;
}

function parsed(strip) {
  try {
    return JSON.parse(strip.dataset.window || null);
  } catch {
    return null; // it is incomplete
  }
}

/** Whether the attributes ask for the view and the layout of an answer. */
function matchesAttributes({ strip: name, view, layout = "strip", height, wrap }, strip) {
  const given = { strip: name, ...view };
  const asked = (attribute) => strip.option(attribute)?.trim() || null; // the server trims them too
  if (QUERY.some((one) => asked(one) !== (given[one] ?? null)) || (asked("layout") ?? "strip") !== layout) return false;
  return layout !== "strip" || (Math.abs((strip.height ?? height) - height) < 1 / 64 && (wrap || !strip.loop));
}
