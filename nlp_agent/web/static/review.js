// A review that is worked out on the server: its progress, and then what it tells.
import { say } from "./page.js";

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
