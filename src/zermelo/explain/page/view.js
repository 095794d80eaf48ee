// Which part of the picture is seen: pan, zoom, and following the search.

const MARGIN = 70;
const LEAST = 0.62; // a scale that can still be read

class View {
  constructor(svg, world) {
    Object.assign(this, { svg, world, x: 0, y: 0, scale: 1, picture: null, fitted: null, pointers: new Map() });
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.grab(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const type of ["pointerup", "pointercancel"]) svg.addEventListener(type, (event) => this.pointers.delete(event.pointerId));
    this.measure();
    new ResizeObserver(() => this.resized()).observe(svg.parentElement);
  }

  /** The picture is as large as its frame, in fixed numbers: else every new word around it would have all of it laid out again. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.svg.parentElement;
    this.size = { width: width || 800, height: height || 400 };
    this.svg.style.width = `${this.size.width}px`;
    this.svg.style.height = `${this.size.height}px`;
  }

  /** Show another picture: all of it, or as much of it as can be read. */
  show(picture) {
    this.picture = picture;
    this.fit(LEAST);
  }

  /** All of the picture, but never smaller than `least`: then its top, to be followed from there. */
  fit(least = 0) {
    const { width, height } = this.size;
    const whole = Math.min((width - 36) / this.picture.width, (height - 2 * HALF - 64) / (this.picture.height || 1), 1.35);
    this.scale = Math.max(whole, least);
    const root = this.picture.placed.get(this.picture.story.root);
    this.x = whole < least ? width / 2 - root.x * this.scale : (width - this.picture.width * this.scale) / 2;
    this.y = Math.max(HALF + 18, (height - this.picture.height * this.scale) / 2 - 4);
    if (whole < least) this.y = HALF + 22;
    this.fitted = { width, height };
    this.world.style.transform = ""; // another picture may have the same place
    this.move(false);
  }

  /** Fit again if the room is another: not where only a line of words came or went. */
  resized() {
    this.measure();
    const { width, height } = this.size;
    const is_same = this.fitted && Math.abs(width - this.fitted.width) < 8 && Math.abs(height - this.fitted.height) < 80;
    if (!this.picture || is_same) return;
    this.fit(LEAST);
    if (this.picture.replay.current !== null) this.follow(this.picture.replay.current);
  }

  move(smooth) {
    this.world.classList.toggle("smooth", smooth);
    const place = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    if (place === this.world.style.transform) return;
    this.world.style.transform = place;
    const { width, height } = this.size;
    this.picture.cull(-this.x / this.scale, -this.y / this.scale, width / this.scale, height / this.scale);
  }

  /** Bring a node into view if it is not, and the one above it too if there is room. */
  follow(id) {
    const spot = this.picture?.placed.get(id);
    if (!spot) return;
    const { width, height } = this.size;
    const [x, y] = [spot.x * this.scale + this.x, spot.y * this.scale + this.y];
    const above = this.picture.placed.get(this.picture.story.nodes.get(id).parent) ?? spot;
    const apart = (above.x - spot.x) * this.scale;
    const both = Math.abs(apart) < width - 2 * MARGIN ? apart : 0;
    const [left, right] = [Math.min(x, x + both), Math.max(x, x + both)];
    if (left < MARGIN || right > width - MARGIN) this.x += width / 2 - (left + right) / 2;
    if (y < MARGIN / 2 || y > height - MARGIN) this.y += (y < MARGIN / 2 ? MARGIN : height - 1.6 * MARGIN) - y;
    this.move(true);
  }

  /** Make it larger or smaller around a point of the window, its middle if none is told. */
  zoom(factor, at = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const scale = Math.max(0.05, Math.min(4, this.scale * factor));
    this.x = at.x - ((at.x - this.x) * scale) / this.scale;
    this.y = at.y - ((at.y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.move(false);
  }

  point(event) {
    const box = this.svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), this.point(event));
  }

  grab(event) {
    if (event.target.closest("[role=treeitem]")) return;
    this.pointers.set(event.pointerId, this.point(event));
    this.svg.setPointerCapture(event.pointerId);
  }

  /** One finger or the mouse moves the picture, two zoom it. */
  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.point(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    if (other) {
      const apart = (a) => Math.hypot(a.x - other.x, a.y - other.y) || 1;
      this.zoom(apart(now) / apart(before), other);
    } else {
      this.x += now.x - before.x;
      this.y += now.y - before.y;
      this.move(false);
    }
  }
}
