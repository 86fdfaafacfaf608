/* What a report can do besides being read: values where one points, curves that go and come. */
"use strict";
(() => {
  const tip = document.body.appendChild(document.createElement("div"));
  tip.id = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true"); // the point itself has the words
  let at = null;

  const words = new Map();
  for (const point of document.querySelectorAll(".p")) {
    const title = point.querySelector("title");
    words.set(point, title.textContent);
    point.setAttribute("aria-label", title.textContent);
    title.remove(); // else the browser shows it too
  }

  function hide() {
    if (at) at.classList.remove("at");
    at = null;
    tip.hidden = true;
  }

  function show(point) {
    if (at === point) return;
    hide();
    at = point;
    at.classList.add("at");
    tip.textContent = words.get(point).split("; ").join("\n");
    tip.hidden = false;
    const box = point.getBoundingClientRect();
    const x = box.left + box.width / 2 - tip.offsetWidth / 2;
    const above = box.top - tip.offsetHeight - 8;
    const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = Math.max(8, Math.min(x, most)) + "px";
    tip.style.top = (above > 4 ? above : box.bottom + 8) + "px";
  }

  /* Points of a figure whose curve is shown. */
  const visible = (figure) => [...figure.querySelectorAll(".series:not(.off) .p")];

  /* The point next to a place of the screen, if it is near. */
  function nearest(figure, x, y, reach) {
    const svg = figure.querySelector(":scope > svg");
    const matrix = svg.getScreenCTM();
    let best = null;
    let least = reach * reach;
    for (const point of visible(figure)) {
      const dx = matrix.a * point.x.baseVal.value + matrix.e - x;
      const dy = matrix.d * point.y.baseVal.value + matrix.f - y;
      if (dx * dx + dy * dy < least) {
        least = dx * dx + dy * dy;
        best = point;
      }
    }
    return best;
  }

  /* The arrows: along a curve, and to the next one at the same place. */
  function step(point, key) {
    const series = point.closest(".series");
    const own = [...series.querySelectorAll(".p")];
    if (key === "ArrowLeft" || key === "ArrowRight")
      return own[own.indexOf(point) + (key === "ArrowRight" ? 1 : -1)];
    const all = [...point.closest("figure").querySelectorAll(".series:not(.off)")];
    const next = all[all.indexOf(series) + (key === "ArrowDown" ? 1 : -1)];
    const x = point.x.baseVal.value;
    const far = (other) => Math.abs(other.x.baseVal.value - x);
    return next && [...next.querySelectorAll(".p")].sort((a, b) => far(a) - far(b))[0];
  }

  function watchPoints(figure) {
    const svg = figure.querySelector(":scope > svg");
    svg.addEventListener("pointermove", (event) => {
      const point = nearest(figure, event.clientX, event.clientY, 24);
      if (point) show(point);
      else hide();
    });
    svg.addEventListener("pointerdown", (event) => {
      const point = nearest(figure, event.clientX, event.clientY, 40);
      if (point) show(point);
      else hide();
    });
    svg.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") hide();
    });
    svg.addEventListener("focusin", (event) => {
      if (words.has(event.target)) show(event.target);
    });
    svg.addEventListener("focusout", hide);
    svg.addEventListener("keydown", (event) => {
      if (!event.key.startsWith("Arrow") || !words.has(event.target)) return;
      const point = step(event.target, event.key);
      event.preventDefault();
      if (!point) return;
      event.target.tabIndex = -1;
      point.tabIndex = 0;
      point.focus();
    });
  }

  /* Entries of the legend become buttons. */
  function watchLegend(figure) {
    for (const entry of figure.querySelectorAll(".legend li[data-series]")) {
      const series = figure.querySelector(`.series[data-series="${entry.dataset.series}"]`);
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(...entry.childNodes);
      entry.append(button);
      button.addEventListener("click", () => {
        const off = series.classList.toggle("off");
        button.setAttribute("aria-pressed", String(!off));
        hide();
      });
      for (const [event, on] of [["pointerenter", true], ["focus", true],
                                 ["pointerleave", false], ["blur", false]])
        button.addEventListener(event, () => {
          figure.classList.toggle("dim", on && !series.classList.contains("off"));
          series.classList.toggle("lit", on);
        });
    }
  }

  for (const figure of document.querySelectorAll("figure")) {
    watchPoints(figure);
    watchLegend(figure);
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  document.addEventListener("scroll", hide, { passive: true, capture: true });

  /* Long tables are folded on a screen and unfolded on paper. */
  const folded = [...document.querySelectorAll("details:not(.scenario)")];
  for (const part of folded) part.open = false;
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details")) part.open = true;
  });

  for (const text of document.querySelectorAll(".scenario pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy the scenario";
    button.addEventListener("click", () => {
      getSelection().selectAllChildren(text);
      const copied = document.execCommand("copy");
      button.textContent = copied ? "Copied" : "Selected: copy it by hand";
    });
    text.after(button);
  }
})();
