// A wall without a server that renders: esbuild wall.jsx --bundle --jsx=automatic --outfile=wall.js
import { useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

// React sets the attributes of the element. The element draws what is in it.
function Wall() {
  const wall = useRef();
  const [row, setRow] = useState(200);
  const [picture, setPicture] = useState("Select a landscape.");
  useEffect(() => {
    const strip = wall.current;
    const select = ({ detail }) => setPicture(`${detail.fields.title}, ${detail.fields.subtitle}`);
    strip.addEventListener("select", select);
    return () => strip.removeEventListener("select", select);
  }, []);
  return (
    <main>
      <h1 id="title">Landscapes by year</h1>
      <label>
        Height of the rows <input type="range" min="80" max="320" value={row} onChange={({ target }) => setRow(target.value)} />
      </label>
      <p role="status">{picture}</p>
      <carousel-strip ref={wall} strip="landscapes" layout="rows" row={row} heading="40" controls="scrubber" aria-labelledby="title" />
    </main>
  );
}

createRoot(document.getElementById("root")).render(<Wall />);
