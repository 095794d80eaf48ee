// What stands beside the picture: the bounds on a line, the counts, the story of a node, the list of steps.

const [BEFORE, AFTER] = [5, 25]; // steps listed before and after the current one: no need to scroll, which takes long in a large page

/** The steps that concern each node, by id. */
function steps_by_node(story) {
  const found = new Map();
  story.steps.forEach((step, i) => {
    const parts = new Set([step.node, step.child, step.parent, step.by].filter((id) => id !== undefined && id !== null));
    for (const id of parts) {
      if (!found.has(id)) found.set(id, []);
      found.get(id).push(i);
    }
  });
  return found;
}

/** What is left of the steps around a node once they are told at its children: entering a child is the child's own. */
function own_steps(story, indices, id) {
  return indices.filter((i) => {
    const step = story.steps[i];
    return !(step.type === "Enter" && step.parent === id);
  });
}

/** A line from the least to the greatest value, the open window between alpha and beta shaded on it. */
function draw_window(app) {
  const { story, replay } = app;
  const box = at("window");
  const live = replay.current === null ? null : replay.live.get(replay.current);
  box.hidden = !prunes(story) || live === null || live.alpha === null || replay.done || app.predict.asked !== null; // it would tell the answer
  if (box.hidden) return;
  const [low, high] = app.range;
  const [left, right, width] = [26, 294, 320];
  const spot = (v) => (v === -Infinity ? 8 : v === Infinity ? width - 8 : left + ((v - low) / (high - low || 1)) * (right - left));
  const shut = live.alpha >= live.beta;
  const line = drawn("svg", { viewBox: `0 0 ${width} 64`, "aria-hidden": "true" });
  const band = [Math.min(spot(live.alpha), spot(live.beta)), Math.abs(spot(live.beta) - spot(live.alpha))];
  line.append(drawn("line", { class: "axis", x1: 4, x2: width - 4, y1: 34, y2: 34 }));
  line.append(drawn("rect", { class: shut ? "band shut" : "band", x: band[0], y: 27, width: Math.max(2, band[1]), height: 14, rx: 3 }));
  const mark = (v, name, y, kind) => {
    const x = spot(v);
    const anchor = x < 30 ? "start" : x > width - 30 ? "end" : "middle";
    line.append(drawn("line", { class: kind, x1: x, x2: x, y1: 23, y2: 45 }));
    line.append(drawn("text", { class: kind, x: Math.max(4, Math.min(width - 4, x)), y, "text-anchor": anchor }, `${name} ${short(v)}`));
  };
  mark(live.alpha, "α", 17, "alpha");
  mark(live.beta, "β", 59, "beta");
  if (live.value !== null && Number.isFinite(live.value)) line.append(drawn("circle", { class: "worth", cx: spot(live.value), cy: 34, r: 5 }));
  const name = name_of(story, replay.current);
  const words = shut ? `At ${name} the window is shut: α = ${show(live.alpha)} has reached β = ${show(live.beta)}.` :
    `At ${name} only values between ${show(live.alpha)} and ${show(live.beta)} matter.`;
  at("window-picture").replaceChildren(line);
  at("window-words").textContent = words;
}

/** The way from the root to the current node, which in a large tree is not in view. */
function draw_line(app) {
  const { story, replay } = app;
  const line = [];
  for (let id = replay.current; id !== null && story.nodes.has(id); id = id === story.root ? null : story.nodes.get(id).parent) line.unshift(id);
  const links = line.map((id) => element("button", { type: "button", class: "link", onclick: () => app.choose(id) }, name_of(story, id)));
  at("line").replaceChildren(...links.flatMap((link, i) => (i ? [element("span", { "aria-hidden": "true" }, "›"), link] : [link])));
}

/** The static evaluations so far in their order, and how many cuts there were. */
function draw_counts(app) {
  const { story, replay } = app;
  const is_mcts = story.algorithm === "mcts";
  at("counts-title").textContent = is_mcts ? "Simulations" : "Static evaluations";
  const seen = replay.evaluated;
  const most = 60;
  const words = seen.slice(-most).map((id, i, all) => {
    const chip = element("li", { class: i === all.length - 1 ? "newest" : "" }, name_of(story, id));
    return chip;
  });
  if (seen.length > most) words.unshift(element("li", { class: "rest" }, `${seen.length - most} before`));
  at("evaluated").replaceChildren(...words);
  const told = [`${seen.length} ${is_mcts ? "simulation" : "evaluation"}${seen.length === 1 ? "" : "s"}`];
  if (prunes(story)) told.push(`${replay.cuts} ${replay.cuts === 1 ? "cut" : "cuts"}`);
  const { minimax, evaluations, nodes, saved, simulations } = story.counts;
  if (replay.done && evaluations && evaluations > seen.length) told.push(`${evaluations.toLocaleString("en")} evaluations in the whole search`);
  if (replay.done && simulations > seen.length) told.push(`${simulations.toLocaleString("en")} simulations in the whole search`);
  if (replay.done && nodes) told.push(`${nodes.toLocaleString("en")} nodes ${is_mcts ? "in the tree" : "searched"}`);
  if (replay.done && minimax && saved > 0) told.push(`minimax needs ${minimax.toLocaleString("en")}: ${saved.toLocaleString("en")} saved`);
  at("counted").textContent = told.join(" · ");
}

