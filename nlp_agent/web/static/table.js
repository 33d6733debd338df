// A table's own page: who has come, and the links for who has not.
import { $, follow, say } from "./page.js";

const { base, code } = $("table").dataset;

$("places").addEventListener("click", async ({ target }) => {
  if (!target.matches(".link button")) return;
  const field = target.previousElementSibling;
  field.select();
  await navigator.clipboard?.writeText(field.value);
  target.textContent = say("copied");
});

follow(`${base}/events`, () => {
  // The server knows neither by which name it was asked nor who may use the code: this page does.
  for (const field of document.querySelectorAll(".link input")) {
    if (field.value.startsWith("/")) field.value = location.origin + field.value + code;
    field.value = field.value.replace("//0.0.0.0:", `//${location.hostname}:`);
  }
});
