// Predicting: before a child is looked at or cut off the page asks which it will be, and keeps the score.

class Predict {
  constructor(app) {
    Object.assign(this, { app, on: false, answers: new Map(), asked: null, verdict: "" });
  }

  /** Whether there is anything to ask in this story. */
  static fits(story) {
    return story.steps.some((step) => step.type === "Cut" && step.unseen > 0);
  }

  /** Another story: questions begin anew. */
  reset() {
    Object.assign(this, { answers: new Map(), asked: null, verdict: "" });
    if (!Predict.fits(this.app.story)) this.on = false;
  }

  toggle() {
    this.on = !this.on && Predict.fits(this.app.story);
    this.asked = null;
    this.verdict = "";
  }

  /** The question before the step at a place: which node, below which, and whether it will be pruned; null if there is none. */
  question(place) {
    const { story, replay } = this.app;
    const step = story.steps[place];
    if (step === undefined) return null;
    if (step.type === "Cut") {
      const child = replay.unseen(step.node)[0];
      return child === undefined ? null : { place, node: step.node, child, pruned: true };
    }
    if (step.type !== "Enter" || step.parent === null || story.nodes.get(step.node)?.again) return null;
    const parent = story.nodes.get(step.parent);
    const met = parent && replay.live.get(step.parent).met > 0; // the first child is never pruned
    return met && parent.kind !== "chance" ? { place, node: step.parent, child: step.node, pruned: false } : null;
  }

  /** Before a step forward: true if a question must be answered first. */
  holds() {
    if (!this.on) return false;
    this.verdict = "";
    const question = this.question(this.app.replay.place);
    if (!question || this.answers.has(question.place)) return false;
    this.asked = question;
    return true;
  }

  /** Answer the question that is asked; the step is made, and the verdict told. */
  answer(says) {
    const { child, node, pruned, place } = this.asked;
    const { story, replay } = this.app;
    this.answers.set(place, says === pruned);
    const { alpha, beta } = replay.live.get(node);
    const open = `${name_of(story, child)} is looked at: at ${name_of(story, node)} α = ${show(alpha)} is below β = ${show(beta)}, so it can still matter.`;
    const why = pruned ? sentence(story, story.steps[place]) : open;
    this.asked = null;
    this.verdict = `${says === pruned ? "Right." : "No."} ${why}`;
    this.was_right = says === pruned;
  }

  get score() {
    const answers = [...this.answers.values()];
    return { right: answers.filter(Boolean).length, of: answers.length };
  }

  /** The next place with a question, the end if there is none. */
  next(place) {
    const { story } = this.app;
    for (let i = place; i < story.steps.length; i++) {
      this.app.replay.go(i);
      const question = this.question(i);
      if (question && !this.answers.has(i)) return i;
    }
    return story.steps.length;
  }

  draw() {
    const box = at("predict");
    box.hidden = !this.on;
    if (!this.on) return;
    const { right, of } = this.score;
    at("score").textContent = of ? `${right} of ${of} right` : "Press → : you will be asked before each child.";
    at("question").hidden = this.asked === null;
    at("verdict").textContent = this.verdict;
    at("verdict").className = this.verdict === "" ? "" : this.was_right ? "right" : "wrong";
    if (this.asked) {
      const { story, replay } = this.app;
      const name = name_of(story, this.asked.child);
      const { value } = replay.live.get(this.asked.node);
      at("asks").textContent = `${name} is next. ${name_of(story, this.asked.node)} has ${show(value)} so far. Will ${name} be pruned?`;
    }
  }
}
