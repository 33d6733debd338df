// Own seats while they play: drawn by the server; here the clocks run. The page only listens.
import { $, follow, say } from "./page.js";

const MOST_WARNINGS = 200;
let offset = 0; // milliseconds this clock is behind the server's

function tick() {
  for (const clock of document.querySelectorAll(".clock[data-since]")) {
    const { since, budget, request } = clock.dataset;
    const spent = Math.max(0, Date.now() + offset - since);
    const share = Math.min(1, spent / budget);
    const bar = clock.querySelector(".share");
    bar.lastElementChild.setAttribute("width", share * 100);
    bar.classList.toggle("late", share > 0.5);
    bar.classList.toggle("gone", share > 0.85);
    clock.querySelector("p").textContent = say("asked_since", { request, seconds: (spent / 1000).toFixed(1), whole: (budget / 1000).toFixed(1) });
  }
}

follow("/events", (_, { fresh, lines, clock }) => {
  const warnings = $("warnings");
  if (fresh) warnings.replaceChildren();
  for (const line of lines) {
    warnings.insertAdjacentHTML("afterbegin", line);
    const time = warnings.querySelector("time");
    time.textContent = new Date(time.dateTime * 1000).toLocaleTimeString();
  }
  while (warnings.children.length > MOST_WARNINGS) warnings.lastChild.remove();
  offset = clock - Date.now();
  tick();
  if ($("over").firstChild) return "over";
});
setInterval(tick, 100);
