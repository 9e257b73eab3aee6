// Wooden tiles as vector drawings, on a square of 100 units.

import { h, s } from "./dom.js";
import { t, has } from "./i18n.js";

const polygon = (points) => `M${points.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L")}Z`;
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

function star(points, reach, waist, turn) {
  const corners = [];
  for (let i = 0; i < 2 * points; i += 1) {
    const angle = turn + (i * Math.PI) / points;
    const radius = i % 2 ? waist : reach;
    corners.push([50 + radius * Math.cos(angle), 49 + radius * Math.sin(angle)]);
  }
  return polygon(corners);
}

/** The symbols as SVG paths. */
export const PATHS = {
  circle: disc(50, 49, 33),
  square: "M23 22h54v54h-54Z",
  diamond: "M50 10 89 49 50 88 11 49Z",
  clover:
    disc(50, 30, 16) + disc(50, 68, 16) + disc(31, 49, 16) + disc(69, 49, 16) + "M36 35v28h28v-28Z",
  star4: star(4, 47, 15, Math.PI / 4),
  star8: star(8, 39, 22, 0),
};
export const FACE = { x: 2, y: 1, width: 96, height: 95, rx: 9 };
export const HALF = "M11 1H91.5L2 89V10a9 9 0 0 1 9-9Z";
export const INKS = {
  red: "#ec3a34", orange: "#ff8d1e", yellow: "#ffd426", green: "#37b34d", blue: "#3392ee",
  purple: "#a763dd", white: "#f8f6ef",
};

/** The colour to paint a symbol in; a family's own colours are taken by their word. */
export function ink(colour) {
  if (INKS[colour]) return INKS[colour];
  return CSS.supports("color", colour) ? colour : "#9aa5ad";
}

/** The drawing of a tile, to be put into an SVG. */
export function tileShape(tile) {
  return s(
    "g",
    { class: `tile on-${tile.background}` },
    s("rect", { class: "side", x: 2, y: 4, width: 96, height: 95, rx: 9 }),
    s("rect", { class: "face", ...FACE }),
    tile.background === "split" && s("path", { class: "half", d: HALF }),
    s("rect", { class: "shine", ...FACE }),
    s("path", { class: "ink", d: PATHS[tile.shape], fill: ink(tile.colour) }),
    s("text", { class: "letter", x: 91, y: 90, "text-anchor": "end" }, letter(tile.colour)),
  );
}

/** A tile as a picture of its own. */
export function tilePicture(tile, props = {}) {
  const label = { role: "img", "aria-label": tileName(tile) };
  return s("svg", { viewBox: "0 0 100 100", class: "tile-picture", ...label, ...props }, tileShape(tile));
}

/** A tile without a name, for where the name is told otherwise. */
export const tileSilent = (tile) =>
  tilePicture(tile, { role: null, "aria-label": null, "aria-hidden": "true" });

/** One or two letters that tell the colour. */
export const letter = (colour) =>
  has(`letter.${colour}`) ? t(`letter.${colour}`) : colour.slice(0, 2).toUpperCase();

/** Colour and shape in words. */
export function faceName(tile) {
  const colour = has(`colour.${tile.colour}`) ? t(`colour.${tile.colour}`) : tile.colour;
  return t("tile.face", { shape: t(`shape.${tile.shape}`), colour });
}

/** The whole tile in words. */
export function tileName(tile) {
  const background = t(`background.${tile.background}`);
  return tile.background === "black" ? faceName(tile) : t("tile.on", { face: faceName(tile), background });
}

/** Several tiles in a row. */
export const tileRow = (tiles) =>
  h("span", { class: "tile-row" }, tiles.map((tile) => tilePicture(tile)));
