// What a camera can't see: exchange, pass, action tiles, special tiles, points, end of the game.

import { wish } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";
import { closeSheet, openSheet, refreshSheet } from "./sheet.js";
import { store } from "./store.js";

const HAND = 6;

async function once(path, params) {
  closeSheet();
  await wish(path, params);
}

const button = (label, onclick, props = {}) =>
  h("button", { type: "button", onclick, ...props }, label);

/** How many tiles to exchange: one tap. */
export function openExchange() {
  openSheet(() => ({ title: t("exchange.title"), body: exchangeBody("/api/turn/exchange") }));
}

function exchangeBody(path, params = {}) {
  const state = store.state;
  const most = Math.min(HAND, state.tiles_left ?? HAND);
  const counts = [1, 2, 3, 4, 5, 6];
  return h(
    "div",
    { class: "stack" },
    h("p", {}, t("exchange.how_many")),
    h(
      "div",
      { class: "counts" },
      counts.map((count) =>
        button(String(count), () => once(path, { ...params, count }), {
          class: "count",
          disabled: count > most,
          "aria-label": t("exchange.count", { count }),
        }),
      ),
    ),
    most === 0 && h("p", { class: "muted" }, t("exchange.bag_empty")),
  );
}

/** Everything else that can happen in a turn. */
export function openTurnMenu() {
  openSheet(() => (store.state.game ? { title: t("menu.title"), body: menuBody(store.state) } : null));
}

function menuBody(state) {
  const { game } = state;
  const isOn = !game.is_over;
  return h(
    "div",
    { class: "menu" },
    isOn && button([icon("exchange"), t("button.exchange")], openExchange),
    isOn && button(t("button.pass"), () => once("/api/turn/pass")),
    isOn && button(t("button.points"), openPoints),
    button([icon("redo"), t("button.redo")], () => once("/api/turn/redo"), { disabled: !game.can_redo }),
    canMerge(state) && button(t("button.merge_last"), () => once(`/api/turns/${state.turns.length - 1}/merge`)),
    isOn && game.actions.length > 0 && actionPart(state),
    isOn && game.specials.length > 0 && specialPart(state),
    isOn && endPart(state),
  );
}

const canMerge = ({ turns }) => turns.length > 1 && turns.slice(-2).every((turn) => turn.kind === "place");

function actionPart(state) {
  const own = state.players[state.next_player].actions;
  return h(
    "section",
    { class: "menu-part" },
    h("h3", {}, t("action.title", { name: state.players[state.next_player].name })),
    own.length === 0 && h("p", { class: "muted" }, t("action.none")),
    h(
      "div",
      { class: "menu" },
      [...new Set(own)].map((action) => button(t(`action.${action}`), () => useAction(action, state))),
    ),
  );
}

function useAction(action, state) {
  if (action === "swap") {
    openSheet(() => ({ title: t("action.swap"), body: exchangeBody("/api/turn/action", { action }) }));
  } else if (action === "ask") {
    openSheet(() => ({ title: t("action.ask"), body: askBody(state) }));
  } else if (action === "take") {
    closeSheet();
    location.hash = "#/board/take";
  } else {
    once("/api/turn/action", { action });
  }
}

function askBody(state) {
  const others = state.players.map((player, index) => ({ ...player, index }));
  return h(
    "div",
    { class: "menu" },
    h("p", {}, t("action.ask_who")),
    others
      .filter(({ index }) => index !== state.next_player)
      .map(({ name, index }) =>
        button(name, () => once("/api/turn/action", { action: "ask", giver: index })),
      ),
    button(t("action.ask_drew"), () => once("/api/turn/action", { action: "ask", drew: true })),
    button(t("action.ask_nothing"), () => once("/api/turn/action", { action: "ask", drew: false })),
  );
}

function specialPart(state) {
  return h(
    "section",
    { class: "menu-part" },
    h("h3", {}, t("special.title")),
    h(
      "div",
      { class: "menu" },
      state.game.specials.map((action) =>
        button(t(`action.${action}`), () => once("/api/turn/special", { action })),
      ),
    ),
  );
}

function endPart(state) {
  return h(
    "section",
    { class: "menu-part" },
    h("h3", {}, t("end.title")),
    h(
      "div",
      { class: "menu" },
      state.players.map((player, index) =>
        button(t("end.out", { name: player.name }), () => once("/api/turn/end", { player: index })),
      ),
      button(t("end.nobody"), () => once("/api/turn/end")),
    ),
  );
}

/** Points by hand, as on paper. */
export function openPoints() {
  const entry = { text: "" };
  openSheet(() => ({ title: t("points.title"), body: pointsBody(entry) }));
}

function pointsBody(entry) {
  const press = (key) => {
    entry.text = key === "⌫" ? entry.text.slice(0, -1) : (entry.text + key).slice(0, 3);
    refreshSheet();
  };
  const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"];
  const { players, next_player: next } = store.state;
  return h(
    "div",
    { class: "stack" },
    h("p", {}, t("points.for", { name: players[next].name })),
    h("output", { class: "entry", "aria-live": "polite" }, entry.text || "0"),
    h(
      "div",
      { class: "keypad" },
      keys.map((key) =>
        button(key, () => press(key), { "aria-label": key === "⌫" ? t("points.delete") : key }),
      ),
      button(icon("done"), () => once("/api/turn/points", { points: Number(entry.text || 0) }), {
        class: "primary",
        "aria-label": t("button.done"),
      }),
    ),
  );
}
