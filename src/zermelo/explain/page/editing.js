// A tree can be changed: leaf values, and the order of children. It is searched again at once.

class Editing {
  /** `tree` is the tree of the page, null where the story is of another game. */
  constructor(app, tree, players) {
    Object.assign(this, { app, tree, players, first: tree && structuredClone(tree), algorithm: null, drag: null });
    if (!tree) return;
    this.algorithm = searches_for(tree, players)[0];
    at("search-by").replaceChildren(...searches_for(tree, players).map((name) => element("option", { value: name }, SEARCH_NAMES[name])));
    at("search-by").addEventListener("change", () => this.again());
    at("depth").addEventListener("change", () => this.again());
    at("depth-label").hidden = !has_static(tree);
    at("reset").addEventListener("click", () => this.reset());
    at("leaf-value").addEventListener("change", () => this.set_value());
    at("leaf-value").addEventListener("keydown", (event) => event.key === "Enter" && this.set_value());
    at("earlier").addEventListener("click", () => this.shift(-1));
    at("later").addEventListener("click", () => this.shift(1));
    at("editing").hidden = false;
  }

  /** The node of the tree that a node of the story is, with its parent. */
  find(id) {
    const wanted = this.app.story.nodes.get(id)?.name;
    const seek = (tree, parent) => {
      if (tree.name === wanted) return { tree, parent };
      for (const child of tree.children) {
        const found = seek(child, tree);
        if (found) return found;
      }
      return null;
    };
    return this.tree && wanted !== undefined ? seek(this.tree, null) : null;
  }

  /** Search the tree as it is now, and tell the answer. */
  again() {
    const chosen = this.app.selected === null ? null : this.app.story.nodes.get(this.app.selected)?.name;
    this.algorithm = at("search-by").value;
    const depth = at("depth-label").hidden || at("depth").value === "" ? null : Math.max(1, Math.floor(Number(at("depth").value)));
    const story = search_tree(this.tree, { algorithm: this.algorithm, depth, players: this.players, game: this.app.story.game });
    this.app.show(story, { edited: true, chosen });
    const names = (ids) => ids.map((id) => story.nodes.get(id).name).join(" ");
    const worth = story.values.length ? show(story.values) : show(story.value);
    this.say(`Searched again: ${names([story.root])} is worth ${worth}, by the path ${names(story.path)}; evaluated ${names(story.evaluated)}.`);
  }

  say(words) {
    at("edited").textContent = words;
  }

  reset() {
    this.tree = structuredClone(this.first);
    this.say("");
    this.app.restore();
  }

  set_value() {
    const found = this.find(this.app.selected);
    if (!found) return;
    const words = at("leaf-value").value.replace(/[−–]/g, "-").trim().split(/[\s,;]+/);
    const numbers = words.map(Number);
    const need = this.players === 2 ? 1 : this.players;
    if (words[0] === "" || numbers.length !== need || !numbers.every(Number.isFinite)) {
      at("leaf-value").setAttribute("aria-invalid", "true");
      this.say(`Expected ${need === 1 ? "a number" : `${need} numbers`} for ${found.tree.name}.`);
      return;
    }
    at("leaf-value").removeAttribute("aria-invalid");
    const values = this.players === 2 ? [numbers[0], 0 - numbers[0]] : numbers;
    if (found.tree.values && values.every((v, i) => v === found.tree.values[i])) return;
    found.tree.values = values;
    this.again();
  }

  /** Move the chosen node so many places among its siblings. */
  shift(by) {
    const found = this.find(this.app.selected);
    if (!found?.parent) return;
    const all = found.parent.children;
    const from = all.indexOf(found.tree);
    const to = Math.max(0, Math.min(all.length - 1, from + by));
    if (to === from) return;
    all.splice(to, 0, ...all.splice(from, 1));
    this.again();
    at(`node-${this.app.selected}`)?.focus({ preventScroll: true });
  }

  /** What can be changed of the chosen node. */
  draw() {
    const found = this.app.selected === null ? null : this.find(this.app.selected);
    at("edit-node").hidden = !found;
    if (!this.tree) return;
    at("edit-hint").hidden = Boolean(found);
    if (!found) return;
    const is_leaf = found.tree.children.length === 0;
    at("leaf-label").hidden = !is_leaf;
    at("leaf-name").textContent = `Value of ${found.tree.name}`;
    if (is_leaf && document.activeElement !== at("leaf-value"))
      at("leaf-value").value = this.players === 2 ? found.tree.values[0] : found.tree.values.join(" ");
    const all = found.parent?.children ?? [];
    at("earlier").disabled = all.indexOf(found.tree) <= 0;
    at("later").disabled = !found.parent || all.indexOf(found.tree) === all.length - 1;
  }

  /** A node is dragged sideways: where it is let go decides its place among its siblings. */
  grab(event, id) {
    if (!this.tree || event.button !== 0) return;
    this.drag = { id, from: event.clientX, moved: 0, group: at(`node-${id}`) };
  }

  pull(event) {
    if (!this.drag) return;
    this.drag.moved = (event.clientX - this.drag.from) / this.app.view.scale;
    const spot = this.app.picture.placed.get(this.drag.id);
    if (Math.abs(this.drag.moved) > 6) this.drag.group.setAttribute("transform", `translate(${spot.x + this.drag.moved},${spot.y})`);
  }

  /** Let go; true if the node was dragged, not clicked. */
  drop() {
    if (!this.drag) return false;
    const { id, moved, group } = this.drag;
    this.drag = null;
    const { placed, story } = this.app.picture;
    const spot = placed.get(id);
    group.setAttribute("transform", `translate(${spot.x},${spot.y})`);
    if (Math.abs(moved) <= 6) return false;
    const siblings = story.nodes.get(id).parent === null ? [id] : story.nodes.get(story.nodes.get(id).parent).children;
    const place = siblings.filter((other) => other !== id && placed.get(other).x < spot.x + moved).length;
    this.app.choose(id);
    this.shift(place - siblings.indexOf(id));
    return true;
  }
}

const has_static = (tree) => tree.children.length > 0 && (tree.values !== null || tree.children.some(has_static));
