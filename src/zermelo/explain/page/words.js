// Each step in a sentence.

const BOUNDS = (alpha, beta) => `α = ${show(alpha)}, β = ${show(beta)}`;

/** The sentence about a step of a story. */
function sentence(story, step) {
  if (step === null) return opening(story);
  return TELL[step.type](step, story, (id) => name_of(story, id), story.nodes.get(step.node));
}

function opening(story) {
  const how = SEARCH_NAMES[story.algorithm] ?? story.algorithm;
  const where = name_of(story, story.root);
  return `${how[0].toUpperCase()}${how.slice(1)} is about to begin at ${where}. Press → for the first step, space to play.`;
}

const prunes = (story) => story.algorithm !== "minimax" && story.algorithm !== "maxn" && story.algorithm !== "mcts";

/** What is known of the value of a node that was cut off: at least at max, at most at min. */
function held(node, value) {
  if (node?.kind === "min") return `can be held to ${show(value)}`;
  return node?.kind === "chance" ? `is already decided at ${show(value)}` : `can already force ${show(value)}`;
}

const TELL = {
  Iteration({ number, depth, low, high }) {
    const window = low > -Infinity || high < Infinity ? `, with a window from ${show(low)} to ${show(high)}` : "";
    const far = depth === null ? "to the end of the game" : `to depth ${depth}`;
    return number > 0 ? `Iteration ${number + 1} begins: search ${far}${window}.` : `The search begins: ${far}${window}.`;
  },
  Enter({ node, parent, alpha, beta }, story, name, told) {
    const leaf = !told || is_leaf(told) || told.status === "table" || told.status === "repeated";
    const who = leaf ? "" : `, where ${mover_of(told)} moves`;
    const bounds = prunes(story) && !leaf ? `: ${BOUNDS(alpha, beta)}` : "";
    if (parent === null) return `Begin at ${name(node)}${who}${bounds}.`;
    return `${told?.again ? "Look again at" : "Look at"} ${name(node)}${who}${bounds}.`;
  },
  Evaluate({ node, value, values, is_end }, story, name) {
    const worth = show(values && values.length ? values : value);
    if (is_end) return `${name(node)} is a leaf: its value is ${worth}.`;
    return `The depth limit is reached: ${name(node)} is evaluated as ${worth}.`;
  },
  Child({ node, child, value, taken, alpha, beta }, story, name, told) {
    const has = told?.kind === "min" ? "at most" : "at least";
    if (!taken) return `${name(child)} gives ${show(value)}, which is no better for ${mover_of(told ?? {})} at ${name(node)}.`;
    const [bound, letter] = told?.kind === "min" ? [beta, "β"] : [alpha, "α"];
    const moved = !prunes(story) ? "" : bound === value ? `: now ${letter} = ${show(bound)}` : `, but ${letter} is ${show(bound)} already`;
    return `${name(child)} gives ${show(value)}: ${name(node)} is worth ${has} that${moved}.`;
  },
  Cut({ node, by, bound, value, unseen }, story, name, told) {
    const words = (told?.children ?? []).map((id) => story.nodes.get(id)).filter((n) => n.status === "unseen").map((n) => n.name);
    const others = unseen - words.length;
    if (others > 0) words.push(words.length ? `${others} more` : `The other ${others}`);
    const what = unseen === 0 ? "Enough is known here" : `${listed(words)} ${unseen > 1 ? "are" : "is"} not looked at`;
    const why = by === null ? `the search asked only about values ${told?.kind === "min" ? "above" : "below"} ${show(bound)}` :
      `${name(by)} has ${show(bound)} elsewhere`;
    return `${what}: ${name(node)} ${held(told, value)}, and ${why}.`;
  },
  TableHit({ node, value, kind }, story, name) {
    const how = { lower: "at least ", upper: "at most " }[kind] ?? "";
    return `${name(node)} was searched before: according to the table it is worth ${how}${show(value)}.`;
  },
  Research({ node, child, alpha, beta, why }, story, name) {
    const reason = why === "reduced" ? "it was searched less deeply" : "the null window only showed that it is better";
    return `${name(child)} must be searched again below ${name(node)}: ${reason} (${BOUNDS(alpha, beta)}).`;
  },
  Pass({ node, value, cut }, story, name) {
    const end = cut ? "that is good enough to stop here" : "that is not good enough to stop";
    return `At ${name(node)} the turn is passed, which gives ${show(value)}: ${end}.`;
  },
  Futile({ node, action, bound }, story, name, told) {
    const child = told?.children.map((id) => story.nodes.get(id)).find((n) => n.action === action);
    const what = action === null ? name(node) : child?.name ?? "An action";
    return `${what} is left out: so near the depth limit it cannot reach ${show(bound)}.`;
  },
  Reduced({ node, plies }, story, name) {
    return `The next child of ${name(node)} is late in the order: it is searched ${plies} ${plies === 1 ? "ply" : "plies"} less deeply.`;
  },
  Repeated({ node }, story, name) {
    return `${name(node)} repeats an earlier position: worth 0.`;
  },
  Quiet({ node, value }, story, name) {
    const stand = value === null ? "" : ` Standing pat is worth ${show(value)}.`;
    return `The depth limit is reached at ${name(node)}: only tactical actions are followed.${stand}`;
  },
  Probe({ node, child, value }, story, name) {
    return `One action below ${name(child)} shows ${name(node)} that this outcome is bounded by ${show(value)}.`;
  },
  Average({ node, child, probability, value, sum, of }, story, name) {
    const end = of > 1 - 1e-9 ? `the average is ${show(sum)}` : `that makes ${show(sum)} so far`;
    return `${name(child)} has probability ${show(probability)} and is worth ${show(value)}: at ${name(node)} ${end}.`;
  },
  Vector({ node, child, values, taken }, story, name, told) {
    if (told?.kind === "chance") return `${name(child)} gives ${show(values)}, which counts at ${name(node)} by its probability.`;
    const own = show(values[told?.mover ?? 0]);
    if (!taken) return `${name(child)} gives ${show(values)}: only ${own} for ${mover_of(told ?? {})}, who keeps what ${name(node)} has.`;
    return `${name(child)} gives ${show(values)}: ${own} for ${mover_of(told ?? {})}, who takes it at ${name(node)}.`;
  },
  Return({ node, value }, story, name, told) {
    const is_bound = told && told.bound !== "exact" ? `${told.bound} ` : "";
    const worth = told?.values.length ? show(told.values) : show(value);
    if (node !== story.root) return `${name(node)} is worth ${is_bound}${worth}.`;
    const path = story.path.map(name);
    return `${name(node)} is worth ${is_bound}${worth}${path.length > 1 ? `, by the path ${path.join(" ")}` : ""}.`;
  },
  Select({ node, child, mean, bonus, visits, parent_visits }, story, name) {
    if (Number.isNaN(bonus)) return `Go down: from ${name(node)} to ${name(child)}.`;
    if (bonus === Infinity) return `Select: at ${name(node)}, ${name(child)} was never tried, so it comes first.`;
    const terms = `mean ${show(mean)} + bonus ${show(bonus)} = ${show(mean + bonus)}`;
    return `Select: at ${name(node)}, ${name(child)} has the largest UCB1: ${terms} (${visits} of ${parent_visits} visits).`;
  },
  Expand({ node, children }, story, name) {
    return `Expand: ${name(node)} gets ${children === 1 ? "its only child" : `${children} children`}.`;
  },
  Simulate({ node, values, plies }, story, name) {
    const gives = story.players === 2 ? `${show(values[0])} for max` : show(values);
    if (plies === -2) return `Judge: the network says that ${name(node)} gives ${gives}.`;
    if (plies <= 0) return `Simulate: ${name(node)} needs no playout, it gives ${gives}.`;
    return `Simulate: from ${name(node)} a random game of ${plies} ${plies === 1 ? "ply" : "plies"} gives ${gives}.`;
  },
  BackUp({ node, visits, mean }, story, name) {
    return `Back up: ${name(node)} has ${visits} ${visits === 1 ? "visit" : "visits"} now, and a mean of ${show(mean)}.`;
  },
  Ended({ reason }, story, name) {
    if (reason === "limit") return "The trace was full here: the search went on, but the rest was not recorded.";
    const worth = story.values.length && story.players !== 2 ? show(story.values) : show(story.value);
    const path = story.path.map(name);
    const end = reason === "stopped" ? "The search was stopped" : "The search is over";
    return `${end}: ${name(story.root)} is worth ${worth}${path.length > 1 ? `, by the path ${path.join(" ")}` : ""}.`;
  },
};

