// SPDX-License-Identifier: MIT
// What is seen as a part of the address, and back: "#frame=40&show=skeleton,after&camera=front".
//
// frame    opens there and stays, without it the page plays
// show     what is listed is shown, and nothing else that has a button
// camera   a preset, or yaw, pitch (radians), distance and shift x, y, z (both in heights of the figure)

function addressNow() {
  const numbers = [camera.yaw, camera.pitch, camera.distance / data.size, ...camera.pan.map((x) => x / data.size)];
  const shown = Object.keys(show).filter((key) => show[key] && $(`toggle-${key}`));
  return `#frame=${named(shownFrame())}&show=${shown.join(",")}&camera=${numbers.map((x) => +x.toFixed(4)).join(",")}`;
}
function takeAddress() {
  const wish = new URLSearchParams(location.hash.slice(1));
  if (wish.has("show")) for (const key in show) {
    const button = $(`toggle-${key}`), on = wish.get("show").split(",").includes(key);
    if (button && show[key] !== on) button.click();
  }
  if (wish.has("camera")) {
    const given = wish.get("camera"), [yaw, pitch, distance, ...pan] = given.split(",").map(Number);
    if (Object.hasOwn(PRESETS, given)) lookFrom(given);
    else if ([yaw, pitch, distance, ...pan].every(Number.isFinite) && pan.length === 3 && distance > 0) {
      Object.assign(camera, { yaw, pitch: Math.min(Math.max(pitch, -1.5), 1.5), distance: distance * data.size, pan: pan.map((x) => x * data.size) });
      zoom(1);
    }
  }
  if (wish.has("frame")) goTo(Number(wish.get("frame")) - named(0) || 0);
  dirty = true;
  return wish.has("frame");
}
async function copyAddress() {
  const hash = addressNow(), framed = location.protocol === "about:";  // in a notebook the page has no address of its own
  const link = framed ? hash : location.href.replace(/#.*/, "") + hash;
  if (!framed) history.replaceState(null, "", hash);
  const field = $("address");
  try {
    await navigator.clipboard.writeText(link);
    $("said").textContent = "Link copied";
    field.hidden = true;
  } catch {  // not allowed here: it can be copied by hand
    field.value = link;
    field.hidden = false;
    field.select();
  }
}