/** Everything that happened to the chosen node; what is still to come is pale, and hidden while it is to be predicted. */
function draw_node(app) {
  const { story, replay } = app;
  const id = app.selected;
  at("node").hidden = id === null;
  if (id === null) return;
  const node = story.nodes.get(id);
  at("node-title").textContent = node.name;
  at("node-now").textContent = label(story, replay, id).split(", ").slice(1).join(" · ");
  const items = own_steps(story, app.steps_of.get(id) ?? [], id).map((i) => {
    const future = i >= replay.place;
    if (future && app.predict.on) return null;
    const text = sentence(story, story.steps[i]);
    const go = element("button", { type: "button", class: "link", onclick: () => app.go(i + 1) }, text);
    return element("li", { class: [future && "future", i === replay.place - 1 && "now", MARKS[story.steps[i].type]].filter(Boolean).join(" ") }, go);
  });
  const shown = items.filter(Boolean);
  const most = 200;
  if (shown.length > most) shown.splice(most / 2, shown.length - most, element("li", {}, `… ${shown.length - most} more …`));
  if (shown.length === 0) shown.push(element("li", {}, replay.live.get(id).phase === "unseen" ? who_cut(app, id) : "Nothing yet."));
  else if (replay.live.get(id).phase === "unseen") shown.push(element("li", { class: "cut" }, who_cut(app, id)));
  at("node-steps").replaceChildren(...shown);
  draw_children(app, node);
}

/** Why a node was never looked at: the cut above it. */
function who_cut(app, id) {
  const { story, replay } = app;
  for (let up = story.nodes.get(id).parent; up !== null && up !== undefined; up = story.nodes.get(up)?.parent) {
    const cut = replay.live.get(up)?.cut;
    if (cut !== null && cut !== undefined) return sentence(story, story.steps[cut]);
  }
  return "It was never looked at.";
}

/** MCTS: the children in numbers, the terms of UCB1 as they were when each was last chosen. */
function draw_children(app, node) {
  const { story, replay } = app;
  const table = at("node-children");
  table.hidden = story.algorithm !== "mcts" || node.children.length === 0;
  if (table.hidden) return;
  const has_prior = node.children.some((id) => story.nodes.get(id).prior !== null);
  const head = ["child", "visits", "mean", "UCB1", ...(has_prior ? ["prior"] : [])];
  const rows = node.children.map((id) => [id, replay.live.get(id)]).filter(([, live]) => live.phase !== "ghost");
  rows.sort(([, a], [, b]) => b.visits - a.visits);
  const cells = (id, live) => [name_of(story, id), live.visits, live.visits ? show(live.mean) : "", Number.isFinite(live.ucb) && live.ucb !== null ? show(live.ucb) : "",
    ...(has_prior ? [show(story.nodes.get(id).prior)] : [])];
  const body = rows.slice(0, 20).map(([id, live]) => element("tr", {}, ...cells(id, live).map((text, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, text))));
  table.replaceChildren(
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...body),
  );
}

/** The steps around the current one; those to come are not told while they are to be predicted. */
function draw_log(app) {
  const { story, replay } = app;
  const end = Math.min(replay.last, app.predict.on ? replay.place : replay.place + AFTER);
  const items = [];
  for (let i = Math.max(0, replay.place - BEFORE); i < end; i++) {
    const step = story.steps[i];
    const is_now = i === replay.place - 1;
    const go = element("button", { type: "button", class: "link", onclick: () => app.go(i + 1) }, sentence(story, step));
    const kind = [is_now && "now", i >= replay.place && "future", MARKS[step.type]].filter(Boolean).join(" ");
    items.push(element("li", { class: kind, value: i + 1, "aria-current": is_now ? "step" : null }, go));
  }
  at("log").replaceChildren(...items);
}
