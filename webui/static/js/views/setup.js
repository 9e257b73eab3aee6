// Setting up the camera: aim it, show it the tiles, let it remember its place, measure its lens.

import { forget, leave as leaveSetup, refresh, run, setup } from "../calibration.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t, when } from "../i18n.js";
import { photoButton } from "../photo.js";
import { isLocked } from "../pin.js";
import { lockedPicture } from "../pinblock.js";
import { tilePicture } from "../tiles.js";
import { findingText } from "../words.js";

const EVERY_MS = 2500;
const ICONS = { good: "done", hint: "hint", problem: "warn" };
let redraw = () => {};
let isOpen = false;
let timer = 0;
let edition = "";

export function render(state, { update }) {
  redraw = update;
  return h(
    "section",
    { class: "page setup-view" },
    h("h1", {}, t("nav.setup")),
    isLocked() ? lockedPicture() : setup.known && (setup.known.state === "ready" ? steps(setup.known) : absent(setup.known.state)),
  );
}

const absent = (state) => h("p", { class: "lead" }, icon("camera"), state === "starting" ? t("camera.state.starting") : t(`setup.absent.${state}`));

function steps(known) {
  return h(
    "div",
    { class: "setup-body" },
    aim(known),
    h("div", { class: "setup-steps" }, myTiles(known), place(known), lens(known), summary(known)),
  );
}

function aim(known) {
  return h(
    "section",
    { class: "block aim" },
    h("h2", {}, t("setup.aim.title")),
    h("p", {}, t(known.by_photo ? "setup.aim.about_photo" : "setup.aim.about")),
    h("div", { class: "camera-picture" }, setup.lookedAt > 0 && h("img", { alt: t("setup.aim.alt"), src: `/api/calibration/picture.jpg?t=${setup.lookedAt}` })),
    said("aim", known.notice && known.notice.code !== "profile_missing" ? [known.notice] : []),
    known.by_photo ? action("aim", t("setup.photo"), edition) : h("button", { type: "button", class: "look-again", onclick: () => run("aim", redraw, { edition }) }, icon("aim"), t("setup.aim.again")),
    !known.by_photo && h("p", { class: "muted" }, t("setup.pause")),
  );
}

const chosen = (known) =>
  known.editions.find(({ id }) => id === edition) ?? known.editions.find(({ id }) => id === known.edition);

function myTiles(known) {
  const box = chosen(known);
  const choose = (id) => () => {
    edition = id;
    redraw();
  };
  return h(
    "section",
    { class: "block my-tiles" },
    h("h2", {}, t("setup.tiles.title"), known.tiles && done()),
    h("p", {}, t("setup.tiles.about")),
    h("div", { class: "chips", role: "group", "aria-label": t("setup.tiles.which") }, known.editions.map(({ id }) => h("button", { type: "button", key: id, "aria-pressed": String(id === box.id), onclick: choose(id) }, t(`setup.edition.${id}`)))),
    h("div", { class: "lay-out", style: { "--columns": 1 + Math.max(...box.tiles.map(({ x }) => x)) } }, box.tiles.map((tile) => tilePicture(tile))),
    h("div", { class: "buttons" }, action("tiles", t("setup.tiles.go"), box.id), known.tiles && forgetting("tiles")),
    said("tiles"),
    setup.said.tiles?.some(({ code }) => code === "tiles_learned") && h("p", { class: "lead" }, t("setup.tiles.clear")),
  );
}

function place(known) {
  return h(
    "section",
    { class: "block place" },
    h("h2", {}, t("setup.plane.title"), known.plane && done()),
    h("p", {}, t("setup.plane.about")),
    h("div", { class: "buttons" }, action("plane", t("setup.plane.go"), chosen(known).id), known.plane && forgetting("plane")),
    said("plane"),
  );
}

