// biome-ignore-all lint/suspicious/noExplicitAny: what a page reports is read without a type to lean on
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../src/server/base/wrangler.ts";
import { openPeerWorld, type PeerWorld } from "../worker/http/peers/peer-world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { Driver } from "./driver.ts";

/** Clients of OSRM, Nominatim and Photon that need a page, in Chromium: only their URL is set. */

let peer: PeerWorld;
let driver: Driver;
let folder: string;
let server: Server;

/** What the page tells, after the clients have run: each client by its name. */
const PROGRAM = `
import L from "leaflet";
import { geocoders } from "leaflet-control-geocoder";
import MapLibreGlDirections from "@maplibre/maplibre-gl-directions";
import MaplibreGeocoder from "@maplibre/maplibre-gl-geocoder";
import maplibregl from "maplibre-gl";
import OlMap from "ol/Map.js";
import View from "ol/View.js";
import Geocoder from "ol-geocoder";

window.L = L;
const WEST = [48.985, -111.23], EAST = [49.015, -111.17];

window.clients = {
  async routingMachine(base) {
    await import("leaflet-routing-machine");
    const router = L.Routing.osrmv1({ serviceUrl: base + "/osrm/route/v1" });
    const points = [WEST, EAST].map((point) => L.Routing.waypoint(L.latLng(point)));
    const ask = () => new Promise((done, failed) => router.route(points, (error, routes) => (error ? failed(new Error(JSON.stringify(error))) : done(routes))));
    await ask();
    // The second time with the hints of the first.
    const [route] = await ask();
    return { name: route.name, points: route.coordinates.length, texts: route.instructions.map(({ text }) => text), distance: route.summary.totalDistance };
  },
  async controlGeocoder(base) {
    const osm = geocoders.nominatim({ serviceUrl: base + "/nominatim/" });
    const komoot = geocoders.photon({ serviceUrl: base + "/photon/api/", reverseUrl: base + "/photon/reverse/" });
    const [found] = await osm.geocode("Meridale");
    const [named] = await osm.reverse({ lat: 48.99, lng: -111.2 }, 256 * 2 ** 18);
    const [typed] = await komoot.geocode("Latitude Coff", { map: { getCenter: () => ({ lat: 48.99, lng: -111.2 }), getZoom: () => 12 } });
    const [near] = await komoot.reverse({ lat: 48.99, lng: -111.2 }, 256 * 2 ** 18);
    return { found: found.name, isInBox: found.bbox.contains(found.center), named: named.name, typed: typed.name, near: near.properties.street };
  },
  async leafletPhoton(base) {
    await import("leaflet.photon");
    const map = L.map(document.body.appendChild(Object.assign(document.createElement("div"), { style: "width:300px;height:300px" }))).setView([48.99, -111.2], 12);
    const input = document.body.appendChild(document.createElement("input"));
    const chosen = new Promise((done) => {
      new L.PhotonSearch(map, input, { url: base + "/photon/api/?", submitDelay: 0, resultsHandler: ({ features }) => done(features) });
    });
    input.value = "Latitude Coffee";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    const features = await chosen;
    return features.map(({ properties }) => properties.name);
  },
  async directions(base) {
    const container = document.body.appendChild(Object.assign(document.createElement("div"), { style: "width:300px;height:300px" }));
    const map = new maplibregl.Map({ container, style: { version: 8, sources: {}, layers: [] }, center: [-111.2, 48.99], zoom: 11 });
    await new Promise((done) => map.on("load", done));
    const directions = new MapLibreGlDirections(map, { api: base + "/osrm/route/v1", profile: "driving", requestOptions: { alternatives: "true" } });
    const answer = new Promise((done) => directions.on("fetchroutesend", ({ data }) => done(data.directions)));
    await directions.setWaypoints([[-111.23, 48.985], [-111.17, 49.015]]);
    const { routes } = await answer;
    return { routes: routes.length, distance: routes[0].distance, drawn: directions.waypoints.length };
  },
  async maplibreGeocoder(base) {
    const forwardGeocode = async ({ query }) => {
      const response = await fetch(base + "/nominatim/search?q=" + encodeURIComponent(query) + "&format=geojson&polygon_geojson=1&addressdetails=1");
      const { features } = await response.json();
      return { features: features.map((feature) => ({ type: "Feature", geometry: feature.geometry, place_name: feature.properties.display_name, text: feature.properties.display_name, place_type: ["place"], center: [(feature.bbox[0] + feature.bbox[2]) / 2, (feature.bbox[1] + feature.bbox[3]) / 2] })) };
    };
    const geocoder = new MaplibreGeocoder({ forwardGeocode }, { maplibregl, showResultsWhileTyping: false });
    const holder = document.body.appendChild(document.createElement("div"));
    geocoder.addTo(holder);
    const results = new Promise((done) => geocoder.on("results", ({ features }) => done(features)));
    geocoder.query("Meridale");
    return (await results).map(({ place_name }) => place_name);
  },
  async olGeocoder(base) {
    const target = document.body.appendChild(Object.assign(document.createElement("div"), { style: "width:300px;height:300px" }));
    const map = new OlMap({ target, view: new View({ center: [0, 0], zoom: 2 }) });
    const control = new Geocoder("nominatim", { provider: "osm", url: base + "/nominatim/search", lang: "en", limit: 5, autoComplete: false, preventMarker: true });
    map.addControl(control);
    const chosen = new Promise((done) => control.on("addresschosen", done));
    const input = target.querySelector("input");
    input.value = "Meridale";
    input.dispatchEvent(new KeyboardEvent("keypress", { key: "Enter", bubbles: true }));
    input.dispatchEvent(new KeyboardEvent("keyup", { key: "Enter", bubbles: true }));
    for (let i = 0; i < 100 && !target.querySelector(".gcd-gl-result li, .gcd-txt-result li"); i++) await new Promise((wait) => setTimeout(wait, 100));
    target.querySelector(".gcd-gl-result li a, .gcd-txt-result li a, .gcd-gl-result li, .gcd-txt-result li").click();
    const { address } = await chosen;
    return address.details ?? address;
  },
};
`;

