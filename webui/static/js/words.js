// Sentences about the game, put together from codes and parameters.

import { h } from "./dom.js";
import { icon } from "./icons.js";
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
  const cause = `error.${params.cause}`;
  const words = has(cause) ? { ...params, sentence: t(cause) } : params;
  return has(`camera.hint.${code}`) ? t(`camera.hint.${code}`, words) : text ?? code;
}

/** What the program has to say about itself. */
export function noticeText({ code, params = {} }) {
  return has(`notice.${code}`) ? t(`notice.${code}`, params) : code;
}

const DRIFT = new Set(["camera_moved", "light_brighter", "light_cooler", "light_darker", "light_gone", "light_warmer"]);

/** What the camera has to say, as a line that leads to where it is mended. */
export function hintLine(hint) {
  if (!DRIFT.has(hint.code)) return h("li", {}, icon("warn"), hintText(hint));
  return h("li", {}, h("a", { class: "mend", href: "#/setup" }, icon("warn"), h("span", {}, hintText(hint)), icon("forward")));
}

/** What a step of the camera's set-up found. */
export function findingText({ code, values = {}, text }) {
  const key = ["setup.finding", "camera.hint", "error"].map((part) => `${part}.${code}`).find(has);
  if (code === "tiles_learned") return gainText(values);
  if (!key) return text ?? code;
  const words = { ...values };
  for (const name of ["one", "other"]) if (values[name]) words[name] = t(`colour.${values[name]}`);
  if (values.side) words.side = t(`setup.side.${values.side}`);
  if (values.shape) words.face = faceName(values);
  if (values.seen && typeof values.seen === "string") {
    const [shape, colour] = values.seen.split(" ");
    words.seen = faceName({ shape, colour });
  }
  return t(key, { sentence: text, ...words });
}

/** What was gained by showing the tiles. */
function gainText({ count, before, after, shapes_before: had, shapes_after: have, trust_before: was, trust_after: is }) {
  const texts = [];
  if (after > before) texts.push(t("setup.gain.colours", { tiles: count, before, after }));
  if (have > had) texts.push(t("setup.gain.shapes", { tiles: count, before: had, after: have }));
  if (texts.length) return texts.join(" ");
  if (Math.min(after, have) < count) return t("setup.gain.same", { tiles: count, colours: after, shapes: have });
  return t(is > was + 0.01 ? "setup.gain.surer" : "setup.gain.none");
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
