// All of <carousel-strip> for a page of any origin: one script, which brings the looks with it.
//
//     <script type="module" src="https://strips.example/js/embed.js"></script>
//     <carousel-strip strip="albums" aria-label="Albums"></carousel-strip>
//
// The page's policy needs to name the server of the strips in script-src, connect-src and img-src; nothing else.
import "./looks.js";
import "./plain.js";
import "./complete.js";
