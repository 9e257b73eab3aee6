// Start: choose the game by its picture, the players with a tap each, and go.

import { ask, get, tell } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { join } from "../join.js";
import { store } from "../store.js";
import { tileSilent } from "../tiles.js";
import { toast } from "../toast.js";

const AVATARS = ["red", "amber", "green", "teal", "blue", "violet", "pink", "slate"];
const GAMES = {
  classic: [["circle", "red", "black"], ["circle", "blue", "black"], ["circle", "yellow", "black"]],
  flex: [["star4", "green", "black"], ["square", "green", "white"], ["clover", "green", "split"]],
  flex72: [["diamond", "orange", "black"], ["star8", "orange", "white"]],
};
const EXPANSIONS = ["mini", "expansion2", "expansion1"];
const PURPLE = ["red", "orange", "yellow", "green", "blue", "purple"];
const WHITE = ["red", "orange", "yellow", "green", "blue", "white"];
const MOST = 4;
const draft = {
  rules: "classic", expansions: [], isWhite: false, players: [], starter: 0,
  isLate: false, scores: {}, known: null, name: "", fromStart: false, isWorking: false,
};
let redraw = () => {};

export function render(state, { update }) {
  redraw = update;
  if (draft.known === null) load(state);
  const isReady = draft.players.length >= 2 && !draft.isWorking;
  return h(
    "form",
    { class: "page start-view", onsubmit: start, autocomplete: "off" },
    h("h1", {}, t("nav.start")),
    gameChoice(),
    playersChoice(),
    draft.players.length > 1 && starterChoice(),
    extras(),
    h("div", { class: "go" },
      h("button", { type: "submit", class: "primary huge", disabled: !isReady }, icon("play"), t("start.go")),
      draft.players.length < 2 && h("p", { class: "muted" }, t("start.need_two")),
    ),
    join(),
  );
}

/** Begin with what was played last. */
async function load(state) {
  draft.known = [];
  const answer = await get("/api/players");
  draft.known = answer?.players ?? [];
  if (state.game && !draft.players.length) {
    draft.rules = state.game.rules;
    draft.expansions = state.game.expansions;
    draft.isWhite = state.game.colours.includes("white");
    draft.players = state.players.map((player, index) => ({ name: player.name, colour: player.colour || AVATARS[index] }));
    draft.starter = (state.game.starter + 1) % draft.players.length;
  }
  redraw();
}

function gameChoice() {
  return h(
    "fieldset",
    { class: "games" },
    h("legend", {}, t("start.which_game")),
    Object.entries(GAMES).map(([rules, tiles]) => h(
      "label",
      { class: "game-choice" },
      h("input", { type: "radio", name: "rules", value: rules, checked: draft.rules === rules, onchange: () => {
        draft.rules = rules;
        if (rules !== "classic") draft.expansions = [];
        redraw();
      } }),
      h("span", { class: "game-picture", "aria-hidden": "true" }, tiles.map(([shape, colour, background]) => tileSilent({ shape, colour, background }))),
      h("strong", {}, t(`rules.${rules}`)),
      h("small", {}, t(`rules.${rules}.about`)),
    )),
  );
}

function playersChoice() {
  const chosen = new Set(draft.players.map((player) => player.name));
  const rest = draft.known.filter((player) => !chosen.has(player.name)).slice(0, 12);
  return h(
    "fieldset",
    { class: "players" },
    h("legend", {}, t("start.who")),
    draft.players.length > 0 && h("ol", { class: "seats" }, draft.players.map(seat)),
    draft.players.length < MOST && h("div", { class: "chips" }, rest.map((player) => chip(player))),
    draft.players.length < MOST && h(
      "div",
      { class: "add-player" },
      h("label", { class: "hidden", for: "new-name" }, t("start.new_name")),
      h("input", { id: "new-name", type: "text", maxlength: 24, value: draft.name, placeholder: t("start.new_name"), enterkeyhint: "done", oninput: (event) => {
        draft.name = event.target.value;
      }, onkeydown: (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          addNew();
        }
      } }),
      h("button", { type: "button", onclick: addNew }, icon("start"), t("start.add")),
    ),
  );
}

function chip(player) {
  const add = () => {
    draft.players.push({ name: player.name, colour: player.colour || freeColour(), birth_year: player.birth_year });
    redraw();
  };
  return h(
    "span",
    { class: "chip", key: player.name },
    h("button", { type: "button", class: "chip-name", onclick: add }, h("span", { class: "avatar small", "data-avatar": player.colour || "slate", "aria-hidden": "true" }, [...player.name][0]), player.name),
  );
}

function addNew() {
  const name = draft.name.trim().replace(/\s+/g, " ").slice(0, 24);
  if (!name) return;
  if (draft.players.some((player) => player.name === name)) {
    toast(t("start.same_name"), "warn");
    return;
  }
  draft.players.push({ name, colour: freeColour() });
  draft.name = "";
  document.getElementById("new-name").value = "";
  redraw();
}

const freeColour = () =>
  AVATARS.find((colour) => !draft.players.some((player) => player.colour === colour)) ?? AVATARS[0];

