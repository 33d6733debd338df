// Lines of a game as players and onlookers see them, and the marks of players.
import { fill, h, say, visible } from "./page.js";

const longest = 60; // characters of a name that are shown

let order = [];

/** The players in the order of the table: their places give them colours and shapes. */
export function setPlayers(names) {
  order = names;
}

/** A player's colour, shape and initial. */
export function mark(name) {
  const place = order.indexOf(name);
  const initial = [...visible(name)][0] ?? "?";
  return h(`span.mark.p${place < 0 ? "x" : place % 13}`, { "aria-hidden": "true" }, initial.toUpperCase());
}

/** A name that cannot change the direction of the words around it. */
export function nameOf(name) {
  const whole = visible(name);
  return h("bdi.name", { title: whole.length > longest ? whole : null }, whole.length > longest ? `${whole.slice(0, longest)}…` : whole);
}

/** The text `key`, with players' names in it as elements of their own. */
export function withNames(key, names, others = {}) {
  const parts = [];
  let rest = say(key, others);
  while (rest) {
    const found = rest.match(/\{(\w+)\}/);
    if (!found || !(found[1] in names)) {
      parts.push(rest);
      break;
    }
    parts.push(rest.slice(0, found.index), nameOf(names[found[1]]));
    rest = rest.slice(found.index + found[0].length);
  }
  return parts;
}

/** The text `key` with elements where `{place}` stands in it. */
export function labelled(key, place, elements) {
  const [before, after] = say(key, { [place]: "\u0000" }).split("\u0000");
  return [before, ...elements, after ?? ""];
}

/** Who voted for whom: one row for each who got votes, most first. */
export function votes(pairs) {
  const tally = new Map();
  for (const [from, to] of pairs) tally.set(to, [...(tally.get(to) ?? []), from]);
  const rows = [...tally].sort((a, b) => b[1].length - a[1].length);
  return h(
    "ul.votes",
    {},
    rows.map(([to, from]) =>
      h("li", {}, h("span.count", {}, String(from.length)), mark(to), nameOf(to), h("span.arrow", { "aria-hidden": "true" }, "←"),
        h("span.voters", {}, from.map((name, place) => [place ? say("comma") : "", nameOf(name)]).flat())),
    ),
  );
}

const icons = { executed: "⚖", killed: "☾", peace: "☼", nobody_executed: "⚖", result: "◉", deed: "➤", secret: "◈" };

function event(kind, ...children) {
  return h(`li.line.event.${kind}`, {}, h("span.icon", { "aria-hidden": "true" }, icons[kind] ?? "·"), h("span.what", {}, ...children));
}

function ending(line) {
  const me = line.roles[line.me];
  const wolves = ["WEREWOLF", "POSSESSED"];
  const won = me && line.winner !== "NONE" ? (line.winner === "WEREWOLF") === wolves.includes(me) : null;
  return h(
    "li.line.ending",
    {},
    h("h2", {}, say(`won_${line.winner}`)),
    won === null ? null : h("p.outcome", {}, say(won ? "you_won" : "you_lost")),
    h("h3", {}, say("who_was_who")),
    h("ul.reveal", {}, Object.entries(line.roles).map(([name, role]) =>
      h(`li.role-${role}`, {}, mark(name), h("span", {}, nameOf(name), name === line.me ? ` (${say("you")})` : ""), h("span.role", {}, say(`role_${role}`))))),
  );
}

function talk(line, same) {
  const whispered = line.channel === "whisper";
  const item = h(`li.line.talk${line.mine ? ".mine" : ""}${whispered ? ".whisper" : ""}${same ? ".same" : ""}`, {});
  const head = h("div.who", {}, nameOf(line.who), whispered ? h("span.tag", {}, say("whispered")) : null);
  item.append(mark(line.who), h("div.said", {}, head, h("p", { dir: "auto" }, visible(line.text)), line.by ? h("p.by", {}, say(`by_${line.by}`)) : null));
  return item;
}

