// Mending a turn: give it to another player, change its points, merge, split, remove, look at it.

import { wish } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";
import { closeSheet, openSheet, refreshSheet } from "./sheet.js";
import { store } from "./store.js";
import { tilePicture } from "./tiles.js";
import { toast } from "./toast.js";

const button = (label, onclick, props = {}) =>
  h("button", { type: "button", onclick, ...props }, label);

async function once(path, params) {
  closeSheet();
  await wish(path, params);
}

/** All that can be done with a turn, one tap each. */
export function openTurn(number) {
  const points = { value: null };
  openWhileSame(number, () => {
    const turn = store.state.turns[number - 1];
    return turn ? { title: t("turn.title", { turn: number }), body: body(turn, points) } : null;
  });
}

/** Open a sheet about a turn that closes when others change the turn. */
function openWhileSame(number, make) {
  const opened = meant(number);
  openSheet(() => {
    if (meant(number) === opened) return make();
    toast(t("error.stale"), "warn");
    return null;
  });
}

/** What is being mended: where others change it meanwhile, the same number is another turn. */
function meant(number) {
  const { kind, player, placed, taken, count, score } = store.state.turns[number - 1] ?? {};
  return JSON.stringify([store.state.game?.id, kind, player, placed, taken, count, score]);
}

function body(turn, points) {
  const state = store.state;
  const next = state.turns[turn.turn];
  const path = `/api/turns/${turn.turn}`;
  points.value ??= turn.score;
  return h(
    "div",
    { class: "stack" },
    h("h3", {}, t("turn.whose")),
    h(
      "div",
      { class: "menu" },
      state.players.map((player, index) =>
        button(player.name, () => once(path, { player: index }), {
          "aria-pressed": String(index === turn.player),
        }),
      ),
    ),
    h("h3", {}, t("turn.points")),
    pointsRow(turn, points, path),
    h("h3", {}, t("turn.mend")),
    h(
      "div",
      { class: "menu" },
      turn.needs_a_look && button(t("turn.accept"), () => once(`${path}/accept`)),
      turn.kind === "place" && next?.kind === "place" && button(t("turn.merge"), () => once(`${path}/merge`)),
      turn.placed.length > 1 && button(t("turn.split"), () => openSplit(turn)),
      button([icon("remove"), t("turn.remove")], () => once(`${path}/remove`)),
    ),
  );
}

function pointsRow(turn, points, path) {
  const step = (by) => {
    points.value += by;
    refreshSheet();
  };
  return h(
    "div",
    { class: "stepper" },
    button("−", () => step(-1), { "aria-label": t("points.less") }),
    h("output", { class: "entry" }, String(points.value)),
    button("+", () => step(1), { "aria-label": t("points.more") }),
    button(t("button.apply"), () => once(path, { points: points.value }), {
      class: "primary",
      disabled: points.value === turn.score,
    }),
    turn.is_points_set && button(t("turn.clear_points"), () => once(path, { clear_points: true })),
  );
}

function openSplit(turn) {
  const first = new Set(turn.placed.map((tile, index) => (index === 0 ? index : -1)));
  openWhileSame(turn.turn, () => ({ title: t("split.title"), body: splitBody(turn, first) }));
}

function splitBody(turn, first) {
  const toggle = (index) => {
    if (!first.delete(index)) first.add(index);
    refreshSheet();
  };
  const chosen = turn.placed.filter((_, index) => first.has(index));
  const isUseful = chosen.length > 0 && chosen.length < turn.placed.length;
  const cells = chosen.map(({ x, y }) => [x, y]);
  return h(
    "div",
    { class: "stack" },
    h("p", {}, t("split.which")),
    h(
      "div",
      { class: "tile-buttons" },
      turn.placed.map((tile, index) =>
        h(
          "button",
          {
            type: "button",
            class: "tile-button",
            "aria-pressed": String(first.has(index)),
            onclick: () => toggle(index),
          },
          tilePicture(tile),
        ),
      ),
    ),
    button(t("split.do"), () => once(`/api/turns/${turn.turn}/split`, { cells }), {
      class: "primary",
      disabled: !isUseful,
    }),
  );
}
