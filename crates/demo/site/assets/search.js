// Looks for words in the index of the paper. Written in 2014 and never touched since, hence the style.
(function () {
  var query = decodeURIComponent((window.location.search.match(/[?&]q=([^&]*)/) || ["", ""])[1].replace(/\+/g, " "));
  var count = document.getElementById("count");
  var results = document.getElementById("results");
  document.getElementById("words").value = query;
  if (!query) {
    count.textContent = "What are you looking for?";
    return;
  }
  document.title = query + " · Search · The Siltmere Lantern";
  var request = new XMLHttpRequest();
  request.open("GET", location.protocol + "//" + location.host + "/data/search.json");
  request.onload = function () {
    var words = query.toLowerCase().split(/\s+/);
    var found = JSON.parse(request.responseText).filter(function (story) {
      var text = (story.title + " " + story.summary + " " + story.section).toLowerCase();
      return words.every(function (word) { return text.indexOf(word) >= 0; });
    });
    count.textContent = found.length === 1 ? "One story." : found.length + " stories.";
    found.forEach(function (story) {
      var item = document.createElement("li");
      var link = document.createElement("a");
      link.href = story.url;
      link.textContent = story.title;
      var line = document.createElement("p");
      line.style.margin = "0";
      line.appendChild(document.createTextNode(story.summary));
      var by = document.createElement("p");
      by.className = "by";
      by.style.margin = "0";
      by.textContent = story.section + " · " + story.day;
      item.appendChild(link);
      item.appendChild(line);
      item.appendChild(by);
      results.appendChild(item);
    });
  };
  request.send();
})();
