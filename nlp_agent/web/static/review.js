// A review that is worked out on the server: its progress, and then what it tells.
import { post, say } from "./page.js";

const lang = document.documentElement.lang;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Ask at `path` until the review is there, and put it into `place`; whether it came. `wanted()` false gives up. */
export async function showReview(place, path, progress, wanted = () => true) {
  while (wanted()) {
    const address = `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`;
    const state = await fetch(address).then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({}));
    if (state.html) {
      if (!wanted()) return false;
      place.innerHTML = state.html;
      askable(place);
      return true;
    }
    if (state.problem) {
      progress(state.problem);
      return false;
    }
    progress(state.total ? say("working", { done: state.done, total: state.total }) : say("preparing"));
    await wait(700);
  }
  return false;
}

/** The form in which players are asked: each question with its answer below. */
function askable(place) {
  const form = place.querySelector(".ask-player");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const asked = Object.fromEntries(new FormData(form));
    const answers = place.querySelector(".ask-answers");
    const [question, answer] = [document.createElement("p"), document.createElement("p")];
    question.className = "quiet";
    question.textContent = asked.question;
    try {
      const { player, text } = JSON.parse(await post(form.dataset.path, asked));
      const name = document.createElement("strong");
      name.textContent = player;
      answer.append(name, " ", text);
      form.elements.question.value = "";
    } catch (error) {
      answer.textContent = error.message;
    }
    answers.append(question, answer);
  });
}
