import { describe, expect, it } from "vitest";
import type { Box } from "../../../../src/core/maps/base/clip.ts";
import { overlayBoxes } from "../../../../src/core/maps/overlay-boxes.ts";
import { parseMarkers, parsePath } from "../../../../src/core/maps/overlay-parameters.ts";
import { renderPng } from "../../../../src/core/maps/render.ts";
import type { Scene } from "../../../../src/core/maps/scene.ts";
import { STYLE_NAMES } from "../../../../src/core/maps/style/palettes.ts";
import { seededRandom } from "../../../bench/support/random.ts";
import { samples } from "../../../support/night.ts";
import { at, ready, townScene } from "../town.ts";

const overlap = (a: Box, b: Box) =>
  a.left < b.right - 1e-9 && a.right > b.left + 1e-9 && a.top < b.bottom - 1e-9 && a.bottom > b.top + 1e-9;

/** Scenes of the town with random views, styles, paths and markers; the seed makes them the same every time. */
async function* scenes(count: number): AsyncIterable<Scene> {
  const random = seededRandom(81);
  const somewhere = () => at(200 + 600 * random(), 200 + 600 * random());
  const wire = ({ latitude, longitude }: ReturnType<typeof at>) => `${latitude},${longitude}`;
  for (let i = 0; i < count; i++) {
    const markers = Array.from({ length: Math.floor(random() * 6) }, somewhere).map((place) => ({
      at: place,
      color: parseMarkers("1,2").color,
      size: random() < 0.3 ? ("small" as const) : ("normal" as const),
    }));
    const paths = random() < 0.6 ? [parsePath([1, 2, 3, 4].map(() => wire(somewhere())).join("|"))] : [];
    yield await townScene({
      center: [300 + 400 * random(), 300 + 400 * random()],
      zoom: 12 + 6 * random(),
      width: 150 + Math.floor(600 * random()),
      height: 120 + Math.floor(400 * random()),
      style: STYLE_NAMES[i % STYLE_NAMES.length],
      overlay: { markers, paths },
    });
  }
}

describe("labels", () => {
  it("never overlap each other, nor icons, markers, the path or the attribution", async () => {
    let labels = 0;
    for await (const scene of scenes(samples(20, 60))) {
      const taken = [...overlayBoxes(scene.drawn, scene.view), ...scene.corners.map(({ box }) => box)];
      const texts = scene.labels.texts.map(({ boxes }) => boxes);
      labels += texts.length;
      for (let i = 0; i < texts.length; i++) {
        for (const box of texts[i]) {
          for (const other of taken) expect(overlap(box, other)).toBe(false);
          for (let j = i + 1; j < texts.length; j++)
            for (const other of texts[j]) expect(overlap(box, other)).toBe(false);
        }
      }
    }
    expect(labels).toBeGreaterThan(samples(50, 150));
  });

  it("are never cut by the edge of the image", async () => {
    for await (const { view, labels } of scenes(samples(15, 40)))
      for (const { boxes } of labels.texts)
        for (const { left, top, right, bottom } of boxes)
          expect(left >= 0 && top >= 0 && right <= view.width && bottom <= view.height).toBe(true);
  });

  it("along streets can be read without turning the head", async () => {
    let along = 0;
    for await (const { labels } of scenes(samples(15, 40)))
      for (const { glyphs } of labels.texts) {
        if (glyphs.every(({ sin }) => sin === 0)) continue;
        along++;
        // The text as a whole runs to the right; straight up and down may go either way.
        expect(glyphs[glyphs.length - 1].x - glyphs[0].x).toBeGreaterThan(-2);
      }
    expect(along).toBeGreaterThan(samples(8, 25));
  });

  it("are the same every time: the same request, the same bytes", async () => {
    const fonts = await ready();
    const first: Uint8Array[] = [];
    for await (const scene of scenes(samples(3, 6))) first.push(await renderPng(scene, fonts));
    let i = 0;
    for await (const scene of scenes(samples(3, 6))) expect(await renderPng(scene, fonts)).toEqual(first[i++]);
  });

  it("say a city's name in the language that was asked for, where it is known", async () => {
    const names = async (language?: string) =>
      (await townScene({ language, zoom: 13 })).labels.texts.map(({ text }) => text);
    expect(await names()).toContain("Meerstadt");
    expect(await names("fr")).toContain("Ville-sur-Mer");
    expect(await names("ja")).toContain("Meerstadt");
  });
});
