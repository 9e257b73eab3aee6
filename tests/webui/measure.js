// What is drawn beyond the edge of its own box or of the window, what overlaps, and controls that
// are too small for a thumb. Evaluated in the page by the tests.
() => {
  const problems = [];
  const isShown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const name = (e) => `${e.tagName} ${e.className?.baseVal ?? e.className} "${e.textContent.slice(0, 30)}"`;
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) problems.push(`the page is ${root.scrollWidth} px wide`);
  const main = document.getElementById("main");
  if (main.scrollWidth > main.clientWidth + 1) problems.push(`the view is ${main.scrollWidth} px wide`);
  for (const e of document.querySelectorAll("button, a[href], input:not([type=file]), summary, [role=button]")) {
    if (!isShown(e) || (e.closest("dialog") === null && document.querySelector("dialog[open]"))) continue;
    const box = (e.closest("label") ?? e).getBoundingClientRect();
    if (box.width < 43.5 || box.height < 43.5) {
      problems.push(`${name(e)} is only ${box.width.toFixed()} x ${box.height.toFixed()}`);
    }
  }
  for (const e of document.querySelectorAll("button, a, h1, h2, h3, p, li, label, th, td, strong, .pill, .number, .gain")) {
    if (!isShown(e) || e.closest("[aria-hidden=true], .hidden, .unseen-title, svg, .table-scroll")) continue;
    if (e.matches(".hidden, .unseen-title")) continue;
    const box = e.getBoundingClientRect();
    if (box.width === 0) continue;
    if (box.left < -1 || box.right > innerWidth + 1) problems.push(`${name(e)} leaves the window`);
    if (e.scrollWidth > e.clientWidth + 2 && getComputedStyle(e).display !== "inline" && e.clientWidth > 0
        && getComputedStyle(e).textOverflow !== "ellipsis") {
      problems.push(`${name(e)} is cut off: ${e.scrollWidth} > ${e.clientWidth}`);
    }
  }
  const solid = [...document.querySelectorAll(".card > *, .below > *, .controls button, .panel > *, .toolbar > *, #nav > *, #status > *")].filter(isShown);
  for (const one of solid) {
    for (const other of one.parentElement.children) {
      if (one === other || !isShown(other) || !solid.includes(other)) continue;
      if (getComputedStyle(other).position === "absolute" || getComputedStyle(one).position === "absolute") continue;
      const a = one.getBoundingClientRect();
      const b = other.getBoundingClientRect();
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 2) problems.push(`${name(one)} overlaps ${name(other)}`);
    }
  }
  for (const number of document.querySelectorAll(".number")) {
    const a = number.getBoundingClientRect();
    const b = number.closest(".card").getBoundingClientRect();
    if (a.left < b.left || a.right > b.right + 1) problems.push(`the score ${number.textContent} does not fit`);
  }
  return problems;
}
