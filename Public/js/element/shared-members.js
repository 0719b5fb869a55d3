/**
 * What the modules share of a strip, besides the members that pages use: element.d.ts has those. Lengths are in px along the axis.
 * All else is private to a module. A member with an owner is set by that module alone, and has no value before.
 *
 * @typedef {CarouselStrip & SharedMembers} Strip
 *
 * @typedef {object} SharedMembers
 *
 * Of the element:
 * @property {Axis} axis - how the strip scrolls and places its cards: see axes/axis.js. Owners: vertical.js, and the viewer's dialog.js.
 * @property {object} hooks - sets of listeners, by the name of their hook: see base/plugin.js.
 * @property {PendingScroll} pendingScroll - finds a place of `scrollTo` that is not drawn.
 * @property {string[] | undefined} drawnView - the view of the drawn windows: see `viewOf`.
 * @property {boolean} isStale - whether the drawn items are stale: those of another strip, view or axis come next.
 * @property {boolean} isReloading - whether windows are requested that will replace the drawn ones.
 * @property {boolean} isNearViewport - whether it is so near the viewport of the page that it is drawn. Owner: viewport.js.
 * @property {boolean} isOnScreen - whether any part of it is on the screen. Owner: viewport.js.
 * @property {number} earlyScroll - how far the reader scrolled the server's cards before the element was defined.
 * @property {Function} fetchJSON - requests JSON: see server/requests.js. All bundles of a page share it, with its limits.
 * @property {() => boolean} mayPrefetch - whether the strip may request what is not in its view.
 *
 * Of one module each:
 * @property {object} overrides - texts in place of attributes, by name. Owner: custom-properties.js.
 * @property {number} prefetchLevel - how much the strip prefetches, from 0 to 2. Owner: prefetch.js.
 * @property {number} [predictedOffset] - where the strip will be soon, if it moves by itself. Owner: autoplay.js.
 * @property {Function} [dataSource] - answers requests for windows in place of the server. Owner: measure.js.
 * @property {Function} [formatCard] - fills what needs the formatter of fields. Owner: fields.js.
 * @property {Promise} [formatting] - fulfilled once there is `formatCard`. Owner: formats.js.
 * @property {boolean} [hasViewer] - whether a viewer opens its items. Owner: viewer.js, which several bundles have.
 * @property {object} [firstWindow] - the response that is drawn before the element is defined. Owner: first-window.js.
 */
