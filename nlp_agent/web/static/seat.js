// The page of a person's seat: follow the game, and answer what is asked.
import { fill, follow, h, post, say, visible } from "./page.js";
import { left, preview, setUp, words, writer } from "./writer.js";
import { Lines, labelled, mark, nameOf, roster, setPlayers, span } from "./chat.js";

const $ = (id) => document.getElementById(id);
const game = $("game");
const base = game.dataset.base;
const lines = new Lines($("lines"), $("scroller"), $("fresh"));
const title = document.title;
let now = {};
let offset = 0; // milliseconds this clock is behind the server's
let shown = ""; // what the panel was built for
let channel = "talk";
const unread = { talk: 0, whisper: 0 };

// --- what is asked --------------------------------------------------------------------------------------------

async function act(path, body) {
  try {
    await post(`${base}/${path}`, body);
    return true;
  } catch (error) {
    announce(error instanceof TypeError ? say("not_sent") : say(error.message), true);
    return false;
  }
}

function announce(text, visible = false) {
  $("announce").textContent = text;
  const place = document.querySelector("#ask .problem");
  if (place && visible) place.textContent = text;
}

function targets(ask) {
  const button = (name) =>
    h("button.target", { type: "button", onclick: () => act("choose", { number: ask.number, name }) }, mark(name), h("span", {}, ...labelled(`do_${ask.request}`, "name", [nameOf(name)])));
  return [
    h("h2.question", { tabindex: "-1" }, say(`ask_${ask.request}`)),
    h("div.targets", {}, ask.choices.map(button)),
    h("p.problem", { role: "alert" }),
  ];
}

// --- the panel ------------------------------------------------------------------------------------------------

function again() {
  const wanted = now.ready;
  return [
    now.problem ? h("p.note.bad", {}, say("lost_server"), h("br"), h("small", {}, now.problem)) : null,
    h("div.row", {},
      h("button.primary", { type: "button", disabled: wanted, onclick: () => act("here", { ready: true }) }, say(now.remote ? "next_game" : "play_again")),
      game.dataset.home ? h("a.button", { href: game.dataset.home }, say("new_village")) : null,
      wanted ? h("span.quiet", {}, now.missing?.length ? say("waiting_for", { names: visible(now.missing.join(say("comma"))) }) : say("again_wait")) : null),
  ];
}

function invited() {
  const name = h("input", { type: "text", maxlength: 40, id: "label", value: now.label || "" });
  const sit = (event) => {
    event.preventDefault();
    act("here", { ready: true, label: name.value });
  };
  return h("form.stack.invited", { onsubmit: sit },
    h("h2", {}, say("join_title")), h("p", {}, say("join_text")),
    h("label", { for: "label" }, say("join_name")), name, h("p.problem", { role: "alert" }),
    h("button.primary", { type: "submit" }, say("join_button")));
}

function away() {
  return [
    h("h2.question", {}, say("away_title")),
    h("p", {}, say("away_text")),
    h("p.problem", { role: "alert" }),
    h("button.primary", { type: "button", onclick: () => act("here") }, say("away_back")),
  ];
}

function waiting() {
  if (now.problem) return h("p.note.bad", {}, now.problem);
  if (now.remote && !now.named) return h("p.quiet.calm", {}, say("connecting"));
  const names = now.missing?.length ? say("waiting_for", { names: visible(now.missing.join(say("comma"))) }) : "";
  return [h("h2.question", {}, say(now.remote ? "waiting_server" : "waiting_title")), h("p.quiet", {}, names)];
}

function listening() {
  const mine = now.players?.find((player) => player.name === now.me);
  if (mine && !mine.alive) return [h("h2.question", {}, say("dead_title")), h("p.quiet", {}, say("dead_text"))];
  if (now.listening) return h("p.quiet.calm", {}, say("wait_listen"));
  if (now.waiting) return h("p.quiet.calm", {}, ...labelled("wait_turn", "name", [nameOf(now.waiting)]));
  return h("p.quiet.calm", {}, say(now.night ? "wait_night" : "wait_day"));
}

function panel() {
  const ask = now.ask;
  if (now.stage === "over") return ["over", again];
  if (now.stage === "lobby" && !now.ready) return ["invited", invited];
  if (now.stage !== "playing") return ["waiting", waiting];
  if (now.away) return ["away", away];
  if (ask) return [`ask ${ask.number}`, () => (ask.choices.length ? targets(ask) : writer(ask))];
  return ["listening", listening];
}

