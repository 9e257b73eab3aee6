// Words: every text of the page comes from the language's file.

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" };

export const language = document.documentElement.lang;
const plurals = new Intl.PluralRules(language);
let words = {};

/** Fetch the words of the page's language. */
export async function loadWords() {
  words = await (await fetch(`/locales/${language}.json`)).json();
}

/** Whether there is a text for a key. */
export const has = (key) => key in words;

/** A text with its placeholders filled; the form follows `params.count` where there are several. */
export function t(key, params = {}) {
  const text = words[key];
  if (text === undefined) return key;
  const form = typeof text === "string" ? text : text[plurals.select(params.count ?? 0)] ?? text.other;
  return form.replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole);
}

/** A point in time as people say it. */
export function when(text) {
  const options = { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(language, options).format(new Date(text));
}

/** A number with one digit after the point at most. */
export const decimal = (value) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);

/** Show the page in another language. */
export function speak(chosen) {
  document.cookie = `language=${chosen};path=/;max-age=31536000;samesite=strict`;
  location.reload();
}
