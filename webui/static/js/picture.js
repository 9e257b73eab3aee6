// The final table and the scores as one picture to keep.

import { bounds } from "./board.js";
import { t, when } from "./i18n.js";
import { FACE, HALF, PATHS, ink } from "./tiles.js";

const WIDTH = 1600;
const HEAD = 90;

/** Draw the picture and hand it over as a file. */
export async function savePicture(state) {
  const canvas = draw(state);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `qwirkle-${state.game.id}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function draw(state) {
  const box = bounds(state.board, 1);
  const rows = 60 * Math.ceil(state.players.length / 2) + 30;
  const cell = Math.min(WIDTH / box.width, 110);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round(HEAD + rows + cell * box.height + 40);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#efe6d6";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  head(pen, state);
  scores(pen, state);
  pen.translate((WIDTH - cell * box.width) / 2, HEAD + rows);
  pen.scale(cell / 100, cell / 100);
  for (const tile of state.board) drawTile(pen, tile, (tile.x - box.left) * 100, (tile.y - box.top) * 100);
  return canvas;
}

function head(pen, state) {
  pen.fillStyle = "#2a2622";
  pen.font = "700 46px system-ui, sans-serif";
  pen.fillText(t(`rules.${state.game.rules}`), 60, 70);
  pen.font = "400 30px system-ui, sans-serif";
  pen.textAlign = "right";
  pen.fillText(when(state.game.started_at), WIDTH - 60, 70);
  pen.textAlign = "left";
}

function scores(pen, state) {
  const order = state.players.map((player, index) => ({ ...player, index })).sort((a, b) => b.score - a.score);
  order.forEach((player, place) => {
    const x = 60 + (place % 2) * (WIDTH / 2);
    const y = HEAD + 50 + 60 * Math.floor(place / 2);
    const isWinner = state.game.winners.includes(player.index);
    pen.font = `${isWinner ? 800 : 500} 40px system-ui, sans-serif`;
    pen.fillText(`${place + 1}. ${player.name}  ${player.score}`, x, y);
  });
}

function drawTile(pen, tile, x, y) {
  pen.save();
  pen.translate(x, y);
  pen.fillStyle = "#8a6a42";
  round(pen, 2, 4, 96, 95, FACE.rx);
  pen.fillStyle = tile.background === "white" ? "#f3eee2" : "#201e1d";
  round(pen, FACE.x, FACE.y, FACE.width, FACE.height, FACE.rx);
  if (tile.background === "split") {
    pen.fillStyle = "#f3eee2";
    pen.fill(new Path2D(HALF));
  }
  const symbol = new Path2D(PATHS[tile.shape]);
  pen.fillStyle = ink(tile.colour);
  pen.fill(symbol);
  pen.restore();
}

function round(pen, x, y, width, height, radius) {
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  pen.fill();
}
