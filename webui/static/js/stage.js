// The strip below the scores: a question, an illegal move, the pending move, or the last turn.

import { wish } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";
import { tileName, tileRow, tileSilent } from "./tiles.js";
import { choiceText, hintLine, lineText, noticeText, questionText, turnText, violationTexts } from "./words.js";

/** The one thing that matters now. */
export function stage(state) {
  return h(
    "div",
    { class: "stage" },
    notices(state),
    content(state),
  );
}

function content(state) {
  if (state.questions.length) return question(state.questions[0]);
  if (state.illegal) return illegal(state.illegal);
  if (state.pending && !state.pending.legal) return illegal(state.pending);
  if (state.pending) return pending(state.pending);
  if (state.game.is_over) return over(state);
  if (state.last_turn) return last(state);
  return h("p", { class: "quiet", key: "empty" }, t(state.is_manual ? "stage.first_by_hand" : "stage.first"));
}

function notices(state) {
  const hints = state.camera?.hints ?? [];
  const line = (text) => h("li", {}, icon("warn"), text);
  const lines = [...(state.notices ?? []).map((notice) => line(noticeText(notice))), ...hints.map(hintLine)];
  if (state.border) lines.push(line(t("camera.border")));
  if (state.begun?.action) lines.push(line(t("stage.action", { action: t(`action.${state.begun.action}`) })));
  return lines.length ? h("ul", { class: "notices", key: "notices" }, lines) : null;
}

function question(ask) {
  const answer = (choice) => wish("/api/turn/answer", { question: ask.id, choice });
  return h(
    "div",
    { class: "panel ask", key: `ask ${ask.id}`, role: "group", "aria-label": t("question.label") },
    h("p", { class: "headline" }, icon("ask"), questionText(ask)),
    h("div", { class: "choices" }, ask.choices.map((choice, index) =>
      h(
        "button",
        { type: "button", class: "choice", onclick: () => answer(index) },
        choice.shape && tileSilent(choice),
        h("span", {}, choice.shape ? tileName(choice) : choiceText(choice)),
      ),
    )),
  );
}

function illegal(move) {
  return h(
    "div",
    { class: "panel wrong", key: "illegal", role: "group", "aria-label": t("illegal.label") },
    tileRow(move.placed),
    h("div", { class: "told" }, violationTexts(move.violations).map((text) => h("p", { class: "headline" }, icon("warn"), text))),
    h("div", { class: "choices" },
      h("button", { type: "button", class: "choice", onclick: () => wish("/api/turn/accept") }, t("illegal.accept", { points: move.points })),
      h("a", { class: "choice button", href: "#/board" }, t("illegal.look")),
    ),
  );
}

function pending(move) {
  return h(
    "div",
    { class: "panel pending", key: "pending" },
    h("p", { class: "points", key: `+${move.points}` }, `+${move.points}`),
    h("div", { class: "told" }, tileRow(move.placed), lineList(move.lines)),
    countdown(move),
  );
}

function countdown(move) {
  if (move.held) return h("p", { class: "clock" }, t("stage.held"));
  if (!move.countdown) return h("p", { class: "clock" }, t("stage.say_done"));
  const { left_s: left, of_s: of } = move.countdown;
  return h(
    "div",
    { class: "clock", key: `clock ${move.placed.length} ${left}` },
    h("span", {}, t("stage.closing")),
    h("span", { class: "bar" }, h("span", { class: "fill", style: { "--left": `${left}s`, "--from": left / of } })),
  );
}

function last(state) {
  const turn = state.last_turn;
  const name = state.players[turn.player].name;
  return h(
    "div",
    { class: "panel last", key: `turn ${turn.turn}` },
    h("p", { class: "points" }, `+${turn.score + turn.bonus}`),
    h(
      "div",
      { class: "told" },
      h("p", { class: "headline" }, t("stage.last", { name, what: turnText(turn) })),
      h("div", { class: "told-row" }, turn.placed.length > 0 && tileRow(turn.placed), lineList(turn.lines)),
      turn.needs_a_look && h("p", { class: "warning" }, icon("warn"), violationTexts(turn.violations)[0]),
    ),
  );
}

function over(state) {
  const names = state.game.winners.map((index) => state.players[index].name);
  const list = new Intl.ListFormat(document.documentElement.lang).format(names);
  return h(
    "div",
    { class: "panel over", key: "over" },
    h("p", { class: "headline big" }, icon("crown"), t("over.winner", { count: names.length, names: list })),
    h("a", { class: "button primary", href: "#/result" }, t("nav.result")),
  );
}

/** The counted lines, each with its kind and points. */
export function lineList(lines) {
  return h(
    "ul",
    { class: "line-list" },
    lines.map((line) => h("li", { class: line.kind }, h("span", { class: "key" }), lineText(line), h("strong", {}, `+${line.points}`))),
  );
}
