// Unseen tiles: what is still in the bag and in the hands.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { faceName, tileName, tileSilent } from "../tiles.js";

export function render(state) {
  return h(
    "section",
    { class: "page unseen-view" },
    h("h1", {}, t("nav.unseen")),
    state.settings.show_unseen ? table(state) : h("p", {}, t("unseen.hidden")),
  );
}

function table(state) {
  const { game } = state;
  const counts = new Map(state.unseen.map((tile) => [`${tile.shape} ${tile.colour} ${tile.background}`, tile.count]));
  const total = state.unseen.reduce((sum, tile) => sum + tile.count, 0);
  return h(
    "div",
    { class: "unseen-body" },
    h("p", { class: "lead" }, t("unseen.sum", { count: total, bag: state.tiles_left, hands: total - state.tiles_left })),
    h(
      "ul",
      { class: "unseen-grid", "aria-label": t("nav.unseen") },
      game.shapes.flatMap((shape) => game.colours.map((colour) => face(game, counts, shape, colour))),
    ),
    h("p", { class: "muted" }, t("unseen.advice")),
  );
}

function face(game, counts, shape, colour) {
  const left = game.backgrounds.map((background) => ({
    tile: { shape, colour, background },
    count: counts.get(`${shape} ${colour} ${background}`) ?? 0,
  }));
  const sum = left.reduce((total, each) => total + each.count, 0);
  const label = t("unseen.face", { face: faceName({ shape, colour }), count: sum });
  if (game.backgrounds.length === 1) {
    return h("li", { class: sum ? "face" : "face gone" }, tileSilent(left[0].tile), h("strong", { "aria-label": label }, String(sum)));
  }
  return h(
    "li",
    { class: sum ? "face several" : "face several gone" },
    left.map(({ tile, count }) =>
      h("span", { class: count ? "one" : "one gone", role: "img", "aria-label": `${tileName(tile)}: ${count}` }, tileSilent(tile), count > 1 && h("small", {}, String(count))),
    ),
  );
}
