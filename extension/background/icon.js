// The picture of the button, drawn as web/icon.svg of the web app is.

const SIZES = [16, 32];

/** Shows the picture. The browser forgets it when it ends. */
export async function showIcon() {
  await chrome.action.setIcon({ imageData: Object.fromEntries(SIZES.map((size) => [size, draw(size)])) });
}

function draw(size) {
  const context = new OffscreenCanvas(size, size).getContext('2d');
  context.scale(size / 16, size / 16);
  context.fillStyle = '#1c6b52';
  context.roundRect(0, 0, 16, 16, 4);
  context.fill();
  context.strokeStyle = '#fff';
  context.lineWidth = 2;
  context.stroke(new Path2D('M5 3.5v9h6.5'));
  return context.getImageData(0, 0, size, size);
}
