// The page of a person's seat: what is shown is drawn by the server; here is what a person does.
import { $, follow, post, say, told } from "./page.js";
import { addLines, tick, toEnd } from "./chat.js";
import { showReview } from "./review.js";

const { base } = $("game").dataset;
const ask = $("ask");
const title = document.title;
const unread = { talk: 0, whisper: 0 };
let channel = "talk";
let words = ""; // what is typed; it survives whatever happens to the panel around it, and a reload
let place = ""; // where words are kept: of this seat, this game, and this kind of request
let asking = 0;
let timer = 0;

// --- answers --------------------------------------------------------------------------------------------------

ask.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const way = event.submitter?.getAttribute("formaction") ?? form.dataset.act;
  if ("busy" in form.dataset) return;
  if (way === "say" && !words.trim()) {
    form.querySelector(".problem").textContent = say("nothing_typed");
    form.querySelector("textarea").focus({ preventScroll: true });
    return;
  }
  form.dataset.busy = "";
  const [sent, kept] = [words, place];
  try {
    await post(`${base}/${way}`, told(form, event.submitter));
    // The next question may be there already, and other words in its box.
    if (way === "say" && sessionStorage.getItem(kept) === sent) sessionStorage.removeItem(kept);
    if (way === "say" && words === sent && place === kept) {
      words = "";
      restore();
    }
  } catch (error) {
    const problem = ask.querySelector(".problem");
    if (problem) problem.textContent = error instanceof TypeError ? say("not_sent") : error.message;
  }
  delete form.dataset.busy;
});

ask.addEventListener("keydown", (event) => {
  if (!event.target.matches("textarea") || event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

ask.addEventListener("input", (event) => {
  if (!event.target.matches("textarea")) return;
  words = event.target.value;
  sessionStorage.setItem(place, words);
  ask.querySelector(".problem").textContent = "";
  clearTimeout(timer);
  timer = setTimeout(preview, 160);
});

/** How long it is as the server counts, and what of it will really be sent. */
async function preview() {
  const turn = ++asking;
  const made = await post(`${base}/preview`, { text: words, request: ask.firstElementChild.dataset.request }).catch(() => "");
  if (turn === asking && $("preview")) $("preview").innerHTML = made;
}

/** What was typed, in the box again: nothing of another game, and no whisper where the village listens. */
function restore() {
  const box = ask.querySelector("textarea");
  if (!box) return;
  const now = `words ${box.form.dataset.request} ${noted}`;
  if (now !== place) words = sessionStorage.getItem((place = now)) ?? "";
  box.value = words;
  if (words) preview();
  else $("preview").replaceChildren();
}

// --- channels -------------------------------------------------------------------------------------------------

function setChannel(name) {
  channel = $("scroller").dataset.channel = name;
  unread[name] = 0;
  showChannels();
  toEnd();
}

function showChannels() {
  $("lines").classList.toggle("split", $("channels").children.length > 0);
  for (const tab of $("channels").children) {
    const name = tab.dataset.channel;
    tab.setAttribute("aria-selected", name === channel);
    if (name === channel) $("scroller").setAttribute("aria-label", tab.firstChild.textContent);
    tab.lastElementChild.textContent = unread[name];
    tab.lastElementChild.hidden = !unread[name];
  }
}

$("channels").addEventListener("click", (event) => setChannel(event.target.closest("[role=tab]").dataset.channel));

// --- all together ---------------------------------------------------------------------------------------------

// A link in the table leads to a talk, which may stand behind it.
$("village").addEventListener("click", (event) => {
  if (event.target.closest("a") && $("village").matches(":popover-open")) $("village").hidePopover();
});

let number = "";

/** The panel is new: what was typed and where the person was stay as they were. */
function asked(writing) {
  const form = ask.querySelector(".asked");
  const box = ask.querySelector("textarea");
  restore();
  const again = form?.dataset.number === number;
  number = form?.dataset.number ?? "";
  if (!form || (again && !writing)) return;
  if (box) {
    if (!again) setChannel(form.dataset.request === "WHISPER" ? "whisper" : "talk");
    if (writing || matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
  } else form.querySelector(".question").focus({ preventScroll: true });
}

const warned = new Set();

function look(now) {
  const rest = tick(now);
  const clock = $("clock").firstElementChild;
  if (rest === undefined || !clock.dataset.given) return;
  const whole = clock.dataset.until - clock.dataset.given;
  clock.classList.toggle("late", rest < Math.min(15000, whole / 3));
  for (const seconds of [30, 10]) {
    const key = `${number}/${seconds}`;
    if (rest > seconds * 1000 || rest < (seconds - 3) * 1000 || whole < seconds * 2000 || warned.has(key)) continue;
    warned.add(key);
    $("announce").textContent = say("time_warning", { seconds });
  }
}

// --- own notes beside each player, kept in this browser for the game --------------------------------------------

let noted = "";

function notes() {
  const names = [...$("board").querySelectorAll("tr[data-name]")].map((row) => row.dataset.name);
  const key = `notes ${base} ${names.join(" ")}`;
  if (!names.length || key === noted) return;
  noted = key;
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  const rows = names.map((name) => {
    const [label, who, box] = ["label", "bdi", "input"].map((tag) => document.createElement(tag));
    who.textContent = name;
    box.type = "text";
    box.maxLength = 200;
    box.value = kept[name] ?? "";
    box.addEventListener("input", () => {
      kept[name] = box.value;
      sessionStorage.setItem(key, JSON.stringify(kept));
    });
    label.append(who, box);
    return label;
  });
  $("notes").querySelector(".note-rows").replaceChildren(...rows);
}

// --- the review of the game -----------------------------------------------------------------------------------

let reviewed = ""; // "working" while it is worked out, "there" when it is
const offered = () => Boolean(ask.querySelector(".open-review"));

/** Once the game is over: wait for its review, and open it if the person was there at the end. */
async function review(opens) {
  const dialog = $("review");
  if (!dialog || !offered()) {
    reviewed = "";
    return;
  }
  if (!reviewed) {
    reviewed = "working";
    const told = (text) => $("review-progress") && ($("review-progress").textContent = text);
    const came = await showReview($("review-body"), `${base}/review`, told, offered);
    reviewed = came ? "there" : "";
    if (came) told("");
    if (came && opens) dialog.showModal();
  }
  const button = ask.querySelector(".open-review");
  if (button) button.disabled = reviewed !== "there";
}

ask.addEventListener("click", (event) => event.target.closest(".open-review") && $("review").showModal());

let writing = false;
document.addEventListener("focusin", (event) => (writing = event.target.matches("#ask textarea")));
document.addEventListener("pointerdown", (event) => (writing &&= ask.contains(event.target)));

setChannel("talk");
setInterval(() => look(), 500);
follow(`${base}/events`, (ids, message) => {
  const added = addLines(message);
  for (const { dataset, classList } of added) {
    if (dataset.channel && dataset.channel !== channel && !classList.contains("mine") && !message.fresh) unread[dataset.channel] += 1;
  }
  if (message.fresh) channel = "talk";
  showChannels();
  if (ids.includes("board")) notes();
  if (ids.includes("ask")) {
    asked(writing);
    review(!message.fresh);
  }
  look(message.clock);
  // Whoever looks at another page meanwhile sees it on the tab.
  document.title = (number && !ask.querySelector(".is-chat") ? "● " : "") + title;
});
