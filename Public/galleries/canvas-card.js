// A card with a canvas: it draws as many dots as the chemical element has protons.

/** Draws on a card's canvas when the card gets an item. Clears it before its node is used for another item. */
export function connectCanvases(strip) {
  strip.addEventListener("willdisplay", ({ detail: { item, node } }) => {
    const canvas = node.querySelector("canvas");
    if (canvas) draw(canvas, item.fields);
  });
  strip.addEventListener("enddisplay", ({ detail: { node } }) => {
    const canvas = node.querySelector("canvas");
    canvas?.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
  });
}

/** Draws dots on Fermat's spiral. Each one is turned by the golden angle from the one before. */
function draw(canvas, { number, color }) {
  const side = 320;
  canvas.width = canvas.height = side;
  const context = canvas.getContext("2d");
  context.fillStyle = color ?? "gray";
  for (let k = 0; k < number; k += 1) {
    const [angle, radius] = [k * 2.39996, 12.5 * Math.sqrt(k)];
    const [x, y] = [side / 2 + radius * Math.cos(angle), side / 2 + radius * Math.sin(angle)];
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
    context.fill();
  }
}
