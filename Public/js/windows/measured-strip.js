// The layout of a strip in the browser, by the server's law, for widths that the page has measured.

/** Lengths are whole numbers of 1/64 px. */
const UNITS = 64;
const unitsOf = (px) => Math.floor(px * UNITS + 0.5);

const modulo = (number, divisor) => ((number % divisor) + divisor) % divisor;

/**
 * A strip of items with known widths. It answers queries as `/window` does, without groups.
 *
 *     const strip = new MeasuredStrip({ count: 2, gap: 8, inset: 0 }, [{ index: 0, id: "a", kind: "card", size: 100 }, ...], sizeClass);
 *     strip.respond({ offset: 0, width: 500 });
 *
 * `gap`, `inset` and `size` are in px. Items are in order. Those that are missing or have no size are hidden. A response costs
 * O(items). Pools are found once for each pool size. `sizeClass` is the function of geometry.js. This module is a bundle of its own,
 * and so does not import it.
 */
export class MeasuredStrip {
  #items = []; // each with its start and end in units, without the inset, and its rank among those of its kind
  #kinds = {}; // their items, by name
  #pools = {}; // by pool size and wrap
  #indices; // by id
  #ends = []; // where each index ends, without inset
  #count;
  #gap;
  #inset;
  #lapLength;
  #sizeClass;

  constructor({ count, gap, inset }, items, sizeClass) {
    this.#sizeClass = sizeClass;
    [this.#count, this.#gap, this.#inset] = [count, unitsOf(gap), unitsOf(inset)];
    let sum = 0; // of the sizes before an item
    this.#indices = new Map(items.map(({ id, index }) => [id, index]));
    const byIndex = new Map(items.map((item) => [item.index, item]));
    for (let index = 0; index < count; index += 1) {
      const item = byIndex.get(index);
      const size = unitsOf(item?.size ?? 0);
      const start = sum + index * this.#gap;
      this.#ends.push(start + size);
      sum += size;
      if (!size) continue;
      const kind = (this.#kinds[item.kind] ??= []);
      const placed = { ...item, start, end: start + size, rank: kind.length };
      kind.push(placed);
      this.#items.push(placed);
    }
    this.#lapLength = sum + count * this.#gap;
  }

  /** The start of an index, in px. */
  start(index) {
    return (this.#startOf(index) + this.#inset) / UNITS;
  }

  /** The response of `/window` to a query. It has the members of `common` too. Throws the error of a 404. */
  respond({ offset, width, overscan = 0, pool = +width + 2 * overscan, wrap, ...place }, common) {
    const isLoop = String(wrap) === "true" && this.#lapLength > 0;
    const inset = isLoop ? 0 : this.#inset;
    const length = isLoop ? this.#lapLength : (this.#count && this.#lapLength - this.#gap) + 2 * inset;
    const [currentOffset, viewportSize, margin] = [offset ?? 0, width, overscan].map((px) => unitsOf(+px));
    const x = (place.index ?? place.item) == null ? currentOffset : this.#offsetOf(place, currentOffset, viewportSize, inset, isLoop, length);
    const [from, to] = [x - margin, x + viewportSize + margin];
    const poolLength = this.#sizeClass(Math.max(8, +pool), 8); // the size classes of the server
    const pools = this.#poolsFor(poolLength, isLoop);
    const items = [];
    const laps = isLoop ? [from, to].map((px) => Math.floor(px / this.#lapLength)) : [0, 0];
    for (let lap = laps[0]; lap <= laps[1]; lap += 1) {
      const moved = lap * this.#lapLength + inset;
      for (const { index, id, kind, group, fields, rank, start, end } of this.#items) {
        if (end + moved <= from) continue;
        if (start + moved >= to) break;
        const slot = `${kind}-${modulo(lap * this.#kinds[kind].length + rank, pools[kind])}`;
        const size = (end - start) / UNITS;
        items.push({ index: lap * this.#count + index, id, kind, slot, start: (start + moved) / UNITS, size, ...(group && { group }), fields });
      }
    }
    const after = this.#ends.findIndex((end) => end + laps[0] * this.#lapLength + inset > from); // hidden or not
    const first = items[0]?.index ?? (after < 0 ? this.#count : after) + laps[0] * this.#count;
    return {
      ...common,
      ...{ offset: x / UNITS, width: viewportSize / UNITS, overscan: margin / UNITS, pool: poolLength, wrap: isLoop, count: this.#count },
      ...{ extent: length / UNITS, first, end: items[0] ? items.at(-1).index + 1 : first, pools, group: null, leave: [], items },
    };
  }

  /** The start of an index in units, without the inset. */
  #startOf(index) {
    return index ? this.#ends[index - 1] + this.#gap : 0;
  }

  /** The offset in units that shows an item in a viewport. */
  #offsetOf({ index: requested, item, align, at, clamp }, currentOffset, width, inset, isLoop, length) {
    const mayBeMissing = String(clamp) === "true";
    const isClamped = requested != null && mayBeMissing && !isLoop;
    if (isClamped && !this.#count) return 0;
    const index = isClamped ? Math.max(0, Math.min(requested, this.#count - 1)) : requested;
    let lap = isLoop && index != null ? Math.floor(index / this.#count) : 0;
    const ownIndex = index == null ? this.#indices.get(item) : index - lap * this.#count;
    if (index == null && ownIndex === undefined && mayBeMissing) return currentOffset;
    if (!(ownIndex >= 0 && ownIndex < this.#count)) {
      throw Object.assign(new Error("There is no such item."), { status: 404, parameter: index == null ? "item" : "index" });
    }
    const target = this.#items.find(({ index: itemIndex }) => itemIndex === ownIndex);
    const size = target ? target.end - target.start : 0;
    let start = this.#startOf(ownIndex) + inset;
    if (isLoop && index == null) lap = Math.ceil((currentOffset - start) / this.#lapLength - 0.5); // the nearest copy
    start += lap * this.#lapLength;
    const end = start + size - width;
    const isWhole = start >= currentOffset && end <= currentOffset;
    const nearer = size >= width || Math.abs(start - currentOffset) <= Math.abs(end - currentOffset) ? start : end;
    const aligned = { end, center: start + Math.floor((size - width) / 2), nearest: isWhole ? currentOffset : nearer }[align] ?? start;
    const offset = at == null ? aligned : start - unitsOf(+at);
    return isLoop ? offset : Math.max(0, Math.min(offset, length - width));
  }

  /** The number of slots of each kind, in the order of their names. */
  #poolsFor(poolLength, isLoop) {
    const limit = poolLength * UNITS - 2;
    const pools = () => Object.entries(this.#kinds).map(([name, items]) => [name, this.#pool(items, limit, isLoop)]);
    return (this.#pools[`${poolLength} ${isLoop}`] ??= Object.fromEntries(pools().sort(([one], [other]) => (one < other ? -1 : 1))));
  }

  /** The size of the pool of a kind: that of its longest run in which the last item begins at most `limit` after the end of the first. */
  #pool(items, limit, isLoop) {
    const startOf = (rank) => items[rank % items.length].start + Math.floor(rank / items.length) * this.#lapLength;
    const count = isLoop ? Infinity : items.length;
    let largest = 1;
    let next = 0;
    items.forEach(({ end }, rank) => {
      next = Math.max(next, rank + 1);
      while (next < count && startOf(next) - end <= limit) next += 1;
      largest = Math.max(largest, next - rank);
    });
    return largest;
  }
}
