// Where the nodes of a tree go: children side by side under their parent, subtrees as close as they can be.

const LEVEL = { least: 104, most: 190 }; // from a node to its children
const GAP = 14; // between neighbours
const STUB = 46; // room for the count of children that are not shown

const ruler = document.createElement("canvas").getContext("2d");

/** How wide a text is drawn, in units of the picture. */
function breadth(text, size = 13) {
  ruler.font = `600 ${size}px system-ui, sans-serif`;
  return ruler.measureText(text).width;
}

/** Whether nothing is drawn below a node. */
const is_bare = (node) => node.children.length === 0 && node.more === 0;

/** How wide a node is drawn, its name beside it or, if nothing else is there, under it. */
function width_of(node, value) {
  if (is_leaf(node)) return Math.max(40, breadth(value) + 16, breadth(node.name, 12) + 4);
  if (is_bare(node)) return Math.max(46, breadth(value) + 24, breadth(node.name, 12) + 4);
  return Math.max(52, 2 * breadth(node.name, 12) + 26, node.kind === "player" ? breadth(value) + 10 : 0);
}

/**
 * Places {x, y} of all nodes by id, and the size of the picture. `wide` tells how wide a node is, `below` its children that are seen, `shape` is
 * height / width of the room. */
function layout(story, wide, below, shape) {
  const placed = new Map();

  /** Lay out a subtree around x = 0: the outline of its left and right side by level, as far as it reaches. */
  function outline(id) {
    const node = story.nodes.get(id);
    const half = wide(node) / 2;
    let lefts = [];
    let rights = [];
    const at = [];
    const children = below(node);
    for (const child of children) {
      const sub = outline(child);
      let shift = 0;
      const common = Math.min(rights.length, sub.lefts.length);
      for (let i = 0; i < common; i++) shift = Math.max(shift, rights[i] - sub.lefts[i] + GAP);
      at.push(shift);
      placed.get(child).shift = shift;
      const moved = sub.rights.map((x) => x + shift);
      lefts = lefts.concat(sub.lefts.slice(lefts.length).map((x) => x + shift));
      rights = moved.concat(rights.slice(moved.length));
    }
    if (node.more > 0 && at.length) rights[0] += STUB;
    const middle = at.length ? (at[0] + at[at.length - 1]) / 2 : 0;
    for (const child of children) placed.get(child).shift -= middle;
    placed.set(id, { shift: 0 });
    return { lefts: [-half, ...lefts.map((x) => x - middle)], rights: [half, ...rights.map((x) => x - middle)] };
  }

  const { lefts, rights } = outline(story.root);
  const left = Math.min(...lefts);
  const width = Math.max(...rights) - left;
  const deepest = lefts.length - 1;
  const level = Math.max(LEVEL.least, Math.min(LEVEL.most, (width * shape - 120) / Math.max(1, deepest)));
  const settle = [[story.root, -left, 0]];
  while (settle.length) {
    const [id, x, row] = settle.pop();
    placed.set(id, { x: x + placed.get(id).shift, y: row * level });
    for (const child of below(story.nodes.get(id))) settle.push([child, placed.get(id).x, row + 1]);
  }
  return { placed, level, width, height: deepest * level };
}
