// The layout as a drawing: tiles, the newest ones marked, and every counted line with its points.

import { s } from "./dom.js";
import { t } from "./i18n.js";
import { tileName, tileShape } from "./tiles.js";

const UNIT = 100;
const LEAST_PX = 48;
const cellKey = (x, y) => `${x},${y}`;

/** The cells that a drawing has to show, with a margin. */
export function bounds(tiles, margin = 1) {
  const xs = tiles.map((tile) => tile.x);
  const ys = tiles.map((tile) => tile.y);
  if (!tiles.length) return { left: -2, top: -1, width: 5, height: 3 };
  const left = Math.min(...xs) - margin;
  const top = Math.min(...ys) - margin;
  return {
    left,
    top,
    width: Math.max(...xs) + margin + 1 - left,
    height: Math.max(...ys) + margin + 1 - top,
  };
}

/** The empty cells where a tile could be added. */
export function openCells(tiles) {
  if (!tiles.length) return [{ x: 0, y: 0 }];
  const taken = new Set(tiles.map((tile) => cellKey(tile.x, tile.y)));
  const found = new Map();
  for (const { x, y } of tiles) {
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const cell = { x: x + dx, y: y + dy };
      const key = cellKey(cell.x, cell.y);
      if (!taken.has(key)) found.set(key, cell);
    }
  }
  return [...found.values()];
}

/**
 * The drawing. `marked` are cells to highlight, `wrong` cells that break a rule, `onTile` and
 * `onCell` what a tap does (without them it is just a picture).
 */
export function boardDrawing(tiles, options = {}) {
  const { lines = [], marked = [], wrong = [], faded = [], onTile, onCell, label, cells } = options;
  const box = bounds(tiles, options.margin);
  const isNew = new Set(marked.map(([x, y]) => cellKey(x, y)));
  const isWrong = new Set(wrong.map(([x, y]) => cellKey(x, y)));
  const isFaded = new Set(faded.map(([x, y]) => cellKey(x, y)));
  const view = `${box.left * UNIT} ${box.top * UNIT} ${box.width * UNIT} ${box.height * UNIT}`;
  const isActive = Boolean(onTile || onCell);
  const states = (tile) => {
    const key = cellKey(tile.x, tile.y);
    return [isNew.has(key) && "new", isWrong.has(key) && "wrong", isFaded.has(key) && "faded"];
  };
  return s(
    "svg",
    {
      viewBox: view,
      class: "board",
      role: isActive ? "group" : "img",
      "aria-label": label ?? t("board.label", { count: tiles.length }),
      onkeydown: isActive ? moveFocus : null,
      "data-width": box.width,
      "data-height": box.height,
      "data-left": box.left,
      "data-top": box.top,
    },
    (cells ?? []).map((cell) => emptyCell(cell, onCell)),
    tiles.map((tile) => boardTile(tile, states(tile).filter(Boolean), onTile)),
    lines.length > 0 && s("g", { class: "lines", "aria-hidden": "true" }, lines.map(lineMark), badges(lines)),
  );
}

function boardTile(tile, states, onTile) {
  const place = { transform: `translate(${tile.x * UNIT} ${tile.y * UNIT})`, key: `${tile.x},${tile.y}` };
  const action = onTile && {
    role: "button",
    tabindex: 0,
    "aria-label": tileName(tile),
    onclick: () => onTile(tile),
    "data-cell": `${tile.x},${tile.y}`,
  };
  const ring = states.length > 0 && s("rect", { class: "ring", x: -1, y: -2, width: 102, height: 103, rx: 12 });
  return s("g", { class: ["cell", ...states].join(" "), ...place, ...action }, ring, tileShape(tile));
}

function emptyCell(cell, onCell) {
  return s(
    "g",
    {
      class: "cell empty",
      key: `empty ${cell.x},${cell.y}`,
      transform: `translate(${cell.x * UNIT} ${cell.y * UNIT})`,
      role: "button",
      tabindex: 0,
      "aria-label": t("board.add_here"),
      onclick: () => onCell(cell),
      "data-cell": `${cell.x},${cell.y}`,
    },
    s("rect", { class: "hit", width: UNIT, height: UNIT }),
    s("rect", { class: "spot", x: 8, y: 8, width: 84, height: 84, rx: 10 }),
    s("path", { class: "plus", d: "M50 36v28M36 50h28" }),
  );
}

