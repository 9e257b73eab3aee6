// Joining and settings: the address with its QR code, and what each device and the table wants.

import { tell } from "../api.js";
import { isAwake, wantAwake } from "../awake.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { join } from "../join.js";
import { pinBlock } from "../pinblock.js";
import { LANGUAGES, language, speak, t } from "../i18n.js";
import { pref, setPref } from "../prefs.js";
import { hasVoice, tryVoice } from "../voice.js";

const CLOSE_AFTER = [0, 3, 6, 10, 20];

export function render(state, { update }) {
  return h(
    "section",
    { class: "page settings-view" },
    h("h1", {}, t("nav.settings")),
    join(),
    h("section", { class: "block" }, h("h2", {}, t("settings.device")), device(update)),
    h("section", { class: "block" }, h("h2", {}, t("settings.table")), table(state)),
    pinBlock(),
    !state.is_manual && h("a", { class: "button", href: "#/setup" }, icon("aim"), t("nav.setup")),
  );
}

function device(update) {
  const change = (name, value) => {
    setPref(name, value);
    update();
  };
  return h(
    "div",
    { class: "stack" },
    choice(t("settings.language"), Object.entries(LANGUAGES), language, speak),
    choice(t("settings.theme"), ["auto", "light", "dark"].map((theme) => [theme, t(`settings.theme.${theme}`)]), pref("theme"), (value) => change("theme", value)),
    toggle(t("settings.letters"), pref("letters"), (isOn) => change("letters", isOn)),
    toggle(t("settings.voice"), pref("voice"), (isOn) => {
      change("voice", isOn);
      if (isOn) tryVoice();
    }),
    pref("voice") && !hasVoice() && h("p", { class: "muted" }, t("settings.no_voice")),
    toggle(t("settings.awake"), pref("awake"), async (isOn) => {
      change("awake", isOn);
      await wantAwake(isOn);
      update();
    }, !("wakeLock" in navigator)),
    h("p", { class: "muted" }, awakeWords()),
  );
}

function awakeWords() {
  if (!("wakeLock" in navigator)) return t("settings.awake_impossible");
  return t(isAwake() ? "settings.awake_on" : "settings.awake_off");
}

function table(state) {
  const set = (name) => (value) => tell("/api/settings", { [name]: value });
  const seconds = CLOSE_AFTER.map((value) => [value, value ? t("settings.seconds", { count: value }) : t("settings.tap_only")]);
  return h(
    "div",
    { class: "stack" },
    choice(t("settings.close_after"), seconds, state.settings.close_turn_after_s, set("close_turn_after_s")),
    toggle(t("settings.show_unseen"), state.settings.show_unseen, set("show_unseen")),
    choice(t("settings.keep_photos"), photoChoices(), photosKept(state.settings), keepPhotos),
  );
}

const PHOTO_DAYS = [7, 30, 366];
const NO_PHOTOS = -1;

function photoChoices() {
  const days = PHOTO_DAYS.map((count) => [count, t("settings.photos_days", { count })]);
  return [[NO_PHOTOS, t("settings.photos_off")], [0, t("settings.photos_game")], ...days];
}

const photosKept = (settings) => (settings.keep_photos ? settings.keep_photos_days : NO_PHOTOS);

function keepPhotos(days) {
  const isKept = days !== NO_PHOTOS;
  tell("/api/settings", isKept ? { keep_photos: true, keep_photos_days: days } : { keep_photos: false });
}

function choice(label, options, present, choose) {
  return h(
    "div",
    { class: "setting", role: "group", "aria-label": label },
    h("span", { class: "setting-name" }, label),
    h("div", { class: "chips" }, options.map(([value, text]) => h("button", { type: "button", "aria-pressed": String(value === present), onclick: () => choose(value), lang: value in LANGUAGES ? value : null }, text))),
  );
}

function toggle(label, isOn, change, isDisabled = false) {
  const onchange = async ({ target }) => {
    if ((await change(target.checked)) === false) target.checked = isOn;
  };
  return h("label", { class: "switch" }, h("input", { type: "checkbox", checked: isOn, disabled: isDisabled, onchange }), h("span", {}, label));
}
