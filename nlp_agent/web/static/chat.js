// The lines of a game, and the clock: shared by players and onlookers.
import { $, say } from "./page.js";

const scroller = $("scroller");
const list = $("lines");
const fresh = $("fresh");
// The scroller begins at its end (column-reverse): it stays there by itself, whatever grows or shrinks around it.
const atEnd = () => scroller.scrollTop > -60;

export function toEnd() {
  scroller.scrollTop = 0;
  fresh.hidden = true;
}

/** Append what `message` brings; the elements that are new. */
export function addLines({ fresh: again, lines }) {
  const stay = again || atEnd();
  if (again) list.replaceChildren();
  // What was said before somebody came is there to be read, not to be read out.
  scroller.setAttribute("aria-busy", again);
  const before = list.children.length;
  list.insertAdjacentHTML("beforeend", lines.join(""));
  const added = [...list.children].slice(before);
  added.forEach(join);
  if (stay) toEnd();
  else fresh.hidden &&= !lines.length;
  return added;
}

/** Several who say nothing more, one after another, share a line. */
function join(line) {
  const last = line.previousElementSibling;
  if (!last || !("joins" in line.dataset && "joins" in last.dataset) || last.dataset.channel !== line.dataset.channel) return;
  last.querySelector(".names").append(say("comma"), ...line.querySelector(".names").childNodes);
  line.remove();
}

let offset = 0; // milliseconds this clock is behind the server's

/** Milliseconds left on the clock, shown by it; nothing where none runs. */
export function tick(now) {
  if (now) offset = now - Date.now();
  const clock = $("clock").firstElementChild;
  if (!clock) return undefined;
  const rest = clock.dataset.until - (Date.now() + offset);
  const seconds = Math.max(0, Math.ceil(rest / 1000));
  clock.textContent = say("chat" in clock.dataset ? "chat_time_left" : "time_left", { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` });
  return rest;
}

scroller.addEventListener("scroll", () => (fresh.hidden ||= atEnd()));
fresh.addEventListener("click", toEnd);
