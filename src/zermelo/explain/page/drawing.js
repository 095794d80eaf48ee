// The picture: up triangles where max moves, down where min does, circles for chance, boxes for leaves; bounds on the edges,
// pruned branches struck through, the best path bold. Built once for a story, then only what changed is drawn anew.

const HALF = 20; // of the height of a node
const BOX = 14; // of that of a leaf
const FEW = 150; // nodes that are all kept in the picture

class Picture {
  /** Draw all nodes of a story into a group of an SVG, in the order in which they are read. `shape` is height / width of the room. */
  constructor(world, story, replay, shape) {
    Object.assign(this, { world, story, replay, shape });
    this.has_bounds = prunes(story);
    this.grows = story.algorithm === "mcts"; // only what there is of the tree by now is seen
    this.texts = longest_texts(story);
    this.wide = new Map([...story.nodes.values()].map((node) => [node.id, width_of(node, this.texts.get(node.id))]));
    this.on_path = new Set(story.path);
    this.parts = new Map([...story.nodes.keys()].map((id) => [id, {}]));
    const edges = drawn("g", { role: "presentation" });
    const nodes = drawn("g", { role: "presentation" });
    const walk = (id, level, place, of) => {
      const node = story.nodes.get(id);
      if (id !== story.root) edges.append(this.edge(node));
      nodes.append(this.node(node, level, place, of));
      if (node.more > 0) edges.append(this.stub(node));
      node.children.forEach((child, i) => walk(child, level + 1, i + 1, node.children.length));
    };
    walk(story.root, 1, 1, 1);
    world.replaceChildren(edges, nodes);
    this.arrange();
    this.update(story.nodes.keys());
  }

  sees(id) {
    return !this.grows || id === this.story.root || this.replay.live.get(id).phase !== "ghost";
  }

  /** Put everything in its place; false if it was there already. */
  arrange() {
    const seen = this.grows ? [...this.story.nodes.keys()].filter((id) => this.sees(id)).length : this.story.nodes.size;
    if (seen === this.seen) return false;
    this.seen = seen; // a tree that grows by one step after another is the same if it is as large
    const below = (node) => (this.grows ? node.children.filter((child) => this.sees(child)) : node.children);
    Object.assign(this, layout(this.story, (node) => this.wide.get(node.id), below, this.shape));
    for (const [id, { x, y }] of this.placed) {
      const part = this.parts.get(id);
      part.group.setAttribute("transform", `translate(${x},${y})`);
      const node = this.story.nodes.get(id);
      if (part.edge) this.place_edge(node, part);
      if (part.stub) this.place_stub(node, part, below(node));
    }
    return true;
  }

  /** Half the width of the box of a leaf. */
  half(node) {
    return Math.max(16, breadth(this.texts.get(node.id)) / 2 + 8);
  }

  /** Of a chance node. */
  radius(node) {
    return Math.max(HALF + 1, breadth(this.texts.get(node.id)) / 2 + 5);
  }

  outline(node) {
    if (is_leaf(node)) {
      const half = this.half(node);
      return drawn("rect", { class: "shape", x: -half, y: -BOX, width: 2 * half, height: 2 * BOX, rx: 7 });
    }
    if (node.kind === "chance") return drawn("circle", { class: "shape", r: this.radius(node) });
    const half = Math.max(25, node.kind === "player" ? 0 : breadth(this.texts.get(node.id)) / 2 + 13);
    const down = node.kind === "min" ? -1 : 1;
    return drawn("path", { class: "shape", d: `M0,${-HALF * down} L${half},${HALF * down} L${-half},${HALF * down} Z` });
  }

  node(node, level, place, of) {
    const leaf = is_leaf(node);
    const inside = leaf || node.kind === "chance" ? 5 : node.kind === "min" ? -2 : 12;
    const middle = { "text-anchor": "middle" };
    const under = leaf ? BOX + 14 : HALF + 14;
    const value = drawn("text", { class: "value", y: inside, ...middle });
    const vector = drawn("text", { class: "value vector", y: is_bare(node) ? HALF + 28 : HALF + 15, ...middle });
    const beside = node.kind === "min" ? 14 : -HALF + 8; // where the shape is narrow
    const name = drawn("text", { class: "name", y: is_bare(node) ? under : beside, ...middle }, node.name);
    const visits = drawn("text", { class: "visits", y: is_bare(node) ? under + 14 : HALF + 15, ...middle });
    const badge = drawn("g", { class: "badge", transform: `translate(${leaf ? this.half(node) : 20},${-BOX})` });
    const order = drawn("text", { y: 3.5, ...middle });
    badge.append(drawn("circle", { r: 8 }), order);
    const told = drawn("title");
    const halo = drawn("circle", { class: "halo", r: 30 });
    const group = drawn("g", { id: `node-${node.id}`, role: "treeitem", tabindex: -1,
      "aria-level": level, "aria-posinset": place, "aria-setsize": of, "aria-selected": "false", ...(leaf ? {} : { "aria-expanded": "true" }) });
    group.dataset.id = node.id;
    group.append(told, halo, this.outline(node), value, name, ...(node.kind === "player" ? [vector] : []), ...(this.grows ? [visits] : []), badge);
    Object.assign(this.parts.get(node.id), { group, value, vector, name, visits, badge, order, told });
    if (!is_bare(node)) this.name_beside(node, name, false);
    return group;
  }

