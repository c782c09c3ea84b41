/**
 * The interactive map in the maps guide: MapLibre on this server, with the reader's key or as the signed-in member of
 * a project. Its view is used in the examples below it (page.ts). The file is served as is: it imports only types, and
 * loads MapLibre's build without blobs when the map becomes visible, so that the page's policy does not change.
 */
import type * as MapLibre from "maplibre-gl";

declare global {
  interface Window {
    maplibregl?: typeof MapLibre;
  }
}

/** The reader's map view. */
interface ShownView {
  style: string;
  longitude: number;
  latitude: number;
  /** As MapLibre counts: of tiles of 512 pixels. */
  zoom: number;
}

/** Whose map it is: a key, or a session and the project it is used for. */
type Access = { key: string } | { project: string; projectName: string };

interface Project {
  _id: string;
  name: string;
  disabled: boolean;
}

const FILES = "/docs/files";
const STYLES = ["radar-default-v1", "radar-light-v1", "radar-dark-v1", "grayscale", "white", "black"];
const LANGUAGES: readonly [code: string, name: string][] = [
  ["", "local names"],
  ...(
    [
      ...[
        "en English",
        "de Deutsch",
        "fr français",
        "es español",
        "ru русский",
        "el ελληνικά",
        "ar العربية",
        "he עברית",
      ],
      ...["fa فارسی", "hi हिन्दी", "th ไทย", "ja 日本語", "ko 한국어", "zh 中文"],
    ] as const
  ).map((text): [string, string] => [text.slice(0, 2), text.slice(3)]),
];
const KEPT = "graticule-docs";

const readChoice = (name: string): string => {
  try {
    return localStorage.getItem(`${KEPT}-${name}`) ?? "";
  } catch {
    return "";
  }
};

