"use strict";
// The index: one row a model, searched and sorted here.
const COLUMNS = [["model", "model"], ["suite", "suite"], ["stands_for", "stands for"], ["frames", "frames"], ["graphs", "graphs"], ["breaks", "graph breaks"],
  ["ops", "operations"], ["guards", "guards"], ["kernels", "kernels"], ["sure", "exact or proved"]];
const TEXT = new Set(["model", "suite", "stands_for"]);
let rows = [], sortBy = "model", down = false;

function drawIndex() {
  const words = $("#find").value.toLowerCase().split(/\s+/).filter(Boolean), suite = $("#suite").value;
  const shown = rows.filter((r) => (!suite || r.suite === suite) && words.every((w) => `${r.model} ${r.suite} ${r.stands_for}`.toLowerCase().includes(w)));
  const value = (r) => (sortBy === "sure" ? r.sure / Math.max(1, r.frames) : r[sortBy]);
  shown.sort((a, b) => (TEXT.has(sortBy) ? String(value(a)).localeCompare(String(value(b)), "en", { sensitivity: "base", numeric: true }) : value(a) - value(b)) * (down ? -1 : 1));
  $("#count").textContent = `${shown.length} of ${rows.length} models`;
  const head = el("tr", {}, COLUMNS.map(([key, title]) => el("th", { class: TEXT.has(key) ? (key === "stands_for" ? "stands" : "") : "num", "aria-sort": key === sortBy && (down ? "descending" : "ascending") },
    el("button", { type: "button", onclick: () => { down = key === sortBy ? !down : !TEXT.has(key); sortBy = key; drawIndex(); } }, title))));
  const body = shown.map((r) => el("tr", {}, COLUMNS.map(([key]) => {
    if (key === "model") return el("td", {}, el("a", { href: `models/${r.model}.html` }, r.model));
    if (key === "sure") return el("td", { class: "num" }, el("span", { class: `chip ${r.sure === r.frames ? "good" : "warn"}` }, `${r.sure} of ${r.frames}`));
    return el("td", { class: TEXT.has(key) ? (key === "stands_for" ? "stands" : "") : "num" }, String(r[key]));
  })));
  $("#models").replaceChildren(el("thead", {}, head), el("tbody", {}, body));
}

startTheme();
pageData().then((data) => {
  rows = data.models;
  for (const suite of [...new Set(rows.map((r) => r.suite))].sort()) $("#suite").append(el("option", { value: suite }, suite));
  $("#find").value = new URLSearchParams(location.search).get("q") || "";
  $("#find").addEventListener("input", drawIndex);
  $("#suite").addEventListener("change", drawIndex);
  drawIndex();
});
