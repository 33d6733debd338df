// A table's own page: who has come, and the links for who has not.
import { fill, follow, h, say } from "./page.js";

const { base, code } = document.getElementById("table").dataset;
let shown = "";

function kind(seat) {
  return seat.kind === "model" ? say("kind_model", { name: seat.endpoint }) : say(`kind_${seat.kind}`);
}

function link(text, label) {
  const field = h("input", { type: "text", readonly: true, value: text, "aria-label": label });
  const button = h("button", { type: "button", onclick: async () => {
    field.select();
    await navigator.clipboard?.writeText(text);
    button.textContent = say("copied");
  } }, say("copy"));
  return [h("div.quiet.small", {}, label), h("div.link", {}, field, button)];
}

function place(seat, number, url) {
  const more = [];
  if (seat.kind === "me") more.push(h("p", {}, h("a.button.primary", { href: seat.link }, say("take_seat"))));
  if (seat.kind === "person" && !seat.there) more.push(...link(location.origin + seat.link + code, say("invite")));
  if (seat.kind === "guest" && !seat.there) more.push(...link(url.replace("//0.0.0.0:", `//${location.hostname}:`), say("guest_address")));
  const state = h(`span.state${seat.there ? ".there" : ""}`, {}, say(seat.there ? "there" : "not_there"));
  return h("li", {}, h("div.head", {}, h("b", {}, say("seat_number", { number })), h("span", {}, kind(seat)), seat.label ? h("bdi", {}, seat.label) : null, state), ...more);
}

follow(`${base}/events`, ({ now }) => {
  const lead = now.problem || say(now.playing ? "table_playing" : now.games ? "table_between" : "table_lead");
  document.getElementById("lead").textContent = lead;
  const key = JSON.stringify(now);
  if (key === shown) return;
  shown = key;
  fill(document.getElementById("places"), now.seats.map((seat, index) => place(seat, index + 1, now.url)));
});
