/** What a map shows of one view, once everything is drawn. */
export interface View {
  /** Features that are visible, by layer of the tiles. */
  rendered: Record<string, number>;
  /** Names that are visible. */
  names: string[];
  /** The canvas as a PNG data URL. */
  image: string;
  /** Number of colors. */
  colors: number;
}

interface Report {
  /** What the page, the map and the console call an error, and each icon that is missing. */
  errors: string[];
  /** What MapLibre requests (the plugin does not show it), and whether the key is in the URL. */
  requests: { path: string; key: boolean }[];
  attribution: string;
}

/** What a page with a map reports. */
export type MapReport = Report & View;
export type TourReport = Report & { views: Record<string, View> };

interface Place {
  center: [longitude: number, latitude: number];
  zoom: number;
}

/** A view of a tour: a style at a place. */
export interface Stop extends Place {
  name: string;
  style: string;
  language?: string;
  /** Where MapLibre gets the script for texts that are read from the right; it stays for later stops. */
  rtl?: string;
}

interface Client {
  /** Where the Worker answers. */
  host: string;
  key: string;
}

/** Pixels: software draws each. */
const SIZE = [320, 240] as const;

const REPORT = `
  const errors = [], requests = [];
  addEventListener("error", (event) => errors.push(String(event.message)));
  addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
  const consoleError = console.error;
  console.error = (...words) => { errors.push(words.map(String).join(" ")); consoleError(...words); };
  function note(text) {
    const url = new URL(text);
    requests.push({ path: url.pathname, key: url.searchParams.has("publishableKey") });
    return { url: text };
  }
  function watch(map) {
    map.on("error", ({ error }) => errors.push(String(error && error.message)));
    map.on("styleimagemissing", ({ id }) => errors.push("no icon " + id));
  }
  function view(map) {
    const rendered = {}, names = new Set();
    for (const { sourceLayer, properties, layer } of map.queryRenderedFeatures()) {
      rendered[sourceLayer] = (rendered[sourceLayer] ?? 0) + 1;
      if (layer.type === "symbol" && properties.name) names.add(properties.name);
    }
    const canvas = map.getCanvas();
    const flat = document.createElement("canvas");
    flat.width = canvas.width; flat.height = canvas.height;
    const context = flat.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, flat.width, flat.height).data.buffer);
    return { rendered, names: [...names], image: flat.toDataURL("image/png"), colors: new Set(pixels).size };
  }
  function report(more) {
    const attribution = document.querySelector(".maplibregl-ctrl-attrib-inner")?.textContent ?? "";
    fetch("/report", { method: "POST", body: JSON.stringify({ errors, requests, attribution, ...more }) });
  }`;

const page = (head: string, script: string) => `<!doctype html><html><head>
<meta charset="utf-8">${head}</head><body style="margin:0"><div id="map" style="width:${SIZE[0]}px;height:${SIZE[1]}px"></div>
<script>${REPORT}</script>${script}</body></html>`;

const OPTIONS = {
  container: "map",
  fadeDuration: 0,
  canvasContextAttributes: { preserveDrawingBuffer: true },
};

/**
 * A page that does what MapLibre's own examples do, with the style's URL and the key in it, and then goes on to further stops with the
 * same map.
 */
export function tourPage({ host, key }: Client, stops: readonly Stop[]): string {
  const urls = stops.map(({ style, language }) => {
    const query = new URLSearchParams({ publishableKey: key, ...(language && { language }) });
    return `${host}/maps/styles/${style}?${query}`;
  });
  const [{ center, zoom }] = stops;
  return page(
    '<link rel="stylesheet" href="/maplibre-gl.css"><script src="/maplibre-gl.js"></script>',
    `<script>
      const stops = ${JSON.stringify(stops)}, urls = ${JSON.stringify(urls)}, views = {};
      const map = new maplibregl.Map({ ...${JSON.stringify({ ...OPTIONS, center, zoom })}, style: urls[0], transformRequest: note });
      watch(map);
      const look = (at) => map.once("idle", async () => {
        views[stops[at].name] = view(map);
        const next = stops[at + 1];
        if (!next) return report({ views });
        if (next.rtl) await maplibregl.setRTLTextPlugin(next.rtl, false);
        map.jumpTo({ center: next.center, zoom: next.zoom });
        map.setStyle(urls[at + 1], { diff: false });
        look(at + 1);
      });
      look(0);
    </script>`,
  );
}

/** A page that follows Radar's quick start: the SDK is initialised, then `Radar.ui.map`. */
export function radarPage({ host, key, style, center, zoom }: Client & Place & { style: string }): string {
  return page(
    '<link rel="stylesheet" href="/radar-maps.css">',
    `<script type="module">
      import Radar from "/radar.js";
      window.Radar = Radar.default ?? Radar;
      const script = document.createElement("script");
      script.src = "/radar-maps.js";
      script.onload = () => {
        window.Radar.initialize(${JSON.stringify(key)}, { host: ${JSON.stringify(host)} });
        const map = window.Radar.ui.map(${JSON.stringify({ ...OPTIONS, style, center, zoom })});
        watch(map);
        map.once("idle", () => report(view(map)));
      };
      document.body.append(script);
    </script>`,
  );
}
