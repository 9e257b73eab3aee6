// The state as the server tells it, followed live. A connection that breaks is taken up again by
// itself; nothing is lost, because the server always tells the whole state.

const POLL_MS = 3000;
const SILENCE_MS = 70000; // the server ends each stream within 60 s, so silence means it is gone
const PATIENCE_MS = 1500; // a stream that ends is usually back within a second
const QUIET_MS = 8000; // a stream that brings nothing may be quiet or dead: only asking tells
const ANSWER_MS = 5000;

const listeners = new Set();
let source = null;
let opened = 0;
let heard = 0;
let isAsking = false;
let pollTimer = 0;
let lostTimer = 0;

export const store = { state: null, connection: "connecting" };

/** Be told of every change. */
export const listen = (listener) => listeners.add(listener);

/** Take a state, unless a newer one is known. */
export function take(state) {
  if (!isNewer(state.version, store.state?.version)) return;
  const before = store.state;
  store.state = state;
  for (const listener of listeners) listener(state, before);
}

function isNewer(version, known) {
  if (!known) return true;
  const [epoch, count] = version.split("-");
  const [knownEpoch, knownCount] = known.split("-");
  return epoch !== knownEpoch || Number(count) > Number(knownCount);
}

/** Begin to follow, and never give up. */
export function follow() {
  open();
  setInterval(() => Date.now() - opened > SILENCE_MS && open(), 5000);
  setInterval(() => document.hidden || Date.now() - heard < QUIET_MS || knock(), 1000);
  document.addEventListener("visibilitychange", () => document.hidden || open());
  addEventListener("online", open);
  addEventListener("offline", () => connection("lost"));
  addEventListener("pageshow", (event) => event.persisted && open());
}

function open() {
  source?.close();
  clearTimeout(pollTimer);
  opened = Date.now();
  const since = store.state ? `?since=${encodeURIComponent(store.state.version)}` : "";
  source = new EventSource(`/api/events${since}`);
  source.addEventListener("state", (event) => {
    heard = Date.now();
    take(JSON.parse(event.data));
  });
  source.onopen = () => {
    opened = heard = Date.now();
    connection("live");
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) poll();
    else lostTimer ||= setTimeout(() => connection("lost"), PATIENCE_MS);
  };
}

/** Ask whether the server is still there; a device that slept may hold a stream long dead. */
async function knock() {
  if (isAsking) return;
  isAsking = true;
  try {
    take(await (await fetchWithin("/api/state", ANSWER_MS)).json());
    if (store.connection === "lost") open();
  } catch {
    connection("lost");
    open();
  }
  heard = Date.now();
  isAsking = false;
}

async function fetchWithin(path, ms) {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), ms);
  try {
    return await fetch(path, { signal: end.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Where no stream is to be had, ask every few seconds, and now and then for a stream again. */
async function poll() {
  try {
    take(await (await fetchWithin("/api/state", ANSWER_MS)).json());
    heard = Date.now();
    connection("polling");
  } catch {
    connection("lost");
  }
  pollTimer = setTimeout(Math.random() < 0.2 || store.connection === "lost" ? open : poll, POLL_MS);
}

function connection(now) {
  if (now !== "lost") {
    clearTimeout(lostTimer);
    lostTimer = 0;
  }
  if (store.connection === now) return;
  store.connection = now;
  for (const listener of listeners) listener(store.state, store.state);
}
