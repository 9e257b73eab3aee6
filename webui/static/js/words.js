// Sentences about the game, put together from codes and parameters.

import { has, t } from "./i18n.js";
import { faceName } from "./tiles.js";

/** One broken rule as a sentence. */
export function violationText({ code, params, text }) {
  if (!has(`rule.${code}`)) return text ?? code;
  const words = { ...params };
  if (params.shape) words.one = faceName(params);
  if (params.other_shape) {
    words.other = faceName({ shape: params.other_shape, colour: params.other_colour });
  }
  if (params.kind) words.kind = t(`line.${params.kind}`);
  if (params.background) words.background = t(`background.${params.background}`);
  return t(`rule.${code}`, words);
}

/** All different sentences about what is wrong. */
export const violationTexts = (violations) => [...new Set(violations.map(violationText))];

/** What a turn was, in a few words. */
export function turnText(turn) {
  if (turn.kind === "place") return t("turn.place", { count: turn.count });
  if (turn.kind === "exchange") return t("turn.exchange", { count: turn.count });
  return t(`turn.${turn.kind}`);
}

/** A counted line in a few words. */
export function lineText(line) {
  if (line.length === 6) return t(line.kind.startsWith("diagonal") ? "line.flex" : "line.qwirkle");
  return t("line.of", { kind: t(`line.${line.kind}`), length: line.length });
}

/** How many Qwirkles and Flexes a turn made. */
export const sixes = (turn) => turn.lines.filter((line) => line.length === 6).length;

/** Points with their sign. */
export const signed = (points) => (points > 0 ? `+${points}` : String(points));

/** What the camera has to say. */
export function hintText({ code, params = {}, text }) {
  return has(`camera.hint.${code}`) ? t(`camera.hint.${code}`, params) : text ?? code;
}

/** A question of the camera. */
export function questionText({ code, params = {}, text, choices = [] }) {
  if (code === "which_tile" && choices.length === 2 && choices.every((c) => c.shape)) {
    return t("question.this_or_that", { one: faceName(choices[0]), other: faceName(choices[1]) });
  }
  return has(`question.${code}`) ? t(`question.${code}`, params) : text ?? code;
}

/** A choice that is not a tile. */
export function choiceText({ code, params = {}, text }) {
  return has(`choice.${code}`) ? t(`choice.${code}`, params) : text ?? code ?? "";
}
