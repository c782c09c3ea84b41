import type { z } from "zod";
import { BoundedCache } from "../../geo/bounded-cache.ts";
import { openBasemap } from "../../geodata/basemap.ts";
import { openGeodata } from "../../geodata/live.ts";
import { mapTiles } from "../../geodata/map-tiles.ts";
import { type Overlay, subjectsOf } from "../../maps/overlay.ts";
import { RENDERER_VERSION, renderPng } from "../../maps/render.ts";
import { layOutScene } from "../../maps/scene.ts";
import { renderSvg } from "../../maps/scene-svg.ts";
import { MAX_ZOOM } from "../../maps/tiles/plane.ts";
import { fitBounds, fitView, tilesBehind, type View } from "../../maps/view.ts";
import { etagOf, FRESH_FOR_A_DAY, notModified } from "../serve/conditional.ts";
import { endpoint } from "../serve/endpoint.ts";
import { requestPace } from "../serve/pace.ts";
import { mapFonts, readyToDraw } from "./map-assets.ts";
import {
  checkView,
  type OverlayFields,
  overlayFields,
  type staticMapQuery as Query,
  staticMapQuery,
} from "./static-map-fields.ts";
import { type IconSource, iconsFor } from "./static-map-icons.ts";
import { styleFor } from "./static-map-style.ts";

/** Kept free around what autofit shows [pixels at scale 1]. */
const PADDING = 16;
/** A single point is shown from here. */
const POINT_ZOOM = 16;
const BBOX_ZOOM = 23;

/** A map on which an icon is missing is asked for again soon. */
const PASSING = "public, max-age=60";

/** Finished maps in the isolate's memory: the next asker need not even wait for the data centre's cache. */
const kept = new BoundedCache(4 * 1024 * 1024);

export const staticMap = endpoint({
  name: "staticMap",
  method: "GET",
  path: "/maps/static",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "A map as an image, with markers and paths, for the src of an <img>.",
  description:
    "The key may be given as `publishableKey`. Without `center` and `zoom` the map shows all markers and paths; with one of them " +
    "it keeps it and fits the other. Pictures that cannot be had are drawn as default markers, and `X-Map-Icons-Failed` counts them.",
  query: staticMapQuery,
  media: ["image/png", "image/svg+xml"],
  async handle(call) {
    const { query, env, request, caller, waitUntil, now } = call;
    const fields = overlayFields(new URL(request.url));
    checkView(query, fields);
    const geodata = await openGeodata(env.GEODATA, call);
    const [basemap, style, icons] = await Promise.all([
      openBasemap(geodata, env.GEODATA, env.BASEMAP_ARCHIVE),
      styleFor(env, caller, query.style, query.language),
      iconsFor(
        env,
        caller,
        fields.markers.map(({ icon }) => icon).filter((icon) => icon !== undefined),
        now,
      ),
    ]);
    const identity = identityOf(query, fields, [basemap.version, style.version, icons.version]);
    const etag = await etagOf(identity);
    const headers = { etag, "content-type": query.format === "svg" ? "image/svg+xml" : "image/png", ...SAFE };
    const same = notModified(request, etag, { "cache-control": FRESH_FOR_A_DAY });
    if (same) return same;
    const found = await cached(etag);
    if (found) return new Response(found, { headers: { ...headers, "cache-control": FRESH_FOR_A_DAY } });

    readyToDraw();
    const pictures = await icons.load(query.scale);
    const overlay = overlayOf(fields, pictures);
    const view = viewOf(query, overlay);
    const pace = requestPace();
    const tiles = await mapTiles(basemap, view, pace);
    const fonts = mapFonts();
    const scene = await layOutScene(
      {
        view,
        scale: query.scale,
        style: style.style,
        icons: style.icons,
        tiles,
        overlay,
        attribution: query.attribution,
        sources: basemap.sourcesIn(tilesBehind(view, MAX_ZOOM)),
      },
      fonts,
      pace,
    );
    const bytes = query.format === "svg" ? renderSvg(scene) : await renderPng(scene, fonts, pace);
    if (pictures.failed > 0 || !basemap.whole) {
      // Without a tag: who has this map must not be told that it is still the right one.
      const { etag: _, ...untagged } = headers;
      const failed = pictures.failed > 0 ? { "x-map-icons-failed": String(pictures.failed) } : undefined;
      const cacheControl = basemap.whole ? PASSING : "no-store";
      return new Response(bytes as BufferSource, {
        headers: { ...untagged, ...failed, "cache-control": cacheControl },
      });
    }
    keep(etag, bytes, headers, waitUntil);
    return new Response(bytes as BufferSource, { headers: { ...headers, "cache-control": FRESH_FOR_A_DAY } });
  },
});

/** An SVG that is opened as a page may do nothing; neither may a picture inside it. */
const SAFE = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
};

type Fields = z.output<typeof Query>;

function viewOf(query: Fields, overlay: Overlay): View {
  const { width, height, center, zoom, bbox } = query;
  const fit = { width, height, padding: PADDING, maxZoom: POINT_ZOOM, center, zoom };
  if (bbox) return fitBounds(bbox, { ...fit, padding: 0, maxZoom: BBOX_ZOOM });
  return fitView(subjectsOf(overlay), fit);
}

function overlayOf({ markers, paths }: OverlayFields, pictures: Awaited<ReturnType<IconSource["load"]>>): Overlay {
  return {
    paths,
    markers: markers.flatMap(({ color, small, icon, locations }) => {
      const picture = icon === undefined ? undefined : pictures.icons.get(icon);
      return locations.map((at) => ({ at, color, small, icon: picture }));
    }),
  };
}

/** Everything the image depends on, and nothing else: not the key, not the order of parameters or the way they were written. */
function identityOf(query: Fields, fields: OverlayFields, versions: readonly string[]): string {
  const { markers: _, path: __, ...rest } = query;
  return JSON.stringify([RENDERER_VERSION, versions, Object.entries(rest).sort(), fields]);
}

/** The key under which a data centre keeps a map: no host answers it, and no API key is in it. */
const cacheKey = (etag: string) => `https://static-map.invalid/${etag.replaceAll('"', "")}`;

async function cached(etag: string): Promise<BodyInit | undefined> {
  const known = kept.get(etag);
  if (known) return known.value as BufferSource;
  const response = await caches.default.match(cacheKey(etag));
  if (!response) return undefined;
  const bytes = new Uint8Array(await response.arrayBuffer());
  kept.put(etag, bytes, bytes.length);
  return bytes;
}

function keep(
  etag: string,
  bytes: Uint8Array,
  headers: Record<string, string>,
  waitUntil: (promise: Promise<unknown>) => void,
): void {
  kept.put(etag, bytes, bytes.length);
  const response = new Response(bytes as BufferSource, { headers: { ...headers, "cache-control": FRESH_FOR_A_DAY } });
  waitUntil(caches.default.put(cacheKey(etag), response));
}
