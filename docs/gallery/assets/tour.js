"use strict";
// The tour: one frame of one model, shown part by part between the explanations.
startTheme();
pageData().then((page) => {
  const frame = page.frame, text = (n) => page.texts[n];
  const graph = (kind) => frame.graphs.find((g) => g.kind === kind);
  const parts = {
    original: () => frame.original && codeBlock({ title: "As written", place: frame.original.file, text: text(frame.original.text), first: frame.original.line }),
    guards: () => {
      const kinds = new Set(), some = frame.guards.filter((g) => !kinds.has(g[3]) && kinds.add(g[3]));
      const more = el("p", { class: "where" }, `One of each kind; the frame has ${frame.guards.length} guards.`);
      return el("div", {}, el("div", { class: "block" }, guardsTable(some)), more);
    },
    transformed: () => codeBlock({ title: "What Dynamo made of it", text: text(frame.transformed), chips: [verdictChip(frame)] }),
    captured: () => shown(graph("Captured_Graph")),
    forward: () => shown(graph("Forward_graph")),
    backward: () => shown(graph("Backward_graph")),
    kernel: () => frame.kernels.length && codeBlock({ title: "Inductor's code, which runs", text: text(frame.kernels[0].text) }),
    full: () => frame.full_code !== null && codeBlock({ title: "Full code", text: text(frame.full_code) }),
    breaks: () => page.broken && codeBlock({ title: "A frame that was broken off", text: text(page.broken.transformed), chips: [verdictChip(page.broken)] }),
  };
  const shown = (g) => g && el("section", { class: "block" }, el("header", {}, el("b", {}, g.title), g.runs ? el("span", { class: "chip runs" }, "this text runs") : null), operationsTable(text(g.text)));
  for (const place of document.querySelectorAll("[data-part]")) {
    const made = parts[place.dataset.part]();
    if (made) place.replaceChildren(made); else place.closest("section").remove();
  }
});