  /** The name stands on the side where no edge comes in. */
  name_beside(node, name, left) {
    const out = node.kind === "chance" ? this.radius(node) + 3 : node.kind === "min" ? 14 : 12;
    name.setAttribute("x", left ? -out : out);
    name.setAttribute("text-anchor", left ? "end" : "start");
  }

  edge(node) {
    const line = drawn("line", { class: "branch" });
    const strike = drawn("path", { class: "strike" });
    const [alpha, beta] = [drawn("text", { class: "alpha" }), drawn("text", { class: "beta" })];
    const likely = drawn("text", { class: "likely" }, node.probability === null ? "" : short(node.probability));
    const edge = drawn("g", { class: "edge" }, line, strike, ...(this.has_bounds ? [alpha, beta] : []), ...(node.probability === null ? [] : [likely]));
    Object.assign(this.parts.get(node.id), { edge, line, strike, alpha, beta, likely });
    return edge;
  }

  place_edge(node, { line, strike, alpha, beta, likely, name }) {
    const [to, from] = [this.placed.get(node.id), this.placed.get(node.parent)];
    const [top, bottom] = [from.y + this.foot(node.parent), to.y - (is_leaf(node) ? BOX : HALF)];
    const put = (part, places) => Object.entries(places).forEach(([key, value]) => part.setAttribute(key, value));
    put(line, { x1: from.x, y1: top, x2: to.x, y2: bottom });
    const [mx, my] = [from.x + (to.x - from.x) * 0.55, top + (bottom - top) * 0.55];
    put(strike, { d: `M${mx - 10},${my + 1} l20,-8 M${mx - 10},${my + 8} l20,-8` });
    const outward = to.x < from.x - 1 ? -1 : 1;
    const [outer, inner] = outward < 0 ? ["end", "start"] : ["start", "end"];
    put(alpha, { x: mx + 5 * outward, y: my - 17, "text-anchor": outer });
    put(beta, { x: mx + 5 * outward, y: my - 4, "text-anchor": outer });
    put(likely, { x: mx - 6 * outward, y: my + 12, "text-anchor": inner });
    if (!is_bare(node)) this.name_beside(node, name, from.x >= to.x - 1);
  }

  /** How far below the middle of a node the edges to its children begin: under its vector or its visits, if it has any. */
  foot(id) {
    return this.story.nodes.get(id).kind === "player" || this.grows ? HALF + 21 : HALF;
  }

  /** The count of the children that are not shown. */
  stub(node) {
    const stub = drawn("g", { class: "stub" }, drawn("line", { class: "branch" }), drawn("text", { "text-anchor": "middle" }, `+${node.more}`));
    this.parts.get(node.id).stub = stub;
    return stub;
  }

  place_stub(node, { stub }, children) {
    const { x, y } = this.placed.get(node.id);
    const last = children[children.length - 1];
    const aside = last === undefined ? x : this.placed.get(last).x + this.wide.get(last) / 2 + GAP + 4;
    const drop = y + (last === undefined ? this.foot(node.id) + 30 : this.level * 0.8);
    const [line, text] = stub.children;
    Object.entries({ x1: x, y1: y + this.foot(node.id), x2: aside, y2: drop - 14 }).forEach(([key, value]) => line.setAttribute(key, value));
    text.setAttribute("x", aside);
    text.setAttribute("y", drop);
  }

  /** Take out of a large picture what is far from the part that is seen: painting is what takes long. What Tab leads to stays. */
  cull(left, top, width, height) {
    if (this.story.nodes.size <= FEW) return;
    const [right, bottom] = [left + 1.4 * width, top + 1.4 * height];
    [left, top] = [left - 0.4 * width, top - 0.4 * height];
    const far = (a, b) => Math.max(a.x, b.x) < left || Math.min(a.x, b.x) > right || Math.max(a.y, b.y) < top || Math.min(a.y, b.y) > bottom;
    const put = (part, is_far) => {
      if (part && part.culled !== is_far) [part.culled, part.style.display] = [is_far, is_far ? "none" : ""];
    };
    for (const [id, spot] of this.placed) {
      const { group, edge, stub } = this.parts.get(id);
      put(group, far(spot, spot) && group.getAttribute("tabindex") !== "0");
      put(stub, far(spot, spot));
      put(edge, far(spot, this.placed.get(this.story.nodes.get(id).parent) ?? spot));
    }
  }

  /** Draw anew what is known of these nodes. */
  update(ids) {
    for (const id of ids) this.refresh(id);
    if (!this.grows) return;
    const most = this.replay.live.get(this.story.root).visits || 1; // a branch is as thick as it is much visited
    for (const [id, { line }] of this.parts) if (line) line.style.strokeWidth = 1 + 5 * Math.sqrt(this.replay.live.get(id).visits / most);
  }

