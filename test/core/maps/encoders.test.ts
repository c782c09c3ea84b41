import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { toBase64 } from "../../../src/core/maps/image/base64.ts";
import { RowDeflater } from "../../../src/core/maps/image/deflate.ts";
import { JpegEncoder } from "../../../src/core/maps/image/jpeg.ts";
import { rasterise } from "../../../src/core/maps/image/rasterise.ts";
import { decodeWebp as decoded, type WebpPixels } from "../../../src/core/maps/image/webp-decoder.ts";
import { WebpEncoder } from "../../../src/core/maps/image/webp-encoder.ts";
import { renderJpeg, renderPng, renderWebp } from "../../../src/core/maps/render.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { samples } from "../../support/night.ts";
import { buildPalette } from "../../support/png.ts";
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

/** What zlib reads of bytes that were compressed in pieces of so many. */
function throughZlib(bytes: Uint8Array, stride: number, piece: number): Buffer {
  const deflater = new RowDeflater(stride);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += piece) {
    const some = bytes.subarray(at, at + piece);
    deflater.reserve(some.length).set(some);
    deflater.write(some.length);
    parts.push(deflater.take());
  }
  deflater.finish();
  // Throws where the stream is not whole, or its checksum another.
  return inflateSync(Buffer.concat([...parts, deflater.take()]));
}

describe("compressed rows", () => {
  it("are read by zlib as they were, whatever they are and however they come", () => {
    const noise = fc.uint8Array({ maxLength: 60, max: 255 });
    const run = fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 900 })).map(([v, n]) => new Uint8Array(n).fill(v));
    // What was there before, from any distance; far ones lie beyond the window.
    const copy = fc.record({ back: fc.integer({ min: 1, max: 70_000 }), length: fc.integer({ min: 1, max: 700 }) });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(noise, run, copy), { maxLength: 200 }),
        fc.integer({ min: 1, max: 40_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        (pieces, stride, piece) => {
          const bytes: number[] = [];
          for (const some of pieces) {
            if (some instanceof Uint8Array) bytes.push(...some);
            else for (let i = 0; i < some.length; i++) bytes.push(bytes.at(-some.back) ?? i & 255);
          }
          expect(throughZlib(Uint8Array.from(bytes), stride, Math.max(piece, bytes.length >> 6))).toEqual(
            Buffer.from(bytes),
          );
        },
      ),
      { numRuns: samples(20, 60) },
    );
  });

  it("of which some indices are ten thousand times as frequent as others have no code that is too long", () => {
    const bytes: number[] = [];
    for (let value = 0, [count, next] = [1, 1]; value < 22; value++, [count, next] = [next, count + next])
      for (let i = 0; i < count; i++) bytes.push(value);
    const random = seededRandom(3);
    for (let i = bytes.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [bytes[i], bytes[j]] = [bytes[j], bytes[i]];
    }
    expect(throughZlib(Uint8Array.from(bytes), 601, bytes.length)).toEqual(Buffer.from(bytes));
  });

  it("of one colour, and no rows at all, are streams as well", () => {
    expect(throughZlib(new Uint8Array(0), 601, 1)).toHaveLength(0);
    expect(throughZlib(new Uint8Array(1), 601, 1)).toEqual(Buffer.alloc(1));
    expect(throughZlib(new Uint8Array(200_000), 601, 131_072)).toEqual(Buffer.alloc(200_000));
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
      { seed: 5, numRuns: samples(20, 60) },
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
});
