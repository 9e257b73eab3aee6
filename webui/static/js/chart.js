// The course of a game: one line of running totals for each player.

import { s } from "./dom.js";
import { t } from "./i18n.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 320, 44, 84, 14, 30];
const DASHES = ["", "10 5", "3 5", "14 4 3 4", "6 3", "1 4"];

/** The running totals: for each player the total after every turn of the game. */
export function courses(state) {
  const sums = state.players.map(() => 0);
  for (const turn of state.turns) sums[turn.player] += turn.score + turn.bonus;
  const totals = state.players.map((player, index) => player.score - sums[index] - late(state, index));
  const lines = totals.map((total) => [total]);
  for (const turn of state.turns) {
    totals[turn.player] += turn.score + turn.bonus;
    lines.forEach((line, index) => line.push(totals[index]));
  }
  const { ending } = state.game;
  if (ending?.player !== null && ending?.bonus && !state.turns.some((turn) => turn.bonus)) {
    totals[ending.player] += ending.bonus;
    lines.forEach((line, index) => line.push(totals[index]));
  }
  return lines;
}

/** The bonus of an ending that no turn carries. */
function late(state, index) {
  const { ending } = state.game;
  const isApart = ending && ending.player === index && !state.turns.some((turn) => turn.bonus);
  return isApart ? ending.bonus : 0;
}

/** The chart. */
export function chart(state) {
  const lines = courses(state);
  const steps = Math.max(1, lines[0].length - 1);
  const top = niceTop(Math.max(10, ...lines.flat()));
  const x = (step) => LEFT + ((WIDTH - LEFT - RIGHT) * step) / steps;
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * Math.max(0, value)) / top;
  const ends = apart(lines.map((line) => y(line.at(-1))));
  return s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label(state, lines) },
    [0, 0.25, 0.5, 0.75, 1].map((part) => grid(y(top * part), Math.round(top * part))),
    s("text", { x: x(steps), y: HEIGHT - 6, "text-anchor": "end", class: "axis" }, t("chart.turns", { count: state.turns.length })),
    lines.map((line, index) => course(state.players[index], index, line, { x, y, end: ends[index] })),
  );
}

function course(player, index, line, { x, y, end }) {
  const points = line.map((value, step) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const last = line.length - 1;
  return s(
    "g",
    { class: "course", "data-avatar": player.colour || index, "data-total": line[last] },
    s("polyline", { points, "stroke-dasharray": DASHES[index] }),
    s("circle", { cx: x(last), cy: y(line[last]), r: 5 }),
    s("text", { x: x(last) + 10, y: end + 5 }, `${short(player.name)} ${line[last]}`),
  );
}

const short = (name) => (name.length > 7 ? `${name.slice(0, 6)}…` : name);

const grid = (height, value) =>
  s("g", { class: "grid" }, s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: height, y2: height }), s("text", { x: LEFT - 8, y: height + 4, "text-anchor": "end", class: "axis" }, String(value)));

function niceTop(value) {
  const step = [20, 40, 80, 100, 200, 400, 800].find((each) => each * 4 >= value * 1.02) ?? value / 4;
  const fine = [4, 8, 12, 20, 40, 60, 80, 100, 120, 160, 200, 240, 320, 400];
  return fine.find((each) => each >= value) ?? step * 4;
}

/** Heights of labels so that none covers another. */
function apart(heights) {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  for (let i = 1; i < order.length; i += 1) {
    order[i].height = Math.max(order[i].height, order[i - 1].height + 20);
  }
  const excess = Math.max(0, (order.at(-1)?.height ?? 0) - (HEIGHT - BOTTOM + 4));
  const placed = [];
  for (const { height, index } of order) placed[index] = height - excess;
  return placed;
}

function label(state, lines) {
  const ends = state.players.map((player, index) => `${player.name} ${lines[index].at(-1)}`);
  return t("chart.label", { ends: ends.join(", ") });
}