  refresh(id) {
    const { story, replay } = this;
    const node = story.nodes.get(id);
    const live = replay.live.get(id);
    const part = this.parts.get(id);
    if (!part) return;
    const above = node.parent === null ? null : replay.live.get(node.parent);
    const is_current = replay.current === id;
    const is_path = replay.done && this.on_path.has(id);
    const is_best = !is_path && above !== null && above?.best === id && above.phase !== "ghost" && !this.grows;
    const hidden = !this.sees(id);
    const classes = [is_leaf(node) ? "leaf" : node.kind, node.kind === "player" && `player-${node.mover % 4}`, live.phase, is_current && "current", is_path && "path", is_best && "best",
      live.cut !== null && "cutting", hidden && "hidden", live.mark];
    part.group.setAttribute("class", ["node", ...classes].filter(Boolean).join(" "));
    this.write_value(node, live, part);
    part.badge.style.display = live.order === null ? "none" : "";
    part.order.textContent = live.order ?? "";
    const said = label(story, replay, id);
    part.told.textContent = said;
    part.group.setAttribute("aria-label", said);
    if (part.stub) this.write_stub(node, live, part, hidden);
    if (!part.edge) return this.root_bounds(live, is_current);
    const struck = live.phase === "unseen" && above?.phase !== "unseen";
    part.edge.setAttribute("class", ["edge", live.phase, is_path && "path", is_best && "best", struck && "struck", hidden && "hidden"].filter(Boolean).join(" "));
    this.write_bounds(node, live, part, is_current);
  }

  /** How many children are not shown; in a tree that grows, those that it has by now. */
  write_stub(node, live, part, hidden) {
    const left = this.grows ? live.opened - node.children.filter((child) => this.sees(child)).length : node.more;
    part.stub.lastChild.textContent = `+${left}`;
    part.stub.setAttribute("class", ["stub", live.phase, (hidden || left <= 0) && "hidden"].filter(Boolean).join(" "));
  }

  write_value(node, live, part) {
    const several = this.story.players !== 2;
    let text = "";
    let is_given = false;
    if (this.grows) text = live.mean === null ? "" : short(live.mean);
    else if (several && live.values.length) text = short(live.values);
    else if (live.value !== null && Number.isFinite(live.value)) text = short(live.value);
    else if (live.sum !== null) text = `${short(live.sum)}…`;
    else if (node.given && is_leaf(node)) [text, is_given] = [short(several ? node.given : node.given[0]), true];
    const under = node.kind === "player" && !is_leaf(node);
    part.value.textContent = under ? node.mover : text;
    part.vector.textContent = under ? text : "";
    part.value.classList.toggle("given", is_given);
    part.visits.textContent = this.grows && live.visits ? `${live.visits}×` : "";
  }

  write_bounds(node, live, part, is_current) {
    const shows = this.has_bounds && live.alpha !== null && (!is_leaf(node) || is_current);
    part.alpha.textContent = shows ? `α ${short(live.alpha)}` : "";
    part.beta.textContent = shows ? `β ${short(live.beta)}` : "";
    part.alpha.classList.toggle("moved", is_current && live.moved.includes("alpha"));
    part.beta.classList.toggle("moved", is_current && live.moved.includes("beta"));
  }

  /** The root has no edge: its bounds stand beside it. */
  root_bounds(live, is_current) {
    const part = this.parts.get(this.story.root);
    if (!part.alpha) {
      const half = this.wide.get(this.story.root) / 2 + 8;
      part.alpha = drawn("text", { class: "alpha", x: half, y: 0 });
      part.beta = drawn("text", { class: "beta", x: half, y: 13 });
      part.group.append(part.alpha, part.beta);
    }
    this.write_bounds(this.story.nodes.get(this.story.root), live, part, is_current);
  }
}

/** The longest text that each node shows as its value at any step. */
function longest_texts(story) {
  const several = story.players !== 2;
  const texts = new Map();
  const tell = (id, x) => {
    if (x === null || x === undefined || (Array.isArray(x) && !x.length) || !texts.has(id)) return;
    const text = short(x);
    if (text.length > texts.get(id).length) texts.set(id, text);
  };
  for (const node of story.nodes.values()) {
    texts.set(node.id, "");
    for (const x of [node.mean, several ? node.values : node.value, several ? node.given : node.given?.[0]]) tell(node.id, x);
  }
  for (const step of story.steps) {
    if (step.type === "Child" && step.taken && !several) tell(step.node, step.value);
    if (step.type === "Vector" && step.taken) tell(step.node, step.values);
    if (step.type === "BackUp") tell(step.node, step.mean);
    if (step.type === "Average" && !several) texts.set(step.node, [texts.get(step.node) ?? "", `${short(step.sum)}…`].sort((a, b) => b.length - a.length)[0]);
  }
  return texts;
}
