// Archive: all games, and each player's statistics over time.

import { get } from "../api.js";
import { h, s } from "../dom.js";
import { icon } from "../icons.js";
import { decimal, t, when } from "../i18n.js";

const view = { data: null, seen: "" };

export function render(state, { update }) {
  const mark = state.version;
  if (view.seen !== mark) {
    view.seen = mark;
    get("/api/games").then((data) => {
      if (data) view.data = data;
      update();
    });
  }
  return h(
    "section",
    { class: "page archive-view" },
    h("h1", {}, t("nav.archive")),
    view.data === null && h("p", { class: "muted" }, "…"),
    view.data?.games.length === 0 && h("p", { class: "lead" }, t("archive.empty")),
    view.data?.players.length > 0 && players(view.data.players),
    view.data?.games.length > 0 && games(view.data.games, state),
  );
}

function games(list, state) {
  return h(
    "section",
    {},
    h("h2", {}, t("archive.games")),
    h("ul", { class: "game-list" }, list.map((game) => h(
      "li",
      { key: game.id },
      h(
        "a",
        { href: `#/result/${game.id}`, class: "game-row" },
        h("span", { class: "game-when" }, when(game.started_at)),
        h("span", { class: "game-rules" }, t(`rules.${game.rules}`), !game.is_over && h("em", {}, t(game.id === state.game?.id ? "archive.running" : "archive.unfinished"))),
        h("span", { class: "game-scores" }, game.players.map((player, index) => h("span", { class: game.winners.includes(index) ? "won" : "" }, game.winners.includes(index) && icon("crown"), player.name, " ", h("strong", {}, String(player.score))))),
      ),
    ))),
  );
}

function players(list) {
  const columns = ["games", "wins", "mean", "best", "best_turn", "qwirkles", "flexes"];
  const value = (player, column) => (column === "mean" ? decimal(player.points / player.games) : String(player[column]));
  return h(
    "section",
    {},
    h("h2", {}, t("archive.players")),
    h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": t("archive.players") }, h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("stats.player")), columns.map((column) => h("th", { scope: "col" }, t(`stats.${column}`))), h("th", { scope: "col" }, t("stats.course")))),
      h("tbody", {}, list.map((player) => h("tr", {}, h("th", { scope: "row" }, player.name), columns.map((column) => h("td", {}, value(player, column))), h("td", {}, sparkline(player.course))))),
    )),
  );
}

function sparkline(course) {
  const scores = course.slice(-20).map((each) => each.score);
  const top = Math.max(1, ...scores);
  const points = scores.map((score, index) => `${(index * 100) / Math.max(1, scores.length - 1)},${28 - (26 * score) / top}`);
  const label = t("stats.course_label", { scores: scores.join(", ") });
  if (points.length === 1) points.push(`100,${points[0].split(",")[1]}`);
  return s("svg", { viewBox: "-3 -1 106 31", class: "spark", role: "img", "aria-label": label }, s("polyline", { points: points.join(" ") }));
}
