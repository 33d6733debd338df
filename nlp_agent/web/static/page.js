// What all pages share: texts, posts, and following a stream of events whose pieces the server draws.

const texts = JSON.parse(document.body.dataset.texts || "{}");
const lang = document.documentElement.lang;
export const $ = (id) => document.getElementById(id);

/** The text called `key` in the page's language, with {names} filled in. */
export function say(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Post to our own server, which answers in the page's language; what it answers, or an Error with what it says. */
export async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${path}?lang=${lang}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(text.startsWith("{") ? JSON.parse(text).problem : text || response.statusText);
}

/** What a form says, the button that sent it included; fields of one name are a list. */
export function told(form, button) {
  const data = new FormData(form, button);
  return Object.fromEntries([...data.keys()].map((key) => [key, data.getAll(key).length > 1 ? data.getAll(key) : data.get(key)]));
}

const GONE = 30000; // milliseconds without a connection after which it may be gone for good
let gone; // the timer that tells so

/**
 * Follow the stream at `path`: parts go into the elements of their names, which `changed(ids, message)` hears of. The
 * browser comes back by itself and asks for what it missed, until `changed` returns "over".
 */
export function follow(path, changed = () => {}) {
  const shown = {};
  const source = new EventSource(path + (path.includes("?") ? "&" : "?") + `lang=${lang}`);
  const connection = $("connection");
  const { long, closed } = connection?.dataset ?? {};
  const lost = connection && (connection.dataset.lost ??= connection.textContent);
  const connected = (yes) => {
    if (!connection) return;
    connection.hidden = yes;
    if (yes) {
      clearTimeout(gone);
      gone = undefined;
      connection.textContent = lost;
    } else if (long) {
      // By a timer: a browser whose attempts hang reports no further error.
      gone ??= setTimeout(() => { connection.textContent = long; }, GONE);
    }
  };
  source.addEventListener("closed", () => {
    source.close();
    if (!closed) return;
    connection.textContent = closed;
    connection.hidden = false;
    $("clock")?.replaceChildren();
    for (const id of ["ask", "places"]) $(id)?.setAttribute("inert", "");
  });
  source.onopen = () => connected(true);
  source.onmessage = (event) => {
    connected(true);
    const message = JSON.parse(event.data);
    const ids = Object.keys(message.parts).filter((id) => shown[id] !== message.parts[id]);
    for (const id of ids) $(id).innerHTML = shown[id] = message.parts[id];
    if (changed(ids, message) === "over") source.close();
  };
  source.onerror = () => {
    connected(false);
    // A refused connection is not tried again by the browser itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => follow(path, changed), 1500);
  };
}
