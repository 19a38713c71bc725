"use strict";
// A model's page: scenarios, frames, and for each frame its source, graphs, kernels, guards and full code.
let page = null;
const state = { scenario: "", frame: "", tab: "code", graph: 0, view: "ops" };

const scenarioNow = () => page.scenarios.find((s) => s.name === state.scenario) || page.scenarios[0];
const frameNow = (scenario) => scenario.frames.find((f) => f.id === state.frame) || bestFrame(scenario);
const bestFrame = (scenario) => scenario.frames.find((f) => f.graphs.length) || scenario.frames[0];

function readHash() {
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) if (key in state) state[key] = key === "graph" ? Number(value) : value;
}

function go(changes) {
  Object.assign(state, changes);
  const kept = Object.fromEntries(Object.entries(state).filter(([, v]) => v !== "" && v !== 0));
  history.replaceState(null, "", `#${new URLSearchParams(kept)}`);
  draw();
}

function draw() {
  const scenario = scenarioNow(), frame = frameNow(scenario);
  const root = $("#model");
  root.replaceChildren(
    el("div", { class: "scenarios" }, tabs(page.scenarios.map((s) => [s.name, s.title, s.frames.length]), scenario.name,
      (name) => go({ scenario: name, frame: "", graph: 0 }), "Scenario")),
    ...notes(scenario),
    frame ? el("div", { class: "columns" }, frameList(scenario, frame), el("div", {}, framePanel(scenario, frame))) : el("p", {}, "Nothing was compiled."));
}

function notes(scenario) {
  const found = scenario.breaks.map((b) => el("div", { class: "note" }, el("b", {}, `Graph break at ${b.where}: `), b.reason, b.times > 1 ? ` (met ${b.times} times)` : "",
    b.explanation || b.hints.length ? el("ul", {}, [b.explanation, ...b.hints].filter(Boolean).map((t) => el("li", {}, t))) : null));
  if (scenario.broken) found.unshift(el("p", { class: "where" }, "Here the module ", el("code", {}, scenario.broken), " was made to break the graph, to show what happens then."));
  for (const p of scenario.problems) found.push(el("div", { class: "note bad" }, el("b", {}, "Problem: "), p));
  return found;
}

function frameList(scenario, frame) {
  const resumes = new Set(scenario.frames.filter((f) => f.name.startsWith("torch_dynamo_resume_in_")).map((f) => f.id));
  const link = (f) => el("a", { href: "#", class: `${f === frame ? "on" : ""} ${resumes.has(f.id) ? "resume" : ""}`,
    onclick: (e) => { e.preventDefault(); go({ frame: f.id, graph: 0 }); } }, el("span", { class: "mono" }, f.title), el("small", {}, `[${f.id}] ${f.origin}`));
  const pick = el("select", { class: "frames-pick", "aria-label": "Frame", onchange: (e) => go({ frame: e.target.value, graph: 0 }) },
    scenario.frames.map((f) => el("option", { value: f.id, selected: f === frame }, `${f.title} [${f.id}]`)));
  return el("div", {}, pick, el("nav", { class: "frames", "aria-label": "Frames" }, el("h3", {}, "Compiled frames, in order"), scenario.frames.map(link)));
}

function flow(scenario, frame) {
  const steps = [el("span", { class: "step" }, `${frame.guards.length} guards`)];
  const arrow = () => el("span", { class: "arrow" }, "→");
  if (frame.calls) steps.push(arrow(), el("span", { class: "step mono" }, frame.calls));
  for (const b of scenario.breaks) if (frame.resumes.length && b.compile_ids.includes(frame.id)) steps.push(arrow(), el("span", { class: "step cut" }, `break at ${b.where}`));
  for (const name of frame.resumes) steps.push(arrow(), el("span", { class: "step mono" }, name));
  if (!frame.resumes.length) steps.push(arrow(), el("span", { class: "step" }, "return"));
  return el("div", { class: "flow", "aria-label": "What a call does" }, steps);
}

