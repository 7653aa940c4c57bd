// SPDX-License-Identifier: MIT
// The contacts of each foot while they are edited: checked, undone and redone, saved as `skelkin plant --contacts` reads them.
//
// window.skelkin.contacts.get() returns {leg: [[first, last], …]}, set(value) takes the same and throws a RangeError if it is
// not so; after each change the window gets the event "skelkin:contacts" with the new contacts as its `detail`.

const contacts = {
  now: new Map(data.feet.map((foot) => [foot.key, foot.spans.map((span) => [...span])])),
  undone: [], done: [],

  of(key) { return this.now.get(key) || []; },
  get() { return Object.fromEntries([...this.now].map(([key, spans]) => [key, spans.map((span) => [...span])])); },

  set(value) {
    const next = new Map(data.feet.map((foot) => [foot.key, []]));
    if (value === null || typeof value !== "object") throw new RangeError(`contacts are ${value}: an object of lists is needed`);
    for (const [key, spans] of Object.entries(value)) {
      if (!next.has(key)) throw new RangeError(`no leg is called ${key}; there are ${[...next.keys()].join(", ")}`);
      if (!(Array.isArray(spans) && spans.every(Array.isArray))) throw new RangeError(`${key}: a list of [first, last] is needed`);
      const sorted = [...spans].map(([first, last]) => [first, last]).sort((a, b) => a[0] - b[0]);
      sorted.forEach(([first, last], k) => {
        if (!(Number.isInteger(first) && Number.isInteger(last) && first >= 0 && first <= last && last < data.frames))
          throw new RangeError(`${key}: [${first}, ${last}] is no span of frames 0 to ${data.frames - 1}`);
        if (k && first <= sorted[k - 1][1]) throw new RangeError(`${key}: [${sorted[k - 1]}] and [${first}, ${last}] overlap`);
      });
      next.set(key, sorted);
    }
    this.done.push(this.get());
    this.undone.length = 0;
    this.take(next);
  },

  undo() { this.swap(this.done, this.undone); },
  redo() { this.swap(this.undone, this.done); },
  swap(from, to) {
    if (!from.length) return;
    to.push(this.get());
    this.take(new Map(Object.entries(from.pop())));
  },
  take(next) {
    this.now = next;
    dirty = true;
    window.dispatchEvent(new CustomEvent("skelkin:contacts", { detail: this.get() }));
  },

  // How far a span of a foot may go: up to its neighbours.
  room(key, index) {
    const spans = this.of(key);
    return [index > 0 ? spans[index - 1][1] + 1 : 0, index + 1 < spans.length ? spans[index + 1][0] - 1 : data.frames - 1];
  },
  // A span with an end moved, or both, kept in its room; the other end stays.
  shifted(key, index, part, by) {
    const [low, high] = this.room(key, index), [first, last] = this.of(key)[index];
    const within = (value, a, b) => Math.min(Math.max(value, a), b);
    if (part === "first") return [within(first + by, low, last), last];
    if (part === "last") return [first, within(last + by, first, high)];
    const move = within(by, low - first, high - last);
    return [first + move, last + move];
  },
  preview(key, index, span) {},  // while it is dragged: for who plants at once
  change(key, index, span) {
    const spans = this.of(key).map((one) => [...one]);
    if (span && String(spans[index]) === String(span)) return;
    spans.splice(index, 1, ...(span ? [span] : []));
    this.set({ ...this.get(), [key]: spans });
  },
  // A new contact at a frame where there is none, of at most `long` frames; returns its place, or -1.
  add(key, frame, long = Math.max(2, Math.round(data.fps / 3))) {
    const spans = this.of(key);
    if (spans.some(([a, b]) => frame >= a && frame <= b)) return -1;
    const after = spans.findIndex(([a]) => a > frame), high = after < 0 ? data.frames - 1 : spans[after][0] - 1;
    const span = [frame, Math.min(frame + long - 1, high)];
    this.set({ ...this.get(), [key]: [...spans, span] });
    return this.of(key).findIndex(([a]) => a === span[0]);
  },

  text() { return JSON.stringify({ num_frames: data.frames, fps: data.fps, contacts: this.get() }) + "\n"; },
  save() {
    const link = document.createElement("a"), file = new Blob([this.text()], { type: "application/json" });
    link.href = URL.createObjectURL(file);
    link.download = "contacts.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  },
};
