// The page: one view at a time, chosen by the address, drawn anew with every change.

import { prepareAwake } from "./awake.js";
import { h, morph } from "./dom.js";
import { icon } from "./icons.js";
import { loadWords, t } from "./i18n.js";
import { askPin, isLocked, prepareLock } from "./pin.js";
import { applyPrefs } from "./prefs.js";
import { openSheet, closeSheet, prepareSheet, refreshSheet } from "./sheet.js";
import { follow, listen, store } from "./store.js";
import { announce } from "./toast.js";
import * as archive from "./views/archive.js";
import * as board from "./views/board.js";
import * as camera from "./views/camera.js";
import * as glance from "./views/glance.js";
import * as result from "./views/result.js";
import * as settings from "./views/settings.js";
import * as setup from "./views/setup.js";
import * as start from "./views/start.js";
import * as unseen from "./views/unseen.js";
import { prepareVoice, sayTurn, turnWords } from "./voice.js";

const VIEWS = { score: glance, board, unseen, camera, result, archive, start, settings, setup };
const INSIDE = { setup: "camera" }; // reached from there, not from the navigation
const WAYS = Object.keys(VIEWS).filter((name) => !(name in INSIDE));
const NEED_GAME = new Set(["score", "board", "unseen"]);
const ON_PHONE = new Set(["score", "board", "unseen", "camera"]);
let isDrawn = false;
let present = null;

const parts = () => location.hash.replace(/^#\//, "").split("/").filter(Boolean);

function viewName() {
  const name = parts()[0] ?? "score";
  if (!(name in VIEWS)) return "score";
  return !store.state.game && NEED_GAME.has(name) ? "start" : name;
}

function update() {
  if (isDrawn || !store.state) return;
  isDrawn = true;
  requestAnimationFrame(draw);
  setTimeout(draw, 60); // hidden pages get no animation frames
}

function draw() {
  if (!isDrawn) return;
  isDrawn = false;
  const name = viewName();
  const view = VIEWS[name];
  if (present !== view) present?.leave?.();
  present = view;
  const fresh = h("main", { id: "main", tabindex: -1, class: `shown view-${name}` }, h("div", { class: "view", key: name }, view.render(store.state, { parts: parts(), update })));
  morph(document.getElementById("main"), fresh);
  morph(document.getElementById("nav"), navigation(INSIDE[name] ?? name));
  morph(document.getElementById("status"), status());
  document.title = title(name);
  refreshSheet();
  view.settle?.(store.state);
}

function title(name) {
  const { players, next_player: next } = store.state;
  const turn = next === null ? "" : t("title.turn", { name: players[next].name });
  return [turn, t(`nav.${name}`), "tiletally"].filter(Boolean).join(" · ");
}

function navigation(present) {
  const link = (name) => h("a", { href: `#/${name}`, key: name, class: ON_PHONE.has(name) ? "" : "beyond", "aria-current": name === present ? "page" : null, onclick: closeSheet }, icon(name), h("span", {}, t(`nav.${name}`)));
  const more = h("button", { type: "button", class: "more", key: "more", onclick: openMore, "aria-current": ON_PHONE.has(present) ? null : "page" }, icon("more"), h("span", {}, t("nav.more")));
  return h("nav", { id: "nav", "aria-label": t("nav.label") }, WAYS.map(link), more);
}

function openMore() {
  const rest = WAYS.filter((name) => !ON_PHONE.has(name));
  openSheet(() => ({
    title: t("nav.more"),
    body: h("div", { class: "menu" }, rest.map((name) => h("a", { class: "button", href: `#/${name}`, onclick: closeSheet }, icon(name), t(`nav.${name}`)))),
  }));
}

function status() {
  const { game, tiles_left: left, camera: eye } = store.state;
  const isLost = store.connection === "lost";
  const isBlind = eye && !["ok", "busy", "starting"].includes(eye.state);
  return h(
    "header",
    { id: "status" },
    h("span", { class: "brand" }, game ? t(`rules.${game.rules}`) : "tiletally"),
    game && h("span", { class: "bag", title: t("status.bag", { count: left }) }, icon("unseen"), h("span", {}, t("status.bag", { count: left }))),
    isLocked() && h("button", { type: "button", class: "locked", key: "locked", onclick: askPin, "aria-label": t("pin.locked_label") }, icon("lock"), h("span", {}, t("pin.locked"))),
    isBlind && h("a", { class: "alert", href: "#/camera" }, icon("camera"), t(`camera.state.${eye.state}`)),
    isLost && h("span", { class: "alert", role: "status" }, icon("offline"), t("status.lost")),
  );
}

/** Tell screen readers, and the voice, what a new turn brought. */
function tellTurns(state, before) {
  if (!before?.game || state.game?.id !== before.game.id) return;
  const turn = state.last_turn;
  if (!turn || state.turns.length !== before.turns.length + 1) return;
  announce(turnWords(state, turn));
  sayTurn(state, turn);
}

async function begin() {
  applyPrefs();
  await loadWords();
  prepareSheet();
  prepareAwake();
  prepareVoice(update);
  listen(tellTurns);
  listen(update);
  addEventListener("hashchange", () => {
    update();
    document.getElementById("main").focus({ preventScroll: true });
    scrollTo(0, 0);
  });
  addEventListener("resize", update);
  follow();
  prepareLock(update);
}

begin();
