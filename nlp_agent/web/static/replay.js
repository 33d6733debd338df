// A recorded game, step by step: what happened up to the moment, and what an onlooker could believe then.
import { $, say } from "./page.js";
import { Lines } from "./lines.js";

const root = $("replay");
const players = JSON.parse(root.dataset.players);
const steps = [...root.querySelectorAll(".step")];
const story = root.querySelector(".story");
const slide = $("slide");
const link = $("link");
const facts = $("facts");
const village = $("village");
const rowOf = new Map([...root.querySelectorAll("tr[data-player]")].map((row) => [row.dataset.player, row]));
const stops = steps.flatMap((step, at) => (["dawn", "talk", "vote", "execute", "attack", "result"].includes(step.dataset.kind) ? [at] : []));
const days = steps.flatMap((step, at) => (step.dataset.kind === "dawn" ? [at] : []));
const decided = steps.flatMap((step, at) => ("decided" in step.dataset ? [at] : []));
const deaths = new Map(steps.flatMap((step, at) => (step.dataset.dies ? [[step.dataset.dies, at]] : [])));
const A_STEP = 1600;

let at = 0;
let rows = [];
let picked = "";
let playing = 0;

const lines = new Lines($("lines"), {
  players,
  last: steps.length - 1,
  days: days.map((step, day) => ({ day: Number(steps[step].closest("ol").previousElementSibling.id.slice(3)), step })),
  title: say("lines"),
  dayText: (day) => say("day", { day }),
  went: (step) => go(step),
});

function go(step, { quietly = false } = {}) {
  at = Math.max(0, Math.min(steps.length - 1, step));
  steps.forEach((element, number) => {
    element.classList.toggle("later", number > at);
    element.classList.toggle("now", number === at);
    if (number === at) element.setAttribute("aria-current", "step");
    else element.removeAttribute("aria-current");
  });
  for (const heading of story.querySelectorAll("h2")) {
    heading.classList.toggle("later", heading.nextElementSibling.firstElementChild.classList.contains("later"));
  }
  for (const [name, row] of rowOf) row.classList.toggle("dead", (deaths.get(name) ?? Infinity) <= at);
  for (const told of village.querySelectorAll("[data-step]")) told.classList.toggle("later", Number(told.dataset.step) > at);
  for (const row of village.querySelectorAll("[data-name]")) row.classList.toggle("dead", (deaths.get(row.dataset.name) ?? Infinity) <= at);
  slide.value = String(at);
  slide.setAttribute("aria-valuetext", say("at_moment", { place: at + 1, count: steps.length }));
  $("place").textContent = say("at_moment", { place: at + 1, count: steps.length });
  link.href = `#s${at}`;
  if (!quietly) {
    history.replaceState(null, "", `#s${at}`);
    root.classList.add("moved");
  }
  show(steps[at]);
  believe();
}

/** Into the middle of the story, without moving the page. */
function show(element) {
  if (getComputedStyle(story).overflowY === "visible") {
    if (root.classList.contains("moved")) element.scrollIntoView({ block: "nearest" });
    return;
  }
  const top = element.getBoundingClientRect().top - story.getBoundingClientRect().top + story.scrollTop;
  story.scrollTo({ top: top - story.clientHeight * 0.6 });
}

// --- what an onlooker could believe ------------------------------------------------------------------------------

function believe() {
  const known = rows.filter((row) => row.step <= at);
  const now = known.at(-1);
  const before = known.at(-2);
  lines.draw(rows, deaths, at, picked);
  for (const [name, row] of rowOf) {
    const p = now?.wolf[name];
    const change = before && now.step === at ? p - before.wolf[name] : 0;
    row.querySelector(".p").textContent = p === undefined ? "–" : p.toFixed(2);
    row.querySelector(".fill").setAttribute("width", String(Math.round((p ?? 0) * 1000) / 10));
    const cell = row.querySelector(".change");
    cell.textContent = Math.abs(change) < 0.005 ? "" : `${change > 0 ? "▲" : "▼"} ${Math.abs(change).toFixed(2)}`;
    cell.classList.toggle("up", change > 0);
  }
  $("moved-by").textContent = picked ? say("moved_player", { name: picked }) : say("moved");
  const fresh = now?.step === at;
  facts.classList.toggle("fresh", fresh);
  facts.innerHTML = weighty(now?.why ?? [], fresh) || `<li class="quiet">${say("nothing_moves")}</li>`;
}

