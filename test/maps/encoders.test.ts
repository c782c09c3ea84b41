import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { toBase64 } from "../../src/maps/image/base64.ts";
import { JpegEncoder } from "../../src/maps/image/jpeg.ts";
import { buildPalette } from "../../src/maps/image/quantise.ts";
import { rasterise } from "../../src/maps/image/rasterise.ts";
import { decodeWebp as decoded, type WebpPixels } from "../../src/maps/image/webp-decoder.ts";
import { WebpEncoder } from "../../src/maps/image/webp-encoder.ts";
import { renderJpeg, renderPng, renderWebp } from "../../src/maps/render.ts";
import { readPng } from "./read-png.ts";
import { ready, townScene } from "./town.ts";

beforeAll(async () => {
  await ready();
}, 60_000);

const decodeWebp = (bytes: Uint8Array) => decoded(bytes) as WebpPixels;

/** Pixels of a JPEG, by a decoder that is not ours. */
function decodeJpeg(bytes: Uint8Array, width: number, height: number): Uint8Array {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/jpeg;base64,${toBase64(bytes)}"/></svg>`;
  return rasterise(new TextEncoder().encode(svg)).pixels;
}

function opaque(
  width: number,
  height: number,
  color: (x: number, y: number) => readonly [number, number, number],
): Uint8Array {
  const pixels = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels.set([...color(x, y), 255], 4 * (y * width + x));
  return pixels;
}

describe("a JPEG of ours", () => {
  it.each([
    [64, 64],
    [1, 1],
    [37, 19],
    [200, 9],
  ])("of %d × %d pixels is read by others, and looks like what it was made of", (width, height) => {
    const pixels = opaque(width, height, (x, y) => [(x * 3) & 255, (y * 5) & 255, x > width / 2 ? 200 : 40]);
    const encoder = new JpegEncoder(width, height);
    for (let y = 0; y < height; y += 5) {
      const rows = Math.min(5, height - y);
      encoder.write(pixels.subarray(4 * y * width, 4 * (y + rows) * width), rows);
    }
    const read = decodeJpeg(encoder.finish(), width, height);
    let off = 0;
    for (let i = 0; i < pixels.length; i++) off += Math.abs(pixels[i] - read[i]);
    expect(off / pixels.length).toBeLessThan(3);
  });
});

describe("a WebP of ours", () => {
  it("has every pixel as it was, whatever the picture", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.tuple(fc.nat(15), fc.nat(15), fc.nat(15)), { minLength: 1, maxLength: 200 }),
        fc.infiniteStream(fc.nat(400)),
        (width, height, colors, stream) => {
          let run: readonly [number, number, number] = colors[0].map((value) => 17 * value) as never;
          const pixels = opaque(width, height, () => {
            const [drawn] = [...stream.take(1)];
            if (drawn < 200) run = colors[drawn % colors.length].map((value) => 17 * value) as never;
            return run;
          });
          const encoder = new WebpEncoder(width, height, buildPalette(pixels));
          encoder.write(pixels, height);
          const read = decodeWebp(encoder.finish());
          expect([read.width, read.height]).toEqual([width, height]);
          expect([...read.pixels]).toEqual([...pixels]);
        },
      ),
      { seed: 5, numRuns: 60 },
    );
  });
});

it("a map is the same picture in every format, and WebP the smallest of those that lose nothing", async () => {
  const fonts = await ready();
  const scene = await townScene({ scale: 2 });
  const [png, jpeg, webp] = [
    await renderPng(scene, fonts),
    await renderJpeg(scene, fonts),
    await renderWebp(scene, fonts),
  ];
  const { pixels, width, height } = readPng(png);
  const colors = (rgba: Uint8Array) => Buffer.from(rgba.filter((_, i) => i % 4 < 3));
  expect(Buffer.compare(colors(decodeWebp(webp).pixels), Buffer.from(pixels))).toBe(0);
  const lossy = colors(decodeJpeg(jpeg, width, height));
  let off = 0;
  for (let i = 0; i < lossy.length; i++) off += Math.abs(lossy[i] - pixels[i]);
  expect(off / lossy.length).toBeLessThan(3);
  expect(webp.length).toBeLessThan(png.length);
  if (process.env.MEASURE) {
    const time = async (name: string, render: typeof renderPng) => {
      const from = process.cpuUsage();
      for (let i = 0; i < 5; i++) await render(scene, fonts);
      const { user, system } = process.cpuUsage(from);
      console.log(name, ((user + system) / 5000).toFixed(1), "ms of CPU");
    };
    console.log("bytes", { png: png.length, jpeg: jpeg.length, webp: webp.length });
    await time("png", renderPng);
    await time("jpeg", renderJpeg);
    await time("webp", renderWebp);
  }
}, 30_000);
