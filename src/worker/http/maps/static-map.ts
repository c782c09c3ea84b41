import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { fitBounds, fitView, tilesBehind, type View } from "../../../core/maps/base/view.ts";
import { type Overlay, subjectsOf } from "../../../core/maps/overlay.ts";
import { MAX_WEBP_PIXELS, RENDERER_VERSION, renderJpeg, renderPng, renderWebp } from "../../../core/maps/render.ts";
import { layOutScene } from "../../../core/maps/scene.ts";
import { renderSvg } from "../../../core/maps/scene-svg.ts";
import type { CompiledStyle } from "../../../core/maps/style/compile-style.ts";
import { MAX_ZOOM } from "../../../core/maps/tiles/plane.ts";
import { type IconSource, iconsFor } from "../../answers/maps/icons.ts";
import { lackHeader, noteLack, noteLackOf, tellLack } from "../../answers/maps/lacking-glyphs.ts";
import { mapFonts, readyToDraw } from "../../answers/maps/map-assets.ts";
import { lookUpNames } from "../../answers/maps/place-names.ts";
import { isBuiltIn, styleFor, wantsTerrain } from "../../answers/maps/style.ts";
import { openBasemap } from "../../geodata/basemap.ts";
import { openGeodata } from "../../geodata/live.ts";
import { mapTiles } from "../../geodata/map-tiles.ts";
import { terrainSources, terrainTiles, terrainVersion } from "../../geodata/terrain.ts";
import { invalid } from "../../platform/errors.ts";
import {
  namesOf,
  type OverlayFields,
  overlayFields,
  type WrittenOverlay,
  writtenInBody,
  writtenInUrl,
} from "../../wire/maps/overlay-fields.ts";
import {
  checkView,
  paddingOf,
  type StaticMapFields,
  staticMapBody,
  staticMapQuery,
} from "../../wire/maps/static-map-fields.ts";
import { attributionHeader } from "../serve/attribution.ts";
import { etagOf, FRESH_FOR_A_DAY, notModified } from "../serve/conditional.ts";
import { type Call, endpoint, MediaReply, type Reply } from "../serve/endpoint.ts";

/** Padding of autofit [pixels at scale 1]. */
const PADDING = 16;
/** Zoom for a single point. */
const POINT_ZOOM = 16;
const BBOX_ZOOM = 23;

/** A map with a missing icon is cached only briefly. */
const PASSING = "public, max-age=60";

const ATTRIBUTION = "x-graticule-attribution";

/** Finished maps in the isolate's memory, faster than the data center's cache. */
const kept = new BoundedCache(4 * 1024 * 1024);

interface KeptMap {
  bytes: Uint8Array;
  /** Attribution of its sources. */
  attribution: string;
}

const MEDIA = { png: "image/png", webp: "image/webp", jpeg: "image/jpeg", svg: "image/svg+xml" } as const;
const RENDERERS = { png: renderPng, webp: renderWebp, jpeg: renderJpeg };

export const staticMap = endpoint({
  name: "staticMap",
  method: "GET",
  repeats: true,
  path: "/maps/static",
  level: "publishable",
  geodataOnly: true,
  signed: true,
  chapter: "Maps",
  summary: "Returns a map image with markers and paths, for the src of an <img>.",
  description:
    "You can pass the key as `publishableKey`, or a signed URL instead of a key (POST /v1/maps/sign). Without `center` and `zoom` the map shows all markers and paths; with one of them " +
    "it fits the other. Icons that cannot be loaded are drawn as default markers, and `X-Map-Icons-Failed` counts them. " +
    "The attribution is in the image and in the header `x-graticule-attribution`. Names with characters that have " +
    "no glyph are shown in English or omitted, and the header `x-graticule-left-out` contains `glyphs`.",
  query: staticMapQuery,
  media: Object.values(MEDIA),
  handle: (call) => answerMap(call as Call, call.query, () => writtenInUrl(new URL(call.request.url))),
});

export const postStaticMap = endpoint({
  name: "postStaticMap",
  method: "POST",
  path: "/maps/static",
  level: "publishable",
  role: "read",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns a map image with an overlay that is too long for a URL.",
  description:
    "Takes the parameters of GET /maps/static as JSON. `markers` and `path` are strings as there, objects with their options and `locations`, or " +
    "lists of these; `geojson` is an object.",
  body: staticMapBody,
  media: Object.values(MEDIA),
  handle: (call) => {
    const { markers: _, path: __, geojson: ___, ...query } = call.body;
    return answerMap(call as Call, query, () => writtenInBody(call.body));
  },
});

