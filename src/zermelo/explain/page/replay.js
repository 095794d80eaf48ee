// The search replayed: what is known of each node after so many steps. Every step can be undone.

/** What is known of a node before it is looked at. `phase`: ghost, open, done, or unseen once it was cut off. */
const UNKNOWN = { phase: "ghost", alpha: null, beta: null, value: null, values: [], bound: "exact", best: null, order: null, cut: null,
  visits: 0, mean: null, ucb: null, mark: "", moved: "", sum: null, of: 0, met: 0, opened: 0 };

/** The steps that are worth a stop: that a leaf is left with the value that it was just given is none. */
function worth_telling(steps) {
  return steps.filter((step, i) => {
    const before = steps[i - 1];
    return !(step.type === "Return" && LEAVES.has(before?.type) && before.node === step.node);
  });
}

const LEAVES = new Set(["Evaluate", "TableHit", "Repeated"]);

class Replay {
  /** Before the first step. `place` counts the steps that were made. */
  constructor(story) {
    this.story = story;
    this.place = 0;
    this.current = null;
    this.evaluated = [];
    this.cuts = 0;
    this.live = new Map([...story.nodes.keys()].map((id) => [id, { ...UNKNOWN }]));
    this.undo = [];
    this.touched = new Set();
  }

  get last() {
    return this.story.steps.length;
  }

  get done() {
    return this.place === this.last;
  }

  /** The step that was made last, null before the first. */
  get step() {
    return this.place > 0 ? this.story.steps[this.place - 1] : null;
  }

  /** Go to a place; the ids of the nodes of which something else is known now. */
  go(place) {
    const aim = Math.max(0, Math.min(this.last, place));
    this.touched = new Set();
    if (this.current !== null) this.touched.add(this.current);
    while (this.place < aim) this.forward();
    while (this.place > aim) this.back();
    if (this.current !== null) this.touched.add(this.current);
    return this.touched;
  }

  forward() {
    const step = this.story.steps[this.place];
    this.changes = [];
    this.undo.push({ changes: this.changes, current: this.current, evaluated: this.evaluated, cuts: this.cuts });
    this.place += 1;
    const where = step.type === "Select" ? step.child : step.node;
    if (where !== undefined && this.live.has(where)) this.current = where;
    MAKE[step.type]?.call(this, step);
  }

  back() {
    const { changes, current, evaluated, cuts } = this.undo.pop();
    for (const [id, before] of changes.reverse()) {
      this.live.set(id, before);
      this.touched.add(id);
    }
    Object.assign(this, { current, evaluated, cuts });
    this.place -= 1;
  }

  /** Something is known of a node now (nothing is told of nodes that are not shown). */
  set(id, news) {
    const before = this.live.get(id);
    if (!before) return;
    this.changes.push([id, before]);
    this.live.set(id, { ...before, ...news });
    this.touched.add(id);
  }

  /** The node and all below it were cut off. */
  leave(id) {
    this.set(id, { phase: "unseen" });
    for (const child of this.story.nodes.get(id).children) if (this.live.get(child)?.phase === "ghost") this.leave(child);
  }

  /** The children of a node that it was left without looking at; or, with an action, the one that was left out. */
  unseen(id, action = null) {
    return (this.story.nodes.get(id)?.children ?? []).filter((child) => {
      const node = this.story.nodes.get(child);
      return action === null ? node.status === "unseen" : node.status === "futile" && node.action === action;
    });
  }

  evaluate(id, news) {
    this.set(id, news);
    if (this.live.has(id)) this.evaluated = [...this.evaluated, id];
  }

  /** Which of alpha and beta a step moved at a node. */
  moved(id, alpha, beta) {
    const before = this.live.get(id);
    if (!before || before.alpha === null) return "";
    return (alpha !== before.alpha ? "alpha" : "") + (beta !== before.beta ? "beta" : "");
  }
}

/** What each kind of step makes known. */
const MAKE = {
  Enter({ node, alpha, beta }) {
    this.set(node, { phase: "open", alpha, beta });
  },
  Evaluate({ node, value, values }) {
    this.evaluate(node, { phase: "done", value, values: values ?? [], order: this.story.nodes.get(node)?.order ?? this.evaluated.length + 1 });
  },
  Child({ node, child, value, taken, alpha, beta }) {
    const news = { alpha, beta, moved: this.moved(node, alpha, beta), met: (this.live.get(node)?.met ?? 0) + 1 };
    this.set(node, taken ? { ...news, value, best: child } : news);
  },
  Average({ node, sum, of }) {
    const news = { sum, of, met: (this.live.get(node)?.met ?? 0) + 1 };
    this.set(node, of > 1 - 1e-9 ? { ...news, value: sum } : news);
  },
  Vector({ node, child, values, taken }) {
    const met = (this.live.get(node)?.met ?? 0) + 1;
    this.set(node, taken ? { values, best: child, met } : { met });
  },
  Cut({ node, value, unseen }) {
    if (unseen === 0) return;
    this.cuts += 1;
    this.set(node, { cut: this.place - 1, value });
    for (const child of this.unseen(node)) this.leave(child);
  },
  Futile({ node, action }) {
    if (action === null) this.set(node, { mark: "futile" });
    else for (const child of this.unseen(node, action)) this.leave(child);
  },
  TableHit({ node, value, kind }) {
    this.set(node, { phase: "done", value, mark: "table", bound: { lower: "at least", upper: "at most" }[kind] ?? "exact" });
  },
  Pass({ node, value, cut }) {
    if (cut) this.set(node, { value, mark: "pass" });
  },
  Quiet({ node, value }) {
    this.set(node, value === null ? { mark: "quiet" } : { mark: "quiet", value });
  },
  Repeated({ node }) {
    this.set(node, { phase: "done", value: 0, mark: "repeated" });
  },
  Return({ node, value }) {
    const told = this.story.nodes.get(node);
    this.set(node, { phase: "done", value, moved: "", bound: told?.bound ?? "exact" });
  },
  Select({ node, child, mean, bonus }) {
    this.set(node, { best: child, phase: "open" });
    this.set(child, { ucb: mean + bonus, phase: "open" });
  },
  Expand({ node, children }) {
    this.set(node, { phase: "open", opened: children });
  },
  Simulate({ node, values }) {
    this.evaluate(node, { phase: "open", values });
  },
  BackUp({ node, visits, mean }) {
    this.set(node, { phase: "open", visits, mean });
  },
};