const middle = ([x, y]) => [x * UNIT + 50, y * UNIT + 49];

function lineMark(line) {
  const [x1, y1] = middle(line.cells[0]);
  const [x2, y2] = middle(line.cells[line.cells.length - 1]);
  return s(
    "g",
    { class: `line ${line.kind}`, key: `${line.kind} ${line.cells[0]}` },
    s("line", { class: "halo", x1, y1, x2, y2 }),
    s("line", { class: "core", x1, y1, x2, y2 }),
  );
}

/** The points of each line just beyond its end, moved on where two would cover each other. */
function badges(lines) {
  const places = [];
  return lines.map((line) => {
    const [x, y] = free(line, places);
    places.push([x, y]);
    return s(
      "g",
      { class: `badge ${line.kind}`, transform: `translate(${x} ${y})`, key: `b ${line.kind} ${line.cells[0]}` },
      s("circle", { r: 27 }),
      s("text", { y: 11, "text-anchor": "middle" }, String(line.points)),
    );
  });
}

function free(line, places) {
  const ends = [middle(line.cells[line.cells.length - 1]), middle(line.cells[0])];
  const [dx, dy] = [Math.sign(ends[0][0] - ends[1][0]), Math.sign(ends[0][1] - ends[1][1])];
  const options = [
    [ends[0][0] + dx * 62, ends[0][1] + dy * 62],
    [ends[1][0] - dx * 62, ends[1][1] - dy * 62],
    [ends[0][0] + dx * 40, ends[0][1] + dy * 40],
    [ends[1][0] - dx * 40, ends[1][1] - dy * 40],
  ];
  const isFree = ([x, y]) => places.every(([px, py]) => Math.hypot(px - x, py - y) > 56);
  return options.find(isFree) ?? options[0];
}

/** Arrow keys go from cell to cell. */
function moveFocus(event) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const here = document.activeElement?.closest?.("[data-cell]");
  if (here && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    here.onclick();
  }
  if (!step || !here) return;
  event.preventDefault();
  const [x, y] = here.dataset.cell.split(",").map(Number);
  const cells = [...event.currentTarget.querySelectorAll("[data-cell]")].map((element) => {
    const [cx, cy] = element.dataset.cell.split(",").map(Number);
    const along = (cx - x) * step[0] + (cy - y) * step[1];
    const aside = Math.abs((cx - x) * step[1]) + Math.abs((cy - y) * step[0]);
    return { element, along, cost: along + 3 * aside };
  });
  const next = cells.filter((cell) => cell.along > 0).sort((a, b) => a.cost - b.cost)[0];
  next?.element.focus();
}

/** Give the drawing its size in a pane: as large as fits, but never too small to tap. */
export function fitBoard(pane, isWhole) {
  const svg = pane.querySelector("svg.board");
  if (!svg) return;
  const [columns, rows] = [Number(svg.dataset.width), Number(svg.dataset.height)];
  const fit = Math.min(pane.clientWidth / columns, pane.clientHeight / rows, 120);
  const cell = isWhole ? fit : Math.max(fit, LEAST_PX);
  svg.style.width = `${Math.floor(cell * columns)}px`;
  svg.style.height = `${Math.floor(cell * rows)}px`;
}

/** Scroll a pane so that a cell is in its middle. */
export function showCell(pane, [x, y]) {
  const svg = pane.querySelector("svg.board");
  if (!svg) return;
  const cell = svg.clientWidth / Number(svg.dataset.width);
  pane.scrollLeft = (x + 0.5 - Number(svg.dataset.left)) * cell - pane.clientWidth / 2;
  pane.scrollTop = (y + 0.5 - Number(svg.dataset.top)) * cell - pane.clientHeight / 2;
}