function lens(known) {
  const { taken, needed } = known.sheets;
  const sheet = (paper) => h("a", { class: "button", href: `/calibration-sheet.pdf?paper=${paper}`, download: "" }, icon("save"), t(`setup.lens.${paper}`));
  const finish = () => run("lens", redraw);
  return h(
    "details",
    { class: "block lens" },
    h("summary", {}, t("setup.lens.title"), known.lens && done()),
    h("div", { class: "stack" },
      h("p", {}, t("setup.lens.about")),
      h("div", { class: "buttons" }, ["a4", "letter"].map(sheet)),
      h("div", { class: "buttons" }, action("sheet", t("setup.lens.take"), "")),
      h("p", { class: "count-of", role: "status" }, t("setup.lens.taken", { count: taken, needed })),
      said("sheet"),
      h("div", { class: "buttons" },
        h("button", { type: "button", class: taken >= needed ? "primary" : "", disabled: taken < needed || isBusy(), onclick: finish }, icon("done"), t("setup.lens.go")),
        taken > 0 && h("button", { type: "button", onclick: () => forget("sheets", redraw) }, icon("undo"), t("setup.lens.again")),
        known.lens && forgetting("lens"),
      ),
      said("lens"),
    ),
  );
}

function summary(known) {
  const line = (isKnown, text) => h("li", {}, icon(isKnown ? "done" : "more"), h("span", {}, text));
  return h(
    "section",
    { class: "block known" },
    h("h2", {}, t("setup.known.title")),
    h("p", {}, t("camera.source", { source: known.camera }), known.made && (known.tiles || known.plane || known.lens) && h("span", { class: "muted" }, " · ", t("setup.known.made", { when: when(known.made) }))),
    h(
      "ul",
      { class: "findings" },
      line(known.tiles, known.tiles ? t("setup.known.tiles", { count: known.tiles.count }) : t("setup.known.no_tiles")),
      line(known.plane, t(known.plane ? "setup.known.plane" : "setup.known.no_plane")),
      line(known.lens, known.lens ? t("setup.known.lens", { count: known.lens.photos }) : t("setup.known.no_lens")),
    ),
  );
}

const done = () => h("span", { class: "known-mark" }, icon("done"), t("setup.done"));
const isBusy = () => setup.running !== "" && setup.running !== "aim";

/** The button of a step: the camera takes the picture, or the phone does. */
function action(step, text, id) {
  const go = (photo) => run(step, redraw, { edition: id, photo });
  const isRunning = setup.running === step && step !== "aim";
  const words = isRunning ? t("setup.working") : text;
  if (setup.known.by_photo) return photoButton(words, go, isBusy());
  return h("button", { type: "button", class: "primary", disabled: isBusy(), onclick: () => go(null) }, icon("camera"), words);
}

const forgetting = (what) => h("button", { type: "button", disabled: isBusy(), onclick: () => forget(what, redraw) }, icon("remove"), t("setup.forget"));

/** What a step said, and how grave it is, in words and with a sign. */
function said(step, more = []) {
  const findings = [...more, ...(setup.said[step] ?? [])].filter(({ code }) => code !== "step_running" || step !== "aim");
  return h("ul", { class: "findings", role: "list", "aria-live": step === "aim" ? "off" : "polite" }, findings.map((finding) => h(
    "li",
    { class: `finding-${finding.level}` },
    icon(ICONS[finding.level]),
    h("span", {}, h("span", { class: "hidden" }, t(`setup.level.${finding.level}`), " "), findingText(finding)),
  )));
}

/** Ask what is known when the view is opened, then look every few seconds as long as it is open. */
export function settle() {
  if (isOpen) return;
  isOpen = true;
  refresh().then(() => {
    redraw();
    look();
  });
}

export function leave() {
  isOpen = false;
  clearTimeout(timer);
  leaveSetup();
}

async function look() {
  clearTimeout(timer);
  if (!isOpen) return;
  const { state, by_photo: byPhoto } = setup.known;
  if (state === "starting") await refresh().then(redraw);
  else if (state === "ready" && !byPhoto && !document.hidden && !isLocked() && !setup.running) await run("aim", redraw, { edition });
  if (isOpen && state !== "none" && state !== "demo") timer = setTimeout(look, EVERY_MS);
}
