// The page for onlookers: the talk, and beside it claims, results, votes and who lives.
import { fill, follow, h, say } from "./page.js";
import { Lines, mark, nameOf, setPlayers, span, withNames } from "./chat.js";

const $ = (id) => document.getElementById(id);
const { base, secret } = $("watch").dataset;
const lines = new Lines($("lines"), $("scroller"), $("fresh"));
let now = {};
let offset = 0;
let polls = [];

function player(name) {
  return h("span.who-cell", {}, mark(name), nameOf(name));
}

function board() {
  const voting = new Map((now.votes ?? []).map(([from, to]) => [from, to]));
  const withRoles = now.players.some((one) => one.role);
  const head = ["col_player", ...(withRoles ? ["col_role"] : []), "col_claims", "col_results", "col_vote"];
  const row = (one) => {
    const vote = voting.get(one.name);
    const claims = (one.claims ?? []).map((role) => h("span.pill", {}, say(`role_${role}`)));
    const results = (one.results ?? []).map(([who, what]) => h(`span.pill.${what}`, {}, ...withNames(`result_told_${what}`, { who })));
    const told = vote ? h("b", {}, "→ ", nameOf(vote)) : one.announced && one.alive ? h("span.quiet", { title: say("col_announced") }, "(→ ", nameOf(one.announced), ")") : "";
    return h(
      `tr${one.alive ? "" : ".dead"}${now.asked === one.name ? ".asked" : ""}`,
      {},
      h("th", { scope: "row" }, player(one.name), one.alive ? null : h("small.quiet", {}, `${say(`dead_${one.end}`)} · ${say("day_short", { day: one.end_day })}`)),
      withRoles ? h("td", {}, one.role ? h(`span.pill.${one.role}`, {}, say(`role_${one.role}`)) : "") : null,
      h("td", {}, claims),
      h("td", {}, results),
      h("td.vote-now", {}, told),
    );
  };
  fill($("board"), h("thead", {}, h("tr", {}, head.map((key) => h("th", { scope: "col" }, say(key))))), h("tbody", {}, now.players.map(row)));
}

function matrix() {
  $("poll").hidden = !polls.length;
  const names = now.players?.map((one) => one.name) ?? [];
  const rows = names.map((name) =>
    h("tr", {}, h("th", { scope: "row" }, nameOf(name)), polls.map((poll) => {
      const vote = poll.votes.find(([from]) => from === name);
      return h("td", {}, vote ? ["→ ", nameOf(vote[1])] : "");
    })));
  fill($("matrix"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("col_player")), polls.map((poll) => h("th", { scope: "col" }, say("day_short", { day: poll.day }))))), h("tbody", {}, rows));
}

function tick() {
  $("clock").hidden = !now.until;
  if (now.until) $("clock").textContent = say("time_left", { time: span(now.until - (Date.now() + offset)) });
}

follow(`${base}/events${secret ? "?secrets=1" : ""}`, (message) => {
  now = message.now;
  offset = message.clock - Date.now();
  setPlayers(now.players.map((one) => one.name));
  if (message.fresh) {
    lines.clear();
    polls = [];
  }
  polls.push(...message.lines.filter((line) => line.kind === "votes"));
  lines.add(message.lines);
  const started = now.players.length > 0;
  $("phase").textContent = started ? say(now.day ? "day_line" : "day_first", { day: now.day }) : say("watch_waiting");
  $("asked").textContent = now.asked ? say("asked_is", { name: now.asked }) : now.night ? say("night_now") : "";
  board();
  matrix();
  tick();
}, (connected) => {
  $("connection").hidden = connected;
});
setInterval(tick, 500);
