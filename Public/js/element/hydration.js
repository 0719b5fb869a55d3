// The first window, if its cards are in the page before the strip starts.
import { isSized } from "../cards/list.js";
import { QUERY_ATTRIBUTES } from "../windows/view.js";

/**
 * The response for the cards that are in the page already, or null. It is null if they are of another view, or of a copy of a strip
 * that was drawn. Such cards stay until the strip draws its own.
 */
export function readFirstWindow(strip) {
  const { cardList, firstWindow } = strip;
  delete strip.firstWindow;
  if (isSized(cardList)) return null;
  const response = firstWindow ?? parsed(strip);
  if (!response && cardList.firstElementChild) console.warn("No data-window", strip);
  if (!response || !matchesAttributes(response, strip)) return null;
  if (firstWindow) for (const node of [cardList, ...cardList.children]) node.removeAttribute("style"); // first-window.js has set it
  return response;
}

function parsed(strip) {
  try {
    return JSON.parse(strip.dataset.window || null);
  } catch {
    return null; // the text is no whole JSON
  }
}

/** Whether the attributes ask for the view and the layout of a response. */
function matchesAttributes({ strip: name, view, layout = "strip", height, wrap }, strip) {
  const responseQuery = { strip: name, ...view };
  const requested = (attribute) => strip.option(attribute)?.trim() || null; // as the server trims parameters
  if (QUERY_ATTRIBUTES.some((attribute) => requested(attribute) !== (responseQuery[attribute] ?? null)) || (requested("layout") ?? "strip") !== layout) return false;
  return layout !== "strip" || (Math.abs((strip.height ?? height) - height) < 1 / 64 && (wrap || !strip.loop));
}
