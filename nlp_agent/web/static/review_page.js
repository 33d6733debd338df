// The page of a recorded game's review.
import { $ } from "./page.js";
import { showReview } from "./review.js";

showReview($("review"), $("review").dataset.state, (text) => ($("review-progress").textContent = text));
