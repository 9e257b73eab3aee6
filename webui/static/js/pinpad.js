// A sheet with big digits. It lies over whatever is open, so that nothing there is lost.

import { h, morph } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";

const LEAST = 4;
const MOST = 8;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const REMOVE = "sudo tiletally pin --remove";
let pad = null;
let timer = 0;

const dialog = () => document.getElementById("pin");

/** Whether it asks for something now. */
export const isPadOpen = () => pad !== null;

/**
 * Ask for digits until `accept` takes them: it gives null, or what is wrong and how long to wait.
 * Gives the digits, or null when the person closed the sheet.
 */
export function askDigits(question) {
  return new Promise((resolve) => {
    pad = { ...question, digits: "", problem: "", until: 0, isBusy: false, resolve };
    if (!dialog()) open();
    draw();
  });
}

/** Close it. */
export function closePad() {
  const left = pad;
  pad = null;
  clearInterval(timer);
  dialog()?.remove();
  left?.resolve(null);
}

function open() {
  const element = h("dialog", { id: "pin", tabindex: -1, "aria-labelledby": "pin-title" }, h("div", { class: "sheet-inner" }));
  document.body.append(element);
  element.onclose = closePad;
  element.onclick = (event) => {
    if (event.target === element) closePad();
  };
  element.onkeydown = onKey;
  timer = setInterval(tick, 250);
  element.showModal();
  element.focus();
}

const waitS = () => Math.max(0, Math.ceil((pad.until - Date.now()) / 1000));
const isWaiting = () => pad.isBusy || waitS() > 0;

/** Count the wait down, and say nothing any more once it is over. */
function tick() {
  if (!pad?.until) return;
  if (!waitS()) Object.assign(pad, { until: 0, problem: "" });
  draw();
}

function onKey(event) {
  if (/^[0-9]$/.test(event.key)) press(event.key);
  else if (event.key === "Backspace") press("");
  else if (event.key === "Enter" && event.target === dialog()) submit();
}

function press(key) {
  if (!pad || isWaiting()) return;
  pad.digits = key ? (pad.digits + key).slice(0, MOST) : pad.digits.slice(0, -1);
  pad.problem = "";
  draw();
}

async function submit() {
  const asked = pad;
  if (!asked || isWaiting() || asked.digits.length < LEAST) return;
  asked.isBusy = true;
  draw();
  const problem = await asked.accept(asked.digits);
  if (asked !== pad) return;
  asked.isBusy = false;
  if (!problem) {
    pad = null;
    asked.resolve(asked.digits);
    return;
  }
  Object.assign(asked, { digits: "", problem: problem.text, until: problem.wait_s ? Date.now() + 1000 * problem.wait_s : 0 });
  draw();
  dialog().focus();
}

function draw() {
  if (!pad) return;
  morph(dialog().firstChild, h("div", { class: "sheet-inner pin-pad" }, head(), h("p", { class: "muted" }, pad.about), dots(), says(), keys(), pad.isForgettable && forgotten()));
}

function head() {
  const close = { type: "button", class: "plain round", onclick: closePad, "aria-label": t("button.close") };
  return h("header", { class: "sheet-head" }, h("h2", { id: "pin-title" }, pad.title), h("button", close, icon("close")));
}

function dots() {
  const count = pad.digits.length;
  const shown = Array.from({ length: Math.max(LEAST, count) }, (_, place) => h("span", { class: place < count ? "dot full" : "dot" }));
  return h("div", { class: "dots", role: "img", "aria-label": t("pin.entered", { count }) }, shown);
}

function says() {
  const wait = waitS();
  return h(
    "p",
    { class: "pin-says" },
    h("span", { role: "status" }, pad.problem),
    wait > 0 && h("span", { class: "pin-wait", role: "timer" }, t("pin.wait", { count: wait })),
  );
}

function keys() {
  const key = (text, props, ...inside) => h("button", { type: "button", key: text, disabled: isWaiting(), ...props }, ...inside);
  const digit = (text) => key(text, { onclick: () => press(text) }, text);
  return h(
    "div",
    { class: "keypad" },
    KEYS.map(digit),
    key("delete", { onclick: () => press(""), "aria-label": t("points.delete") }, "⌫"),
    digit("0"),
    key("ok", { class: "primary", disabled: isWaiting() || pad.digits.length < LEAST, onclick: submit, "aria-label": t("pin.ok") }, icon("done")),
  );
}

const forgotten = () => h("details", {}, h("summary", {}, t("pin.forgotten")), h("p", {}, t("pin.forgotten_how")), h("p", {}, h("code", {}, REMOVE)));
