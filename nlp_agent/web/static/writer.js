// The box for words: what is typed, how long it is as the server counts, and what of it will really be sent.
import { fill, h, post, say, visible } from "./page.js";

/** What is typed; it survives whatever happens to the panel around it. */
export const words = { text: "", box: null, sending: false };

const $ = (id) => document.getElementById(id);
let base = "";
let act = async () => false;
let number = () => 0;

/** `place` is the address of the seat, `doing` posts an act, `asked` tells the number of what is asked right now. */
export function setUp(place, doing, asked) {
  base = place;
  act = doing;
  number = asked;
}

/** The panel of a question that wants words. */
export function writer(ask) {
  const box = h("textarea", {
    rows: 2,
    maxlength: 4000,
    "aria-label": say(`say_label_${ask.request}`),
    "aria-describedby": "hint count",
    placeholder: say(`say_label_${ask.request}`),
    dir: "auto",
    enterkeyhint: "send",
  });
  box.value = words.text;
  words.box = box;
  box.addEventListener("input", () => {
    words.text = box.value;
    look(ask);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
      event.preventDefault();
      send(ask);
    }
  });
  const silent = (over) => act("silent", { number: number() ?? ask.number, over });
  return [
    h("div.row.spread", {}, h("h2.question", {}, say(ask.chat ? `chat_${ask.request}` : `ask_${ask.request}`)), h("span.left.quiet.small", {}, left(ask))),
    h("form.write", { onsubmit: (event) => { event.preventDefault(); send(ask); } }, box, h("button.primary.send", { type: "submit" }, say("send"))),
    h("div.preview", { id: "preview", "aria-live": "off" }),
    h("p.problem", { role: "alert" }),
    h("div.row.under", {},
      h("span.count", { id: "count" }),
      h("span.quiet.small.hint", { id: "hint" }, say("say_hint")),
      h("span.push"),
      ask.skips > 0 && !ask.chat ? h("button.plain", { type: "button", onclick: () => silent(false) }, say("pass_once")) : null,
      h("button.plain", { type: "button", onclick: () => silent(true) }, say("nothing_more"))),
  ];
}

export function left(ask) {
  if (ask.left === null || ask.left === undefined) return "";
  if (ask.chat) return say("chat_left", { count: ask.left });
  return ask.left ? say("talks_left", { count: ask.left }) : say("talks_left_none");
}

async function send(ask) {
  const text = words.text;
  if (!text.trim() || words.sending) return;
  words.sending = true;
  // Of a group chat the number stays the same; the box is free again at once.
  if (await act("say", { number: number() ?? ask.number, text })) {
    words.text = "";
    if (words.box) words.box.value = "";
    fill($("preview") ?? h("div"));
    counted(null);
  }
  words.sending = false;
}

// --- what will really be sent ---------------------------------------------------------------------------------

let timer = 0;
let asking = 0;

function look(ask) {
  clearTimeout(timer);
  timer = setTimeout(() => preview(ask), 160);
}

export async function preview(ask) {
  const place = $("preview");
  const text = words.text;
  const turn = ++asking;
  if (!place) return;
  if (!text.trim()) {
    fill(place);
    counted(null);
  }
  let made;
  try {
    made = await post(`${base}/preview`, { text, request: ask.request });
  } catch {
    return;
  }
  if (turn !== asking || !text.trim()) return;
  counted(made);
  if (!made.text) {
    fill(place, h("span.bad", {}, say("nothing_left")));
    return;
  }
  const same = made.text === text.trim();
  const marks = made.changes.map((change) => h("span.tag", {}, say(`change_${change}`)));
  fill(place, same ? h("span.quiet", {}, say("same_as_typed")) : [h("span.quiet", {}, `${say("will_send")}: `), h("bdi.really", { dir: "auto" }, visible(made.text)), ...marks]);
}

function counted(made) {
  const place = $("count");
  if (!place) return;
  const over = made && made.most !== null && made.typed > made.most;
  place.classList.toggle("bad", Boolean(over));
  if (!made || made.typed === undefined) place.textContent = "";
  else if (made.most === null) place.textContent = say("count_open", { count: made.typed });
  else place.textContent = say("count_label", { count: made.typed, most: made.most }) + (over ? ` – ${say("too_long")}` : "");
}
