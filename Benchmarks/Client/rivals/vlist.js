import { vlist, withAsync, withScale } from "rival/src/index.ts";
import { box, cardOf, count, gap, isRemote, items, load, ready, setWidth, widthOf } from "./page.js";

const options = {
  container: box,
  orientation: "horizontal",
  item: {
    height: 200,
    width: (index) => widthOf(index) + gap,
    template: (item, index) => cardOf(item?._isPlaceholder ? undefined : item, index),
  },
};
let builder = vlist(isRemote ? options : { ...options, items });
if (isRemote) {
  const read = async ({ offset, limit }) => {
    const parts = [];
    for (let first = offset; first < Math.min(offset + limit, count); first += 50) parts.push(load(first));
    return { items: (await Promise.all(parts)).flat().slice(0, limit), total: count, hasMore: offset + limit < count };
  };
  builder = builder.use(withAsync({ adapter: { read }, total: count }));
}
if (count > 80_000) builder = builder.use(withScale());
const list = builder.build();
ready({
  scroller: box.querySelector(".vlist-viewport"),
  scrollTo: (index) => list.scrollToIndex(index, "start"),
  resize(index, width) {
    setWidth(index, width);
    list.setItems(items);
  },
});
