// Glance: whose turn it is, who leads, what the move brings. Readable from across the room.

import { wish } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { undo } from "../moves.js";
import { openExchange, openTurnMenu } from "../turnmenu.js";
import { stage } from "../stage.js";

export function render(state) {
  const { players, turns } = state;
  return h(
    "section",
    { class: `glance players-${players.length}` },
    h("h1", { class: "unseen-title" }, t("nav.score")),
    h("div", { class: "cards" }, players.map((player, index) => card(state, player, index, turns))),
    h("div", { class: "below" }, stage(state), controls(state)),
  );
}

function card(state, player, index, turns) {
  const isNext = state.next_player === index;
  const last = turns.filter((turn) => turn.player === index).at(-1);
  const isFresh = last && last === turns.at(-1);
  const gain = isNext && state.pending ? state.pending.points : null;
  return h(
    "article",
    {
      class: `card${isNext ? " next" : ""}`,
      "data-avatar": player.colour || index,
      "aria-label": t("card.label", { name: player.name, points: player.score }),
      "aria-current": isNext ? "true" : null,
    },
    h(
      "header",
      {},
      h("span", { class: "avatar", "aria-hidden": "true" }, initial(player.name)),
      h("h2", { class: "name" }, player.name),
      player.is_leader && h("span", { class: "leader", title: t("card.leader") }, icon("crown"), h("span", { class: "hidden" }, t("card.leader"))),
    ),
    h(
      "p",
      { class: "score", "data-digits": String(player.score).length },
      h("span", { class: "number" }, String(player.score)),
      gain !== null && h("span", { class: "gain pending", key: `p${gain}` }, `+${gain}`),
      gain === null && isFresh && h("span", { class: "gain", key: `t${last.turn}-${last.score}` }, `+${last.score + last.bonus}`),
    ),
    h("p", { class: "turn-mark" }, mark(state, isNext, last)),
    player.actions.length > 0 && h("p", { class: "own-actions" }, t("card.actions", { count: player.actions.length })),
  );
}

function mark(state, isNext, last) {
  if (isNext) return h("span", { class: "pill" }, icon("play"), t(state.begun?.is_second_half ? "card.second_turn" : "card.turn"));
  return h("span", { class: "muted" }, last ? t("card.last", { points: last.score + last.bonus }) : t("card.nothing_yet"));
}

const initial = (name) => [...name][0]?.toUpperCase() ?? "";

function controls(state) {
  const { game, pending } = state;
  const button = (name, onclick, props = {}) =>
    h("button", { type: "button", onclick, ...props }, icon(props.icon ?? name), h("span", {}, t(`button.${name}`)));
  const canUndo = game.can_undo || pending?.by_hand;
  return h(
    "div",
    { class: "controls", role: "group", "aria-label": t("controls.label") },
    !game.is_over && button("done", () => wish("/api/turn/done", {}, { isQuiet: true }), {
      class: "primary",
      disabled: !pending?.legal,
    }),
    !game.is_over && !state.is_manual && holdButton(pending, button),
    !game.is_over && button("exchange", openExchange),
    button("undo", undo, { disabled: !canUndo }),
    button("other", openTurnMenu, { icon: "more" }),
  );
}

function holdButton(pending, button) {
  const isHeld = Boolean(pending?.held);
  const hold = () => wish("/api/turn/hold", { on: !isHeld }, { isQuiet: true });
  const props = { disabled: !pending || !(pending.countdown || isHeld), "aria-pressed": String(isHeld) };
  return button("hold", hold, props);
}
