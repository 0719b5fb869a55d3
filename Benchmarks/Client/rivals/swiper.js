// Virtual slides of Swiper have equal widths.
import Swiper from "rival/src/swiper.ts";
import Virtual from "rival/src/modules/virtual/virtual.ts";
import { box, cardOf, gap, itemAt, items, onLoad, ready } from "./page.js";

const width = 176;
box.className = "swiper";
box.innerHTML = '<div class="swiper-wrapper"></div>';
const swiper = new Swiper(box, {
  modules: [Virtual],
  cssMode: true,
  freeMode: true, // no snapping, as in the other lists
  slidesPerView: "auto",
  spaceBetween: gap,
  virtual: {
    slides: items,
    cache: false,
    slidesPerViewAutoSlideSize: width,
    renderSlide: (_, index) => `<div class="swiper-slide" style="width:${width}px">${cardOf(itemAt(index), index)}</div>`,
  },
});
onLoad(() => swiper.virtual.update(true));
ready({
  scroller: box.firstElementChild,
  scrollTo: (index) => swiper.slideTo(index, 0),
});
