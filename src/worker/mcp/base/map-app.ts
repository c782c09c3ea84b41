/** The MCP App of render_map (SEP-1865): a page that a client shows next to the result, in a sandboxed frame without network. */

export const MAP_APP = "ui://graticule/map";
export const APP_MEDIA_TYPE = "text/html;profile=mcp-app";

/** Receives the image of the tool's result from the client, and shows it. */
export const MAP_APP_HTML = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Map</title>
<style>html,body{margin:0}img{display:block;width:100%;height:auto}p{font:14px system-ui,sans-serif;margin:8px}</style>
<p id="state">Waiting for the map…</p>
<script>
let id = 0;
const waiting = new Map();
const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const request = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++id, resolve);
    post({ id, method, params });
  });
const report = () => {
  const { scrollWidth: width, scrollHeight: height } = document.documentElement;
  post({ method: "ui/notifications/size-changed", params: { width, height } });
};
addEventListener("message", ({ source, data }) => {
  if (source !== window.parent || !data || data.jsonrpc !== "2.0") return;
  if (data.id !== undefined && waiting.has(data.id) && data.method === undefined) {
    waiting.get(data.id)(data.result);
    waiting.delete(data.id);
  } else if (data.method === "ping") post({ id: data.id, result: {} });
  else if (data.method === "ui/resource-teardown") post({ id: data.id, result: {} });
  else if (data.method === "ui/notifications/tool-result") show(data.params);
});
function show({ content = [], isError }) {
  const state = document.getElementById("state");
  const found = content.find(({ type }) => type === "image");
  if (isError || !found || !/^image\\/(png|webp|jpeg)$/.test(found.mimeType)) {
    state.textContent = "The map could not be drawn.";
    return report();
  }
  const image = document.createElement("img");
  image.alt = "Map";
  image.onload = report;
  image.src = "data:" + found.mimeType + ";base64," + found.data;
  state.replaceWith(image);
}
request("ui/initialize", {
  protocolVersion: "2026-01-26",
  appInfo: { name: "Graticule map", version: "1" },
  appCapabilities: {},
}).then(() => post({ method: "ui/notifications/initialized" }));
</script>
</html>
`;