/** One line as an element; `before` is the line above it. */
export function lineElement(line, before) {
  switch (line.kind) {
    case "day":
      return h("li.line.day", {}, h("h2", {}, line.day ? say("day_line", { day: line.day }) : say("day_first")));
    case "talk":
      return talk(line, before && before.kind === "talk" && before.who === line.who && before.channel === line.channel);
    case "silent":
      if (line.names) return h("li.line.silent", {}, ...labelled("over_many", "who", line.names.flatMap((name, place) => [place ? say("comma") : "", nameOf(name)])));
      return h("li.line.silent", {}, h("span.what", {}, ...withNames(line.over ? "over_line" : "skip_line", { who: line.who })), line.by ? h("span.by", {}, ` ${say(`by_${line.by}`)}`) : null);
    case "votes":
    case "attack_votes":
      return h("li.line.poll", {}, h("h3", {}, say(line.kind, { day: line.day })), votes(line.votes));
    case "executed":
    case "killed":
      return event(line.kind, ...withNames(line.kind, { who: line.who }));
    case "nobody_executed":
    case "peace":
      return event(line.kind, say(line.kind));
    case "result":
      return event("result", ...withNames(`result_${line.which}_${line.wolf ? "wolf" : "human"}`, { who: line.who }));
    case "deed":
      return event("deed", ...withNames(`deed_${line.request}`, { who: line.who }), line.by ? h("span.by", {}, ` ${say(`by_${line.by}`)}`) : null);
    case "secret": {
      const key = `secret_${line.request}${line.request === "DIVINE" ? (line.wolf ? "_wolf" : "_human") : ""}`;
      return event("secret", ...withNames(key, { who: line.who, by: line.by }));
    }
    case "end":
      return ending(line);
    default:
      return null;
  }
}

/** The list of lines: keeps to the bottom as long as its reader does; otherwise tells that there is more. */
export class Lines {
  constructor(list, scroller, fresh) {
    this.list = list;
    this.scroller = scroller;
    this.fresh = fresh;
    this.last = null;
    this.atEnd = true;
    scroller.addEventListener("scroll", () => {
      this.atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60;
      if (this.atEnd) fresh.hidden = true;
    });
    fresh.addEventListener("click", () => this.toEnd());
    new ResizeObserver(() => this.atEnd && this.toEnd()).observe(scroller);
  }

  clear() {
    fill(this.list);
    this.last = null;
    this.atEnd = true;
  }

  /** Several who say nothing more, one after another, share a line. */
  joined(line) {
    const last = this.last;
    if (line.kind !== "silent" || !line.over || line.by || last?.kind !== "silent" || !last.over || last.by || last.channel !== line.channel) return false;
    const names = [...(last.names ?? [last.who]), line.who];
    const element = lineElement({ ...line, names });
    if (line.channel) element.dataset.channel = line.channel;
    this.list.lastElementChild.replaceWith(element);
    this.last = { ...line, names };
    return true;
  }

  add(lines) {
    for (const line of lines) {
      if (this.joined(line)) continue;
      const element = lineElement(line, this.last);
      if (!element) continue;
      if (line.channel) element.dataset.channel = line.channel;
      this.list.append(element);
      this.last = line;
    }
    if (!lines.length) return;
    if (this.atEnd) this.toEnd();
    else this.fresh.hidden = false;
  }

  toEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.fresh.hidden = true;
    this.atEnd = true;
  }
}

/** The players: who lives, what is known of them. */
export function roster(list, players, me) {
  fill(
    list,
    players.map((player) => {
      const known = player.role ? say(`role_${player.role}`) : player.seen ? say(player.seen === "wolf" ? "role_WEREWOLF" : "seen_human") : "";
      return h(
        `li.player${player.alive ? "" : ".dead"}${player.name === me ? ".mine" : ""}`,
        {},
        mark(player.name),
        h("span.name-line", {}, nameOf(player.name), player.name === me ? h("span.tag", {}, say("you")) : null),
        h("span.known", {}, player.alive ? known : [say(player.end ? `dead_${player.end}` : "dead"), known ? ` · ${known}` : ""].join("")),
      );
    }),
  );
}

/** Minutes and seconds. */
export function span(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
