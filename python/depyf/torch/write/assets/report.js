"use strict";
// The report: data of one run, with the program's source on the left and facts about the selected line on the right.
// Text of the program is inserted as text nodes, or through highlighted(), which escapes it.

const $ = (selector, root = document) => root.querySelector(selector);

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false && c !== ""));
  return node;
}

// ---- theme

function startTheme() {
  const button = $("#theme");
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
  };
  let kept = null;
  try { kept = localStorage.getItem("depyf-theme"); } catch { /* a page opened from a file may have no storage */ }
  show(kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  button.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    show(next);
    try { localStorage.setItem("depyf-theme", next); } catch { /* as above */ }
  });
}

// ---- code

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const PYTHON = /(#.*)|("[a-z]\w*\[[^"\n]*"|"Sym\([^"\n]*\)")|([rbfu]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|(?<!\p{ID_Continue})(def|class)(\s+)(\p{ID_Continue}+)|(?<!\p{ID_Continue})(False|None|True|and|as|assert|async|await|break|continue|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)(?!\p{ID_Continue})|(?<!\p{ID_Continue})(\d(?:[\p{ID_Continue}.]*\p{ID_Continue})?)/gu; // \w and \b know ASCII alone
const CPP = /(\/\/.*|\/\*[\s\S]*?\*\/|^\s*#.*)|($^)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\b(struct|class)(\s+)(\w+)|\b(auto|bool|break|case|char|const|constexpr|continue|do|double|else|extern|float|for|if|inline|int|int32_t|int64_t|long|namespace|return|short|signed|sizeof|static|static_cast|switch|template|typename|unsigned|using|void|while)\b|\b(\d[\w.]*)\b/gm;
const HIGHLIGHT_LIMIT = 400000; // characters; longer texts are shown without colours, at once

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

// Lines of highlighted text, or of the plain text if it is long. A span across a line end is closed and opened again.
function codeLines(text, language) {
  if (text.length > HIGHLIGHT_LIMIT) return text.replace(/\n$/, "").split("\n");
  let open = "";
  return highlighted(text.replace(/\n$/, ""), language).split("\n").map((line) => {
    const html = open + line;
    for (const tag of line.matchAll(/<span class="\w+">|<\/span>/g)) open = tag[0] === "</span>" ? "" : tag[0];
    return open ? html + "</span>" : html;
  });
}

const inline = (text) => {
  const node = el("span", { class: "mono" });
  node.innerHTML = highlighted(text, "python");
  return node;
};

// torch's sentences contain code in backquotes, as in Markdown.
const prose = (text) => text.split(/`([^`\n]+)`/).map((part, i) => (i % 2 ? el("span", { class: "mono" }, part) : part));

// A guard in plain words, with the check as its title; the check itself if there are no words for it.
const named = (source) => source.replace(/^[LG]\['(\p{ID_Continue}+)'\]/u, "$1")
  .replace(/\._(?:modules|parameters|buffers)\['([\p{ID_Start}_]\p{ID_Continue}*)'\]/gu, ".$1").replace(/\._modules\['(\d+)'\]/g, "[$1]");
const bare = (check) => check.replace(/\b[LG]\['([\p{ID_Start}_]\p{ID_Continue}*)'\]/gu, "$1"); // without Dynamo's words for locals and globals
const anySize = (sizes) => sizes.replace(/\bNone\b/g, "any");
const WORDS = [
  [/^tensor_matches\((.+?), '\w+', torch\.(\w+), device=(\w+), requires_grad=(\w+), size=(\[[^\]]*\]), stride=(\[[^\]]*\])/,
    (m) => `${named(m[1])} is ${m[2].startsWith("int") ? "an" : "a"} ${m[2]} tensor of size ${anySize(m[5])}, strides ${anySize(m[6])}${m[4] === "True" ? ", that requires gradients" : ""}`],
  [/^object_is\((.+), same_process_id\(\d+\), '(.+)'\)$/, (m) => `${named(m[1])} is the same object (${m[2]})`],
  [/^type_is\((.+), '(.+)', same_process_id\(\d+\)\)$/, (m) => `${named(m[1])} is of type ${m[2]}`],
  [/^type\((.+)\) is (\p{ID_Continue}+)$/u, (m) => `${named(m[1])} is of type ${m[2]}`],
  [/^hasattr\((.+), '_dynamo_(\w+)'\) == False$/, (m) => `${named(m[1])} has no marks of dynamic dimensions`],
  [/^not ___dict_contains\('(\p{ID_Continue}+)', (.+)\.__dict__\)$/u, (m) => `${named(m[2])} has no ${m[1]} of its own`],
  [/^equals\(((?:[^,[\]]|\[[^\]]*\])+), (.+)\)$/, (m) => `${named(m[1])} equals ${m[2]}`],
  [/^metadata_is\(([^,]+), (["'])(.+)\2\)$/, (m) => `${named(m[1])} has the metadata ${m[3]}`],
  [/^saved_tensors_hooks_are\(\(\)\)$/, () => "no saved-tensor hooks are active"],
  [/^function_modes_are\(\)$/, () => "no torch function mode is active"],
  [/^default_device_is\('None'\)$/, () => "no default device is set"],
  [/^global_state_is\(.*\bgrad_mode=(True|False), num_threads=(\d+),.*\)$/,
    (m) => `global state is unchanged: grad mode ${m[1] === "True" ? "on" : "off"}, ${m[2]} threads, autocast, default dtype, precision and determinism`],
  [/^length_is\((.+), (\d+)\)$/, (m) => `${named(m[1])} has ${plural(Number(m[2]), "item")}`],
];

function guardText(check) {
  for (const [pattern, words] of WORDS) {
    const found = check.match(pattern);
    if (found) return el("span", { title: check }, words(found));
  }
  return el("span", { title: check }, inline(bare(check)));
}

// ---- the run

let run = null;
const state = { source: 0, line: 0, view: "line", file: null };
const shortName = (path) => path.split(/[\\/]/).pop();
const distinctName = (path) => { // the end of a path that no other source has
  const parts = path.split(/[\\/]/);
  const ends = (n) => parts.slice(-n).join("/");
  for (let n = 1; n < parts.length; n++)
    if (run.sources.filter((s) => s.path.split(/[\\/]/).slice(-n).join("/") === ends(n)).length <= 1) return ends(n);
  return path;
};
const fileName = (path) => { // of code that FX made of a graph, what it is the code of
  const frame = path.startsWith("<eval_with_key>") && run.frames.find((f) => f.location && f.location.path === path);
  return frame ? `code of ${frame.title}` : distinctName(path);
};
const at = (place) => (place && place.path ? `${distinctName(place.path)}:${place.line}` : "");
const isSource = (path) => run.sources.some((s) => s.path === path);
const placeLink = (place, short = false) => {
  if (!place || !place.path) return null;
  const name = shortName(place.path);
  if (isSource(place.path)) return el("button", { type: "button", class: "link", title: place.path, "data-source": place.path, "data-at": place.line, onclick: () => showLine(place.path, place.line) }, short ? `:${place.line}` : at(place));
  return run.files.some((f) => f.name === name) ? fileLink(name, place.line, at(place)) : el("span", { title: place.path }, at(place));
};
// A long name's text, which may break after its dots and underscores.
const breakable = (text) => text.split(/(?<=[\p{ID_Continue}][._])(?=\p{ID_Start}.{3})/u).map((part, i) => [i ? el("wbr") : "", part]).flat();
const fileLink = (name, line = 0, text = name) => name && (!run.files.some((f) => f.name === name) ? el("span", {}, text) :
  el("button", { type: "button", class: "link", "data-file": name, "data-at": line || null, onclick: () => showFile(name, line) }, text));

// Facts about each line of the program: path -> line -> facts.
function factsByLine() {
  const facts = new Map();
  const on = (path, line) => {
    if (!facts.has(path)) facts.set(path, new Map());
    const lines = facts.get(path);
    if (!lines.has(line)) lines.set(line, { nodes: [], graphs: [], breaks: [], guards: [], recompiles: [], frames: [], eager: [], failures: [], symbols: [], calls: [], kernels: [], calling: [], saved: [], uncaptured: [], of_calls: [] });
    return lines.get(line);
  };
  const onPlace = (place) => (place && place.path ? on(place.path, place.line) : null);
  for (const file of run.files) {
    for (const [number, path, line] of file.lines || []) on(path, line).nodes.push({ file, number });
    for (const [path, line] of file.from || []) on(path, line).graphs.push(file);
  }
  for (const frame of run.frames) {
    onPlace(frame.location)?.frames.push(frame);
    onPlace(frame.call)?.calls.push(frame);
    for (const guard of frame.guards) for (const place of [guard.location, guard.called_from]) onPlace(place)?.guards.push({ frame, guard, place });
  }
  for (const kernel of run.kernels) {
    for (const place of kernel.source_lines) onPlace(place)?.kernels.push(kernel);
    for (const place of kernel.callers) onPlace(place)?.calling.push(kernel);
  }
  for (const item of run.saved) onPlace(item.location)?.saved.push(item);
  for (const item of run.eager) onPlace(item.location)?.eager.push(item);
  for (const item of run.failures) if (!item.is_break) onPlace(item.location)?.failures.push(item);
  for (const item of run.breaks) {
    for (const place of [item.location, item.called_from]) onPlace(place)?.breaks.push(item);
    for (const place of item.stack || []) if (![at(item.location), at(item.called_from)].includes(at(place))) onPlace(place)?.of_calls.push(item);
  }
  for (const item of run.cuda_graph_skips) onPlace(item.location)?.uncaptured.push(item);
  for (const item of run.recompiles) for (const reason of item.reasons) for (const place of [reason.location, reason.called_from]) onPlace(place)?.recompiles.push({ item, reason });
  for (const item of run.symbols) onPlace(item.location)?.symbols.push(item);
  return facts;
}

const calledFrom = (item) => (item.called_from ? `, called from ${at(item.called_from)}` : ""); // the program's line that leads into a library
const hasEntry = (recompile) => run.frames.some((f) => f.id === recompile.compile_id);
const goTo = (place, view) => (place && run.sources.some((s) => s.path === place.path) ? showLine(place.path, place.line) : choose(view));
const kept = (saved) => saved.reduce((sum, s) => sum + s.bytes, 0);
const bytes = (n) => (n < 10240 ? `${n} B` : n < 10485760 ? `${(n / 1024).toFixed(0)} KiB` : `${(n / 1048576).toFixed(0)} MiB`);
const plural = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;

// The line that saves most for backward.
function heaviest() {
  const sums = new Map();
  for (const s of run.saved) {
    const key = `${s.location.path}\n${s.location.line}`;
    sums.set(key, { location: s.location, bytes: (sums.get(key)?.bytes || 0) + s.bytes });
  }
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes)[0].location;
}

function story() {
  const lines = [];
  const first = (label, items, text, go, view) => {
    for (const item of items.slice(0, 2)) lines.push([label(item), text(item), () => go(item)]);
    if (items.length > 2) lines.push(["", `and ${items.length - 2} more`, () => choose(view)]);
  };
  lines.push(["compiled", `${plural(run.compiled_frames, "frame")}: ${plural(run.frames.length, "entry", "entries")}, ${plural(run.graphs, "graph")}`, () => choose("frames")]);
  first((f) => f.label.replace(" reached", ""), run.eager, (f) => `${f.name} (${at(f.location)})${f.reason ? `: ${f.reason}` : ""}`, (f) => goTo(f.location, "frames"), "frames");
  first(() => "failed", run.failures.filter((f) => !f.is_told), (f) => `${f.name} [${f.compile_id}]: ${f.reason}`, (f) => goTo(f.location, "frames"), "frames");
  first(() => "graph break", run.breaks, (b) => `${at(b.location)}${calledFrom(b)}: ${b.reason}`, (b) => goTo(b.called_from || b.location, "breaks"), "breaks");
  first(() => "recompile", run.recompiles, (r) => `[${r.compile_id}] ${r.name || ""}: ${(r.reason || (r.reasons[0] ? r.reasons[0].torch_text : "") || "no reason known").replace(/^\[[^\]]*\] /, "")}`, () => choose("recompiles"), "recompiles");
  if (run.kernels.length) {
    const tied = run.kernels.filter((k) => k.source_lines.length).length;
    lines.push(["kernels", `${plural(run.kernels.length, "launch", "launches")}, ${tied === run.kernels.length ? "each" : tied} tied to source lines`, () => choose("kernels")]);
  }
  const captured = run.cuda_graph_recordings.length, uncaptured = run.cuda_graph_skips;
  if (captured || uncaptured.length) lines.push(["CUDA graphs", `${plural(captured, "graph")} recorded${uncaptured.length ? `, ${uncaptured.length} given up: ${uncaptured[0].reason}` : ""}`, () => choose("caches")]);
  if (run.tried && run.tried.tried.length) lines.push(["tried", `${run.tried.tried.filter((t) => t.confirmed).length} of ${plural(run.tried.tried.length, "change")} are cures that keep the results`, () => choose("tried")]);
  if (run.saved.length) lines.push(["backward", `${bytes(kept(run.saved))} saved for it, most at ${at(heaviest())}`, () => goTo(heaviest(), "files")]);
  const caches = Object.entries(run.caches).map(([name, count]) => `${name.replaceAll("_", " ")} ${count}`).join(", ");
  if (caches) lines.push(["caches", caches, () => choose("caches")]);
  if (run.ranks.length > 1) lines.push(["ranks", `${run.ranks.length}; ${run.divergences.length ? run.divergences[0] : "all did the same"}`, () => choose("ranks")]);
  lines.push(["time", `${run.seconds.toFixed(1)} s compiling`, () => choose("time")]);
  if (run.problems.length) lines.push(["problems", plural(run.problems.length, "thing") + " that depyf could not do", () => choose("problems")]);
  return el("ol", {}, lines.map(([label, text, go]) =>
    el("li", {}, el("b", {}, label), el("button", { type: "button", class: "link", title: text, onclick: go }, prose(text)))));
}

// ---- left: the source

function badges(found) {
  const out = [];
  if (found.breaks.length) out.push(el("span", { class: "badge bad", title: found.breaks.map((b) => b.reason).join("\n") }, "break"));
  const spent = secondsOf(found.frames);
  if (spent >= 0.05) out.push(el("span", { class: "badge", title: "compile time of frames that begin here" }, `${spent.toFixed(1)} s`));
  if (found.eager.length) out.push(el("span", { class: "badge bad", title: found.eager.map((f) => f.reason).join("\n") }, found.eager[0].label));
  if (found.failures.length) out.push(el("span", { class: "badge bad", title: found.failures.map((f) => f.reason).join("\n") }, "failed"));
  if (found.recompiles.length) out.push(el("span", { class: "badge warn" }, "recompile"));
  if (found.uncaptured.length) out.push(el("span", { class: "badge warn", title: found.uncaptured.map((s) => s.reason).join("\n") }, "no CUDA graph"));
  if (found.kernels.length) out.push(el("span", { class: "badge good", title: found.kernels.map((k) => k.name).join("\n") }, plural(found.kernels.length, "kernel")));
  if (found.saved.length) out.push(el("span", { class: "badge", title: `saved for backward: ${found.saved.map((s) => s.node).join(", ")}` }, `saves ${bytes(kept(found.saved))}`));
  if (found.guards.length) out.push(el("span", { class: "badge", title: found.guards.map(({ guard }) => guard.check).join("\n") }, plural(found.guards.length, "guard")));
  return out;
}

// Lines of code as a table, one body of rows a block. Blocks of a long text are filled when they come into view.
const BLOCK = 400; // lines
function codeTable(text, language, decorate, numberOf = (i) => i + 1) {
  const lines = codeLines(text, language), coloured = text.length <= HIGHLIGHT_LIMIT;
  const table = el("table", { class: "code" });
  const fill = (body) => {
    if (!body.dataset.empty) return;
    delete body.dataset.empty;
    const from = Number(body.dataset.from);
    body.replaceChildren(...lines.slice(from, from + BLOCK).map((html, k) => {
      const number = numberOf(from + k);
      const row = el("tr", { "data-line": number });
      const code = el("td", { class: "text" });
      if (coloured) code.innerHTML = html || " ";
      else code.textContent = html || " ";
      row.append(el("td", { class: "no" }, String(number)), code);
      decorate(row, number, code);
      return row;
    }));
  };
  const seen = new IntersectionObserver((entries) => entries.forEach((e) => { if (e.isIntersecting) { seen.unobserve(e.target); fill(e.target); } }), { rootMargin: "600px" });
  for (let from = 0; from < lines.length; from += BLOCK) {
    const body = el("tbody", { "data-from": from, "data-empty": "true" });
    if (lines.length <= 3 * BLOCK || from === 0) fill(body);
    else {
      const height = Math.min(BLOCK, lines.length - from) * LINE_HEIGHT;
      body.append(el("tr", {}, el("td", { colspan: 3, style: `height:${height}px` })));
      seen.observe(body);
    }
    table.append(body);
  }
  table.fillAll = () => [...table.tBodies].forEach(fill);
  table.rowOf = (number) => {
    const index = numberOf(0) === 1 ? number - 1 : lines.findIndex((_, i) => numberOf(i) === number);
    const body = table.tBodies[Math.floor(index / BLOCK)];
    if (index < 0 || !body) return null;
    fill(body);
    return body.rows[index % BLOCK] || null;
  };
  return table;
}
const LINE_HEIGHT = 19; // pixels, as in the style sheet
window.addEventListener("beforeprint", () => document.querySelectorAll("table.code").forEach((table) => table.fillAll()));

let sourceTable = null;

function showSource() {
  const source = run.sources[state.source];
  $("#sources").replaceChildren(...run.sources.map((s, i) => el("button", { type: "button", role: "tab", title: s.path, "aria-selected": String(i === state.source),
    onclick: () => { state.source = i; state.line = 0; showSource(); } }, fileName(s.path))));
  const box = $("#source");
  box.replaceChildren();
  if (!source) { box.append(el("p", { class: "dim" }, "The source of the program is not available.")); return; }
  const facts = run.facts.get(source.path) || new Map();
  sourceTable = codeTable(run.texts[source.text], "python", (row, number) => {
    const found = facts.get(number);
    if (!found) return;
    row.classList.add("hot");
    if (found.nodes.length || found.graphs.length) row.classList.add("compiled");
    row.append(el("td", { class: "badges" }, badges(found)));
    if (number === state.line) { row.classList.add("chosen"); row.setAttribute("aria-current", "true"); }
  }, source.numbers ? (i) => source.numbers[i] : undefined);
  sourceTable.addEventListener("click", (event) => {
    const row = event.target.closest("tr.hot");
    if (row) showLine(source.path, Number(row.dataset.line));
  });
  box.append(sourceTable);
}

function showLine(path, line, block = "nearest") {
  const index = run.sources.findIndex((s) => s.path === path);
  if (index < 0) return;
  if (index !== state.source || !sourceTable) { state.source = index; state.line = 0; showSource(); }
  state.line = line;
  for (const row of document.querySelectorAll("#source tr.chosen")) { row.classList.remove("chosen"); row.removeAttribute("aria-current"); }
  const row = sourceTable.rowOf(line);
  if (row) {
    row.classList.add("chosen");
    row.setAttribute("aria-current", "true");
    row.scrollIntoView({ block });
    $("#source").scrollLeft = 0;
  }
  choose("line");
}

// ---- right: the views

const VIEWS = [
  ["line", "This line", () => null, viewLine],
  ["frames", "Entries", () => run.frames.length, viewFrames],
  ["breaks", "Breaks", () => run.breaks.length, viewBreaks],
  ["tried", "Tried", () => run.tried && run.tried.tried.length, viewTried],
  ["recompiles", "Recompiles", () => run.recompiles.length, viewRecompiles],
  ["kernels", "Kernels", () => run.kernels.length, viewKernels],
  ["files", "Files", () => run.files.length, viewFiles],
  ["time", "Time", () => null, viewTime],
  ["caches", "Caches", () => run.cache_events.length + run.cuda_graph_skips.length + run.cuda_graph_recordings.length, viewCaches],
  ["ranks", "Ranks", () => run.ranks.length, viewRanks],
  ["problems", "Problems", () => run.problems.length, viewProblems],
];

function choose(name) {
  state.view = name;
  $("#views").replaceChildren(...VIEWS.filter(([key, , count]) => !["problems", "ranks", "kernels", "tried"].includes(key) || count()).map(([key, title, count]) =>
    el("button", { type: "button", role: "tab", "aria-selected": String(key === name), onclick: () => choose(key) }, title + (count() ? ` ${count()}` : ""))));
  const view = VIEWS.find(([key]) => key === name);
  $("#view").replaceChildren(...[view ? view[3]() : viewFile()].flat().filter(Boolean));
  $("#view").scrollTop = 0;
}

// Cells break their text anywhere where a panel is narrow, but not ids, numbers and places beside long texts.
const SHORT = 8, BRIEF = 24; // characters
function cell(content) {
  const made = el("td", {}, content), length = made.textContent.length;
  if (length <= BRIEF) made.className = length <= SHORT ? "short" : "brief";
  return made;
}

function rows(heads, lines) {
  return el("table", { class: "rows" }, el("thead", {}, el("tr", {}, heads.map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, lines.map((cells) => el("tr", {}, cells.map(cell)))));
}

function viewLine() {
  const source = run.sources[state.source];
  const found = source && (run.facts.get(source.path) || new Map()).get(state.line);
  if (!found) return [el("p", { class: "dim" }, "Select a marked line on the left to see what became of it.")];
  const out = [el("h2", {}, `${fileName(source.path)}:${state.line}`)];
  for (const b of found.breaks) out.push(breakCard(b));
  for (const b of found.of_calls) out.push(el("p", {}, el("b", {}, "Graph break in a function called here, "), placeLink(b.location), `: ${b.reason}`));
  for (const f of found.eager) out.push(eagerText(f));
  for (const f of found.failures) out.push(failureText(f));
  const told = new Set();  // several entries may give the same reason
  for (const { item, reason } of found.recompiles) {
    const key = `${item.compile_id} ${reason.difference}`;
    if (told.has(key)) continue;
    told.add(key);
    out.push(el("p", {}, el("b", {}, hasEntry(item) ? `Recompiled as [${item.compile_id}]: ` : `The recompile [${item.compile_id}] resulted in no entry: `), reason.difference, reason.called_from && [", introduced at ", placeLink(reason.location), ", called from ", placeLink(reason.called_from)]), reason.advice && el("p", {}, "What to do: ", reason.advice));
  }
  for (const s of found.uncaptured) out.push(el("p", {}, el("b", {}, `Without a CUDA graph, [${s.compile_id}] ${s.is_backward ? "backward" : "forward"}: `), s.reason));
  for (const f of found.frames) out.push(el("p", {}, el("b", {}, `[${f.id}] ${f.title} `), f.verdict, " · ", `${secondsOf([f]).toFixed(1)} s to compile`, " · ", fileLink(f.transformed, 0, "transformed code"), f.full_code && " · ", fileLink(f.full_code, 0, "full code")));
  for (const f of found.calls) out.push(el("p", {}, `${f.title} [${f.id}] was compiled for this call.`));
  const byFile = new Map();
  for (const { file, number } of found.nodes) byFile.set(file, [...(byFile.get(file) || []), number]);
  const ordered = [...byFile].sort((a, b) => stageOrder(a[0]) - stageOrder(b[0]));
  if (ordered.length) out.push(el("h3", {}, "What it became"));
  for (const [file, numbers] of ordered) {
    const lines = run.texts[file.text].split("\n");
    out.push(el("div", {}, fileLink(file.name, numbers[0], `[${file.graph.id}] ${file.graph.stage}`)));
    for (const number of numbers.slice(0, 40)) out.push(el("div", {}, inline(lines[number - 1].trim())));
  }
  for (const [kernels, title] of [[found.kernels, "Kernels that compute it"], [found.calling, "Kernels that compute the functions that it calls"]])
    if (kernels.length) out.push(el("h3", {}, title), ...kernels.map(kernelCard));
  if (found.saved.length) out.push(el("h3", {}, `Saved for backward: ${bytes(kept(found.saved))}`),
    rows(["entry", "tensor", "bytes"], found.saved.map((s) => [`[${s.id}]`, inline(s.node), bytes(s.bytes)])));
  if (found.graphs.length) out.push(el("h3", {}, "Part of"));
  for (const file of found.graphs) out.push(el("div", {}, fileLink(file.name, 0, `[${file.graph.id}] ${file.graph.stage}`),
    file.graph.kernels.length ? el("span", { class: "mono" }, ` ${file.graph.kernels.join(", ")}`) : ""));
  if (found.guards.length) out.push(el("h3", {}, plural(found.guards.length, "guard") + " introduced here" + (found.guards.some(isOfCall) ? ", or in a library that it calls" : "")),
    rows(["entry", "holds when"], guardRows(found.guards)));
  for (const s of found.symbols) {
    const value = !s.value ? "" : s.is_fixed ? `: fixed to ${s.value} here` : `: ${s.value} in this call${s.taken ? `; range: ${s.taken}` : ""}`;
    out.push(el("p", {}, `[${s.compile_id}] `, el("b", {}, s.name), ` = ${bare(s.source) || "known at run time only"}${value}`));
  }
  return out;
}

// Guards with the same words are one row: torch checks each kind of mark with a separate guard.
function guardRows(guards) {
  const alike = new Map();
  for (const g of guards) {
    const said = guardText(g.guard.check), where = isOfCall(g) && placeLink(g.guard.location);
    const key = [g.frame.id, said.textContent, where && where.textContent].join("\n");
    alike.set(key, { g, said, where, count: (alike.get(key)?.count || 0) + 1 });
  }
  return [...alike.values()].map(({ g, said, where, count }) => [`[${g.frame.id}]`,
    el("span", {}, said, count > 1 && el("span", { class: "dim" }, ` (${count} guards)`), where && el("span", { class: "dim" }, " ", where))]);
}

function isOfCall({ guard, place }) {
  return place !== guard.location;
}

const STAGE_ORDER = ["Compiled_autograd_graph", "Captured_Graph", "BEFORE_PRE_GRAD", "Joint_graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD", "kernel"];
const stageOrder = (file) => (STAGE_ORDER.indexOf(file.graph.kind) + STAGE_ORDER.length + 1) % (STAGE_ORDER.length + 1);

function eagerText(f) {
  return el("p", {}, el("b", {}, `${f.name}: ${f.words}. `), prose(f.reason || ""));
}

function failureText(f) {
  return el("div", {}, el("p", {}, el("b", {}, `Compilation [${f.compile_id}] of ${f.name} failed. `), prose(f.reason)),
    f.explanation && el("p", { class: "dim lines" }, prose(f.explanation)), (f.hints || []).map((hint) => el("p", {}, "What to do: ", prose(hint))),
    f.text && el("details", {}, el("summary", {}, "whole text"), el("div", { class: "mono" }, f.text)));
}

function breakCard(b) {
  return el("div", {}, el("h3", {}, "Graph break ", placeLink(b.location), b.times > 1 ? ` (met ${b.times} times)` : ""),
    b.inner && el("p", { class: "dim" }, "in PyTorch's own code: ", placeLink(b.inner)),
    el("p", {}, el("b", {}, prose(b.reason))), b.explanation && el("p", { class: "dim lines" }, prose(b.explanation)),
    b.told_hints.map((hint) => el("p", {}, prose(hint[0].toUpperCase() + hint.slice(1)))),
    (b.stack || []).length > 1 && el("div", { class: "dim" }, "called from ", b.stack.slice(0, -1).reverse().map((s, i) => [i ? " ← " : "", placeLink(s)]).flat()),
    b.page && el("p", {}, el("a", { href: b.page, rel: "noreferrer" }, b.page)));
}

function viewBreaks() {
  return run.breaks.length ? run.breaks.map(breakCard) : [el("p", { class: "dim" }, "No graph breaks.")];
}

function viewTried() {
  const { tried, without, command } = run.tried;
  return [el("p", { class: "dim" }, "Each change was tried separately, in a run of ", el("span", { class: "mono" }, command.join(" ")), " with the same seeds."),
    ...[...tried].sort((a, b) => b.confirmed - a.confirmed).map((t) => el("div", { class: "card" },
      el("p", {}, el("span", { class: "mono" }, t.change), ": ", el("b", { class: t.confirmed ? "good" : "warn" }, t.summary)),
      t.for.map((x) => el("p", { class: "dim" }, `for ${x}`)),
      el("p", { class: "dim" }, `${plural(t.entries[1], "entry", "entries")} instead of ${t.entries[0]}, compiling ${t.compile_seconds[1].toFixed(1)} s instead of ${t.compile_seconds[0].toFixed(1)} s; ${plural(t.compared, "result")} of compiled functions compared`))),
    without.length > 0 && el("h2", {}, "No change that was tried cures"), without.length > 0 && el("ul", {}, without.map((x) => el("li", {}, x)))];
}

function viewFrames() {
  const ofEntry = (graph, id) => graph.id === id || id.startsWith(`${graph.id}/`);  // "!0": a pass of compiled autograd
  const graphs = (id) => run.files.filter((f) => f.graph && ofEntry(f.graph, id)).sort((a, b) => stageOrder(a) - stageOrder(b));
  const out = run.frames.map((f) => el("section", {},
    el("h2", {}, `[${f.id}] `, breakable(f.title), " ", placeLink(f.location)),
    el("p", {}, `${f.verdict}; backend ${f.backend || "not known"}; ${plural(f.guards.length, "guard")}${f.dropped ? "; torch has dropped it since" : ""}`),
    el("p", {}, [f.transformed && fileLink(f.transformed, 0, "transformed code"), f.full_code && fileLink(f.full_code, 0, "full code"),
      ...graphs(f.id).map((g) => fileLink(g.name, 0, g.graph.stage))].filter(Boolean).map((link, i) => [i ? " · " : "", link]).flat()),
    f.call && el("p", { class: "dim" }, "compiled for the call at ", placeLink(f.call)),
    f.guards.length && el("details", {}, el("summary", {}, "guards"),
      rows(["", "holds when", "introduced at"], f.guards.map((g, i) => [String(i + 1), guardText(g.check), placeLink(g.location) || ""])))));
  for (const f of run.eager) out.push(el("section", {}, el("h2", {}, breakable(f.name), " ", placeLink(f.location)), eagerText(f)));
  for (const f of run.failures) out.push(failureText(f));
  return out.length ? out : [el("p", { class: "dim" }, "Nothing was compiled.")];
}

function viewRecompiles() {
  if (!run.recompiles.length) return [el("p", { class: "dim" }, "No recompiles.")];
  return run.recompiles.map((r) => el("section", {}, el("h2", {}, `[${r.compile_id}] `, breakable(r.name || "")), hasEntry(r) ? "" : el("p", {}, "It resulted in no entry."),
    groupsOfReasons(r.reasons).map(reasonCard)));
}

// Equal reasons in groups: entries with the same guard and values, and values that differ alike for all of these entries (parameters of a module).
function groupsOfReasons(reasons) {
  const values = (x) => [x.what, x.then, x.now, x.then ? "" : x.difference];
  const byKey = (items, key) => [...items.reduce((groups, item) => groups.set(key(item), [...(groups.get(key(item)) || []), item]), new Map()).values()];
  const ofEntries = byKey(reasons, (x) => JSON.stringify([x.source, x.advice, ...values(x)])).map((same) => ({ x: same[0], entries: [...new Set(same.map((x) => x.entry))] }));
  const general = (x) => (x.source ? (x.advice || "").replaceAll(`(${x.source}, `, "(…, ") : x.advice);
  return byKey(ofEntries, ({ x, entries }) => JSON.stringify([entries, general(x), ...values(x)])).map((same) => ({ ...same[0], others: same.slice(1).map(({ x }) => x.source) }));
}

function reasonCard({ x, entries, others }) {
  return el("div", { class: "card" },
    el("p", {}, `${entries.map((id) => `[${id}]`).join(", ")} did not accept the call: `, x.what ? [x.source && inline(x.source), `${x.source ? ": " : ""}${x.what}`] : el("span", { class: "mono" }, x.torch_text || ""), x.where || x.location ? [" · introduced at ", placeLink(x.location) || x.where, x.called_from && [", called from ", placeLink(x.called_from)]] : ""),
    x.then || x.now ? rows(["then", "now"], [[el("span", { class: "mono" }, x.then), el("span", { class: "mono" }, x.now)]]) : "",
    others.length ? el("p", {}, `The same for ${others.length} more: `, listed(others.map((source) => inline(source)), ", ")) : "",
    x.advice && el("p", {}, "What to do: ", x.advice));
}

function viewKernels() {
  return run.kernels.map(kernelCard);
}

function viewFiles() {
  return [el("section", { class: "files" }, rows(["file", "what it is"], run.files.map((f) => [fileLink(f.name, 0, breakable(f.name)), breakable(f.what)])))];
}

let fileTable = null;
const PLACES = 3; // of the program, that a line of Inductor's code names; its kernel's card has all
const listed = (items, between = " · ") => items.filter(Boolean).map((item, i) => [i ? between : "", item]).flat();

const lineLinks = (places) => // several functions may be in one line
  places.filter((p, i) => places.findIndex((q) => q.path === p.path && q.line === p.line) === i).map((p) => placeLink(p));

function kernelCard(k) {
  return el("div", { class: "card kernel" },
    el("p", {}, el("b", {}, `[${k.compile_id}] `), el("span", { class: "mono", title: "the kernel and the number of the launch, as profiles name it" }, `${k.name}:${k.handle}`), " · ",
      listed([el("button", { type: "button", class: "link", "data-launch": `${k.file}:${k.line}`, onclick: () => showFile(k.file, k.line) }, "launch"), k.source_file && fileLink(k.source_file, 0, "source"), k.graph && fileLink(k.graph, 0, "graph")])),
    k.nodes.length > 0 && el("p", { class: "dim" }, `nodes: ${k.nodes.join(", ")}`),
    el("p", {}, "computes ", listed(lineLinks(k.source_lines)), k.callers.length > 0 && [", called from ", listed(lineLinks(k.callers))]),
    k.triton_file && el("p", { class: "dim" }, `for tritonparse: ${k.triton_file}`));
}

function showFile(name, line) {
  const file = run.files.find((f) => f.name === name);
  if (!file) return;
  state.file = file;
  choose("file");
  const row = line ? fileTable.rowOf(line) : null;
  if (row) { row.classList.add("mark"); row.scrollIntoView({ block: "center" }); $("#view").scrollLeft = 0; }
}

function viewFile() {
  const file = state.file;
  const from = new Map((file.lines || []).map(([number, path, line]) => [number, [{ path, line }]]));
  for (const kernel of run.kernels) if (kernel.file === file.name) from.set(kernel.line, kernel.source_lines);
  fileTable = codeTable(run.texts[file.text], file.language, (row, number, code) => {
    const places = from.get(number) || [];
    if (places.length) row.classList.add("compiled");
    if (from.size) code.before(el("td", { class: "from" }, listed(places.slice(0, PLACES).map((p, i) => placeLink(p, i > 0 && p.path === places[0].path)), " "), places.length > PLACES ? ` +${places.length - PLACES}` : ""));
  });
  const own = run.kernels.filter((k) => k.source_file === file.name);
  return [el("h2", {}, breakable(file.name)), el("p", { class: "dim" }, breakable(file.what)), ...own.map(kernelCard), fileTable];
}

// Spans of torch's timeline as bars.
function track(phases, from, to) {
  const share = (seconds) => `${((100 * seconds) / (to - from || 1)).toFixed(2)}%`;
  return el("div", { class: "track" }, phases.map((p) =>
    el("div", { class: "bar", title: `${p.title}: ${p.seconds.toFixed(3)} s, from ${p.start.toFixed(3)} s on`, style: `left:${share(p.start - from)};width:${share(p.seconds)}` })));
}

const grouped = (items, key) => items.reduce((found, item) => found.set(key(item), [...(found.get(key(item)) || []), item]), new Map());
const isWithin = (a, b) => a !== b && a.start >= b.start && a.start + a.seconds <= b.start + b.seconds;
const outermost = (phases) => phases.filter((p) => !phases.some((q) => isWithin(p, q) && !(isWithin(q, p) && phases.indexOf(p) < phases.indexOf(q))));
const total = (phases) => outermost(phases).reduce((sum, p) => sum + p.seconds, 0);
const secondsOf = (frames) => frames.reduce((sum, f) => sum + (run.spent.get(f.id) || 0), 0);

function viewTime() {
  if (!run.phases.length) return [el("p", { class: "dim" }, "torch logged no times.")];
  const compilations = grouped(run.phases, (p) => p.compile_id);
  const extent = (phases) => [Math.min(...phases.map((p) => p.start)), Math.max(...phases.map((p) => p.start + p.seconds))];
  const titles = new Map([...run.eager.flatMap((f) => (f.compile_ids || []).map((id) => [id, f.name])), ...run.recompiles.map((r) => [r.compile_id, r.name]),
    ...run.failures.map((f) => [f.compile_id, f.name]), ...run.frames.map((f) => [f.id, f.title])]);
  const named = (id) => (id === "-" ? "outside of a compilation" : `[${id}] ${titles.get(id) || ""}`.trim());
  const columns = ["from", "seconds", ""];
  return [el("h2", {}, "Timeline"), el("p", { class: "dim" }, "Seconds since torch's first span; the time between two bars is the program's own."),
    el("section", { class: "times" }, rows(["compilation", ...columns], [...compilations].map(([id, phases]) =>
      [breakable(named(id)), extent(phases)[0].toFixed(3), total(phases).toFixed(3), track(outermost(phases), ...extent(run.phases))]))),
    ...[...compilations].map(([id, phases]) => el("section", { class: "times" }, el("h2", {}, breakable(named(id))),
      rows(["phase", ...columns], [...grouped(phases, (p) => p.title)].map(([title, found]) =>
        [title, found[0].start.toFixed(3), total(found).toFixed(3), track(found, ...extent(phases))]))))];
}

function viewCaches() {
  return [el("h2", {}, "Caches"), rows(["cache", "times"], Object.entries(run.caches).map(([name, n]) => [name.replaceAll("_", " "), String(n)])),
    el("h2", {}, "By entry"), rows(["entry", "cache", "outcome", "difference from the last run's key"],
      run.cache_events.map((e) => [`[${e.compile_id}]`, e.cache.replaceAll("_", " "), e.reason ? `${e.outcome}: ${e.reason}` : e.outcome, listed((e.changed || []).map(changedPart), ", ")])),
    ...(run.cuda_graph_recordings.length ? [el("h2", {}, "Recorded as CUDA graphs"), rows(["entry", "graph", "times", "seconds"],
      run.cuda_graph_recordings.map((r) => [`[${r.compile_id}]`, r.is_backward ? "backward" : "forward", String(r.times), r.seconds.toFixed(3)]))] : []),
    ...(run.cuda_graph_skips.length ? [el("h2", {}, "Run without a CUDA graph"), rows(["entry", "graph", "why", "line"],
      run.cuda_graph_skips.map((s) => [`[${s.compile_id}]`, s.is_backward ? "backward" : "forward", s.reason, s.location ? placeLink(s.location) : ""]))] : [])];
}

function changedPart(c) {
  const short = c.then !== c.now && (c.then || "").length <= 60 && (c.now || "").length <= 60;
  return inline(short ? `${c.name}: ${c.then ?? "absent"} → ${c.now ?? "absent"}` : c.name);
}

function viewRanks() {
  return [rows(["rank", "folder", "entries", "graphs", "graph breaks", "recompiles", "seconds compiling"],
    run.ranks.map((r) => [r.rank, r.folder, r.entries, r.graphs, r.breaks, r.recompiles, r.seconds.toFixed(1)].map(String))),
    el("h2", {}, run.divergences.length ? "Where they differ" : "They did the same"), el("ul", {}, run.divergences.map((d) => el("li", {}, d)))];
}

function viewProblems() {
  return [rows(["what depyf could not do", "error"], run.problems.map((p) => [p.what, p.error]))];
}

// ---- search

function search(word) {
  const wanted = word.toLowerCase();
  const out = [];
  const scan = (title, text, go) => {
    text.split("\n").forEach((line, i) => {
      if (out.length < 300 && line.toLowerCase().includes(wanted))
        out.push([el("button", { type: "button", class: "link", onclick: () => go(i) }, `${title}:${i + 1}`), inline(line.trim().slice(0, 200))]);
    });
  };
  for (const s of run.sources) scan(distinctName(s.path), run.texts[s.text], (i) => showLine(s.path, s.numbers ? s.numbers[i] : i + 1));
  for (const f of run.files) scan(f.name, run.texts[f.text], (i) => showFile(f.name, i + 1));
  for (const tab of document.querySelectorAll("#views button")) tab.setAttribute("aria-selected", "false");
  $("#view").replaceChildren(el("h2", {}, `${out.length}${out.length === 300 ? " or more" : ""} lines with “${word}”`), rows(["where", "line"], out));
}

// ---- keyboard

function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== $("#search")) { event.preventDefault(); $("#search").focus(); }
  });
  $("#source").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const source = run.sources[state.source];
    const hot = source ? [...(run.facts.get(source.path) || new Map()).keys()].sort((a, b) => a - b) : [];
    const next = step > 0 ? hot.find((n) => n > state.line) : hot.reverse().find((n) => n < state.line);
    if (next) showLine(run.sources[state.source].path, next);
  });
  let timer = 0;
  $("#search").addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => (event.target.value.length > 1 ? search(event.target.value) : choose(state.view === "file" ? "line" : state.view)), 150);
  });
}

async function start() {
  startTheme();
  const packed = atob($("#data").textContent.trim());
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  run = JSON.parse(await new Response(stream).text());
  run.facts = factsByLine();
  run.spent = new Map([...grouped(run.phases, (p) => p.compile_id)].map(([id, phases]) => [id, total(phases)]));
  $("#versions").textContent = `torch ${run.torch} · Python ${run.python}`;
  $("#story").append(story());
  showSource();
  startKeys();
  const source = run.sources[0];
  const lines = source ? [...(run.facts.get(source.path) || new Map()).entries()] : [];
  const first = lines.filter(([, f]) => f.breaks.length)[0] || lines.sort((a, b) => a[0] - b[0])[0];
  if (first) showLine(source.path, first[0], "center");
  else choose("line");
  requestAnimationFrame(() => setTimeout(() => { // after the first screen was painted
    performance.mark("depyf-ready");
    document.documentElement.dataset.ready = "true";
  }));
}

start();
