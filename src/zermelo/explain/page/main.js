// The page: a story, how far it is told, and what of it is chosen.

class App {
  constructor(data) {
    this.stories = data.stories.map((raw) => read_story(raw, data.fields));
    this.selected = null;
    this.predict = new Predict(this);
    this.view = new View(at("tree"), at("world"));
    this.editing = new Editing(this, data.tree, data.players);
    this.restore();
    if (this.stories.length > 1) this.offer_stories();
    this.controls = new Controls(this);
  }

  offer_stories() {
    const options = this.stories.map((story, i) => element("option", { value: i }, story.depth === null ? "the end of the game" : `depth ${story.depth}`));
    at("iteration").replaceChildren(...options);
    at("iteration").value = this.stories.length - 1;
    at("iteration-label").hidden = false;
    at("iteration").addEventListener("change", () => this.show(this.stories[at("iteration").value], {}));
  }

  /** Back to the story that the page came with. */
  restore() {
    if (this.editing.tree) at("search-by").value = this.editing.algorithm;
    this.show(this.stories[this.stories.length - 1], {});
  }

  /** Tell another story; an edited one is shown as it ended, and the node of the name `chosen` stays chosen. */
  show(whole, { edited = false, chosen = null }) {
    const story = { ...whole, steps: worth_telling(whole.steps) };
    this.story = story;
    this.replay = new Replay(story);
    this.predict.reset();
    this.steps_of = steps_by_node(story);
    this.range = range_of(story);
    if (edited) this.replay.go(this.replay.last);
    const size = this.picture && [this.picture.width, this.picture.height].join();
    this.picture = new Picture(at("world"), story, this.replay, this.view.size.height / this.view.size.width);
    if (size === [this.picture.width, this.picture.height].join()) this.view.picture = this.picture;
    else this.view.show(this.picture);
    this.selected = null;
    for (const node of story.nodes.values()) if (chosen !== null && node.name === chosen) this.selected = node.id;
    const kinds = new Set([...story.nodes.values()].map((node) => node.kind));
    if (prunes(story)) kinds.add("bounds");
    kinds.add(story.algorithm);
    for (const sign of document.querySelectorAll("[data-kind]")) sign.hidden = !kinds.has(sign.dataset.kind);
    const how = SEARCH_NAMES[story.algorithm] ?? story.algorithm;
    at("title").textContent = story.game;
    at("subtitle").textContent = edited ? `${how}, searched in this page` : says_same(how, story.searcher) ? how : `${how} · ${story.searcher}`;
    at("place").max = this.replay.last;
    at("predict-toggle").disabled = !Predict.fits(story);
    at("next-cut").disabled = !Predict.fits(story);
    at("reached").hidden = !story.reached && !story.left_out;
    at("reached").textContent = story.reached ? "The record of this search was full: its end is not shown." : story.left_out ?? "";
    this.picture.parts.get(story.root).group.setAttribute("tabindex", 0);
    this.roving = story.root;
    this.mark_chosen(null);
    this.draw();
  }

  /** Go to a place among the steps. */
  go(place) {
    const was_done = this.replay.done;
    this.predict.asked = null;
    this.predict.verdict = "";
    this.refresh(this.replay.go(place), was_done);
  }

  /** Draw anew what changed. */
  refresh(touched, was_done) {
    if (was_done !== this.replay.done) touched = [...touched, ...this.story.path];
    const around = new Set();
    for (const id of touched) {
      around.add(id);
      for (const child of this.story.nodes.get(id)?.children ?? []) around.add(child);
    }
    if (this.picture.arrange()) this.view.show(this.picture);
    this.picture.update(around);
    const focus = this.replay.done ? this.story.root : this.replay.current;
    if (focus !== null) this.view.follow(focus);
    this.draw();
  }

  /** A step on, unless a question must be answered first. */
  forward() {
    if (this.replay.done || this.predict.asked !== null) return;
    if (this.predict.holds()) this.draw();
    else this.go(this.replay.place + 1);
  }

  answer(says) {
    if (this.predict.asked === null) return;
    this.predict.answer(says);
    this.refresh(this.replay.go(this.replay.place + 1), false);
  }

  /** To the next cut; while predicting, to the next question. */
  next_cut() {
    if (this.predict.on) {
      if (this.predict.asked !== null) return;
      const before = this.replay.place;
      const place = this.predict.next(before);
      this.replay.go(before);
      this.go(place);
      if (this.predict.holds()) this.draw();
      return;
    }
    const cut = this.story.steps.findIndex((step, i) => i >= this.replay.place && step.type === "Cut" && step.unseen > 0);
    this.go(cut < 0 ? this.replay.last : cut + 1);
  }

  toggle_predict() {
    this.predict.toggle();
    if (this.predict.on && this.replay.done) this.go(0);
    this.draw();
  }

  /** Choose a node, or none: its story is told. */
  choose(id) {
    const before = this.selected;
    this.selected = id;
    this.mark_chosen(before);
    if (id !== null) this.rove(id, false);
    draw_node(this);
    this.editing.draw();
  }

  mark_chosen(before) {
    for (const [id, is_chosen] of [[before, "false"], [this.selected, "true"]])
      if (id !== null) this.picture.parts.get(id)?.group.setAttribute("aria-selected", is_chosen);
  }

  /** One node of the tree can be reached by Tab: this one. */
  rove(id, focus) {
    this.picture.parts.get(this.roving)?.group.setAttribute("tabindex", -1);
    this.roving = id;
    const { group } = this.picture.parts.get(id);
    group.setAttribute("tabindex", 0);
    if (!focus) return;
    this.view.follow(id);
    group.style.display = ""; // what is far from view cannot have the focus
    group.focus({ preventScroll: true });
  }

  /** All but the picture. */
  draw() {
    const { replay } = this;
    const words = sentence(this.story, replay.step);
    if (at("tell").textContent !== words) at("tell").textContent = words;
    at("tell").className = replay.step ? MARKS[replay.step.type] ?? "" : "";
    at("place").value = replay.place;
    at("place").setAttribute("aria-valuetext", `step ${replay.place} of ${replay.last}`);
    at("where").textContent = `${replay.place} / ${replay.last}`;
    for (const [id, off] of [["first", replay.place === 0], ["back", replay.place === 0], ["forward", replay.done], ["last", replay.done]])
      at(id).setAttribute("aria-disabled", off);
    at("predict-toggle").setAttribute("aria-pressed", this.predict.on);
    this.predict.draw();
    draw_line(this);
    draw_window(this);
    draw_counts(this);
    draw_node(this);
    draw_log(this);
    this.editing.draw();
  }
}

const says_same = (a, b) => a.replace(/\W/g, "").toLowerCase() === b.replace(/\W/g, "").toLowerCase();

/** The least and the greatest value that a story tells, for the line of bounds. */
function range_of(story) {
  let [low, high] = [Infinity, -Infinity];
  for (const step of story.steps) {
    if (Number.isFinite(step.value)) [low, high] = [Math.min(low, step.value), Math.max(high, step.value)];
  }
  return low < high ? [low, high] : Number.isFinite(low) ? [low - 1, low + 1] : [-1, 1];
}

const app = new App(JSON.parse(at("story").textContent));
window.zermelo = { app, search_tree };