function seat(player, index) {
  const move = (by) => () => swap(index, index + by);
  const recolour = () => {
    player.colour = AVATARS[(AVATARS.indexOf(player.colour) + 1) % AVATARS.length];
    redraw();
  };
  const remove = () => {
    draft.players.splice(index, 1);
    draft.starter = 0;
    redraw();
  };
  return h(
    "li",
    { class: "seat", key: player.name, "data-index": index },
    h("span", { class: "handle", "aria-hidden": "true", onpointerdown: (event) => drag(event, index) }, icon("drag")),
    h("button", { type: "button", class: "avatar", "data-avatar": player.colour, onclick: recolour, "aria-label": t("start.colour_of", { name: player.name }) }, [...player.name][0]?.toUpperCase()),
    h("span", { class: "seat-name" }, player.name),
    draft.isLate && h("input", { type: "number", class: "late-score", inputmode: "numeric", min: 0, max: 999, "aria-label": t("start.score_of", { name: player.name }), value: draft.scores[player.name] ?? 0, oninput: (event) => {
      draft.scores[player.name] = Number(event.target.value);
    } }),
    h("button", { type: "button", class: "plain round", disabled: index === 0, onclick: move(-1), "aria-label": t("start.earlier", { name: player.name }) }, "↑"),
    h("button", { type: "button", class: "plain round", disabled: index === draft.players.length - 1, onclick: move(1), "aria-label": t("start.later", { name: player.name }) }, "↓"),
    h("button", { type: "button", class: "plain round", onclick: remove, "aria-label": t("start.remove", { name: player.name }) }, icon("close")),
  );
}

function swap(from, to) {
  if (to < 0 || to >= draft.players.length) return;
  const starter = draft.players[draft.starter];
  const [player] = draft.players.splice(from, 1);
  draft.players.splice(to, 0, player);
  draft.starter = Math.max(0, draft.players.indexOf(starter));
  redraw();
}

/** Drag a player to another seat. */
function drag(event, index) {
  event.preventDefault();
  const list = event.currentTarget.closest("ol");
  let at = index;
  const over = (move) => {
    const rows = [...list.children];
    const to = rows.findIndex((row) => move.clientY < row.getBoundingClientRect().bottom);
    const target = to < 0 ? rows.length - 1 : to;
    if (target !== at) {
      swap(at, target);
      at = target;
    }
  };
  const end = () => {
    removeEventListener("pointermove", over);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
  };
  addEventListener("pointermove", over);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function starterChoice() {
  const rule = draft.rules === "classic" ? "start.rule_youngest" : "start.rule_oldest";
  return h(
    "fieldset",
    { class: "starter" },
    h("legend", {}, t(draft.isLate ? "start.who_is_next" : "start.who_begins")),
    !draft.isLate && h("p", { class: "muted" }, t(rule)),
    h("div", { class: "chips" }, draft.players.map((player, index) => h(
      "button",
      { type: "button", "aria-pressed": String(draft.starter === index), onclick: () => {
        draft.starter = index;
        redraw();
      } },
      player.name,
    ))),
  );
}

function extras() {
  const box = (name, isOn, change, label) => h("label", { class: "switch", key: name }, h("input", { type: "checkbox", name, checked: isOn, onchange: (event) => {
    change(event.target.checked);
    redraw();
  } }), h("span", {}, label));
  const expand = (name) => (isOn) => {
    draft.expansions = isOn ? [...draft.expansions, name] : draft.expansions.filter((each) => each !== name);
  };
  return h(
    "details",
    { class: "extras" },
    h("summary", {}, t("start.more")),
    h(
      "div",
      { class: "stack" },
      draft.rules === "classic" && EXPANSIONS.map((name) => box(name, draft.expansions.includes(name), expand(name), t(`expansion.${name}`))),
      draft.expansions.some((name) => name !== "expansion1") && box("fromStart", draft.fromStart, (isOn) => {
        draft.fromStart = isOn;
      }, t("expansion.from_start")),
      box("isWhite", draft.isWhite, (isOn) => {
        draft.isWhite = isOn;
      }, t("start.white_edition")),
      box("isLate", draft.isLate, (isOn) => {
        draft.isLate = isOn;
      }, t("start.late")),
      draft.isLate && h("p", { class: "muted" }, t("start.late_about")),
      draft.known.length > 0 && forgetting(),
    ),
  );
}

function forgetting() {
  const forget = (name) => async () => {
    await tell("/api/players/forget", { name });
    draft.known = draft.known.filter((player) => player.name !== name);
    redraw();
  };
  return h("details", {}, h("summary", {}, t("start.forget")), h("div", { class: "chips" }, draft.known.map((player) => h("button", { type: "button", onclick: forget(player.name), "aria-label": t("start.forget_name", { name: player.name }) }, icon("remove"), player.name))));
}

async function start(event) {
  event.preventDefault();
  const { players, rules, starter } = draft;
  const game = { rules, players, starter, expansions: draft.expansions };
  game.colours = draft.isWhite ? WHITE : PURPLE;
  if (draft.fromStart && draft.expansions.length) game.options = { actions_from_start: true };
  if (draft.isLate) {
    game.late = { scores: players.map((player) => Math.round(draft.scores[player.name] ?? 0)), next_player: starter };
  }
  draft.isWorking = true;
  redraw();
  const isStarted = await ask("/api/games", game);
  draft.isWorking = false;
  if (!isStarted) return redraw();
  Object.assign(draft, { known: null, players: [], isLate: false, scores: {} });
  location.hash = store.state.is_manual ? "#/board" : "#/score";
}