function framePanel(scenario, frame) {
  const items = [["code", "Source and transformed code"]];
  if (frame.graphs.length) items.push(["graphs", "Graphs", frame.graphs.length]);
  if (frame.kernels.length) items.push(["kernels", "Kernels", frame.kernels.reduce((n, k) => n + k.kernels.length, 0)]);
  if (frame.others.length) items.push(["others", "Wrappers", frame.others.length]);
  if (frame.guards.length) items.push(["guards", "Guards", frame.guards.length]);
  if (frame.full_code !== null) items.push(["full", "Full code"]);
  const tab = items.some(([key]) => key === state.tab) ? state.tab : "code";
  const panel = { code: codePanel, graphs: graphsPanel, kernels: kernelsPanel, others: othersPanel, guards: guardsPanel, full: fullPanel }[tab];
  return el("div", {},
    el("div", { class: "head" }, el("h2", {}, frame.title), el("span", { class: "chip" }, frame.id), verdictChip(frame)),
    el("p", { class: "where" }, `From ${frame.original ? `${frame.original.file}, line ${frame.original.at}` : frame.origin}.`,
      frame.effects.length ? ` Replays side effects on ${frame.effects.join(", ")}.` : ""),
    flow(scenario, frame), tabs(items, tab, (key) => go({ tab: key, graph: 0 }), "What to show"), el("div", { class: "panel" }, panel(frame)));
}

function codePanel(frame) {
  const blocks = [];
  if (frame.original) blocks.push(codeBlock({ title: "As written", place: frame.original.file, text: page.texts[frame.original.text], first: frame.original.line, mark: frame.original.at > frame.original.line ? frame.original.at : 0 }));
  if (frame.transformed !== null) blocks.push(codeBlock({ title: "What Dynamo made of it", text: page.texts[frame.transformed], chips: [verdictChip(frame)] }));
  return el("div", { class: blocks.length > 1 ? "pair" : "" }, blocks);
}

function graphsPanel(frame) {
  const graphs = frame.graphs, graph = graphs[Math.min(state.graph, graphs.length - 1)], text = page.texts[graph.text];
  const stages = tabs(graphs.map((g, i) => [i, g.title]), graphs.indexOf(graph), (i) => go({ graph: i }), "Stage");
  const isGraph = /\n\s+def forward\(/.test(text);
  const view = isGraph ? state.view : "text";
  const other = el("button", { type: "button", onclick: () => go({ view: view === "ops" ? "text" : "ops" }) }, view === "ops" ? "Show as Python" : "Show as operations");
  const chips = graph.runs ? [el("span", { class: "chip runs" }, "this text runs")] : [];
  const block = view === "ops"
    ? el("section", { class: "block" }, el("header", {}, el("b", {}, graph.title), ...chips, el("span", { class: "right" }, other)), operationsTable(text))
    : codeBlock({ title: graph.title, text, chips });
  if (view === "text" && isGraph) $("header .right", block).prepend(other);
  return el("div", {}, stages, el("div", { class: "panel" }, block));
}

function kernelsPanel(frame) {
  const kernels = frame.kernels, kernel = kernels[Math.min(state.graph, kernels.length - 1)];
  const block = codeBlock({ title: "Inductor's code, which runs", place: kernel.kernels.join(", "), text: page.texts[kernel.text] });
  if (kernels.length === 1) return block;
  return el("div", {}, tabs(kernels.map((k, i) => [i, k.title, k.kernels.length]), kernels.indexOf(kernel), (i) => go({ graph: i }), "Part"), el("div", { class: "panel" }, block));
}

function othersPanel(frame) {
  return el("div", {}, el("p", { class: "where" }, "What AOTAutograd generates around the compiled graphs."),
    frame.others.map((o) => el("div", { class: "panel" }, codeBlock({ title: o.title, text: page.texts[o.text] }))));
}

function guardsPanel(frame) {
  const box = el("div", { class: "block" }, guardsTable(frame.guards));
  const find = el("input", { class: "guard-find", type: "search", placeholder: "Find a guard", "aria-label": "Find a guard",
    oninput: () => box.replaceChildren(guardsTable(frame.guards.filter((g) => g.join(" ").toLowerCase().includes(find.value.toLowerCase())))) });
  return el("div", {}, el("p", { class: "where" }, "This entry is taken by a call when all of these hold; else the next entry is tried, or the frame is compiled anew."),
    el("div", { class: "controls" }, find), box);
}

const fullPanel = (frame) => codeBlock({ title: "Everything a call does, as one Python file", text: page.texts[frame.full_code] });

startTheme();
readHash();
pageData().then((data) => { page = data; draw(); }, (error) => { $("#model").textContent = `This page's data could not be read: ${error}`; });
addEventListener("hashchange", () => { readHash(); draw(); });
