// A short message at the edge of the page, read out by screen readers.

const SHOWN_MS = 5000;
let timer = 0;

/** Say something short. */
export function toast(text, kind = "info") {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.dataset.kind = kind;
  place.classList.add("shown");
  clearTimeout(timer);
  timer = setTimeout(() => place.classList.remove("shown"), SHOWN_MS);
}

/** Tell screen readers something that is seen anyway. */
export function announce(text) {
  document.getElementById("announcer").textContent = text;
}
