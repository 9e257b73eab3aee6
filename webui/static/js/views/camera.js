// Camera: what it sees, live enough to aim it, and what it says about light, focus and reach.

import { unlocked } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { has, t } from "../i18n.js";
import { photoButton } from "../photo.js";
import { isLocked, refreshLock } from "../pin.js";
import { lockedPicture } from "../pinblock.js";
import { toast } from "../toast.js";
import { hintLine } from "../words.js";

const EVERY_MS = 500;
const view = { isMarked: true, isMissing: false };
let timer = 0;

export function render(state, { update }) {
  return h(
    "section",
    { class: "page camera-view" },
    h("h1", {}, t("nav.camera")),
    state.is_manual ? h("p", { class: "lead" }, t("camera.none")) : seen(state, update),
    state.camera?.can_upload && photoButton(t("camera.take_photo"), sendPhoto),
  );
}

function seen(state, update) {
  const camera = state.camera ?? { state: "starting", hints: [] };
  const words = has(`camera.state.${camera.state}`) ? t(`camera.state.${camera.state}`) : camera.state;
  const isFine = camera.state === "ok" && !camera.hints?.length && !state.border;
  return h(
    "div",
    { class: "camera-body" },
    h(
      "figure",
      { class: "camera-picture" },
      isLocked() ? lockedPicture() : h("img", { id: "camera-image", keep: true, alt: t("camera.alt") }),
      h("figcaption", {}, camera.source ? t("camera.source", { source: camera.source }) : ""),
    ),
    h(
      "div",
      { class: "camera-words" },
      h("p", { class: "lead" }, icon(isFine ? "done" : "warn"), words),
      h("ul", { class: "notices" }, (camera.hints ?? []).map(hintLine), state.border && h("li", {}, icon("warn"), t("camera.border"))),
      h("label", { class: "switch" }, h("input", { type: "checkbox", checked: view.isMarked, onchange: (event) => {
        view.isMarked = event.target.checked;
        update();
      } }), h("span", {}, t("camera.marked"))),
      h("p", { class: "muted" }, t("camera.advice")),
      h("a", { class: "button", href: "#/setup" }, icon("aim"), t("nav.setup")),
    ),
  );
}

async function sendPhoto(photo) {
  const headers = { "Content-Type": "image/jpeg" };
  const answer = await unlocked(() => fetch("/api/photo", { method: "POST", headers, body: photo }));
  toast(answer.ok ? t("camera.sent") : (await answer.json()).error, answer.ok ? "info" : "warn");
}

/** Ask for the next picture once the last one is there; stop when the view is left. */
export function settle() {
  clearTimeout(timer);
  const image = document.getElementById("camera-image");
  if (!image) return;
  const next = () => {
    timer = setTimeout(() => document.getElementById("camera-image") === image && !document.hidden && load(image), EVERY_MS);
  };
  image.onload = next;
  image.onerror = () => {
    refreshLock(); // somebody may have set a PIN
    next();
  };
  if (!image.getAttribute("src")) load(image);
  else next();
}

const load = (image) => {
  image.src = `/api/camera.jpg?${view.isMarked ? "marked&" : ""}t=${Date.now()}`;
};
