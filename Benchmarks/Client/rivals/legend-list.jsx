import { createRef, useReducer } from "react";
import { createRoot } from "react-dom/client";
import { LegendList } from "rival/src/react.ts";
import { box, gap, items, onLoad, ready, setWidth, widthOf } from "./page.js";
import { Card } from "./card.jsx";

const list = createRef();
const cards = { current: () => {} };

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
