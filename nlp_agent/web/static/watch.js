// The page for onlookers: all of it is drawn by the server.
import { $, follow } from "./page.js";
import { addLines, tick } from "./chat.js";

follow($("watch").dataset.events, (_, message) => {
  addLines(message);
  tick(message.clock);
});
setInterval(() => tick(), 500);
