// The lock on the controls: whether a PIN keeps this device from tapping, and the ways through it.

import { has, t } from "./i18n.js";
import { askDigits, closePad, isPadOpen } from "./pinpad.js";
import { toast } from "./toast.js";

const LOOK_MS = 30000;
export const LOCKED = 423;
export const lock = { isSet: false, isOpen: true };
let changed = () => {};
let asking = null;

/** Whether this device only looks. */
export const isLocked = () => lock.isSet && !lock.isOpen;

/** Ask how the lock is now and then; another device may have set a PIN. */
export function prepareLock(update) {
  changed = update;
  refreshLock();
  setInterval(() => document.hidden || refreshLock(), LOOK_MS);
  document.addEventListener("visibilitychange", () => document.hidden || refreshLock());
}

/** Ask how the lock is. */
export async function refreshLock() {
  try {
    const answer = await fetch("/api/pin");
    if (answer.ok) take(await answer.json());
  } catch {
    // No connection: the status line says so already.
  }
}

function take({ is_set: isSet, is_open: isOpen }) {
  if (lock.isSet === isSet && lock.isOpen === isOpen) return;
  Object.assign(lock, { isSet, isOpen });
  changed();
}

/** Ask for the PIN; true when this device may tap now. Several who ask at once share one sheet. */
export function askPin() {
  asking ??= enterPin().finally(() => {
    asking = null;
  });
  return asking;
}

async function enterPin() {
  await refreshLock();
  if (!isLocked()) return true;
  if (isPadOpen()) return false;
  const digits = await askDigits({ title: t("pin.enter"), about: t("pin.enter_about"), isForgettable: true, accept: (pin) => post("/api/pin/enter", { pin }) });
  closePad();
  return digits !== null;
}

/** The first PIN, or another one. */
export async function setPin() {
  const pin = lock.isSet ? await oldPin() : "";
  if (pin === null) return;
  const fresh = await askDigits({ title: t("pin.new"), about: t("pin.new_about"), accept: () => null });
  if (fresh === null) return;
  const again = await askDigits({ title: t("pin.again"), about: t("pin.again_about"), accept: (digits) => (digits === fresh ? post("/api/pin", { pin, new: fresh }) : { text: t("pin.differs") }) });
  closePad();
  if (again !== null) toast(t("pin.is_set"));
}

/** No PIN any more. */
export async function removePin() {
  const digits = await askDigits({ title: t("pin.old"), about: t("pin.remove_about"), isForgettable: true, accept: (pin) => post("/api/pin/remove", { pin }) });
  closePad();
  if (digits !== null) toast(t("pin.is_removed"));
}

/** Lock this device again. */
export async function lockDevice() {
  const problem = await post("/api/pin/leave", {});
  toast(problem ? problem.text : t("pin.is_locked"), problem ? "warn" : "info");
}

const oldPin = () => askDigits({ title: t("pin.old"), about: t("pin.old_about"), isForgettable: true, accept: (pin) => post("/api/pin/enter", { pin }) });

/** Send something about the PIN; what is wrong, or null. */
async function post(path, body) {
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const data = await answer.json();
    if (answer.ok) take(data);
    return answer.ok ? null : { text: has(`error.${data.code}`) ? t(`error.${data.code}`) : data.error, wait_s: data.wait_s ?? 0 };
  } catch {
    return { text: t("error.offline"), wait_s: 0 };
  }
}
