// Camera: what it sees, live enough to aim it, and what it says about light, focus and reach.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { has, t } from "../i18n.js";
import { toast } from "../toast.js";
import { hintText } from "../words.js";

const EVERY_MS = 500;
const LONGEST_PX = 2400;
const view = { isMarked: true, isMissing: false };
let timer = 0;

export function render(state, { update }) {
  return h(
    "section",
    { class: "page camera-view" },
    h("h1", {}, t("nav.camera")),
    state.is_manual ? h("p", { class: "lead" }, t("camera.none")) : seen(state, update),
    state.camera?.can_upload && upload(),
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
      h("img", { id: "camera-image", keep: true, alt: t("camera.alt") }),
      h("figcaption", {}, camera.source ? t("camera.source", { source: camera.source }) : ""),
    ),
    h(
      "div",
      { class: "camera-words" },
      h("p", { class: "lead" }, icon(isFine ? "done" : "warn"), words),
      h("ul", { class: "notices" }, (camera.hints ?? []).map((hint) => h("li", {}, icon("warn"), hintText(hint))), state.border && h("li", {}, icon("warn"), t("camera.border"))),
      h("label", { class: "switch" }, h("input", { type: "checkbox", checked: view.isMarked, onchange: (event) => {
        view.isMarked = event.target.checked;
        update();
      } }), h("span", {}, t("camera.marked"))),
      h("p", { class: "muted" }, t("camera.advice")),
    ),
  );
}

function upload() {
  return h(
    "label",
    { class: "button primary upload" },
    icon("camera"),
    t("camera.take_photo"),
    h("input", { type: "file", accept: "image/*", capture: "environment", onchange: (event) => sendPhoto(event.target) }),
  );
}

async function sendPhoto(input) {
  const file = input.files[0];
  input.value = "";
  if (!file) return;
  const answer = await fetch("/api/photo", { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: await smaller(file) });
  toast(answer.ok ? t("camera.sent") : (await answer.json()).error, answer.ok ? "info" : "warn");
}

/** A photo small enough to send quickly, turned the right way. */
async function smaller(file) {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGEST_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
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
  image.onerror = next;
  if (!image.getAttribute("src")) load(image);
  else next();
}

const load = (image) => {
  image.src = `/api/camera.jpg?${view.isMarked ? "marked&" : ""}t=${Date.now()}`;
};
