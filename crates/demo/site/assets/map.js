// Makes the map answer: a place that is chosen is shown beside it and kept in the address.
(function () {
  const svg = document.querySelector("#map svg");
  const card = document.getElementById("card");
  const list = document.getElementById("places");
  let zoom = 1;
  let centre = [450, 300];

  function draw() {
    // The part of the drawing that is shown stays inside it.
    const [width, height] = [900 / zoom, 600 / zoom];
    const left = Math.max(0, Math.min(900 - width, centre[0] - width / 2));
    const top = Math.max(0, Math.min(600 - height, centre[1] - height / 2));
    svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  }

  function choose(place, isNew) {
    for (const spot of svg.querySelectorAll(".spot")) spot.classList.toggle("chosen", spot.dataset.place === place.id);
    for (const button of list.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.place === place.id));
    }
    card.replaceChildren();
    if (place.picture) {
      const image = new Image();
      image.src = place.picture;
      image.alt = "";
      card.append(image);
    }
    const name = document.createElement("h2");
    name.textContent = place.name;
    const words = document.createElement("p");
    words.textContent = place.words;
    card.append(name, words);
    if (place.story) {
      const link = document.createElement("a");
      link.href = place.story;
      link.textContent = "Read the story";
      card.append(link);
    }
    centre = place.at;
    draw();
    if (isNew) history.replaceState(null, "", "#" + place.id);
  }

  document.getElementById("closer").addEventListener("click", () => { zoom = Math.min(4, zoom * 1.5); draw(); });
  document.getElementById("farther").addEventListener("click", () => { zoom = Math.max(1, zoom / 1.5); draw(); });

  fetch("/data/places.json").then((answer) => answer.json()).then((places) => {
    for (const place of places) {
      const spot = svg.querySelector(`[data-place="${place.id}"]`);
      spot.addEventListener("click", () => choose(place, true));
      spot.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(place, true); });
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.place = place.id;
      button.textContent = place.name;
      button.addEventListener("click", () => choose(place, true));
      item.append(button);
      list.append(item);
    }
    const wanted = places.find((place) => place.id === location.hash.slice(1));
    if (wanted) choose(wanted, false);
    svg.dataset.ready = "yes";
  });
})();
