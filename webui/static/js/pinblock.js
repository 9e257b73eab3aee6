// The PIN in the settings: set it, change it, remove it, lock this device again.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";
import { askPin, isLocked, lock, lockDevice, removePin, setPin } from "./pin.js";

const button = (words, onclick, more = {}) => h("button", { type: "button", key: words, onclick, ...more }, t(words));

/** What can be done about the PIN on this device. */
export function pinBlock() {
  return h(
    "section",
    { class: "block pin-block" },
    h("h2", {}, icon(lock.isSet ? "lock" : "unlock"), t("pin.title")),
    h("p", {}, t(lock.isSet ? (isLocked() ? "pin.only_looks" : "pin.may_tap") : "pin.off")),
    h("div", { class: "buttons" }, lock.isSet ? withPin() : button("pin.set", setPin)),
  );
}

function withPin() {
  const first = isLocked() ? button("pin.enter", askPin, { class: "primary" }) : button("pin.lock_device", lockDevice);
  return [first, button("pin.change", setPin), button("pin.remove", removePin)];
}

/** In place of a picture that only those see who know the PIN. */
export function lockedPicture() {
  return h("div", { class: "locked-picture" }, icon("lock"), h("p", {}, t("pin.picture")), button("pin.enter", askPin, { class: "primary" }));
}
