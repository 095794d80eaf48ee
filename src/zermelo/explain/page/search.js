// Minimax, alpha-beta, expectiminimax and max^n for a tree that is edited in the page: the same steps as the searches of the package.
// A node of such a tree is {name, kind, mover, action, values, children}: `values` are those of a leaf or the static ones, or null;
// `action` is its place among the children as the game has them, `probability` its own where chance chose it.

/** The searches that a tree can be searched by, the first being the usual one. */
function searches_for(tree, players) {
  if (players !== 2) return ["maxn"];
  return has_chance(tree) ? ["expectiminimax"] : ["alphabeta", "minimax"];
}

const has_chance = (tree) => tree.kind === "chance" || tree.children.some(has_chance);
const SEARCH_NAMES = { alphabeta: "alpha-beta", minimax: "minimax", expectiminimax: "expectiminimax", maxn: "max^n", mcts: "MCTS" };

const OPEN = { alpha: -Infinity, beta: Infinity, alpha_by: null, beta_by: null }; // and which node each bound is due to

/** Search a tree to a depth (null: to the end); its story. */
function search_tree(tree, { algorithm, depth = null, players = 2, game = "tree" }) {
  const run = new TreeSearch(algorithm, players);
  run.tell("Iteration", { number: 0, depth, low: -Infinity, high: Infinity });
  const root = run.visit(tree, null, 0, depth, OPEN);
  if (tree.children.length) run.tell("Return", { node: root.id, value: root.value });
  run.tell("Ended", { reason: "done" });
  return run.story(tree, depth, game);
}

class TreeSearch {
  constructor(algorithm, players) {
    this.algorithm = algorithm;
    this.players = players;
    this.prunes = algorithm === "alphabeta" || algorithm === "expectiminimax";
    this.steps = [];
    this.nodes = new Map();
    this.trees = new Map(); // the node of the tree by the id of its visit
    this.evaluated = [];
    this.left = []; // [parent, children] of each cut
  }

  /** Begin a visit, or list a node that is never visited. */
  node(tree, parent, ply, more) {
    const id = this.nodes.size;
    const node = { ...BLANK, id, parent, action: parent === null ? null : tree.action, name: tree.name, mover: tree.mover, ply,
      kind: tree.kind || (this.players === 2 ? "max" : "player"), children: [], probability: tree.probability ?? null,
      given: tree.values, ...more };
    this.nodes.set(id, node);
    this.trees.set(id, tree);
    if (parent !== null) this.nodes.get(parent).children.push(id);
    return node;
  }

  tell(type, step) {
    this.steps.push({ type, ...step });
  }

  /** Visit a node, which gets its value, and in max^n its vector. */
  visit(tree, parent, ply, depth, bounds) {
    const { alpha, beta } = bounds;
    const node = this.node(tree, parent, ply, { alpha, beta, depth });
    this.tell("Enter", { node: node.id, parent, action: node.action, ply, depth, alpha, beta, mover: tree.mover });
    if (tree.children.length === 0 || depth === 0) this.evaluate(node, tree);
    else if (this.algorithm === "maxn") this.several(node, tree, depth);
    else if (tree.kind === "chance") this.chance(node, tree, depth);
    else this.choose(node, tree, depth, bounds);
    return node;
  }

  /** Visit a child, and come back with what it is worth to the one who moves at `node`. */
  look(below, node, depth, bounds) {
    const child = this.visit(below, node.id, node.ply + 1, depth === null ? null : depth - 1, bounds);
    const value = child.values.length ? child.values[Math.max(0, node.mover)] : child.value;
    this.tell("Return", { node: child.id, value });
    return child;
  }

  evaluate(node, tree) {
    const is_end = tree.children.length === 0;
    const values = tree.values ?? Array(this.players).fill(0);
    node.value = values[0];
    node.values = this.players === 2 ? [] : values;
    node.status = is_end ? "leaf" : "static";
    this.evaluated.push(node.id);
    node.order = this.evaluated.length;
    this.tell("Evaluate", { node: node.id, value: node.value, values: node.values, is_end });
  }

