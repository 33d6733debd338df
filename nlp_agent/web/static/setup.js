// The first page: order a village, two clicks to a game.
import { $, post, say, told } from "./page.js";

const form = $("order");
const problem = $("problem");
const seats = [...$("seats").querySelectorAll("select")];

function roles() {
  const fields = [...document.querySelectorAll("#roles input")];
  return Object.fromEntries(fields.map(({ name, value }) => [name.slice(5), Number(value)]));
}

// As soon as a number is typed: a page that moved only when the field is left would move under the press of a button.
form.addEventListener("input", ({ target }) => {
  const { value } = form.elements.size;
  const chat = form.elements.talk.value === "groupchat" ? form.elements.pace.value : "";
  for (const time of document.querySelectorAll("[data-chat-of]")) time.hidden = time.dataset.chatOf !== chat;
  $("roles").hidden = value !== "own";
  const size = value === "own" ? Object.values(roles()).reduce((sum, count) => sum + count) : Number(value);
  for (const [place, seat] of seats.entries()) {
    seat.closest("li").hidden = seat.disabled = place >= size;
    // Only one seat can be mine.
    if (seats.includes(target) && target.value === "me" && seat !== target && seat.value === "me") seat.value = "computer";
  }
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { size, quick, ...rest } = told(form, event.submitter);
  const order = quick ? { players: 5, lang: rest.lang, seats: ["me"] } : { ...rest, ...(size === "own" ? { roles: roles() } : { players: Number(size) }) };
  const buttons = document.querySelectorAll("button");
  problem.hidden = true;
  $("busy").textContent = say("starting");
  for (const button of buttons) button.disabled = true;
  try {
    location.href = JSON.parse(await post("/tables", order)).go;
  } catch (error) {
    $("busy").textContent = "";
    for (const button of buttons) button.disabled = false;
    // Beside the button: the page is longer than a phone, and whoever pressed it looks there.
    event.submitter.before(problem);
    problem.textContent = error.message;
    problem.hidden = false;
    problem.scrollIntoView({ block: "nearest" });
    problem.focus({ preventScroll: true });
  }
});
