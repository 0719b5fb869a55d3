import { useEffect, useRef, useState } from "react";

// `html` is the element as the strips' server renders it. React neither reads nor changes what is in it.
export function App({ html = "" }) {
  const shelf = useRef();
  const [album, setAlbum] = useState("Select an album.");
  useEffect(() => {
    const select = ({ detail }) => setAlbum(`${detail.fields.title}, ${detail.fields.subtitle}`);
    const strip = shelf.current.querySelector("carousel-strip");
    strip.addEventListener("select", select);
    return () => strip.removeEventListener("select", select);
  }, []);
  return (
    <main>
      <h1>Albums</h1>
      <div ref={shelf} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
      <p role="status">{album}</p>
    </main>
  );
}
