// Elements made from data, and a page brought up to date without losing focus or scroll.
// Text always goes in as text: nothing that anybody typed is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";
const HANDLERS = [
  "onclick", "onchange", "oninput", "onkeydown", "onsubmit", "onpointerdown", "onerror", "onload",
];

const OWN = new Set(["style", "open"]); // what people opened stays open

/** An HTML element: h("button", { class: "big", onclick: go }, "Go"). */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** An SVG element. */
export const s = (tag, props, ...children) =>
  fill(document.createElementNS(SVG, tag), props, children);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

function set(element, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name === "key") element.key = String(value);
  else if (name === "keep") element.keep = true;
  else if (name === "style") Object.entries(value).forEach(([k, v]) => element.style.setProperty(k, v));
  else if (name === "value") element.value = value;
  else if (name === "checked") element.checked = true;
  else if (typeof value === "function") element[name] = value;
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** Make an element look like another one, changing as little as possible. */
export function morph(old, fresh) {
  if (!isSame(old, fresh)) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  if (old.keep) return old;
  morphAttributes(old, fresh);
  morphChildren(old, fresh);
  return old;
}

/** Whether one node can become the other: the same kind of thing under the same key. */
const isSame = (a, b) => a.nodeName === b.nodeName && a.key === b.key && kind(a) === kind(b);
const kind = (node) => node.getAttribute?.("class")?.split(" ")[0] ?? "";

function morphAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OWN.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
  for (const name of HANDLERS) old[name] = fresh[name];
  if (old.tagName === "INPUT" && document.activeElement !== old) {
    old.value = fresh.value;
    old.checked = fresh.checked;
  }
}

function morphChildren(old, fresh) {
  const keyed = new Map();
  for (const child of old.childNodes) if (child.key !== undefined) keyed.set(child.key, child);
  let here = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const match = child.key === undefined ? ahead(here, child) : keyed.get(child.key);
    if (!match || !isSame(match, child)) {
      old.insertBefore(child, here);
      continue;
    }
    if (child.key === undefined) here = drop(here, match);
    else if (match !== here) old.insertBefore(match, here);
    if (match === here) here = here.nextSibling;
    morph(match, child);
  }
  drop(here, null);
}

/** The next sibling without a key that can become a node. */
function ahead(here, child) {
  let node = here;
  while (node && (node.key !== undefined || !isSame(node, child))) node = node.nextSibling;
  return node;
}

/** Remove siblings until one is reached; those with a key are kept in case they are still wanted. */
function drop(from, until) {
  let node = from;
  while (node && node !== until) {
    const next = node.nextSibling;
    if (node.key === undefined || until === null) node.remove();
    else if (until) until.after(node);
    node = next;
  }
  return node;
}
