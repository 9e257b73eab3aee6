// The way to this page for other devices: the address and its QR code.

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** The invitation. */
export function join() {
  const address = document.body.dataset.address;
  return h(
    "section",
    { class: "block join" },
    h("img", { class: "qr", src: "/qr.svg", alt: t("join.qr", { address }), width: 220, height: 220 }),
    h("div", {}, h("h2", {}, t("join.title")), h("p", {}, t("join.how")), h("p", { class: "address" }, address), h("p", { class: "muted" }, t("join.home_screen"))),
  );
}