/** What the ETag of a URL follows from, besides the URL: only of maps without place names, uploads, and images of markers. */
interface KnownTag {
  etag: string;
  basemap: string;
  hills: string;
}

/** ETags by URL: pages request the same maps again and again, and reading an overlay costs more than all else of a 304 [bytes]. */
const tags = new BoundedCache<KnownTag>(512 * 1024);
/** In addition to the text of an entry [bytes]. */
const TAG_BYTES = 400;

async function answerMap(call: Call, query: StaticMapFields, read: () => WrittenOverlay): Promise<Reply> {
  const { env, request, caller, waitUntil, now } = call;
  if (query.attribution === "false" && !caller.secret)
    throw invalid("attribution", "Only with a secret key, or in a signed URL: you must credit the sources.");
  if (query.format === "webp" && query.width * query.height * query.scale ** 2 > MAX_WEBP_PIXELS)
    throw invalid("format", `webp has up to ${MAX_WEBP_PIXELS} pixels; png and jpeg allow more.`);
  const geodata = await openGeodata(env.GEODATA, call);
  const basemap = await openBasemap(geodata, env.GEODATA, env.BASEMAP_ARCHIVE);
  const hasTerrain = wantsTerrain(query);
  const hills = hasTerrain ? terrainVersion(geodata) : "";
  const known = request.method === "GET" ? tags.get(request.url)?.value : undefined;
  if (known && known.basemap === basemap.version && known.hills === hills) {
    const finished = await finishedMap(call, known.etag, query.format);
    if (finished) return finished;
  }
  const written = read();
  const names = await lookUpNames(geodata, query.center, namesOf(written), {
    language: query.language,
    now,
    pace: call.pace,
  });
  const fields = overlayFields(written, names.of);
  checkView(query, fields);
  const padding = paddingOf(query, query.bbox ? 0 : PADDING);
  const [style, icons] = await Promise.all([
    styleFor(env, caller, query.style, query),
    iconsFor(
      env,
      caller,
      fields.markers.map(({ icon }) => icon).filter((icon) => icon !== undefined),
      now,
    ),
  ]);
  const beforeLayer = layerOf(query.before_layer, style.style);
  const center = names.center(query.center);
  const asked = { ...query, center, padding };
  const versions = [basemap.version, style.version, icons.version, ...(hasTerrain ? [hills] : [])];
  const etag = await etagOf(identityOf(asked, fields, versions));
  const isOfUrl = namesOf(written).length === 0 && center === query.center && icons.version === "";
  if (request.method === "GET" && isOfUrl && isBuiltIn(query.style))
    tags.put(request.url, { etag, basemap: basemap.version, hills }, 2 * request.url.length + TAG_BYTES);
  const finished = await finishedMap(call, etag, query.format);
  if (finished) return finished;

  readyToDraw();
  const headers = { etag, "content-type": MEDIA[query.format], ...SAFE };
  const loadedIcons = await icons.load(query.scale);
  const overlay = overlayOf(fields, loadedIcons);
  const view = viewOf(asked, overlay);
  const { pace } = call;
  const terrain = hasTerrain ? await terrainTiles(geodata, view, pace) : { drawn: [], isWhole: true };
  const tiles = [...(await mapTiles(basemap, view, pace)), ...terrain.drawn];
  // Only known exactly after the tiles are loaded.
  const ofTiles = basemap.sourcesIn(tilesBehind(view, MAX_ZOOM));
  const sources = terrain.drawn.length > 0 ? [...ofTiles, ...terrainSources(geodata, view)] : ofTiles;
  call.credit(sources);
  const fonts = mapFonts(basemap, tiles);
  const scene = await layOutScene(
    {
      view,
      scale: query.scale,
      style: style.style,
      icons: style.icons,
      form: style.form,
      tiles,
      overlay,
      ...(beforeLayer !== undefined && { beforeLayer }),
      attribution: query.attribution === "false" ? "none" : query.attribution,
      sources,
    },
    fonts,
    pace,
  );
  noteLack(etag, scene.lacksGlyphs);
  tellLack(etag, call);
  const bytes = query.format === "svg" ? renderSvg(scene) : await RENDERERS[query.format](scene, fonts, pace);
  const map = { bytes, attribution: attributionHeader(sources) ?? "" };
  const isWhole = basemap.whole && terrain.isWhole;
  if (loadedIcons.failed > 0 || !isWhole) {
    // Without an ETag: a client with this map must not get 304 later.
    const { etag: _, ...untagged } = headers;
    const failed = loadedIcons.failed > 0 ? { "x-map-icons-failed": String(loadedIcons.failed) } : undefined;
    const cacheControl = isWhole ? PASSING : "no-store";
    return imageReply(map, { ...untagged, ...failed, "cache-control": cacheControl });
  }
  kept.put(etag, map, bytes.length);
  const lasting = { ...headers, ...lackHeader(etag), "cache-control": FRESH_FOR_A_DAY };
  const copy = imageReply(map, lasting);
  waitUntil(caches.default.put(cacheKey(etag), new Response(copy.body, { headers: copy.headers })));
  return imageReply(map, { ...headers, "cache-control": FRESH_FOR_A_DAY });
}

