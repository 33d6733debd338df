// The page for onlookers: all of it is drawn by the server; where the game has a pace, keys and buttons change it.
import { $, follow, post } from "./page.js";
import { addLines, tick } from "./chat.js";

const { base, events } = $("watch").dataset;
const send = (act) => post(`${base}/pace`, { do: act }).catch(() => {});
const lines = $("lines");
let read = null; // the line gone back to; none at the newest

function mark(line) {
  read?.classList.remove("read");
  read = line === lines.lastElementChild ? null : line;
  read?.classList.add("read");
  line?.scrollIntoView({ block: "nearest" });
}

/** Back stops what is shown and goes to the line before; next goes forward again, and past the newest to a new one. */
function pace(act) {
  if (act === "back") {
    mark((read ?? lines.lastElementChild)?.previousElementSibling ?? read);
    if ($("pace").querySelector("[data-do=stop]")) send("stop");
  } else if (act === "step" && read) mark(read.nextElementSibling);
  else {
    if (read) mark(lines.lastElementChild);
    send(act);
  }
}

$("pace").addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) pace(button.dataset.do);
});

document.addEventListener("keydown", (event) => {
  const now = $("pace").querySelector("[data-do]");
  if (!now || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, a, input, select, textarea")) return;
  const act = { " ": now.dataset.do, ArrowRight: "step", ArrowLeft: "back" }[event.key];
  if (!act) return;
  event.preventDefault();
  pace(act);
});

follow(events, (_, message) => {
  if (message.fresh) read = null;
  addLines(message);
  tick(message.clock);
});
setInterval(() => tick(), 500);
