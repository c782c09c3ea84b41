import { unpaced } from "../../../src/core/geo/pace.ts";
import { tilesBehind, type View } from "../../../src/core/maps/base/view.ts";
import { Ground } from "../../../src/core/maps/ground.ts";
import { layOutScene } from "../../../src/core/maps/scene.ts";
import { builtInIcons, builtInStyle } from "../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../src/core/maps/style/compile-style.ts";
import { drawTexts } from "../../../src/core/maps/text/draw-text.ts";
import { readTile } from "../../../src/core/maps/tiles/vector-tile.ts";
import { readLiveList } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { openBasemap } from "../../../src/worker/geodata/basemap.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { ready } from "../../core/maps/town.ts";
import { encodePng } from "../../support/png.ts";
import { asObjects } from "./geodata-platform.ts";
import { percentile } from "./percentile.ts";

const ROUNDS = 16;
/** Rounds before the clock counts: the first run uncompiled. */
const WARM_UP = 6;

/** Milliseconds of each stage of drawing a view, in this process: the median of warm rounds. */
export async function staticMapStages(
  state: string,
  view: View,
  scale: number,
): Promise<{ stage: string; ms: number }[]> {
  const fonts = await ready();
  const bucket = openLocalBucket(state, geodataBucketName());
  try {
    const { list } = await readLiveList(bucket);
    const objects = asObjects(bucket);
    const basemap = await openBasemap(Geodata.of(objects, list.builds), objects as never);
    const raw = await Promise.all(
      tilesBehind(view, 15).map(async (place) => ({ ...place, bytes: await basemap.tile(place.z, place.x, place.y) })),
    );
    const style = compileStyle(builtInStyle("radar-default-v1"));
    const icons = builtInIcons("radar-default-v1");
    const times = new Map<string, number[]>();
    const clock = async <T>(stage: string, work: () => T | Promise<T>): Promise<T> => {
      const began = performance.now();
      const result = await work();
      times.set(stage, [...(times.get(stage) ?? []), performance.now() - began]);
      return result;
    };
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      const tiles = await clock("decode tiles", () =>
        raw.flatMap(({ bytes, ...place }) => (bytes ? [{ ...place, tile: readTile(bytes) }] : [])),
      );
      const overlay = { markers: [], paths: [] };
      const request = {
        view,
        scale,
        style,
        icons,
        tiles,
        overlay,
        attribution: "auto",
        sources: basemap.sources,
      } as const;
      const scene = await clock("lay out labels, place shapes", () => layOutScene(request, fonts, unpaced()));
      const [width, height] = [view.width * scale, view.height * scale];
      const image = { pixels: new Uint8Array(4 * width * height), width, height, top: 0 };
      await clock("shapes, icons", () => new Ground(scene, scale).draw(image, unpaced()));
      await clock("texts", () => drawTexts(image, scene.labels.texts, fonts, scale));
      await clock("PNG", () => encodePng(image.pixels, image.width, image.height));
    }
    return [...times].map(([stage, all]) => ({ stage, ms: percentile(all.slice(WARM_UP), 0.5) }));
  } finally {
    bucket.close();
  }
}
