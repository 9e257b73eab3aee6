// A sheet that slides over the page: the browser's own dialog, with focus kept inside.

import { h, morph } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";

let content = null;

const dialog = () => document.getElementById("sheet");

/** Open a sheet; `make` gives its title and content and is called again on every change. */
export function openSheet(make) {
  content = make;
  const element = dialog();
  element.replaceChildren(h("div", { class: "sheet-inner" }));
  refreshSheet();
  if (!element.open) element.showModal();
  element.scrollTop = 0;
}

/** Close the sheet. */
export function closeSheet() {
  content = null;
  if (dialog().open) dialog().close();
}

/** Bring an open sheet up to date. */
export function refreshSheet() {
  if (!content) return;
  const made = content();
  if (!made) {
    closeSheet();
    return;
  }
  morph(dialog().firstChild, h("div", { class: "sheet-inner" }, head(made.title), made.body));
}

function head(title) {
  return h(
    "header",
    { class: "sheet-head" },
    h("h2", { id: "sheet-title" }, title),
    h(
      "button",
      { type: "button", class: "plain round", onclick: closeSheet, "aria-label": t("button.close") },
      icon("close"),
    ),
  );
}

/** Let a tap beside the sheet close it. */
export function prepareSheet() {
  dialog().addEventListener("click", (event) => event.target === dialog() && closeSheet());
  dialog().addEventListener("close", () => {
    content = null;
  });
}
