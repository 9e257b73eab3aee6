// After the game, and on the way there: podium, course, best turn, Qwirkles, the final table.

import { get, tell, wish } from "../api.js";
import { boardDrawing } from "../board.js";
import { chart } from "../chart.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t, when } from "../i18n.js";
import { savePicture } from "../picture.js";

const KINDS = ["row", "column", "diagonal_down", "diagonal_up", "bonus", "other"];
const view = { game: null, id: null };

export function render(state, { parts, update }) {
  const id = Number(parts[1] ?? 0);
  if (id && id !== state.game?.id) return archived(id, state, update);
  if (!state.game) return h("section", { class: "page" }, h("h1", {}, t("nav.result")), h("p", {}, t("archive.empty")));
  return page(state, true);
}

function archived(id, state, update) {
  if (view.id !== id) {
    view.id = id;
    view.game = null;
    get(`/api/games/${id}`).then((game) => {
      view.game = game ?? undefined;
      update();
    });
  }
  if (view.game) return page(view.game, false);
  return h("section", { class: "page" }, h("h1", {}, t("nav.result")), h("p", {}, view.game === undefined ? t("error.unknown_game") : "…"));
}

function page(state, isPresent) {
  const { game } = state;
  return h(
    "section",
    { class: "page result-view" },
    h("h1", {}, t(game.is_over ? "result.final" : "result.so_far")),
    h("p", { class: "muted" }, `${t(`rules.${game.rules}`)} · ${when(game.started_at)}`),
    podium(state),
    buttons(state, isPresent),
    state.turns.length > 0 && h("section", { class: "block" }, h("h2", {}, t("result.course")), chart(state)),
    statistics(state),
    state.board.length > 0 && h("section", { class: "block" }, h("h2", {}, t("result.table")), boardDrawing(state.board, { margin: 0 })),
  );
}

function podium(state) {
  const ranked = state.players.map((player, index) => ({ ...player, index })).sort((a, b) => b.score - a.score);
  const place = (player) => 1 + state.players.filter((other) => other.score > player.score).length;
  return h(
    "ol",
    { class: "podium" },
    ranked.map((player) => h(
      "li",
      { class: `place-${place(player)}`, "data-avatar": player.colour || player.index },
      h("span", { class: "rank" }, place(player) === 1 ? icon("crown") : String(place(player))),
      h("span", { class: "name" }, player.name),
      h("strong", { class: "total" }, String(player.score)),
    )),
  );
}

function buttons(state, isPresent) {
  const { game } = state;
  const resume = async () => {
    if (await tell(`/api/games/${game.id}/resume`, {})) location.hash = "#/score";
  };
  const rematch = async () => {
    if (await wish("/api/rematch")) location.hash = "#/score";
  };
  return h(
    "div",
    { class: "buttons" },
    isPresent && h("button", { type: "button", class: game.is_over ? "primary" : "", onclick: rematch }, icon("play"), t("result.rematch")),
    !isPresent && h("button", { type: "button", class: "primary", onclick: resume }, icon("play"), t("result.resume")),
    h("button", { type: "button", onclick: () => savePicture(state) }, icon("save"), t("result.image")),
    h("a", { class: "button", href: `/games/${game.id}.csv`, download: "" }, icon("save"), t("result.csv")),
  );
}

function statistics(state) {
  const rows = [
    ["best", (player) => (player.best_turn ? t("stats.best_of", { points: player.best, turn: player.best_turn }) : "–")],
    ["turns", (player) => String(player.turns)],
    ["qwirkles", (player) => String(player.qwirkles)],
    state.game.has_diagonals && ["flexes", (player) => String(player.flexes)],
  ].filter(Boolean);
  const kinds = KINDS.filter((kind) => state.players.some((player) => player.by_kind[kind]));
  return h(
    "section",
    { class: "block" },
    h("h2", {}, t("result.numbers")),
    h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": t("result.numbers") }, h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("td", {}), state.players.map((player) => h("th", { scope: "col" }, player.name)))),
      h(
        "tbody",
        {},
        rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, t(`stats.${name === "best" ? "best_turn" : name}`)), state.players.map((player) => h("td", {}, value(player))))),
        kinds.map((kind) => h("tr", { class: `by-kind ${kind}` }, h("th", { scope: "row" }, h("span", { class: "key" }), t(`stats.by.${kind}`)), state.players.map((player) => h("td", {}, String(player.by_kind[kind]))))),
        h("tr", { class: "sum" }, h("th", { scope: "row" }, t("stats.total")), state.players.map((player) => h("td", {}, String(player.score)))),
      ),
    )),
  );
}
