/* Small tools for the page's tree. Text goes in as text; only `serverHtml` sets HTML. */
import { fill, t } from './strings.js';

const COPIED_MS = 2000;
const SVG = 'http://www.w3.org/2000/svg';

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** The named part (`data-part`) inside a tree. */
export const part = (root, name) => root.querySelector(`[data-part="${name}"]`);

/** A fresh copy of a template's one element, with its strings filled in. */
export function clone(template) {
  return fill(byId(template).content.firstElementChild.cloneNode(true));
}

/** An element with a class and a text. */
export function el(tag, className = '', text = null) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  return node;
}

/** A button that does one thing. */
export function button(className, text, act) {
  const node = el('button', className, text);
  node.type = 'button';
  node.addEventListener('click', act);
  return node;
}

/** An SVG element with presentation attributes and children. */
export function svg(tag, attributes = {}, children = []) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Sets HTML that our server has rendered and sanitised. Never for anything else. */
export function serverHtml(node, html) {
  node.innerHTML = html;
}

/** Copies a text; tells whether it worked. Without HTTPS the clipboard is closed, so the old way is tried too. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A button that copies a text and says so on itself, since a note would lie under an open drawer. */
export function copyButton(className, label, text) {
  const node = button(className, label, async () => {
    node.textContent = t((await copyText(text())) ? 'copied' : 'copy_failed');
    setTimeout(() => (node.textContent = label), COPIED_MS);
  });
  return node;
}

function copyBySelection(text) {
  const area = el('textarea', 'unseen');
  area.value = text;
  const home = document.querySelector('dialog[open]') ?? document.body;
  const focused = document.activeElement;
  home.append(area);
  area.select();
  const worked = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return worked;
}