beforeAll(async () => {
  if (!CHROMIUM) return;
  peer = await openPeerWorld();
  // Below the project, so that the packages are found.
  folder = mkdtempSync(join(ROOT, "node_modules/.cache-peers-"));
  writeFileSync(join(folder, "page.js"), PROGRAM);
  await build({
    configFile: false,
    root: folder,
    logLevel: "error",
    build: {
      lib: { entry: join(folder, "page.js"), formats: ["iife"], name: "page", fileName: () => "built.js" },
      outDir: join(folder, "out"),
      minify: false,
      rollupOptions: { output: { inlineDynamicImports: true } },
    },
    define: { "process.env.NODE_ENV": '"production"', global: "globalThis" },
  });
  // A page of another origin, as those of customers are.
  const script = readFileSync(join(folder, "out/built.js"));
  server = createServer(({ url }, response) => {
    const isScript = url === "/built.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(isScript ? script : '<!doctype html><body><script src="/built.js"></script></body>');
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  driver = await Driver.start({ scale: 1 });
  await driver.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await driver.waitFor("window.clients");
}, 240_000);

afterAll(async () => {
  await driver?.close();
  server?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const run = (name: string) =>
  driver.eval<any>(`window.clients.${name}(${JSON.stringify(`${peer.host}/key/${peer.world.keys.testPublishable}`)})`);

describe.skipIf(!CHROMIUM)("a client on a page, given only a URL", { timeout: 120_000, ...AGAIN }, () => {
  it("leaflet-routing-machine draws a route with its own words", async () => {
    const { points, texts, distance } = await run("routingMachine");
    expect([points > 50, Math.round(distance)]).toEqual([true, 9251]);
    expect(texts[0]).toContain("Timber Court");
    expect(texts.at(-1)).toMatch(/arrived at your destination/);
  });

  it("leaflet-control-geocoder finds with Nominatim and Photon", async () => {
    expect(await run("controlGeocoder")).toEqual({
      found: "Meridale, MT USA",
      isInBox: true,
      named: "1554 Bobolink Place, Meridale, MT 59999 USA",
      typed: expect.stringContaining("Latitude Coffee"),
      near: "Bobolink Place",
    });
  });

  it("leaflet.photon completes what is typed", async () => {
    expect(await run("leafletPhoton")).toContain("Latitude Coffee");
  });

  it("maplibre-gl-directions gets routes for its waypoints", async () => {
    const { routes, distance, drawn } = await run("directions");
    expect([routes >= 1, Math.round(distance), drawn]).toEqual([true, 9251, 2]);
  });

  it("maplibre-gl-geocoder lists what Nominatim's GeoJSON has", async () => {
    expect((await run("maplibreGeocoder"))[0]).toBe("Meridale, MT USA");
  });

  it("ol-geocoder chooses an address", async () => {
    expect(JSON.stringify(await run("olGeocoder"))).toContain("Meridale");
  });
});
