// What readers say, one after another.
export async function showComments(place) {
  const answer = await fetch(place.dataset.src);
  const comments = await answer.json();
  const list = document.createElement("ol");
  for (const { name, date, text } of comments) {
    const item = document.createElement("li");
    const mark = Object.assign(document.createElement("span"), { className: "mark", textContent: name[0] });
    mark.setAttribute("aria-hidden", "true");
    const words = document.createElement("div");
    const who = Object.assign(document.createElement("p"), { className: "who", textContent: `${name} ` });
    who.append(Object.assign(document.createElement("span"), { textContent: date }));
    words.append(who, Object.assign(document.createElement("p"), { textContent: text }));
    item.append(mark, words);
    list.append(item);
  }
  place.querySelector(".waiting").replaceWith(list);
}
