// What people tap goes to the server, each wish with an id, so that a resend counts once.

import { t, has } from "./i18n.js";
import { LOCKED, askPin } from "./pin.js";
import { store, take } from "./store.js";
import { toast } from "./toast.js";

const TRIES = 4;
const PAUSE_MS = 700;

/** An id that no other wish has; crypto.randomUUID is missing on plain http. */
export function commandId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Send a wish for the present game; true when it was done. */
export async function wish(path, params = {}, { isQuiet = false } = {}) {
  const game = store.state?.game;
  const ticket = game ? { game: game.id, seq: game.seq } : {};
  return send(path, { ...params, ...ticket, command: commandId() }, isQuiet);
}

/** Send a wish that concerns no game in progress. */
export const ask = (path, params = {}) => send(path, { ...params, command: commandId() }, false);

/** Send without a command id. */
export const tell = (path, params) => send(path, params, false);

async function send(path, body, isQuiet) {
  const answer = await unlocked(() => persist(path, JSON.stringify(body)));
  if (!answer) {
    toast(t("error.offline"), "warn");
    return false;
  }
  const { isDone, data } = answer;
  if (isDone) {
    if (data.version) take(data);
    return true;
  }
  if (data.state) take(data.state);
  if (!isQuiet || data.code !== "stale") toast(errorText(data), "warn");
  return false;
}

/** Do something; where a PIN locks it, ask for the PIN and do it then. */
export async function unlocked(act) {
  const answer = await act();
  return answer?.status === LOCKED && (await askPin()) ? act() : answer;
}

/** Try again where the network failed, also in mid-answer: the server counts the same id once. */
async function persist(path, body) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body };
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      const answer = await fetch(path, options);
      return { status: answer.status, isDone: answer.ok, data: await answer.json() };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries));
    }
  }
  return null;
}

/** Fetch something; null where it cannot be had. */
export async function get(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function errorText(data) {
  return has(`error.${data.code}`) ? t(`error.${data.code}`) : data.error;
}