/** The facts that weigh most, of all players or of the one picked; what is old and certain only of that one. */
function weighty(all, now) {
  const wanted = all.filter(({ name, certain, fresh }) => (picked ? name === picked : (fresh && now) || !certain));
  wanted.sort((a, b) => now * (b.fresh - a.fresh) || b.push - a.push);
  return wanted.slice(0, picked ? 10 : 5).map(({ html }) => html).join("");
}

async function fetchOpinions() {
  const progress = $("progress");
  for (;;) {
    const response = await fetch(`/games/${root.dataset.key}/opinions?from=${rows.length}`);
    if (!response.ok) return;
    const { rows: more, done } = await response.json();
    rows = rows.concat(more);
    progress.textContent = done ? "" : say("working", { count: rows.length });
    believe();
    if (done) {
      root.dataset.ready = "";
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

// --- going through it ----------------------------------------------------------------------------------------------

const secrets = $("secrets");
const seen = (step) => secrets.checked || !steps[step].classList.contains("secret");
const after = (places) => places.find((place) => place > at && seen(place)) ?? at;
const before = (places) => places.findLast((place) => place < at && seen(place)) ?? at;
const ways = {
  start: () => go(0),
  end: () => go(steps.length - 1),
  on: () => go(after(stops)),
  back: () => go(before(stops)),
  "day-on": () => go(after(days)),
  "day-back": () => go(before(days)),
  "decision-on": () => go(after(decided)),
  "decision-back": () => go(before(decided)),
  play: () => play(!playing),
};

function play(wanted) {
  clearTimeout(playing);
  playing = 0;
  if (wanted) {
    if (at >= steps.length - 1) go(0);
    const tick = () => {
      ways.on();
      playing = at < steps.length - 1 ? setTimeout(tick, A_STEP / Number($("speed").value)) : 0;
      told();
    };
    playing = setTimeout(tick, 300);
  }
  told();
}

function told() {
  const button = root.querySelector('[data-go="play"]');
  button.setAttribute("aria-pressed", String(Boolean(playing)));
  button.firstChild.textContent = playing ? "❚❚" : "▶";
  button.lastChild.textContent = say(playing ? "stop" : "play");
}

root.addEventListener("click", (event) => {
  const way = event.target.closest("[data-go]");
  if (way) {
    if (way.dataset.go !== "play") play(false);
    ways[way.dataset.go]();
  }
  const pick = event.target.closest(".pick");
  if (pick) {
    const name = pick.closest("tr").dataset.player;
    picked = picked === name ? "" : name;
    for (const [player, row] of rowOf) row.querySelector(".pick").setAttribute("aria-pressed", String(player === picked));
    believe();
  }
});

const keys = { ArrowRight: "on", ArrowLeft: "back", Home: "start", End: "end", " ": "play", d: "decision-on", D: "decision-back" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (event.key === " " && event.target.closest("button, a, summary")) return;
  let way = keys[event.key];
  if (event.shiftKey && way === "on") way = "day-on";
  if (event.shiftKey && way === "back") way = "day-back";
  if (!way) return;
  event.preventDefault();
  if (way !== "play") play(false);
  if (way.startsWith("decision") && !decided.length) $("place").textContent = say("no_journals");
  else ways[way]();
});

slide.addEventListener("input", () => go(Number(slide.value)));
secrets.addEventListener("change", () => root.classList.toggle("public", !secrets.checked));
story.addEventListener("click", (event) => {
  const step = event.target.closest(".step");
  if (step && !event.target.closest("a")) go(steps.indexOf(step));
});
link.addEventListener("click", async (event) => {
  event.preventDefault();
  history.replaceState(null, "", link.href);
  try {
    await navigator.clipboard.writeText(location.href);
    $("place").textContent = say("copied");
  } catch {
    // Without the clipboard the address bar has it.
  }
});
window.addEventListener("hashchange", () => go(Number(location.hash.slice(2)) || 0, { quietly: true }));

root.classList.add("live");
go(Number(location.hash.slice(2)) || 0, { quietly: true });
fetchOpinions();
