// SPDX-License-Identifier: MIT
// The notebook's side: the page in a frame of its own, and what it and Python say carried between them.

export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.title = "skelkin: planting edited by hand";
    frame.allowFullscreen = true;
    frame.style.cssText = "display:block;width:100%;border:0;border-radius:12px";
    const size = () => { frame.style.height = `${model.get("height")}px`; };
    let shown = null;  // the last frame that the page has sent or received
    const tell = (message, buffers = []) => frame.contentWindow?.postMessage({ skelkin: message, buffers }, "*", buffers);
    const fromPage = ({ source, data }) => {
      if (source !== frame.contentWindow || !data || !data.skelkin) return;
      const message = data.skelkin;
      if (message.do !== "frame") { model.send(message); return; }
      shown = message.frame;
      model.set("frame", shown);
      model.save_changes();
    };
    const fromPython = (reply, buffers) =>
      tell(reply, (buffers || []).map((one) => {
        const bytes = ArrayBuffer.isView(one) ? one : new Uint8Array(one);
        return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);  // each page takes its own away
      }));
    const goTo = () => {
      if (model.get("frame") === shown) return;  // the page has said so, and may have gone on since
      shown = model.get("frame");
      tell({ go: shown });
    };
    window.addEventListener("message", fromPage);
    model.on("msg:custom", fromPython);
    model.on("change:frame", goTo);
    model.on("change:height", size);
    size();
    frame.srcdoc = model.get("_page");
    el.append(frame);
    return () => {
      window.removeEventListener("message", fromPage);
      model.off("msg:custom", fromPython);
      model.off("change:frame", goTo);
      model.off("change:height", size);
    };
  },
};
