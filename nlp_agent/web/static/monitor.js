// Own seats while they play. The page only listens.
import { h, fill, say, follow } from "./page.js";

const NS = "http://www.w3.org/2000/svg";
const seats = document.getElementById("seats");
const cards = new Map();
const MOST_WARNINGS = 200;

function bar(kind) {
  const svg = document.createElementNS(NS, "svg");
  for (const [key, value] of Object.entries({ class: `share ${kind}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" })) svg.setAttribute(key, value);
  for (const part of ["track", "fill"]) {
    const rect = document.createElementNS(NS, "rect");
    rect.setAttribute("class", part);
    rect.setAttribute("width", part === "track" ? "100" : "0");
    rect.setAttribute("height", "8");
    svg.append(rect);
  }
  return svg;
}

function set(svg, share) {
  svg.lastChild.setAttribute("width", String(Math.max(0, Math.min(100, share * 100))));
}

function card() {
  const parts = { head: h("h2"), words: h("p.small.quiet"), clock: bar("time"), where: h("div.quiet.small"), about: h("dl") };
  const element = h("section.card.seat", {}, parts.head, parts.where, h("div.clock", {}, parts.clock, parts.words), parts.about);
  return { ...parts, element, began: 0, budget: 1, asked: "" };
}

const seconds = (ms) => (ms / 1000).toFixed(1);

function show(one, seat) {
  one.element.classList.toggle("dead", seat.dead);
  fill(
    one.head,
    h("bdi", {}, seat.player || seat.name),
    seat.role && h(`span.role.role-${seat.role.toLowerCase()}`, {}, say(`role_${seat.role}`)),
    h(`span.tag.state-${seat.connected}`, {}, say(seat.dead && seat.connected === "playing" ? "dead" : seat.connected)),
  );
  fill(
    one.where,
    h("bdi", {}, seat.name),
    seat.players ? ` · ${say("where", { day: seat.day, alive: seat.alive, players: seat.players })}` : "",
    seat.phase ? ` · ${say(`phase_${seat.phase}`)}` : "",
    seat.game && h("span.mono", { title: seat.game }, ` · ${seat.game.slice(-6)}`),
  );
  Object.assign(one, { asked: seat.asked, began: performance.now() - seat.age, budget: seat.budget || 1, last: seat.last });
  const last = seat.last;
  const counts = Object.entries(seat.how).map(([how, count]) => `${say(`how_${how}`)} ${count}`);
  if (seat.dropped) counts.push(`${say("dropped")} ${seat.dropped}`);
  const thoughts = last ? [
    [last.shown ? "shows" : "believed", last.belief.length && h("div.beliefs", {}, ...last.belief.flatMap(([name, p]) => {
      const share = bar("");
      set(share, p);
      return [h("bdi", {}, name), share, h("span.num", {}, p.toFixed(2))];
    }))],
    ["thought", last.thought],
    ["planned", last.plan.join("; ")],
    ["problems", last.problems.length && h("ul.plain", {}, ...last.problems.map((problem) => h("li", {}, problem)))],
    ["sent", last.sent],
  ] : [];
  const rows = [...thoughts, ["answers", counts.join(" · ")], ["tokens", seat.tokens && seat.tokens.toLocaleString()]];
  fill(
    one.about,
    ...rows.filter(([, value]) => value).flatMap(([key, value]) => [h("dt", {}, say(key)), h(`dd.${key}`, {}, value)]),
  );
  if (!one.asked) rest(one);
}

/** Nothing is asked: the bar shows how long the last answer took. */
function rest(one) {
  const last = one.last;
  set(one.clock, last?.ms ? last.ms / one.budget : 0);
  one.clock.classList.remove("late", "gone");
  one.words.textContent = last
    ? say("answered_in", { request: say(`request_${last.request}`), seconds: seconds(last.ms ?? 0), how: say(`how_${last.how}`) })
    : say("nothing_asked");
}

function tick() {
  for (const one of cards.values()) {
    if (!one.asked) continue;
    const spent = performance.now() - one.began;
    const share = spent / one.budget;
    set(one.clock, share);
    one.clock.classList.toggle("late", share > 0.5);
    one.clock.classList.toggle("gone", share > 0.85);
    const text = say("asked_since", { request: say(`request_${one.asked}`), seconds: seconds(spent), whole: seconds(one.budget) });
    if (one.words.textContent !== text) one.words.textContent = text;
  }
}

function endpoints(now) {
  document.getElementById("no-endpoints").hidden = now.endpoints.length > 0;
  document.getElementById("endpoints").hidden = now.endpoints.length === 0;
  const time = (value) => (value === null ? "–" : `${value.toFixed(2)} s`);
  fill(
    document.querySelector("#endpoints tbody"),
    ...now.endpoints.map((each) =>
      h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, each.name), " ", h("span.quiet.small", {}, each.model)),
        h("td", {}, each.resting > 0 ? h("span.tag.resting", {}, say("resting", { seconds: Math.ceil(each.resting) })) : h("span.tag.state-playing", {}, say("well"))),
        h("td.num", {}, each.calls.toLocaleString()), h("td.num", {}, time(each.p50)), h("td.num", {}, time(each.worst)),
        h("td.num", {}, each.rate), h("td.num", { title: Object.entries(each.kinds).map((pair) => pair.join(" ")).join(", ") }, each.failures))),
  );
  document.getElementById("spent").textContent = now.endpoints.length === 0 ? "" : [
    say("spent", { calls: now.calls.toLocaleString(), tokens: now.tokens.toLocaleString(), cached: now.cached.toLocaleString() }),
    now.money === null ? say("no_prices") : say("money", { money: now.money.toFixed(now.money < 1 ? 4 : 2) }),
  ].join(" · ");
}

function warn(lines, fresh) {
  const list = document.getElementById("warnings");
  if (fresh) list.replaceChildren();
  for (const { t, seat, kind, text } of lines) {
    const time = new Date(t * 1000).toLocaleTimeString();
    list.prepend(h("li", {}, h("span.quiet", {}, `${time} `), seat && h("bdi.name", {}, `${seat} `), h("span.tag", {}, say(`kind_${kind}`)), " ", h("span", { dir: "auto" }, text)));
  }
  while (list.children.length > MOST_WARNINGS) list.lastChild.remove();
  document.getElementById("no-warnings").hidden = list.children.length > 0;
}

follow(
  "/events",
  ({ fresh, lines, now }) => {
    warn(lines, fresh);
    if (!now.seats) return;
    for (const seat of now.seats) {
      if (!cards.has(seat.name)) {
        cards.set(seat.name, card());
        fill(seats, ...[...cards.values()].map((one) => one.element));
      }
      show(cards.get(seat.name), seat);
    }
    endpoints(now);
  },
  (connected) => {
    document.getElementById("line").textContent = say(connected ? "live" : "ended");
  },
);
setInterval(tick, 100);
