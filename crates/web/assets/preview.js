// Shows what the rules of a watch keep while they are typed. Without it, a button does.
"use strict";
(() => {
  const form = document.getElementById("watch-form");
  const url = document.getElementById("url");
  if (!form || !url) return;
  const pause_ms = 700;
  let timer;
  let under_way;

  // The server makes the whole page; only the parts that say what would come of it are taken over.
  const ask = async (what) => {
    clearTimeout(timer);
    if (!url.value.trim()) return;
    under_way?.abort();
    under_way = new AbortController();
    const body = new URLSearchParams(new FormData(form));
    body.set("do", what);
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body, signal: under_way.signal });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const is_wrong = fresh.getElementById("wrong")?.childElementCount > 0;
      for (const part of form.querySelectorAll("[data-part]")) {
        const other = fresh.getElementById(part.id);
        // A test that was asked for stays until the next one, and so does what was kept by the last rules that made sense.
        const is_kept = (part.id === "tried" && what !== "test") || (part.id === "preview" && (what !== "preview" || is_wrong));
        if (!other || is_kept) continue;
        if (other.innerHTML !== part.innerHTML) part.replaceChildren(...other.childNodes);
        const field = document.getElementById(part.id.replace("fault-", ""));
        if (field && part.id.startsWith("fault-")) field.toggleAttribute("aria-invalid", part.childElementCount > 0);
      }
      form.removeAttribute("aria-busy");
    } catch (error) {
      if (error.name !== "AbortError") form.removeAttribute("aria-busy");
    }
  };

  // An address is asked for when it is whole, and not letter by letter.
  form.addEventListener("input", (event) => {
    if (event.target === url) return;
    clearTimeout(timer);
    timer = setTimeout(() => ask("preview"), pause_ms);
  });
  url.addEventListener("change", () => ask("preview"));
  for (const button of form.querySelectorAll("button[value=preview], button[value=test]")) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      ask(button.value);
    });
  }
  if (url.value.trim()) ask("preview");
})();
