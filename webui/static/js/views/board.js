// Board: the layout, the lines of any turn with their points, and corrections in two taps.

import { wish } from "../api.js";
import { boardDrawing, fitBoard, openCells, showCell } from "../board.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { addTile, changeTile, movePlaced, undo } from "../moves.js";
import { askPin } from "../pin.js";
import { openSheet } from "../sheet.js";
import { lineList } from "../stage.js";
import { store } from "../store.js";
import { tileRow } from "../tiles.js";
import { openTurn } from "../turnedit.js";
import { turnText, violationTexts } from "../words.js";

const view = { selected: null, isAdding: false, isWhole: false, shown: "" };
let redraw = () => {};

export function render(state, { parts, update }) {
  redraw = update;
  const isTaking = parts[1] === "take";
  if (view.selected > state.turns.length) view.selected = null;
  const move = state.pending ?? state.illegal;
  const turn = view.selected ? state.turns[view.selected - 1] : move ? null : state.last_turn;
  return h(
    "section",
    { class: "board-view" },
    h("h1", { class: "unseen-title" }, t("nav.board")),
    h("div", { class: "board-main" }, toolbar(state, isTaking), pane(state, turn, move, isTaking)),
    h("aside", { class: "board-side", "aria-label": t("board.turns") }, about(state, turn, move), turnList(state, turn)),
  );
}

function toolbar(state, isTaking) {
  const toggle = (name) => () => {
    view[name] = !view[name];
    view.shown = "";
    redraw();
  };
  const canUndo = state.game.can_undo || state.pending?.by_hand;
  return h(
    "div",
    { class: "toolbar", role: "group", "aria-label": t("board.tools") },
    isTaking && h("p", { class: "headline" }, t("board.take_which"), h("a", { class: "button", href: "#/board" }, t("button.cancel"))),
    !state.is_manual && h("button", { type: "button", "aria-pressed": String(view.isAdding), onclick: toggle("isAdding") }, icon("start"), h("span", {}, t("board.add"))),
    h("button", { type: "button", "aria-pressed": String(view.isWhole), onclick: toggle("isWhole") }, icon("zoom"), h("span", {}, t("board.whole"))),
    h("button", { type: "button", disabled: !canUndo, onclick: undo }, icon("undo"), h("span", {}, t("button.undo"))),
    h("button", { type: "button", disabled: !state.game.can_redo, onclick: () => wish("/api/turn/redo") }, icon("redo"), h("span", {}, t("button.redo"))),
    state.pending && h("button", { type: "button", class: "primary", disabled: !state.pending.legal, onclick: () => wish("/api/turn/done", {}, { isQuiet: true }) }, icon("done"), h("span", {}, t("button.done"))),
  );
}

function pane(state, turn, move, isTaking) {
  const placed = move ? movePlaced(state) : [];
  const tiles = [...state.board, ...placed.map((tile) => ({ ...tile, turn: null }))];
  const shown = turn ?? move;
  const isAdding = (state.is_manual || view.isAdding) && !isTaking && !view.isWhole;
  const older = view.selected ? state.turns[view.selected - 1] : null;
  const drawing = boardDrawing(tiles, {
    lines: shown?.lines ?? [],
    marked: (shown?.placed ?? []).map(({ x, y }) => [x, y]),
    wrong: (shown?.violations ?? []).flatMap((violation) => violation.cells),
    cells: isAdding ? openCells(tiles) : [],
    onTile: view.isWhole ? zoomIn : isTaking ? take : (tile) => changeTile(tile, editLink),
    onCell: (cell) => addTile(cell, older),
  });
  return h("div", { class: "board-pane", id: "board-pane", "data-whole": view.isWhole ? "" : null }, drawing);
}

function zoomIn(tile) {
  view.isWhole = false;
  redraw();
  requestAnimationFrame(() => showCell(document.getElementById("board-pane"), [tile.x, tile.y]));
}

async function take(tile) {
  location.hash = "#/board";
  await wish("/api/turn/action", { action: "take", cell: [tile.x, tile.y] });
}

const editLink = (turn) =>
  h("button", { type: "button", class: "wide", onclick: () => openTurn(turn.turn) }, t("turn.of", { turn: turn.turn, name: store.state.players[turn.player].name }));

