// The first page: order a village, two clicks to a game.
import { h, post, say } from "./page.js";

const form = document.getElementById("order");
const seats = document.getElementById("seats");
const endpoints = JSON.parse(seats.dataset.endpoints);
const problem = document.getElementById("problem");
const busy = document.getElementById("busy");

const kinds = [
  ["me", say("kind_me")],
  ["computer", say("kind_computer")],
  ["person", say("kind_person")],
  ["guest", say("kind_guest")],
  ...endpoints.map((name) => [`model:${name}`, say("kind_model", { name })]),
];

function roles() {
  const counts = {};
  for (const input of document.querySelectorAll("#roles input")) counts[input.name.slice(5)] = Number(input.value) || 0;
  return counts;
}

function size() {
  const chosen = form.elements.size.value;
  if (chosen !== "own") return Number(chosen);
  return Math.min(15, Object.values(roles()).reduce((sum, count) => sum + count, 0));
}

function laySeats() {
  document.getElementById("roles").hidden = form.elements.size.value !== "own";
  const before = [...seats.querySelectorAll("select")].map((select) => select.value);
  const rows = [];
  for (let number = 1; number <= size(); number++) {
    const chosen = before[number - 1] ?? (number === 1 ? "me" : "computer");
    const options = kinds.map(([value, name]) => h("option", { value, selected: value === chosen }, name));
    rows.push(h("li", {}, h("label", {}, h("span", {}, say("seat_number", { number })), h("select", {}, ...options))));
  }
  seats.replaceChildren(...rows);
}

async function open(order) {
  problem.hidden = true;
  busy.textContent = say("starting");
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  try {
    location.href = (await post("/tables", order)).go;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    busy.textContent = "";
    for (const button of document.querySelectorAll("button")) button.disabled = false;
  }
}

form.addEventListener("change", (event) => {
  if (event.target.name === "size" || event.target.type === "number") laySeats();
  // Only one seat can be mine.
  if (event.target.matches("#seats select") && event.target.value === "me") {
    for (const other of seats.querySelectorAll("select")) {
      if (other !== event.target && other.value === "me") other.value = "computer";
    }
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = form.elements;
  const own = fields.size.value === "own";
  open({
    ...(own ? { roles: roles() } : { players: size() }),
    lang: fields.lang.value,
    talk: fields.talk.value,
    pace: fields.pace.value,
    wish: fields.wish.value,
    seats: [...seats.querySelectorAll("select")].map((select) => select.value),
  });
});
document.getElementById("quick").addEventListener("click", () => {
  open({ players: 5, lang: form.elements.lang.value, talk: "turns", pace: "usual", seats: ["me"] });
});
laySeats();
