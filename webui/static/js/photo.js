// A photo taken with the device itself, small enough to send quickly.

import { h } from "./dom.js";
import { icon } from "./icons.js";

const LONGEST_PX = 2400;

/** A button that takes a photo and hands it over as a JPEG. */
export function photoButton(text, take, isBusy = false) {
  const taken = async (input) => {
    const file = input.files[0];
    input.value = "";
    if (file) take(await smaller(file));
  };
  return h(
    "label",
    { class: "button primary upload", "aria-disabled": isBusy ? "true" : null },
    icon("camera"),
    text,
    h("input", { type: "file", accept: "image/*", capture: "environment", disabled: isBusy, onchange: (event) => taken(event.target) }),
  );
}

/** A photo turned the right way. */
async function smaller(file) {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGEST_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
}
