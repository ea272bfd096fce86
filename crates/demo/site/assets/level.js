// Draws the water level of the last fortnight.
(async () => {
  const { mean, until, readings } = await (await fetch("../data/levels.json")).json();
  const [width, height, low, high] = [300, 110, 160, 250];
  const x = (day) => 8 + (day * (width - 16)) / (readings.length - 1);
  const y = (level) => height - ((level - low) * height) / (high - low);
  const line = readings.map((level, day) => `${day ? "L" : "M"}${x(day).toFixed(1)} ${y(level).toFixed(1)}`).join("");
  const now = readings.at(-1);
  const change = now - readings.at(-2);
  const words = change > 0 ? `rising, ${change} cm since yesterday` : change < 0 ? `falling, ${-change} cm since yesterday` : "steady since yesterday";
  document.getElementById("now").innerHTML = `<strong>${(now / 100).toFixed(2)} m</strong> ${words}`;
  document.body.insertAdjacentHTML("beforeend", `
    <svg viewBox="0 0 ${width} ${height + 18}" preserveAspectRatio="none" role="img" aria-label="Levels of the fortnight until ${until}">
      <path d="${line}L${x(readings.length - 1)} ${height}L${x(0)} ${height}Z" fill="#bcd9dc"/>
      <path d="M0 ${y(mean)}H${width}" stroke="#8a5a00" stroke-dasharray="4 4" vector-effect="non-scaling-stroke"/>
      <path d="${line}" fill="none" stroke="#12454f" stroke-width="2.5" vector-effect="non-scaling-stroke"/>
    </svg>`);
  const foot = document.createElement("p");
  foot.textContent = `Dashed: mean of thirty years. Until ${until}.`;
  foot.style.cssText = "font-size:11px;color:#5b6569;margin:0";
  document.body.append(foot);
  document.documentElement.dataset.ready = "yes";
})();
