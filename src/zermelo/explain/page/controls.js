// Buttons, keys and the mouse.

const SPEEDS = [2400, 1500, 1000, 650, 400, 220, 110, 45]; // milliseconds a step

class Controls {
  constructor(app) {
    Object.assign(this, { app, timer: null });
    const click = (id, does) => at(id).addEventListener("click", does);
    click("first", () => app.go(0));
    click("back", () => this.pausing(() => app.go(app.replay.place - 1)));
    click("forward", () => this.pausing(() => app.forward()));
    click("last", () => app.go(app.replay.last));
    click("play", () => this.toggle_play());
    click("next-cut", () => this.pausing(() => app.next_cut()));
    click("predict-toggle", () => app.toggle_predict());
    click("yes", () => this.answer(true));
    click("no", () => this.answer(false));
    click("zoom-in", () => app.view.zoom(1.25));
    click("zoom-out", () => app.view.zoom(0.8));
    click("fit", () => app.view.fit());
    click("theme", () => this.toggle_theme());
    click("help-button", () => at("help").showModal());
    click("help-close", () => at("help").close());
    at("place").addEventListener("input", () => app.go(Number(at("place").value)));
    document.addEventListener("keydown", (event) => this.key(event));
    this.watch_tree();
  }

  /** A step by hand ends playing. */
  pausing(does) {
    this.pause();
    does();
  }

  answer(says) {
    this.app.answer(says);
    if (this.resumes) this.play();
  }

  get playing() {
    return this.timer !== null;
  }

  toggle_play() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.app.replay.done) this.app.go(0);
    this.resumes = false;
    const tick = () => {
      this.app.forward();
      if (this.app.predict.asked !== null) {
        this.pause();
        this.resumes = true;
      } else if (this.app.replay.done) this.pause();
      else this.timer = setTimeout(tick, SPEEDS[at("speed").value - 1]);
    };
    this.timer = setTimeout(tick, 0);
    this.tell_play();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.resumes = false;
    this.tell_play();
  }

  tell_play() {
    at("play").setAttribute("aria-label", this.playing ? "Pause (space)" : "Play (space)");
    at("play").classList.toggle("playing", this.playing);
    at("tell").setAttribute("aria-live", this.playing ? "off" : "polite"); // nobody can listen to steps that fly by
  }

  toggle_theme() {
    const is_dark = getComputedStyle(document.documentElement).colorScheme.trim() === "dark" ||
      (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = is_dark ? "light" : "dark";
  }

  /** Keys that work everywhere but where something is typed. */
  key(event) {
    if (event.ctrlKey || event.metaKey || at("help").open) return;
    const { target, key } = event;
    if (target.matches("input[type=number], input[type=text], select, textarea")) return;
    const in_tree = target.closest?.("[role=treeitem]");
    if (in_tree && this.tree_key(event, in_tree)) return event.preventDefault();
    if (event.altKey) return;
    if (target.matches("input[type=range]") && key.startsWith("Arrow")) return;
    if (target.matches("button, summary") && (key === " " || key === "Enter")) return;
    const does = this.keys()[key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  keys() {
    const { app } = this;
    const forward = () => this.pausing(() => app.forward());
    const back = () => this.pausing(() => app.go(app.replay.place - 1));
    const asked = app.predict.asked !== null;
    return {
      ArrowRight: forward, ".": forward, ArrowLeft: back, ",": back,
      Home: () => app.go(0), End: () => app.go(app.replay.last),
      " ": () => this.toggle_play(),
      n: () => (asked ? this.answer(false) : this.pausing(() => app.next_cut())),
      ...(asked ? { y: () => this.answer(true) } : {}),
      p: () => app.toggle_predict(),
      "+": () => app.view.zoom(1.25), "=": () => app.view.zoom(1.25), "-": () => app.view.zoom(0.8), "0": () => app.view.fit(),
      t: () => this.toggle_theme(),
      "?": () => at("help").showModal(),
      Escape: () => app.choose(null),
    };
  }

  /** Keys in the tree: arrows go from node to node, Enter chooses one, with Alt they move it. True if it was one of these. */
  tree_key(event, group) {
    const { app } = this;
    const id = Number(group.dataset.id);
    const node = app.story.nodes.get(id);
    const siblings = node.parent === null ? [id] : app.story.nodes.get(node.parent)?.children ?? [id];
    const place = siblings.indexOf(id);
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight") && app.editing.tree) {
      app.choose(id);
      app.editing.shift(event.key === "ArrowLeft" ? -1 : 1);
      return true;
    }
    if (event.altKey) return false;
    const to = { ArrowUp: id === app.story.root ? undefined : node.parent, ArrowDown: node.children[0], ArrowLeft: siblings[place - 1],
      ArrowRight: siblings[place + 1], Home: app.story.root };
    if (event.key in to) {
      if (to[event.key] !== undefined && to[event.key] !== null) app.rove(to[event.key], true);
      return true;
    }
    if (event.key === "Enter" || event.key === " ") {
      app.choose(id);
      if (app.editing.tree && is_leaf(node)) at("leaf-value").focus();
      return true;
    }
    if (event.key === "Escape") {
      at("forward").focus();
      return true;
    }
    return false;
  }

  /** Nodes are clicked, dragged and focused. A click leaves the focus where it is, so that arrows go on stepping. */
  watch_tree() {
    const { app } = this;
    const tree = at("tree");
    const of = (event) => event.target.closest("[role=treeitem]");
    tree.addEventListener("mousedown", (event) => of(event) && event.preventDefault());
    tree.addEventListener("pointerdown", (event) => of(event) && app.editing.grab(event, Number(of(event).dataset.id)));
    document.addEventListener("pointermove", (event) => app.editing.pull(event));
    document.addEventListener("pointerup", (event) => {
      const dragged = app.editing.drop();
      const group = event.target instanceof Element && event.target.closest("#tree [role=treeitem]");
      if (!dragged && group) app.choose(Number(group.dataset.id));
    });
    tree.addEventListener("focusin", (event) => {
      if (!of(event)) return;
      app.rove(Number(of(event).dataset.id), false);
      app.view.follow(app.roving);
    });
    tree.addEventListener("dblclick", (event) => of(event) && app.editing.tree && at("leaf-value").select());
  }
}
