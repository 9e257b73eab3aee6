// Keeping the screen awake, as far as the browser allows: only on https or localhost.

import { pref } from "./prefs.js";

let lock = null;

/** Whether the screen is being kept awake now. */
export const isAwake = () => lock !== null && !lock.released;

/** Keep the screen awake, or no longer. */
export async function wantAwake(isWanted) {
  if (!isWanted) {
    await lock?.release();
    lock = null;
    return;
  }
  try {
    lock = await navigator.wakeLock?.request("screen") ?? null;
  } catch {
    lock = null; // low battery, or the page is not in front
  }
}

/** The browser lets go whenever the page is hidden, so ask again when it is back. */
export function prepareAwake() {
  const again = () => pref("awake") && !document.hidden && wantAwake(true);
  document.addEventListener("visibilitychange", again);
  again();
}
