// A voice that says the points, off by default, with the voices of the device itself.

import { language, t } from "./i18n.js";
import { pref } from "./prefs.js";
import { sixes } from "./words.js";

function localVoice() {
  const voices = globalThis.speechSynthesis?.getVoices() ?? [];
  return voices.find((voice) => voice.localService && voice.lang.startsWith(language)) ?? null;
}

/** Browsers fetch their voices only when first asked, and tell when they have them. */
export function prepareVoice(isReady) {
  globalThis.speechSynthesis?.addEventListener?.("voiceschanged", isReady);
  localVoice();
}

/** Whether this device can speak the language of the page without the internet. */
export const hasVoice = () => localVoice() !== null;

function say(text) {
  const voice = localVoice();
  if (!voice) return;
  const words = new SpeechSynthesisUtterance(text);
  words.voice = voice;
  words.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

/** Say something at once, which browsers allow only after a tap. */
export const tryVoice = () => say(t("voice.hello"));

/** What a finished turn sounds like. */
export function turnWords(state, turn) {
  const name = state.players[turn.player].name;
  const points = turn.score + turn.bonus;
  const key = sixes(turn) > 1 ? "voice.qwirkles" : sixes(turn) ? "voice.qwirkle" : "voice.points";
  const said = t(key, { name, points, count: sixes(turn) > 1 ? sixes(turn) : points });
  const next = state.next_player === null ? "" : t("voice.next", { name: state.players[state.next_player].name });
  return `${said} ${next}`.trim();
}

/** Say a turn if this device is to speak. */
export function sayTurn(state, turn) {
  if (pref("voice")) say(turnWords(state, turn));
}
