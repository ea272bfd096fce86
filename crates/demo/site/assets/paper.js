// What every page of the Lantern does by script: size of text, pictures that load late, weather, comments.
import { showWeather } from "./weather.js";

const button = document.getElementById("textsize");
const isLarge = () => document.cookie.split("; ").includes("textsize=large");
const show = () => {
  document.documentElement.classList.toggle("large", isLarge());
  button.setAttribute("aria-pressed", String(isLarge()));
};
button.addEventListener("click", () => {
  document.cookie = `textsize=${isLarge() ? "usual" : "large"}; path=/; max-age=31536000; samesite=lax`;
  show();
});
show();

const late = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) {
      target.src = target.dataset.src;
      late.unobserve(target);
    }
  }
}, { rootMargin: "400px" });
for (const image of document.querySelectorAll("img.lazy")) late.observe(image);

const weather = document.getElementById("weather");
if (weather) showWeather(weather);

// Few pages have comments, so their code comes only where they are.
const comments = document.getElementById("comments");
if (comments) import("/assets/comments.js").then((module) => module.showComments(comments));
