// A table's own page: who has come, and the links for who has not.
import { $, follow, say } from "./page.js";

const { base, code } = $("table").dataset;

/** Whether `text`, which is selected, could be copied: another machine's browser gives no page the clipboard. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

$("places").addEventListener("click", async ({ target }) => {
  if (!target.matches(".link button")) return;
  const field = target.previousElementSibling;
  field.select();
  target.textContent = say((await copied(field.value)) ? "copied" : "copy_by_hand");
});

follow(`${base}/events`, () => {
  // The server knows neither by which name it was asked nor who may use the code: this page does.
  for (const field of document.querySelectorAll(".link input")) {
    if (field.value.startsWith("/")) field.value = location.origin + field.value + code;
    field.value = field.value.replace("//0.0.0.0:", `//${location.hostname}:`);
  }
});
