// What each device remembers for itself.

const DEFAULTS = { theme: "auto", voice: false, letters: true, awake: false };
const KEY = "tiletally";
let values = { ...DEFAULTS, ...read() };

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // private windows may have no storage
  }
}

/** One preference of this device. */
export const pref = (name) => values[name];

/** Change a preference of this device. */
export function setPref(name, value) {
  values = { ...values, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // It then holds until the page is closed.
  }
  applyPrefs();
}

/** Let the document follow the preferences. */
export function applyPrefs() {
  const root = document.documentElement;
  root.dataset.theme = values.theme;
  root.classList.toggle("letters", Boolean(values.letters));
}
