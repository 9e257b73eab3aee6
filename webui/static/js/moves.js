// Changing tiles: of the move being made, or of any turn that was played.

import { wish } from "./api.js";
import { t } from "./i18n.js";
import { pickTile } from "./picker.js";
import { store } from "./store.js";

const isAt = (cell) => (tile) => tile.x === cell.x && tile.y === cell.y;
const plain = ({ x, y, shape, colour, background }) => ({ x, y, shape, colour, background });

/** The tiles of the move that is not final yet. */
export const movePlaced = (state) => (state.pending ?? state.illegal)?.placed ?? [];

/** Add a tile to the present move, or to an older turn. */
export function addTile(cell, turn = null) {
  pickTile({
    cell,
    turn: turn?.turn ?? null,
    title: turn ? t("picker.add_to_turn", { turn: turn.turn }) : t("picker.add"),
    pick: (tile) => replaceTile(cell, tile, turn),
  });
}

/** Change or remove a tile that lies there. */
export function changeTile(tile, extra) {
  const isPending = movePlaced(store.state).some(isAt(tile));
  const turn = isPending ? null : store.state.turns[tile.turn - 1] ?? { turn: 0, placed: lateTiles() };
  pickTile({
    cell: tile,
    tile,
    turn: turn?.turn || null,
    title: t("picker.change"),
    pick: (chosen) => replaceTile(tile, chosen, turn),
    remove: () => replaceTile(tile, null, turn),
    extra: turn && turn.turn > 0 && extra ? () => extra(turn) : null,
  });
}

const lateTiles = () => store.state.board.filter((tile) => tile.turn === 0);

function replaceTile(cell, tile, turn) {
  const before = turn ? turn.placed : movePlaced(store.state);
  const rest = before.filter((other) => !isAt(cell)(other)).map(plain);
  const placed = tile ? [...rest, plain(tile)] : rest;
  if (!turn) return wish("/api/turn/place", { placed });
  if (!placed.length && turn.turn > 0) return wish(`/api/turns/${turn.turn}/remove`);
  return wish(`/api/turns/${turn.turn}`, { placed });
}

/** Take back: the last tile of a move made by hand, else the last thing that happened. */
export function undo() {
  const pending = store.state.pending;
  if (pending?.by_hand) return wish("/api/turn/place", { placed: pending.placed.slice(0, -1).map(plain) });
  return wish("/api/turn/undo");
}
