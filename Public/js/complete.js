// <carousel-strip> with all it can do. A page that wants less adds the behaviours of its choice to `behaviours`.
import { CarouselStrip, behaviours } from "./element.js";
import { anchors } from "./anchors.js";
import { autoplay } from "./autoplay.js";
import { controls } from "./controls.js";
import { drag } from "./drag.js";
import { effects } from "./effects.js";
import { following } from "./following.js";
import { groups } from "./groups.js";
import { impressions } from "./impressions.js";
import { indicator } from "./indicator.js";
import { landing } from "./landing.js";
import { keys } from "./focus.js";
import { patience } from "./patience.js";
import { perView } from "./per-view.js";
import { pictures } from "./pictures.js";
import { memory, place } from "./place.js";
import { mirror } from "./properties.js";
import { reading } from "./reading.js";
import { rest } from "./rest.js";
import { snap } from "./snap.js";

const all = [
  ...[perView, rest, landing, anchors, patience, reading, keys, pictures, groups, snap, drag, autoplay, effects, controls],
  ...[indicator, impressions, place, memory, following],
];
for (const behaviour of all) behaviours.add(behaviour);
mirror(CarouselStrip, {
  ...{ strip: "", height: 0, loop: false, snap: "", step: "", selection: "", autoplay: "", controls: "" },
  ...{ effects: false, indicator: false, initialIndex: 0, initialItem: "", history: false, live: false },
});
customElements.define("carousel-strip", CarouselStrip);
