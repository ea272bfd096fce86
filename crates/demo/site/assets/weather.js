// The box with the weather, drawn from what the forecast says.
const SKIES = {
  sun: '<circle cx="32" cy="32" r="13" fill="#f2b134"/><g stroke="#f2b134" stroke-width="4" stroke-linecap="round"><path d="M32 5v7M32 52v7M5 32h7M52 32h7M13 13l5 5M46 46l5 5M51 13l-5 5M18 46l-5 5"/></g>',
  rain: '<path d="M18 40a11 11 0 0 1 1-22 15 15 0 0 1 28 4 9 9 0 0 1 0 18z" fill="#8aa0a6"/><g stroke="#2f7f93" stroke-width="4" stroke-linecap="round"><path d="M21 47l-3 8M32 47l-3 8M43 47l-3 8"/></g>',
  frost: '<g stroke="#4c9ab0" stroke-width="4" stroke-linecap="round"><path d="M32 8v48M11 20l42 24M53 20L11 44"/><path d="M26 12l6 6 6-6M26 52l6-6 6 6M12 28l8-3-1-8M52 36l-8 3 1 8M52 28l-8-3 1-8M12 36l8 3-1 8" fill="none"/></g>',
};

export async function showWeather(box) {
  const answer = await fetch("/data/weather.json");
  const { sky, words, high, low, wind, water } = await answer.json();
  box.querySelector(".waiting").remove();
  box.insertAdjacentHTML("beforeend", `
    <div class="now"><svg viewBox="0 0 64 64" aria-hidden="true">${SKIES[sky] ?? ""}</svg><span class="degrees">${high}°</span></div>
    <p class="words"></p>
    <dl><dt>Tonight</dt><dd>${low}°</dd><dt>Wind</dt><dd class="wind"></dd><dt>Lake</dt><dd>${water.toFixed(1)}°</dd></dl>`);
  box.querySelector(".words").textContent = words;
  box.querySelector(".wind").textContent = wind;
  box.classList.add("ready");
}
