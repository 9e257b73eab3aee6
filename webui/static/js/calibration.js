// The set-up of the camera as the server knows it, and the steps that are asked of it.

import { get } from "./api.js";

const TRIES = 20;
const PAUSE_MS = 400;

/** What is known, what each step said, and the step that is running. */
export const setup = { known: null, said: {}, running: "", lookedAt: 0 };

let last = Promise.resolve();

/** Ask what is known; without an answer there is no camera. */
export async function refresh() {
  setup.known = (await get("/api/calibration")) ?? { state: "none" };
}

/** Do a step after the one that is running, with a photo where the camera is a phone. */
export function run(step, redraw, { edition = "", photo = null } = {}) {
  const path = `${step}?edition=${encodeURIComponent(edition)}`;
  const body = photo ? { headers: { "Content-Type": "image/jpeg" }, body: photo } : {};
  return ask(step, path, body, redraw);
}

/** Forget what a step taught. */
export const forget = (what, redraw) => {
  const body = { headers: { "Content-Type": "application/json" }, body: JSON.stringify({ what }) };
  return ask(what === "sheets" ? "lens" : what, "forget", body, redraw);
};

/** Nobody looks at the set-up any more. */
export function leave() {
  setup.said = {};
  fetch("/api/calibration/leave", { method: "POST", keepalive: true }).catch(() => {});
}

function ask(step, path, body, redraw) {
  last = last.then(async () => {
    setup.running = step;
    redraw();
    setup.said[step] = await persist(path, body, step === "aim" ? 1 : TRIES);
    setup.running = "";
    redraw();
  });
  return last;
}

/** Another device may be at a step: then it is tried again a little later. */
async function persist(path, body, tries) {
  for (let left = tries; ; left -= 1) {
    const told = await once(path, body);
    if (told.code !== "step_running" || left <= 1) return told.findings ?? [told];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function once(path, body) {
  try {
    const answer = await fetch(`/api/calibration/${path}`, { method: "POST", ...body });
    const data = await answer.json();
    if (!answer.ok) return { code: data.code, level: "problem", text: data.error, values: data.values };
    setup.known = data.calibration;
    if (path.startsWith("aim")) setup.lookedAt = Date.now();
    return data;
  } catch {
    return { code: "offline", level: "problem" };
  }
}
