import { createRef, useReducer } from "react";
import { createRoot } from "react-dom/client";
import { LegendList } from "rival/src/react.ts";
import { box, gap, inside, itemAt, items, onLoad, ready, setWidth, widthOf } from "./page.js";

const list = createRef();
const cards = { current: () => {} };

function Card({ index }) {
  const item = itemAt(index);
  const style = { width: widthOf(index), marginRight: gap, height: "100%" };
  return item ? (
    <div className="card" data-index={index} style={style} dangerouslySetInnerHTML={{ __html: inside(item) }} />
  ) : (
    <div className="card" style={style} />
  );
}

function List() {
  const [version, next] = useReducer((number) => number + 1, 0);
  cards.current = next;
  return (
    <LegendList
      ref={list}
      horizontal
      recycleItems
      data={items}
      dataVersion={version}
      extraData={version}
      estimatedItemSize={184}
      getFixedItemSize={(_, index) => widthOf(index) + gap}
      keyExtractor={(_, index) => `${index}`}
      renderItem={({ index }) => <Card index={index} />}
      style={{ height: "100%", width: "100%" }}
    />
  );
}

onLoad(() => cards.current());
createRoot(box).render(<List />);
ready({
  get scroller() {
    return list.current.getScrollableNode();
  },
  scrollTo: (index) => list.current.scrollToIndex({ index, animated: false }),
  resize: (index, width) => (setWidth(index, width), cards.current()),
});
