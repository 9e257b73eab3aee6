// Choosing a tile with one tap: the likely ones first, then all of them.

import { get } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";
import { closeSheet, openSheet, refreshSheet } from "./sheet.js";
import { store } from "./store.js";
import { tileName, tileSilent } from "./tiles.js";

const MOST_LIKELY = 6;
let lastBackground = null;

/**
 * Open the choice for a cell. `pick(tile)` gets the chosen tile with its cell; `remove` is offered
 * where there is a tile, and `extra` adds more content at the end.
 */
export function pickTile({ cell, tile = null, turn = null, pick, remove, title, extra }) {
  const game = store.state.game;
  const usual = game.backgrounds.includes(lastBackground) ? lastBackground : game.backgrounds[0];
  const choice = { background: tile?.background ?? usual, likely: null };
  openSheet(() => ({ title, body: body(game, choice, { cell, tile, pick, remove, extra }) }));
  const query = `x=${cell.x}&y=${cell.y}${turn ? `&turn=${turn}` : ""}`;
  get(`/api/likely?${query}`).then((answer) => {
    choice.likely = answer?.tiles ?? [];
    refreshSheet();
  });
}

function body(game, choice, task) {
  const choose = (tile) => {
    lastBackground = tile.background;
    closeSheet();
    task.pick({ x: task.cell.x, y: task.cell.y, ...tile });
  };
  return h(
    "div",
    { class: "picker" },
    likelyRow(choice.likely, choose),
    game.backgrounds.length > 1 && backgrounds(game, choice, task, choose),
    grid(game, choice, task.tile, choose),
    task.remove && removeButton(task),
    task.extra?.(),
  );
}

function likelyRow(likely, choose) {
  return h(
    "section",
    { class: "likely", "aria-label": t("picker.likely") },
    h("h3", {}, t("picker.likely")),
    h(
      "div",
      { class: "tile-buttons" },
      likely === null && h("p", { class: "muted" }, "…"),
      likely?.length === 0 && h("p", { class: "muted" }, t("picker.nothing_fits")),
      likely?.slice(0, MOST_LIKELY).map((tile) => button(tile, () => choose(tile))),
    ),
  );
}

function backgrounds(game, choice, task, choose) {
  const select = (background) => {
    if (task.tile) choose({ shape: task.tile.shape, colour: task.tile.colour, background });
    else {
      choice.background = background;
      refreshSheet();
    }
  };
  return h(
    "div",
    { class: "segments", role: "group", "aria-label": t("picker.background") },
    game.backgrounds.map((background) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(choice.background === background),
          onclick: () => select(background),
        },
        h("span", { class: `swatch on-${background}` }),
        t(`background.${background}`),
      ),
    ),
  );
}

function grid(game, choice, present, choose) {
  const fits = new Set((choice.likely ?? []).map(name));
  const make = (shape, colour) => {
    const tile = { shape, colour, background: choice.background };
    const isPresent = present && name(present) === name(tile);
    const isDim = !isPresent && choice.likely?.length > 0 && !fits.has(name(tile));
    return button(tile, () => choose(tile), { isDim, isPresent });
  };
  return h(
    "section",
    { class: "all-tiles", "aria-label": t("picker.all") },
    h("h3", {}, t("picker.all")),
    h(
      "div",
      { class: "tile-grid" },
      game.shapes.map((shape) => game.colours.map((colour) => make(shape, colour))),
    ),
  );
}

const name = (tile) => `${tile.shape} ${tile.colour} ${tile.background}`;

function button(tile, onclick, { isDim = false, isPresent = false } = {}) {
  return h(
    "button",
    {
      type: "button",
      class: `tile-button${isDim ? " dim" : ""}`,
      "aria-label": tileName(tile),
      "aria-pressed": isPresent ? "true" : null,
      onclick,
    },
    tileSilent(tile),
  );
}

function removeButton(task) {
  const remove = () => {
    closeSheet();
    task.remove();
  };
  return h("button", { type: "button", class: "wide", onclick: remove }, icon("remove"), t("picker.remove"));
}