/** The class of each step, for the list of steps. */
const MARKS = { Cut: "cut", Futile: "cut", Evaluate: "value", Simulate: "value", TableHit: "value", Return: "done", Ended: "done" };

/** A node at this moment in a few words, for screen readers. */
function label(story, replay, id) {
  const node = story.nodes.get(id);
  const live = replay.live.get(id);
  const words = [node.name];
  if (!is_leaf(node)) words.push(mover_of(node));
  if (live.phase === "ghost") words.push("not looked at yet");
  if (live.phase === "unseen") words.push("pruned");
  if (live.phase === "open" && live.alpha !== null && prunes(story)) words.push(`alpha ${show(live.alpha)}`, `beta ${show(live.beta)}`);
  if (live.value !== null) words.push(`${live.phase === "open" && !is_leaf(node) ? "so far" : "value"} ${live.bound === "exact" ? "" : `${live.bound} `}${show(live.value)}`);
  if (live.values.length) words.push(`values ${show(live.values)}`);
  if (live.visits) words.push(`${live.visits} visits`, `mean ${show(live.mean)}`);
  if (node.probability !== null) words.push(`probability ${show(node.probability)}`);
  if (live.cut !== null) words.push("cut here");
  if (node.more) words.push(`${node.more} children not shown`);
  if (replay.current === id) words.push("current");
  if (replay.done && story.path.includes(id)) words.push("on the best path");
  return words.join(", ");
}
