// What all pages share: texts, elements without any HTML of others, posts, and following a feed.

const texts = JSON.parse(document.body.dataset.texts || "{}");

/** The text called `key` in the page's language, with {names} filled in. */
export function say(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** An element; children are text or elements, never HTML. `on*` are listeners, `data-*`, `aria-*` and others attributes. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Words of others as they can be shown: what steers terminals or turns the direction of writing is made visible. */
export function visible(text) {
  return String(text).replace(unseen, "\ufffd");
}

/** Puts `children` in place of all there is in `element`. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
}

/** Post JSON to our own server; the answer, or an Error with what the server says. */
export async function post(path, body = {}) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  let answer = {};
  try {
    answer = text ? JSON.parse(text) : {};
  } catch {
    answer = { problem: text };
  }
  if (!response.ok) throw new Error(answer.problem || response.statusText);
  return answer;
}

/**
 * Follow the feed at `path`: `take({fresh, lines, now})` for every message, `connected(bool)` when the line is lost or
 * found again. The browser comes back by itself and asks for what it missed.
 */
export function follow(path, take, connected = () => {}) {
  let source;
  const open = () => {
    source = new EventSource(path);
    source.onopen = () => connected(true);
    source.onmessage = (event) => {
      connected(true);
      take(JSON.parse(event.data));
    };
    source.onerror = () => {
      connected(false);
      // A refused connection is not tried again by the browser itself.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1500);
    };
  };
  open();
  return () => source.close();
}
