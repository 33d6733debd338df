// Lines over the steps of a game, one a player, drawn by hand as SVG. The table beside it has the same numbers.

const NS = "http://www.w3.org/2000/svg";
const WIDTH = Math.max(340, Math.min(560, document.documentElement.clientWidth - 60)); // no smaller on a phone
const HEIGHT = 224;
const LEFT = 30;
const RIGHT = 92;
const TOP = 20;
const BOTTOM = 24;
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
const LEAST_GAP = 12.5;

function s(tag, attributes = {}, text = "") {
  const element = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text) element.textContent = text;
  return element;
}

/** Moves texts that would lie on one another apart; `labels` are {y} and are changed. */
function spread(labels, lowest) {
  labels.sort((a, b) => a.y - b.y);
  for (let i = 1; i < labels.length; i += 1) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + LEAST_GAP);
  let limit = lowest;
  for (let i = labels.length - 1; i >= 0; i -= 1) {
    labels[i].y = Math.min(labels[i].y, limit);
    limit = labels[i].y - LEAST_GAP;
  }
}

/** A chart in `place`. `days`: [{day, step}] where days begin; `went(step)` is told when somebody clicks. */
export class Lines {
  constructor(place, { players, last, days, title, dayText, went }) {
    Object.assign(this, { players, last: Math.max(1, last), rows: [], picked: "", at: 0, ends: new Map() });
    this.svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title });
    this.svg.append(s("title", {}, title));
    for (const share of [0, 0.5, 1]) {
      this.svg.append(s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: this.y(share), y2: this.y(share) }));
      this.svg.append(s("text", { class: "axis", x: LEFT - 6, y: this.y(share) + 4, "text-anchor": "end" }, String(share)));
    }
    for (const { day, step } of days) {
      this.svg.append(s("line", { class: "day", x1: this.x(step), x2: this.x(step), y1: TOP - 6, y2: HEIGHT - BOTTOM }));
      this.svg.append(s("text", { class: "axis", x: this.x(step) + 3, y: HEIGHT - 8 }, dayText(day)));
    }
    this.cursor = s("line", { class: "cursor", y1: TOP - 10, y2: HEIGHT - BOTTOM });
    this.paths = s("g");
    this.labels = s("g");
    this.svg.append(this.paths, this.cursor, this.labels);
    this.svg.addEventListener("pointerdown", (event) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      went(Math.round(((x - LEFT) / (WIDTH - LEFT - RIGHT)) * this.last));
    });
    place.replaceChildren(this.svg);
  }

  x(step) {
    return LEFT + (Math.min(step, this.last) / this.last) * (WIDTH - LEFT - RIGHT);
  }

  y(share) {
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  }

  /** All there is to draw: rows {step, wolf}, the first step at which a player was dead, and the moment. */
  draw(rows, ends, at, picked) {
    Object.assign(this, { rows, ends, at, picked });
    const paths = [];
    const labels = [];
    this.players.forEach((name, place) => {
      const end = ends.get(name) ?? this.last;
      const known = rows.filter((row) => row.step <= end);
      if (!known.length) return;
      const faint = picked && picked !== name ? " faint" : "";
      const dash = DASHES[Math.floor(place / 4) % DASHES.length];
      const before = known.filter((row) => row.step <= at);
      const now = before.at(-1);
      const later = [...(now ? [{ ...now, step: at }] : []), ...known.filter((row) => row.step > at)];
      for (const [part, cls, to] of [[before, "", Math.min(at, end)], [at < end ? later : [], " later", end]]) {
        const path = this.line(name, part, to);
        if (path) paths.push(s("path", { class: `l${place % 13}${cls}${faint}`, d: path, "stroke-dasharray": dash }));
      }
      if (now && at <= end) labels.push({ name, place, y: this.y(now.wolf[name] ?? 0), to: this.y(now.wolf[name] ?? 0), faint });
    });
    spread(labels, HEIGHT - BOTTOM - 2);
    this.paths.replaceChildren(...paths);
    const right = Math.min(this.x(at) + 14, WIDTH - RIGHT + 8); // beside the moment, not at the end of the game
    this.labels.replaceChildren(
      ...labels.flatMap(({ name, place, y, to, faint }) => [
        s("circle", { class: `l${place % 13}${faint}`, cx: this.x(at), cy: to, r: 3.5 }),
        s("line", { class: `lead l${place % 13}${faint}`, x1: this.x(at) + 4, x2: right - 2, y1: to, y2: y }),
        s("text", { class: `t${place % 13}${faint}`, x: right, y: y + 4 }, name.length > 11 ? `${name.slice(0, 10)}…` : name),
      ]),
    );
    for (const key of ["x1", "x2"]) this.cursor.setAttribute(key, this.x(at));
  }

  /** A stepped path: what is believed holds until something happens. */
  line(name, rows, end) {
    let path = "";
    for (const row of rows) {
      const x = this.x(row.step).toFixed(1);
      const y = this.y(row.wolf[name] ?? 0).toFixed(1);
      path += path ? `H${x}V${y}` : `M${x} ${y}`;
    }
    return path && `${path}H${this.x(end).toFixed(1)}`;
  }
}
