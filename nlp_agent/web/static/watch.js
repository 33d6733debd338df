// The page for onlookers: all of it is drawn by the server; where the game has a pace, keys and buttons change it.
import { $, follow, post } from "./page.js";
import { addLines, tick } from "./chat.js";

const { base, events } = $("watch").dataset;
const pace = (act) => post(`${base}/pace`, { do: act }).catch(() => {});

$("pace").addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) pace(button.dataset.do);
});

document.addEventListener("keydown", (event) => {
  const now = $("pace").querySelector("[data-do]");
  if (!now || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, a, input, select, textarea")) return;
  const act = { " ": now.dataset.do, ArrowRight: "step" }[event.key];
  if (!act) return;
  event.preventDefault();
  pace(act);
});

follow(events, (_, message) => {
  addLines(message);
  tick(message.clock);
});
setInterval(() => tick(), 500);
