import { createRef, useReducer } from "react";
import { createRoot } from "react-dom/client";
import { VList } from "rival/src/index.ts";
import { box, items, onLoad, ready, setWidth } from "./page.js";
import { Card } from "./card.jsx";

const list = createRef();
const cards = { current: () => {} };

function List() {
  cards.current = useReducer((version) => version + 1, 0)[1];
  return (
    <VList ref={list} horizontal data={items} style={{ height: "100%", width: "100%" }}>
      {(_, index) => <Card key={index} index={index} />}
    </VList>
  );
}

onLoad(() => cards.current());
createRoot(box).render(<List />);
ready({
  get scroller() {
    return box.firstElementChild;
  },
  scrollTo: (index) => list.current.scrollToIndex(index, { align: "start" }),
  resize: (index, width) => (setWidth(index, width), cards.current()),
});
