// A card of the lists in React.
import { gap, inside, itemAt, widthOf } from "./page.js";

export function Card({ index }) {
  const item = itemAt(index);
  const style = { width: widthOf(index), marginRight: gap, height: "100%" };
  return item ? (
    <div className="card" data-index={index} style={style} dangerouslySetInnerHTML={{ __html: inside(item) }} />
  ) : (
    <div className="card" style={style} />
  );
}
