// Reading the story that the page carries, and writing numbers and names as the lectures do.

const UNLIMITED = { inf: Infinity, "-inf": -Infinity, nan: NaN };

/** A number from JSON, which has no infinity of its own. */
const real = (x) => (typeof x === "string" && x in UNLIMITED ? UNLIMITED[x] : x);

/** Small numbers keep their first digits (a pawn of chess is 0.01), but for those that only a null window is made of. */
const rounded = (x, steps, digits) =>
  Math.abs(x) >= 0.1 || Math.abs(x) < 1e-6 ? Math.round(x * steps) / steps : Number(x.toPrecision(digits));

/** A number as a person writes it: at most three decimals where there is something before them, a true minus sign, ∞. */
function show(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return "?";
  if (Array.isArray(x)) return x.length === 1 ? show(x[0]) : `(${x.map(show).join(", ")})`;
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const told = rounded(x, 1000, 3);
  return String(told === 0 ? 0 : told).replace("-", "−");
}

/** The same in as little room as a picture has. */
function short(x) {
  if (Array.isArray(x)) return x.map(short).join(" ");
  if (x === null || !Number.isFinite(x)) return show(x);
  const size = Math.abs(x);
  return show(size >= 100 ? Math.round(x) : size >= 10 ? Math.round(x * 10) / 10 : rounded(x, 100, 2));
}

/** Words in a row: "K, L and M". */
function listed(words, most = 6) {
  const shown = words.length > most ? [...words.slice(0, most - 1), `${words.length - most + 1} more`] : words;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}`;
}

/** What a node is if the story says nothing of it. */
const BLANK = { parent: null, action: null, values: [], bound: "exact", status: "inner", children: [], best: null, more: 0, order: null,
  value: null, visits: 1, mean: null, prior: null, probability: null, cut: null, again: false, given: null };

/** A story as the page uses it: nodes by id, steps as objects. `fields` names what the words of a step are. */
function read_story(raw, fields) {
  const nodes = new Map();
  for (const told of raw.nodes) {
    const node = { ...BLANK, ...told };
    for (const key of ["value", "mean"]) node[key] = real(node[key]);
    node.values = node.values.map(real);
    node.given = node.given && node.given.map(real);
    nodes.set(node.id, node);
  }
  const steps = raw.steps.map(([type, ...words]) => {
    const step = { type };
    fields[type].forEach((name, i) => {
      step[name] = Array.isArray(words[i]) ? words[i].map(real) : real(words[i]);
    });
    return step;
  });
  return { ...raw, value: real(raw.value), values: raw.values.map(real), nodes, steps, hidden: raw.hidden ?? {} };
}

/** The name of a node, also of one that is too much to be shown. */
const name_of = (story, id) => story.nodes.get(id)?.name ?? story.hidden[id] ?? "another";

/** Who moves at a node. */
function mover_of(node) {
  return { max: "max", min: "min", chance: "chance" }[node.kind] ?? `player ${node.mover}`;
}

const VALUED = new Set(["leaf", "static", "table", "repeated"]);

/** Whether the search ended at a node because its value was known there; also of one never looked at, if its value is told. */
function is_leaf(node) {
  if (node.children.length > 0 || node.more > 0) return false;
  return VALUED.has(node.status) || (node.status === "unseen" && (node.given !== null || node.value !== null));
}

/** An element with attributes, and children or text. */
function element(tag, attributes = {}, ...inner) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...inner);
  return made;
}

/** The same in SVG. */
function drawn(tag, attributes = {}, ...inner) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inner);
  return made;
}

const at = (id) => document.getElementById(id);
