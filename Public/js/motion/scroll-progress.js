// How far a strip is scrolled, for parts and effects. A module of its own: a plain strip does not load it.

/** How far a strip is scrolled, from 0 to 1. In a strip that wraps, 1 is one lap. A page can be scrolled beyond a layout. */
export function scrollProgress(strip) {
  const { offset, maxOffset, meta: { extent, wrap } } = strip;
  const least = strip.axis.minOffset;
  return wrap ? (((offset % extent) + extent) % extent) / extent : Math.max(0, Math.min(1, (offset - least) / (maxOffset - least) || 0));
}

/** The offset at a scroll progress of 0 to 1. */
export function offsetAt(strip, progress) {
  const least = strip.axis.minOffset;
  return least + progress * (strip.meta.wrap ? strip.meta.extent : strip.maxOffset - least);
}
