// Keeps what a page says of running jobs, and of the files that are kept, up to date. Without it the page shows how things stood when it was loaded.
"use strict";
(() => {
  const { events, poll } = document.documentElement.dataset;
  if (!events && !poll) return;

  const number = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const bytes = (n) => {
    let unit = "B";
    for (const next of ["kB", "MB", "GB", "TB", "PB"]) {
      if (n < 1000) break;
      n /= 1000;
      unit = next;
    }
    return (unit === "B" ? n : (Math.floor(n * 10) / 10).toFixed(1)) + " " + unit;
  };
  const time = (s) => {
    if (s < 10) return `${s.toFixed(1)} s`;
    s = Math.floor(s);
    const two = (n) => String(n).padStart(2, "0");
    if (s < 60) return `${s} s`;
    if (s < 3600) return `${Math.floor(s / 60)} min ${two(s % 60)} s`;
    return `${Math.floor(s / 3600)} h ${two(Math.floor((s % 3600) / 60))} min`;
  };
  const shown = { bytes, seconds: time, per_second: (n) => n.toFixed(1) };

  // Takes the parts of the page that change over from the server, and leaves the rest, forms above all, as it is.
  let under_way = false;
  const refresh = async () => {
    if (under_way) return;
    under_way = true;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of document.querySelectorAll("[data-live]")) {
        const other = fresh.getElementById(part.id);
        if (!other || other.innerHTML === part.innerHTML) continue;
        // Whoever is about to press a button there stays on it.
        const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
        part.replaceChildren(...other.childNodes);
        if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
      }
      return fresh.documentElement.dataset;
    } finally {
      under_way = false;
    }
  };

  // Where nothing tells of changes, it is asked for them as often as the server says, and not while nobody looks.
  if (poll) {
    const later = (seconds) => setTimeout(async () => {
      const said = document.hidden ? undefined : await refresh().catch(() => undefined);
      later(Number(said?.poll || seconds));
    }, seconds * 1000);
    later(Number(poll));
  }
  if (!events) return;

  const every = Number(document.documentElement.dataset.every || 0);
  let last = Date.now();
  // Jobs that are not on this page, and the state in which that was found: other pages of the list may have them.
  const absent = new Map();
  const source = new EventSource(events);
  source.addEventListener("progress", (event) => {
    const progress = JSON.parse(event.data);
    const places = document.querySelectorAll(`[data-job="${CSS.escape(progress.job)}"]`);
    let is_known = false;
    for (const place of places) {
      is_known = is_known || place.dataset.state === progress.state;
      for (const field of place.querySelectorAll("[data-field]")) {
        const value = progress[field.dataset.field];
        if (typeof value === "number") field.textContent = (shown[field.dataset.field] || number)(value);
      }
    }
    const is_news = !is_known && absent.get(progress.job) !== progress.state;
    if (is_news) absent.set(progress.job, progress.state);
    if (is_news || (every && Date.now() - last > every * 1000)) {
      last = Date.now();
      refresh();
    }
  });
  source.addEventListener("ended", () => {
    refresh();
    if (document.documentElement.dataset.once) source.close();
  });
})();
