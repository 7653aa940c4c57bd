// SPDX-License-Identifier: MIT
// Contacts edited in the timeline: bars and their ends dragged, or moved by keys and buttons; added, deleted, undone.

const editor = {
  on: false,
  usual: "Drag bars or their ends · double-click an empty place to add · arrow keys move what has the focus",
  chosen: null,  // {key, index, part}: a bar, or one of its ends

  start() {
    const edit = $("edit"), click = (id, act) => $(id).addEventListener("click", act);
    edit.hidden = data.feet.length === 0;
    click("edit", () => this.turn(!this.on));
    click("undo", () => contacts.undo());
    click("redo", () => contacts.redo());
    click("add", () => this.addAt($("foot").value, shownFrame()));
    click("remove", () => this.remove());
    click("earlier", () => this.move(-1));
    click("later", () => this.move(1));
    click("closer", () => zoomTime(1.6));
    click("wider", () => zoomTime(1 / 1.6));
    click("save", () => contacts.save());
    data.feet.forEach((foot) => $("foot").append(new Option(foot.name, foot.key)));
    for (const [foot, { bar }] of lanes)
      bar.addEventListener("dblclick", (e) => { if (this.on && !e.target.closest(".contact")) this.addAt(foot.key, frameUnder(bar, e)); });
    window.addEventListener("skelkin:contacts", () => { paintBars(); this.paint(); });
    window.addEventListener("keydown", (e) => this.undoKey(e));
    this.paint();
    paintBars();
  },

  turn(on) {
    this.on = on;
    this.chosen = null;
    if (on) setPlaying(false);
    else zoomTime(0);
    $("player").classList.toggle("editing", on);
    paintBars();
    this.paint();
  },
  paint() {
    const span = this.chosen && contacts.of(this.chosen.key)[this.chosen.index];
    $("edit").setAttribute("aria-pressed", String(this.on));
    $("editing").hidden = !this.on;
    $("undo").disabled = !contacts.done.length;
    $("redo").disabled = !contacts.undone.length;
    for (const id of ["remove", "earlier", "later"]) $(id).disabled = !span;
    for (const one of document.querySelectorAll("[data-contact]")) one.classList.toggle("chosen", Boolean(span) && this.isChosen(one.dataset));
    $("hint").textContent = span ? this.hint(span) : this.usual;
  },
  isChosen({ contact, part }) { return contact === `${this.chosen.key} ${this.chosen.index}` && part === this.chosen.part; },
  hint([first, last]) {
    const { key, part } = this.chosen, { name } = data.feet.find((foot) => foot.key === key);
    return `${name}, ${{ whole: "contact", first: "start of contact", last: "end of contact" }[part]}, frames ${named(first)} to ${named(last)}`;
  },

  addAt(key, frame) {
    const index = contacts.add(key, frame);
    if (index < 0) this.say(`there is a contact at frame ${named(frame)} already`);
    else {
      this.focus(key, index, "whole");
      this.say(`contact added, frames ${contacts.of(key)[index].map(named).join(" to ")}`);
    }
  },
  remove() {
    if (!this.chosen) return;
    const { key, index } = this.chosen;
    contacts.change(key, index, null);
    this.chosen = null;
    this.paint();
    const left = contacts.of(key).length;
    if (left) this.focus(key, Math.min(index, left - 1), "whole");
    this.say("contact deleted");
  },
  move(by) {
    const { key, index, part } = this.chosen, span = contacts.shifted(key, index, part, by);
    contacts.change(key, index, span);
    setFrame(part === "last" ? span[1] : span[0]);
  },
  undoKey(e) {
    if (!this.on || !(e.ctrlKey || e.metaKey) || !/^[zy]$/i.test(e.key)) return;
    e.preventDefault();
    if (e.shiftKey || e.key.toLowerCase() === "y") contacts.redo();
    else contacts.undo();
    if (!this.chosen) return;  // its bar was made anew, and lost the focus
    const { key, index, part } = this.chosen, left = contacts.of(key).length;
    this.focus(key, Math.min(index, left - 1), part);
  },
  say(text) { $("said").textContent = text; },
  parts(key, index) { return document.querySelectorAll(`[data-contact="${CSS.escape(key)} ${index}"]`); },
  focus(key, index, part) { [...this.parts(key, index)].find((one) => one.dataset.part === part)?.focus(); },

  // Make a bar one that is moved, with an end to drag at each side. The three lie beside each other, none within another:
  // listeners do not hear of what a slider holds.
  equip(bar, foot, index) {
    const [first, last] = contacts.of(foot.key)[index], [low, high] = contacts.room(foot.key, index), length = last - first || 1;
    bar.classList.add("edited");
    bar.style.setProperty("--before", `${50 * (first - low) / length}%`);  // half of the way to its neighbours is its own
    bar.style.setProperty("--behind", `${50 * (high - last) / length}%`);
    for (const part of ["whole", "first", "last"]) {
      const element = document.createElement("span");
      element.className = part === "whole" ? "whole" : `end ${part}`;
      bar.append(element);
      Object.assign(element.dataset, { contact: `${foot.key} ${index}`, part });
      element.tabIndex = 0;
      element.setAttribute("role", "slider");
      this.describe(element, foot, index, part, contacts.of(foot.key)[index]);
      element.addEventListener("focus", () => { this.chosen = { key: foot.key, index, part }; this.paint(); });
      element.addEventListener("keydown", (e) => this.key(e, foot, index, part));
      element.addEventListener("pointerdown", (e) => this.drag(e, element, bar, foot, index, part));
    }
  },
  describe(element, foot, index, part, [first, last]) {
    const name = { whole: "contact", first: "first frame of contact", last: "last frame of contact" }[part];
    const [low, high] = contacts.room(foot.key, index);
    element.setAttribute("aria-label", `${foot.name}, ${name} ${index + 1}`);
    element.setAttribute("aria-valuemin", String(part === "last" ? first : low));
    element.setAttribute("aria-valuemax", String(part === "first" ? last : high));
    element.setAttribute("aria-valuenow", String(part === "last" ? last : first));
    element.setAttribute("aria-valuetext", part === "whole" ? `frames ${named(first)} to ${named(last)}` : `frame ${named(part === "last" ? last : first)}`);
  },
  key(e, foot, index, part) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -data.frames, End: data.frames }[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    this.chosen = { key: foot.key, index, part };
    if (by !== undefined) {
      this.move(by * (e.shiftKey ? 10 : 1));
      this.focus(foot.key, index, part);
    } else if (e.key === "Delete" || e.key === "Backspace") this.remove();
    else return;
    e.preventDefault();
    e.stopPropagation();
  },
  drag(e, element, bar, foot, index, part) {
    if (e.button !== 0) return;
    e.preventDefault();
    e.stopPropagation();
    element.focus();
    element.setPointerCapture(e.pointerId);
    lens.held = true;
    const { bar: time } = lanes.get(foot), from = frameUnder(time, e);
    let span = contacts.of(foot.key)[index];
    const move = (now) => {
      span = contacts.shifted(foot.key, index, part, frameUnder(time, now) - from);
      placeBar(bar, span);
      contacts.preview(foot.key, index, span);
      setFrame(part === "last" ? span[1] : span[0]);
    };
    const end = (now) => {
      element.removeEventListener("pointermove", move);
      lens.held = false;
      if (now.type === "pointerup") contacts.change(foot.key, index, span);
      else {
        contacts.preview(foot.key, index, contacts.of(foot.key)[index]);
        paintBars();
      }
      this.focus(foot.key, index, part);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end, { once: true });
    element.addEventListener("pointercancel", end, { once: true });
  },
};
