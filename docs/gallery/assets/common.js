"use strict";
// What all pages share: the theme, the data of the page, and how code is shown. No network is used.
const $ = (selector, root = document) => root.querySelector(selector);

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const button = $("#theme");
  if (button) button.textContent = theme === "dark" ? "Light" : "Dark";
}

function startTheme() {
  let theme = null;
  try { theme = localStorage.getItem("depyf-theme"); } catch { /* a page opened from a file may have no storage */ }
  const asked = new URLSearchParams(location.search).get("theme");
  setTheme(asked || theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  $("#theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    setTheme(next);
    try { localStorage.setItem("depyf-theme", next); } catch { /* as above */ }
  });
}

// The page's data: JSON, deflated, in base64.
async function pageData() {
  const packed = atob($("#data").textContent.trim());
  const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
const PYTHON = /(#.*)|("[a-z]\w*\[[^"\n]*"|"Sym\([^"\n]*\)")|([rbfu]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|\b(def|class)(\s+)(\w+)|\b(False|None|True|and|as|assert|async|await|break|continue|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b|\b(\d[\w.]*)\b/g;
const CPP = /(\/\/.*|\/\*[\s\S]*?\*\/|^\s*#.*)|($^)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\b(struct|class)(\s+)(\w+)|\b(auto|bool|break|case|char|const|constexpr|continue|do|double|else|extern|float|for|if|inline|int|int32_t|int64_t|long|namespace|return|short|signed|sizeof|static|static_cast|switch|template|typename|unsigned|using|void|while)\b|\b(\d[\w.]*)\b/gm;

function highlighted(text, language) {
  let out = "", last = 0;
  for (const m of text.matchAll(language === "cpp" ? CPP : PYTHON)) {
    out += escaped(text.slice(last, m.index));
    const whole = escaped(m[0]);
    if (m[1]) out += `<span class="c">${whole}</span>`;
    else if (m[2]) out += `<span class="shape">${whole}</span>`;
    else if (m[3]) out += `<span class="s">${whole}</span>`;
    else if (m[4]) out += `<span class="k">${m[4]}</span>${m[5]}<span class="d">${escaped(m[6])}</span>`;
    else if (m[7]) out += `<span class="k">${whole}</span>`;
    else out += `<span class="n">${whole}</span>`;
    last = m.index + m[0].length;
  }
  return out + escaped(text.slice(last));
}

// Lines of highlighted text; a span that runs over a line end is closed and opened again.
function codeLines(text, language) {
  let open = "";
  return highlighted(text.replace(/\n$/, ""), language).split("\n").map((line) => {
    const html = open + line;
    for (const tag of line.matchAll(/<span class="\w+">|<\/span>/g)) open = tag[0] === "</span>" ? "" : tag[0];
    return open ? html + "</span>" : html;
  });
}

function codeBlock({ title, place = "", text, first = 1, mark = 0, language = "python", chips = [], wrap = false, from = 0, to = Infinity }) {
  const lines = codeLines(text, language);
  const rows = lines.slice(from, to).map((html, i) => {
    const no = first + from + i;
    return `<tr${no === mark ? ' class="mark"' : ""}><td class="no">${no}</td><td>${html || " "}</td></tr>`;
  });
  const box = el("div", { class: `code${wrap ? " wrap" : ""}`, tabindex: "0" });
  box.innerHTML = `<table>${rows.join("")}</table>`;
  const wrapper = el("button", { type: "button", onclick: () => box.classList.toggle("wrap") }, "Wrap");
  const copy = el("button", { type: "button", onclick: () => navigator.clipboard?.writeText(text) }, "Copy");
  return el("section", { class: "block" },
    el("header", {}, el("b", {}, title), ...chips, el("span", { class: "place", title: place }, place), el("span", { class: "right" }, wrapper, copy)), box);
}

// A graph's text as a list of operations under the lines of the program that they come from.
function operations(text) {
  const rows = [];
  let source = "", last = "";
  for (const line of text.split("\n")) {
    if (/^(def (tensor|inputs|layout|main)\b|if __name__)/.test(line)) break;
    let m = line.match(/^\s*# File: (\S+?):(\d+) in (\S+?)(?:, code: (.*))?$/);
    if (m) { source = { place: `${m[1].split("/").pop()}:${m[2]}`, fn: m[3], code: m[4] || "" }; continue; }
    if (/^\s*# /.test(line)) continue;
    m = line.match(/^\s+(\w+): "([^"]*)",?(?:\s+# .*)?$/);
    if (m) { rows.push({ input: true, name: m[1], shape: m[2] }); continue; }
    m = line.match(/^\s+def forward\(self, (.*)\):$/);
    if (m) {
      for (const p of m[1].matchAll(/(\w+): "([^"]*)"/g)) rows.push({ input: true, name: p[1], shape: p[2] });
      continue;
    }
    m = line.match(/^\s+return (.*)$/);
    if (m) { rows.push({ name: "return", shape: "", text: m[1] }); continue; }
    m = line.match(/^\s+(\w+)(?:: "([^"]*)")? = (.*?)(?:;\s+\w+ = .*)?$/);
    if (!m) continue;
    if (/^(\w+ = )+None$/.test(`${m[1]} = ${m[3]}`)) continue;
    const key = source ? source.place + source.code : "";
    if (source && key !== last) rows.push({ source });
    last = key;
    rows.push({ name: m[1], shape: m[2] || "", text: m[3] });
  }
  return rows;
}

function operationsTable(text, limit = Infinity) {
  const body = el("tbody");
  let number = 0, shown = 0;
  for (const row of operations(text)) {
    if (shown++ >= limit) { body.append(el("tr", { class: "from" }, el("td", { colspan: "4" }, "…"))); break; }
    if (row.source) {
      body.append(el("tr", { class: "from" }, el("td", { colspan: "4" }, `${row.source.place} in ${row.source.fn} `, el("code", {}, row.source.code))));
      continue;
    }
    const shape = row.shape ? el("span", { class: "shape mono" }, row.shape) : "";
    const what = el("td", { class: "mono" });
    what.innerHTML = row.input ? '<span class="c">input</span>' : highlighted(row.text || "", "python");
    const name = el("td", { class: "mono name", title: row.name });
    name.innerHTML = row.name === "return" ? '<span class="k">return</span>' : escaped(row.name);
    body.append(el("tr", {}, el("td", { class: "num" }, row.input || row.name === "return" ? "" : String(++number)), name, el("td", { class: "layout" }, shape), what));
  }
  return el("div", { class: "ops-box", tabindex: "0" }, el("table", { class: "ops" },
    el("thead", {}, el("tr", {}, el("th", {}, "#"), el("th", {}, "value"), el("th", {}, "type, shape, strides"), el("th", {}, "operation"))), body));
}

function guardsTable(guards, limit = Infinity) {
  const body = el("tbody");
  guards.slice(0, limit).forEach(([check, , where, kind], i) => {
    const cell = el("td", { class: "mono" });
    cell.innerHTML = highlighted(check, "python");
    body.append(el("tr", {}, el("td", { class: "num" }, String(i + 1)), cell, el("td", { class: "mono at" }, where), el("td", { class: "kind" }, kind.replaceAll("_", " ").toLowerCase())));
  });
  if (guards.length > limit) body.append(el("tr", { class: "from" }, el("td", { colspan: "4" }, `… and ${guards.length - limit} more`)));
  return el("div", { class: "ops-box", tabindex: "0" }, el("table", { class: "ops" },
    el("thead", {}, el("tr", {}, el("th", {}, "#"), el("th", {}, "holds when (L: locals, G: globals)"), el("th", {}, "asked for at"), el("th", { class: "kind" }, "kind"))), body));
}

const verdictChip = (frame) => el("span", { class: `chip ${{ exact: "good", proved: "good" }[frame.verdict] || "warn"}`, title: frame.remark }, frame.verdict);

function tabs(items, chosen, onChoose, label) {
  const bar = el("div", { class: "tabs", role: "tablist", "aria-label": label });
  for (const [key, title, count] of items) {
    bar.append(el("button", { type: "button", role: "tab", "aria-selected": String(key === chosen), onclick: () => onChoose(key) },
      title, count === undefined ? null : el("small", {}, String(count))));
  }
  return bar;
}