function showPanel() {
  const [kind, build] = panel();
  const place = $("ask");
  const detail = kind.startsWith("ask") ? "" : JSON.stringify([now.missing, now.waiting, now.problem, now.ready, now.night, now.listening, now.named, now.label]);
  if (shown === kind + detail) {
    const count = place.querySelector(".left");
    if (count && now.ask) count.textContent = left(now.ask);
    return;
  }
  const fresh = !shown.startsWith(kind);
  shown = kind + detail;
  const writing = place.contains(document.activeElement) && document.activeElement.matches("textarea");
  place.className = `ask is-${kind.split(" ")[0]}${now.ask?.chat ? " is-chat" : ""}`;
  place.dataset.request = kind.startsWith("ask") ? now.ask.request : "";
  place.dataset.number = kind.startsWith("ask") ? now.ask.number : "";
  fill(place, [build()].flat());
  if (!fresh || !kind.startsWith("ask")) return;
  const ask = now.ask;
  announce(say(ask.chat ? `chat_${ask.request}` : `ask_${ask.request}`));
  if (ask.choices.length) {
    place.querySelector(".question").focus({ preventScroll: true });
  } else {
    setChannel(ask.request === "WHISPER" ? "whisper" : "talk");
    if (writing || matchMedia("(pointer: fine)").matches) words.box.focus({ preventScroll: true });
    if (words.text) preview(ask);
  }
}

// --- who I am, who is there -----------------------------------------------------------------------------------

let described = "";

function showMe() {
  const place = $("me");
  const key = JSON.stringify([now.me, now.role, now.partners, now.profile]);
  if (!now.me || key === described) return;
  described = key;
  place.hidden = false;
  place.className = `me card role-${now.role}`;
  const wolf = now.role === "WEREWOLF";
  fill(
    place,
    h("div.row.self", {}, mark(now.me), h("div", {}, h("h2", {}, ...labelled("who_you_are", "name", [nameOf(now.me)])), h("p.role-name", {}, say(`role_${now.role}`)))),
    wolf && now.partners.length ? h("p.pack", {}, `${say("your_partners")}: `, ...now.partners.flatMap((name, place_) => [place_ ? say("comma") : "", nameOf(name)])) : null,
    wolf && !now.partners.length ? h("p.pack", {}, say("alone_wolf")) : null,
    h("p.does", {}, say(`does_${now.role}`)),
    h("details", {},
      h("summary", {}, h("span.narrow-only", {}, say("about_role")), h("span.wide-only", {}, say("your_character"))),
      h("p.profile", { dir: "auto" }, visible(now.profile))),
  );
}

function setChannel(name) {
  channel = name;
  unread[name] = 0;
  $("scroller").dataset.channel = name;
  $("scroller").setAttribute("aria-label", say(name === "whisper" ? "wolf_channel" : "village_channel"));
  showChannels();
  lines.toEnd();
}

function showChannels() {
  const pack = now.role === "WEREWOLF" && now.partners?.length > 0;
  $("channels").hidden = !pack;
  $("lines").classList.toggle("split", pack);
  if (!pack) return;
  const tab = (name, label) =>
    h("button", { type: "button", role: "tab", "aria-selected": String(channel === name), "aria-controls": "scroller", onclick: () => setChannel(name) },
      say(label), unread[name] ? h("span.badge", {}, String(unread[name])) : null);
  fill($("channels"), tab("talk", "village_channel"), tab("whisper", "wolf_channel"));
}

function showWriting() {
  const names = now.ask?.chat || now.listening ? (now.writing ?? []) : [];
  $("writing").textContent = names.length ? say(names.length > 1 ? "writing_many" : "writing_one", { names: visible(names.join(say("comma"))) }) : "";
}

// --- time -----------------------------------------------------------------------------------------------------

const warned = new Set();

function tick() {
  const until = now.ask?.until ?? now.listening?.until;
  const clock = $("clock");
  clock.hidden = !until || now.stage !== "playing";
  if (clock.hidden) return;
  const rest = until - (Date.now() + offset);
  clock.textContent = say("time_left", { time: span(rest) });
  const whole = now.ask ? until - now.ask.given : Infinity;
  clock.classList.toggle("late", Boolean(now.ask) && rest < Math.min(15000, whole / 3));
  for (const seconds of [30, 10]) {
    const key = `${now.ask?.number}/${seconds}`;
    if (now.ask && rest < seconds * 1000 && rest > (seconds - 3) * 1000 && whole > seconds * 2000 && !warned.has(key)) {
      warned.add(key);
      announce(say("time_warning", { seconds }));
    }
  }
}

// --- all together ---------------------------------------------------------------------------------------------

function take(message) {
  now = message.now;
  offset = message.clock - Date.now();
  if (now.players) setPlayers(now.players.map((player) => player.name));
  if (message.fresh) {
    lines.clear();
    described = "";
    channel = "talk";
  }
  for (const line of message.lines) if (line.channel && line.channel !== channel && !line.mine) unread[line.channel] += 1;
  if (message.fresh) unread.talk = unread.whisper = 0;
  lines.add(message.lines);
  $("phase").textContent = now.me ? say(now.day ? "phase_day" : "day_first", { day: now.day }) : "";
  if (now.players) roster($("roster"), now.players, now.me);
  document.querySelector(".roster").hidden = !now.players;
  showMe();
  showChannels();
  showPanel();
  showWriting();
  tick();
  game.dataset.stage = now.stage;
  // Whoever looks at another page meanwhile sees it on the tab.
  document.title = (now.ask && !now.ask.chat && !now.away ? "● " : "") + title;
}

setUp(base, act, () => now.ask?.number);
setChannel("talk");
setInterval(tick, 500);
follow(`${base}/events`, take, (connected) => {
  $("connection").hidden = connected;
});
