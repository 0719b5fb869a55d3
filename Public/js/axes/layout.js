// Which axis a layout has.

/** Whether the layout of a strip needs another axis than the strip has. */
export function needsOtherAxis(strip) {
  return ((strip.getAttribute("layout") ?? "strip") === "strip") === strip.axis.isVertical;
}
