/** What a page with a map reports once everything is drawn. */
export interface MapReport {
  errors: string[];
  /** What MapLibre asks for (the plugin does not let one look), and whether the key is in the URL. */
  requests: { path: string; key: boolean }[];
  /** Features that are visible, by layer of the tiles. */
  rendered: Record<string, number>;
  /** Names that are visible. */
  names: string[];
  /** The canvas as a PNG data URL. */
  image: string;
  attribution: string;
  /** How many colours there are. */
  colours: number;
}

export interface MapOptions {
  /** Where the Worker answers. */
  host: string;
  key: string;
  style?: string;
  center: [longitude: number, latitude: number];
  zoom: number;
  language?: string;
  /** Where MapLibre gets the script for texts that are read from the right. */
  rtl?: string;
  /** Width and height of the map [pixels]. */
  size?: [width: number, height: number];
}

const REPORT = `
  const errors = [], requests = [];
  addEventListener("error", (event) => errors.push(String(event.message)));
  addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
  function note(text) {
    const url = new URL(text);
    requests.push({ path: url.pathname, key: url.searchParams.has("publishableKey") });
    return { url: text };
  }
  function watch(map) {
    map.on("error", ({ error }) => errors.push(String(error && error.message)));
    map.once("idle", () => {
      const features = map.queryRenderedFeatures();
      const rendered = {}, names = new Set();
      for (const { sourceLayer, properties, layer } of features) {
        rendered[sourceLayer] = (rendered[sourceLayer] ?? 0) + 1;
        if (layer.type === "symbol" && properties.name) names.add(properties.name);
      }
      const canvas = map.getCanvas();
      const flat = document.createElement("canvas");
      flat.width = canvas.width; flat.height = canvas.height;
      const context = flat.getContext("2d");
      context.drawImage(canvas, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, flat.width, flat.height).data.buffer);
      fetch("/report", { method: "POST", body: JSON.stringify({
        errors, requests, rendered, names: [...names], image: flat.toDataURL("image/png"),
        attribution: document.querySelector(".maplibregl-ctrl-attrib-inner")?.textContent ?? "",
        colours: new Set(pixels).size,
      }) });
    });
  }`;

const page = (head: string, [width, height]: [number, number], script: string) => `<!doctype html><html><head>
<meta charset="utf-8">${head}</head><body style="margin:0"><div id="map" style="width:${width}px;height:${height}px"></div>
<script>${REPORT}</script>${script}</body></html>`;

/** A page that does what MapLibre's own examples do: the style's URL with the key in it. */
export function mapLibrePage({ host, key, style, center, zoom, language, rtl, size = [600, 400] }: MapOptions): string {
  const query = new URLSearchParams({ publishableKey: key, ...(language && { language }) });
  const options = {
    container: "map",
    style: `${host}/maps/styles/${style ?? "radar-default-v1"}?${query}`,
    center,
    zoom,
    fadeDuration: 0,
    canvasContextAttributes: { preserveDrawingBuffer: true },
  };
  return page(
    '<link rel="stylesheet" href="/maplibre-gl.css"><script src="/maplibre-gl.js"></script>',
    size,
    `<script>Promise.resolve(${rtl ? `maplibregl.setRTLTextPlugin(${JSON.stringify(rtl)}, false)` : ""}).then(() =>
      watch(new maplibregl.Map({ ...${JSON.stringify(options)}, transformRequest: note })));</script>`,
  );
}

/** What a page reports that shows one style after the other: for each its features by layer of the tiles. */
export interface StylesReport {
  errors: string[];
  styles: Record<string, { rendered: Record<string, number>; image: string }>;
}

/** A page that shows one style after the other; whatever the console calls an error, and each icon that is missing, is told. */
export function everyStylePage(
  { host, key, center, zoom, size = [600, 400] }: MapOptions,
  styles: readonly string[],
): string {
  const options = { container: "map", ...{ center, zoom, fadeDuration: 0 } };
  const urlOf = styles.map((name) => [name, `${host}/maps/styles/${name}?publishableKey=${key}`]);
  return page(
    '<link rel="stylesheet" href="/maplibre-gl.css"><script src="/maplibre-gl.js"></script>',
    size,
    `<script>
      const told = {}, all = ${JSON.stringify(urlOf)};
      const consoleError = console.error;
      console.error = (...words) => { errors.push(words.map(String).join(" ")); consoleError(...words); };
      const map = new maplibregl.Map({ ...${JSON.stringify(options)}, canvasContextAttributes: { preserveDrawingBuffer: true }, style: all[0][1] });
      map.on("error", ({ error }) => errors.push(String(error && error.message)));
      map.on("styleimagemissing", ({ id }) => errors.push("no icon " + id));
      const look = (at) => map.once("idle", () => {
        const rendered = {};
        for (const { sourceLayer } of map.queryRenderedFeatures()) rendered[sourceLayer] = (rendered[sourceLayer] ?? 0) + 1;
        told[all[at][0]] = { rendered, image: map.getCanvas().toDataURL("image/png") };
        if (at + 1 === all.length) fetch("/report", { method: "POST", body: JSON.stringify({ errors, styles: told }) });
        else { map.setStyle(all[at + 1][1], { diff: false }); look(at + 1); }
      });
      look(0);
    </script>`,
  );
}

/** A page that follows Radar's quick start: the SDK is initialised, then `Radar.ui.map`. */
export function radarPage({ host, key, style, center, zoom, language, size = [600, 400] }: MapOptions): string {
  const options = {
    container: "map",
    style,
    center,
    zoom,
    language,
    fadeDuration: 0,
    canvasContextAttributes: { preserveDrawingBuffer: true },
  };
  return page(
    '<link rel="stylesheet" href="/radar-maps.css">',
    size,
    `<script type="module">
      import Radar from "/radar.js";
      window.Radar = Radar.default ?? Radar;
      const script = document.createElement("script");
      script.src = "/radar-maps.js";
      script.onload = () => {
        window.Radar.initialize(${JSON.stringify(key)}, { host: ${JSON.stringify(host)} });
        watch(window.Radar.ui.map(${JSON.stringify(options)}));
      };
      document.body.append(script);
    </script>`,
  );
}