  /** A node of max or min: minimax, and alpha-beta if it prunes. */
  choose(node, tree, depth, bounds) {
    const is_max = tree.mover === 0;
    let { alpha, beta, alpha_by, beta_by } = bounds;
    node.value = is_max ? -Infinity : Infinity;
    for (const [i, below] of tree.children.entries()) {
      const child = this.look(below, node, depth, { alpha, beta, alpha_by, beta_by });
      const taken = is_max ? child.value > node.value : child.value < node.value;
      if (taken) {
        node.value = child.value;
        node.best = child.id;
        if (this.prunes && is_max && child.value > alpha) [alpha, alpha_by] = [child.value, node.id];
        if (this.prunes && !is_max && child.value < beta) [beta, beta_by] = [child.value, node.id];
      }
      this.tell("Child", { node: node.id, child: child.id, value: child.value, taken, alpha, beta });
      const rest = tree.children.slice(i + 1);
      if (taken && this.prunes && alpha >= beta) {
        this.cut(node, rest, is_max ? beta_by : alpha_by, is_max ? beta : alpha);
        break;
      }
    }
    node.bound = node.cut !== null ? (is_max ? "at least" : "at most") : this.nodes.get(node.best).bound;
  }

  cut(node, rest, by, bound) {
    const cut = { node: node.id, by, bound, value: node.value, unseen: rest.length };
    this.tell("Cut", cut);
    if (rest.length === 0) return; // after the last child there is nothing left to cut
    node.cut = cut;
    this.left.push([node, rest]);
  }

  /** Chance: the average of all outcomes. No bound passes through it. */
  chance(node, tree, depth) {
    let sum = 0;
    let of = 0;
    for (const below of tree.children) {
      const child = this.look(below, node, depth, OPEN);
      sum += below.probability * child.value;
      of += below.probability;
      this.tell("Average", { node: node.id, child: child.id, probability: below.probability, value: child.value, sum, of });
    }
    node.value = sum;
    const bounds = new Set(node.children.map((id) => this.nodes.get(id).bound));
    bounds.delete("exact");
    if (bounds.size === 1) [node.bound] = bounds;
  }

  /** Max^n: the vector that the mover likes best, or the average of all at chance. */
  several(node, tree, depth) {
    const total = Array(this.players).fill(0);
    node.values = total;
    let of = 0;
    for (const [i, below] of tree.children.entries()) {
      const child = this.look(below, node, depth, OPEN);
      const taken = tree.kind !== "chance" && (i === 0 || child.values[tree.mover] > node.values[tree.mover]);
      if (taken) [node.values, node.best] = [child.values, child.id];
      this.tell("Vector", { node: node.id, child: child.id, values: child.values, taken });
      if (tree.kind !== "chance") continue;
      child.values.forEach((v, p) => (total[p] += below.probability * v));
      of += below.probability;
      this.tell("Average", { node: node.id, child: child.id, probability: below.probability, value: child.values[0], sum: total[0], of });
    }
    node.value = node.values[Math.max(0, node.mover)];
  }

  /** All of it as the page shows a story. */
  story(tree, depth, game) {
    const pruned = [];
    const list = (below, parent, ply) => {
      const node = this.node(below, parent, ply, { status: "unseen" });
      if (below.children.length === 0 || ply === depth) pruned.push(node.id);
      else for (const child of below.children) list(child, node.id, ply + 1);
    };
    const visits = this.nodes.size;
    for (const [node, rest] of this.left) for (const below of rest) list(below, node.id, node.ply + 1);
    const path = [0];
    for (let node = this.nodes.get(0); node.best !== null; node = this.nodes.get(node.best)) path.push(node.best);
    const root = this.nodes.get(0);
    const minimax = count_leaves(tree, depth);
    const counts = { nodes: visits, evaluations: this.evaluated.length, cuts: this.left.length, minimax,
      saved: minimax - this.evaluated.length };
    return { game, searcher: SEARCH_NAMES[this.algorithm], algorithm: this.algorithm, players: this.players, depth, root: 0,
      nodes: this.nodes, path, value: root.value, values: root.values, evaluated: this.evaluated, pruned, counts, steps: this.steps,
      reached: false, hidden: {}, trees: this.trees };
  }
}

/** The static evaluations that minimax needs. */
function count_leaves(tree, depth) {
  if (tree.children.length === 0 || depth === 0) return 1;
  return tree.children.reduce((sum, child) => sum + count_leaves(child, depth === null ? null : depth - 1), 0);
}
