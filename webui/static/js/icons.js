// Small drawings for buttons, on a square of 24 units, drawn with strokes.

import { s } from "./dom.js";

const PATHS = {
  score: "M4 20V10M10 20V4M16 20v-7M21 20H2",
  board: "M4 4h7v7H4zM13 4h7v7h-7zM13 13h7v7h-7zM4 13h7v7H4z",
  unseen: "M6 9c0-4 3-5 6-5s6 1 6 5l1 9c0 2-3 3-7 3s-7-1-7-3zM9 4c0-2 6-2 6 0",
  camera: "M3 8h4l2-3h6l2 3h4v11H3zM12 10a3.5 3.5 0 1 0 .1 0z",
  result: "M8 21h8M12 17v4M7 4h10v5a5 5 0 0 1-10 0zM7 5H3c0 4 2 5 4 5M17 5h4c0 4-2 5-4 5",
  archive: "M4 4h16v5H4zM5 9v11h14V9M10 13h4",
  start: "M12 5v14M5 12h14",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  done: "M4 13l5 5L20 6",
  hold: "M9 5v14M15 5v14",
  exchange: "M4 8h15l-4-4M20 16H5l4 4",
  close: "M6 6l12 12M18 6 6 18",
  remove: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  aim: "M12 5a7 7 0 1 0 .1 0zM12 2v5M12 17v5M2 12h5M17 12h5",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c1 1 1 1.500 1 2.500h6c0-1 0-1.500 1-2.500A6 6 0 0 0 12 3z",
  forward: "M9 5l7 7-7 7",
  warn: "M12 3 2 20h20zM12 9v5M12 17h.01",
  ask: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18h.01",
  play: "M7 4v16l13-8z",
  drag: "M8 6h.01M8 12h.01M8 18h.01M16 6h.01M16 12h.01M16 18h.01",
  save: "M12 3v12M7 11l5 5 5-5M4 21h16",
  voice: "M4 9v6h4l5 4V5L8 9zM17 8a5 5 0 0 1 0 8",
  zoom: "M11 4a7 7 0 1 0 .1 0zM16 16l5 5M8 11h6",
  crown: "M3 8l4 4 5-7 5 7 4-4-2 11H5z",
  lock: "M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 8 0V11M12 15v2",
  unlock: "M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 7.6-1.7M12 15v2",
  offline: "M3 9c5-5 13-5 18 0M7 13c3-3 7-3 10 0M12 18h.01M4 4l16 16",
};

/** A drawing; it says nothing to screen readers. */
export const icon = (name) =>
  s(
    "svg",
    { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true", focusable: "false" },
    s("path", { d: PATHS[name] }),
  );
