// A card that draws: as many dots as the element has protons.

/** Draws on the canvas of each card before it is displayed, and wipes it before its node is used again. */
export function atom(strip) {
  strip.addEventListener("willdisplay", ({ detail: { item, node } }) => {
    const canvas = node.querySelector("canvas");
    if (canvas) draw(canvas, item.fields);
  });
  strip.addEventListener("enddisplay", ({ detail: { node } }) => {
    const canvas = node.querySelector("canvas");
    canvas?.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
  });
}

/** Dots on a spiral, each the golden angle further than the last, as seeds stand in a sunflower. */
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