/** The response, if the caller has the map (304, only for GET), or a cache. */
async function finishedMap(call: Call, etag: string, format: keyof typeof MEDIA): Promise<Reply | undefined> {
  const { request } = call;
  const same = request.method === "GET" && notModified(request, etag, { "cache-control": FRESH_FOR_A_DAY });
  if (same) return same;
  const found = await cached(etag);
  tellLack(etag, call);
  if (!found) return undefined;
  call.credit(found.attribution.split("; ").map((word) => ({ name: word, url: "", licence: "", attribution: word })));
  return imageReply(found, { etag, "content-type": MEDIA[format], ...SAFE, "cache-control": FRESH_FOR_A_DAY });
}

/** An SVG opened as a page, or an image inside it, must not run anything. */
const SAFE = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
};

function imageReply({ bytes, attribution }: KeptMap, headers: Record<string, string>): MediaReply {
  return new MediaReply(bytes as BufferSource, { ...headers, ...(attribution && { [ATTRIBUTION]: attribution }) });
}

type Asked = Omit<StaticMapFields, "center" | "padding"> & {
  center: View["center"] | undefined;
  padding: ReturnType<typeof paddingOf>;
};

function viewOf({ width, height, center, zoom, bbox, padding }: Asked, overlay: Overlay): View {
  const fit = { width, height, padding, maxZoom: POINT_ZOOM, center, zoom };
  if (bbox) return fitBounds(bbox, { ...fit, maxZoom: BBOX_ZOOM });
  return fitView(subjectsOf(overlay), fit);
}

/** The style layer above the paths. @throws ApiError if the style has no layer with this id */
function layerOf(id: string | undefined, { layers }: CompiledStyle): string | undefined {
  if (id === undefined || layers.some((layer) => layer.id === id)) return id;
  throw invalid("before_layer", `Layers of this style: ${layers.map((layer) => layer.id).join(", ")}.`);
}

function overlayOf({ markers, paths }: OverlayFields, loadedIcons: Awaited<ReturnType<IconSource["load"]>>): Overlay {
  return {
    paths,
    markers: markers.flatMap(({ icon, locations, ...look }) => {
      const image = icon === undefined ? undefined : loadedIcons.icons.get(icon);
      return locations.map((at) => ({ ...look, at, ...(image && { icon: image }) }));
    }),
  };
}

/** Everything the image depends on, and nothing else: not the key, and not the order or spelling of parameters. */
function identityOf(query: Asked, fields: OverlayFields, versions: readonly string[]): string {
  const { markers: _, path: __, geojson: ___, ...rest } = query;
  // By name: sorting pairs would write each of them as text first.
  const sorted = Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([RENDERER_VERSION, versions, sorted, fields]);
}

/** The cache key of a map in a data center: not a real host, and without an API key. */
const cacheKey = (etag: string) => `https://static-map.invalid/${etag.replaceAll('"', "")}`;

async function cached(etag: string): Promise<KeptMap | undefined> {
  const known = kept.get(etag);
  if (known) return known.value as KeptMap;
  const response = await caches.default.match(cacheKey(etag));
  if (!response) return undefined;
  noteLackOf(etag, response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const map = { bytes, attribution: response.headers.get(ATTRIBUTION) ?? "" };
  kept.put(etag, map, bytes.length);
  return map;
}