function about(state, turn, move) {
  if (!turn && !move) return h("p", { class: "quiet" }, t("stage.first_by_hand"));
  if (!turn) return moveDetails(state, move);
  const name = state.players[turn.player].name;
  return h(
    "div",
    { class: "turn-details", key: `turn ${turn.turn}` },
    h("h2", {}, t("turn.headline", { turn: turn.turn, name })),
    h("p", { class: "sum" }, h("strong", {}, `+${turn.score + turn.bonus}`), ` ${turnText(turn)}`),
    turn.placed.length > 0 && tileRow(turn.placed),
    lineList(turn.lines),
    turn.bonus > 0 && h("p", {}, t("turn.bonus", { points: turn.bonus })),
    turn.is_points_set && h("p", { class: "muted" }, t("turn.points_set", { points: turn.line_points })),
    turn.needs_a_look && violationTexts(turn.violations).map((text) => h("p", { class: "warning" }, icon("warn"), text)),
    h(
      "div",
      { class: "menu" },
      h("button", { type: "button", onclick: () => openTurn(turn.turn) }, t("turn.edit")),
      state.camera && turn.kind === "place" && h("button", { type: "button", onclick: () => openPhoto(turn.turn) }, icon("camera"), t("turn.photo")),
    ),
  );
}

function moveDetails(state, move) {
  return h(
    "div",
    { class: "turn-details", key: "move" },
    h("h2", {}, t("move.headline", { name: state.players[state.next_player]?.name ?? "" })),
    h("p", { class: "sum" }, h("strong", {}, `+${move.points}`), ` ${t("turn.place", { count: move.placed.length })}`),
    lineList(move.lines),
    violationTexts(move.violations).map((text) => h("p", { class: "warning" }, icon("warn"), text)),
    !move.legal && h("button", { type: "button", onclick: () => wish("/api/turn/accept") }, t("illegal.accept", { points: move.points })),
  );
}

function turnList(state, shown) {
  return h(
    "ol",
    { class: "turn-list" },
    [...state.turns].reverse().map((turn) => h(
      "li",
      { key: turn.turn },
      h(
        "button",
        {
          type: "button",
          class: "turn-row",
          "aria-pressed": String(shown?.turn === turn.turn),
          onclick: () => select(turn.turn),
        },
        h("span", { class: "turn-number" }, String(turn.turn)),
        h("span", { class: "avatar small", "data-avatar": state.players[turn.player].colour || turn.player, "aria-hidden": "true" }, [...state.players[turn.player].name][0]),
        h("span", { class: "turn-name" }, state.players[turn.player].name, h("small", {}, turnText(turn))),
        turn.needs_a_look && icon("warn"),
        h("strong", {}, `+${turn.score + turn.bonus}`),
      ),
    )),
  );
}

function select(number) {
  view.selected = view.selected === number ? null : number;
  view.shown = "";
  redraw();
}

async function openPhoto(number) {
  if (!(await askPin())) return;
  const failed = { is: false };
  openSheet(() => ({
    title: t("turn.photo_of", { turn: number }),
    body: failed.is
      ? h("p", {}, t("turn.no_photo"))
      : h("img", { class: "photo", src: `/api/turns/${number}/photo.jpg`, alt: t("turn.photo_of", { turn: number }), onerror: () => {
          failed.is = true;
          openSheet(() => ({ title: t("turn.photo_of", { turn: number }), body: h("p", {}, t("turn.no_photo")) }));
        } }),
  }));
}

/** After each drawing: its size, and the newest tiles in sight. */
export function settle(state) {
  const pane = document.getElementById("board-pane");
  if (!pane) return;
  fitBoard(pane, view.isWhole);
  const focus = view.selected ? state.turns[view.selected - 1] : state.pending ?? state.last_turn;
  const mark = `${view.selected} ${focus?.placed?.map(({ x, y }) => `${x},${y}`).join(" ")} ${view.isWhole}`;
  if (focus?.placed?.length && mark !== view.shown) showCell(pane, [focus.placed[0].x, focus.placed[0].y]);
  view.shown = mark;
}