class LiveMap {
  readonly #root: HTMLElement;
  readonly #box = makeElement("div", { className: "live-canvas" });
  readonly #says = makeElement("p", { className: "live-says", role: "status" });
  readonly #style = makeSelect("Style", [...STYLES.map((name): [string, string] => [name, name])]);
  readonly #language = makeSelect("Names", LANGUAGES);
  readonly #project = makeSelect("Project", []);
  #map: MapLibre.Map | undefined;
  #access: Access | undefined;
  #isNear = false;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  start(): void {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.#style.field.value = isDark ? "radar-dark-v1" : "radar-default-v1";
    this.#project.label.hidden = true;
    const bar = makeElement("div", { className: "live-bar" });
    for (const { label } of [this.#style, this.#language, this.#project]) bar.appendChild(label);
    this.#root.replaceChildren(bar, this.#box, this.#says);
    this.#style.field.addEventListener("change", () => this.#restyle());
    this.#language.field.addEventListener("change", () => this.#restyle());
    this.#project.field.addEventListener("change", () => this.#restyle());
    document.addEventListener("graticule:key", () => void this.#look());
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        seen.disconnect();
        this.#isNear = true;
        void this.#look();
      },
      { rootMargin: "300px" },
    );
    seen.observe(this.#root);
  }

  /** Draws the map with what there is: a key, else a session, else words that say what is missing. */
  async #look(): Promise<void> {
    if (!this.#isNear) return;
    const key = readChoice("publishable");
    if (key && !/^prj_(test|live)_pk_\w{40,}$/.test(key)) return this.#lack("This is not a complete publishable key");
    const access = key ? { key } : await this.#member();
    if (!access) return this.#lack("No map yet");
    this.#access = access;
    this.#project.label.hidden = "key" in access;
    this.#says.textContent = "Loading the map…";
    this.#root.dataset.state = "loading";
    try {
      const maplibre = await loadEngine();
      if (this.#map) this.#restyle();
      else this.#make(maplibre);
    } catch (error) {
      this.#report("failed", `The map cannot be shown: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** The session of the dashboard in this browser; it is asked for where the dashboard has said that there is one. */
  async #member(): Promise<Access | undefined> {
    if (readChoice("member") === "") return undefined;
    const answer = await fetch("/dashboard/api/session").catch(() => undefined);
    if (!answer?.ok) return undefined;
    const { projects } = (await answer.json()) as { projects: Project[] };
    const open = projects.filter(({ disabled }) => !disabled);
    if (open.length === 0) return undefined;
    const { field } = this.#project;
    const before = field.value;
    field.replaceChildren(...open.map(({ _id, name }) => makeElement("option", { value: _id, textContent: name })));
    const chosen = open.find(({ _id }) => _id === before) ?? open[0];
    field.value = chosen._id;
    return { project: chosen._id, projectName: chosen.name };
  }

  #make(maplibre: typeof MapLibre): void {
    const map = new maplibre.Map({
      container: this.#box,
      style: this.#styleUrl(),
      center: [10, 30],
      zoom: 1.2,
      transformRequest: (url) => ({ url, ...this.#headersFor(url) }),
      attributionControl: { compact: true },
      cooperativeGestures: true,
      fadeDuration: 0,
      locale: { "Map.Title": "A map of this server" },
    });
    this.#map = map;
    map.addControl(new maplibre.NavigationControl(), "top-right");
    map.once("load", () => this.#box.querySelector("details.maplibregl-ctrl-attrib")?.removeAttribute("open"));
    map.on("error", ({ error }: { error: Error & { status?: number } }) => this.#report("failed", problemOf(error)));
    map.on("moveend", (event: { originalEvent?: unknown }) => event.originalEvent && this.#show());
    map.on("idle", () => this.#root.dataset.state !== "failed" && this.#report("drawn", this.#words()));
  }

  #restyle(): void {
    if (!this.#map) return void this.#look();
    if (this.#access && "project" in this.#access) {
      const { value, selectedOptions } = this.#project.field;
      this.#access = { project: value, projectName: selectedOptions[0]?.textContent ?? "" };
    }
    this.#root.dataset.state = "loading";
    this.#map.setStyle(this.#styleUrl(), { diff: false });
    this.#show();
  }

  #styleUrl(): string {
    const query = new URLSearchParams();
    if (this.#access && "key" in this.#access) query.set("publishableKey", this.#access.key);
    if (this.#language.field.value) query.set("language", this.#language.field.value);
    return `${location.origin}/maps/styles/${this.#style.field.value}${query.size > 0 ? `?${query}` : ""}`;
  }

  #headersFor(url: string): Pick<MapLibre.RequestParameters, "headers" | "credentials"> {
    if (!this.#access || "key" in this.#access || !url.startsWith(`${location.origin}/`)) return {};
    const headers = { "x-graticule-project": this.#access.project, "x-graticule-environment": "test" };
    return { headers, credentials: "same-origin" };
  }

  #show(): void {
    const { lng: longitude, lat: latitude } = this.#map!.getCenter().wrap();
    const shown: ShownView = { style: this.#style.field.value, longitude, latitude, zoom: this.#map!.getZoom() };
    const detail = (text: string) => (text.includes('<div id="map"') ? withView(text, shown) : text);
    document.dispatchEvent(new CustomEvent("graticule:shown", { detail }));
  }

  #words(): string {
    if (!this.#access) return "";
    if (this.#lacksStreets()) return "No streets imported here.";
    return "key" in this.#access
      ? "Rendered by this server with your publishable key. Your choices appear in the examples below."
      : `Rendered by this server with your dashboard session, for ${this.#access.projectName}. Your choices appear in the examples below.`;
  }

  /** Is the view near enough for streets, and beside the areas that have them? */
  #lacksStreets(): boolean {
    const map = this.#map!;
    const { "graticule:streets": areas = [] } = map.getStyle().metadata as { "graticule:streets"?: number[][] };
    const view = map.getBounds();
    return (
      map.getZoom() >= 12 &&
      areas.every(([west, south, east, north]) => {
        const isBeside = west > view.getEast() || east < view.getWest();
        return isBeside || south > view.getNorth() || north < view.getSouth();
      })
    );
  }

  #lack(why: string): void {
    this.#map?.remove();
    this.#map = undefined;
    this.#access = undefined;
    this.#project.label.hidden = true;
    this.#root.dataset.state = "lacking";
    this.#box.replaceChildren();
    this.#says.replaceChildren(
      `${why}: a map needs a publishable key. `,
      makeElement("a", { href: "#key-publishable", textContent: "Type yours above" }),
      ", or ",
      makeElement("a", { href: "/dashboard/", textContent: "sign in to the dashboard" }),
      " and come back.",
    );
  }

  #report(state: string, words: string): void {
    this.#root.dataset.state = state;
    this.#says.textContent = words;
  }
}

/** The example of a map in a page, with what the reader looks at in place of the demo town. */
function withView(text: string, { style, longitude, latitude, zoom }: ShownView): string {
  const digits = zoom > 8 ? 5 : 2;
  const [x, y] = [longitude, latitude].map((value) => String(Number(value.toFixed(digits))));
  const near = Math.round(zoom * 10) / 10;
  return (
    text
      .replaceAll("radar-default-v1", style)
      .replaceAll("-111.2, 48.99", `${x}, ${y}`)
      .replaceAll("48.99, -111.2", `${y}, ${x}`)
      .replace("zoom: 13", `zoom: ${near}`)
      // Leaflet and OpenLayers count zooms of tiles of 256 pixels.
      .replace("zoom: 14", `zoom: ${near + 1}`)
      .replace("], 14)", `], ${Math.round(near + 1)})`)
  );
}

/** MapLibre's build whose worker is a file: no `worker-src blob:` is needed. Loaded once. */
let loaded: Promise<typeof MapLibre> | undefined;

function loadEngine(): Promise<typeof MapLibre> {
  loaded ??= new Promise((done, failed) => {
    document.head.appendChild(makeElement("link", { rel: "stylesheet", href: `${FILES}/maplibre-gl.css` }));
    const script = makeElement("script", { src: `${FILES}/maplibre-gl.js` });
    script.addEventListener("error", () => failed(new Error("MapLibre could not be loaded.")));
    script.addEventListener("load", () => {
      const maplibre = window.maplibregl!;
      maplibre.setWorkerUrl(`${FILES}/maplibre-gl-worker.js`);
      // Arabic and Hebrew names; loaded when the first of them is met.
      void maplibre.setRTLTextPlugin(`${location.origin}/dashboard/rtl-text.js`, true);
      done(maplibre);
    });
    document.head.appendChild(script);
  });
  return loaded;
}

function problemOf({ status, message }: { status?: number; message: string }): string {
  if (status === 401) return "The server rejected this key.";
  if (status === 403) return "The key is not allowed on this page. Add this page to the project's allowedReferrers.";
  if (status === 402) return "The project is disabled or over its monthly quota.";
  return status === undefined
    ? `The map is incomplete: ${message}`
    : `A part of the map could not be loaded (${status}).`;
}

function makeElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(tag), properties);
}

function makeSelect(name: string, options: readonly (readonly [value: string, text: string])[]) {
  const label = makeElement("label", { textContent: name });
  const field = makeElement("select", {});
  for (const [value, textContent] of options) field.appendChild(makeElement("option", { value, textContent }));
  label.appendChild(field);
  return { label, field };
}

const root = document.getElementById("live-map");
if (root) new LiveMap(root).start();
