import sharp, { type WebpOptions } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { ImageError } from "../../../src/core/maps/base/examined-image.ts";
import { examineImage, MAX_IMAGE_BYTES } from "../../../src/core/maps/image/examine-image.ts";
import { drawIcon } from "../../../src/core/maps/image/marker-icon.ts";
import { rasterise } from "../../../src/core/maps/image/rasterise.ts";
import { decodeIcon, encodeIcon, formerIcon } from "../../../src/core/maps/image/stored-icon.ts";
import { samples } from "../../support/night.ts";
import { greyPng as png } from "./grey-png.ts";
import { tinyJpeg } from "./tiny-jpeg.ts";
import { ready } from "./town.ts";
import { webpOfTables } from "./webp-of-tables.ts";

const RED = [200, 30, 40, 255];
const NS = 'xmlns="http://www.w3.org/2000/svg"';
const bytes = (text: string) => new TextEncoder().encode(text);
const svg = (inner: string, attributes = "") => bytes(`<svg ${NS} width="10" height="10"${attributes}>${inner}</svg>`);

beforeAll(async () => {
  await ready();
});

/** The colour in the middle of a picture, drawn as an icon of scale 1: red, green, blue, alpha. */
function middleOf(file: Uint8Array): number[] {
  const { width, height, element } = examineImage(file);
  const { pixels } = rasterise(bytes(`<svg ${NS} width="${width}" height="${height}">${element}</svg>`));
  const at = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2));
  return [...pixels.subarray(at, at + 4)];
}

describe("a picture that a caller brings", () => {
  it("is a PNG, a JPEG, a WebP or an SVG", async () => {
    expect(examineImage(png(30, 20))).toMatchObject({ kind: "png", width: 30, height: 20 });
    expect(examineImage(tinyJpeg())).toMatchObject({ kind: "jpeg", width: 8, height: 8 });
    expect(examineImage(await webp(30, 20))).toMatchObject({ kind: "webp", width: 30, height: 20 });
    expect(examineImage(svg('<circle r="4"/>'))).toMatchObject({ kind: "svg", width: 10, height: 10 });
    const declared = `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n<svg ${NS} width="1" height="1"/>`;
    expect(examineImage(bytes(declared)).kind).toBe("svg");
  });

  it("is drawn in its colours", () => {
    expect(middleOf(tinyJpeg())).toEqual([
      expect.closeTo(200, -1),
      expect.closeTo(30, -1),
      expect.closeTo(40, -1),
      255,
    ]);
    const [grey, , , alpha] = middleOf(png(30, 20));
    expect([grey > 0, alpha]).toEqual([true, 255]);
    expect(middleOf(svg('<rect width="10" height="10" style="fill:#00f;stroke:none"/>'))).toEqual([0, 0, 255, 255]);
  });

  it("may be drawn with copies, gradients, clips and masks of its own, under any prefix", () => {
    const own =
      '<defs><linearGradient id="a"><stop stop-color="#0f0"/></linearGradient><clipPath id="c"><path d="M0 0h10v10H0z"/></clipPath>' +
      '<s:rect id="r" width="10" height="10"/></defs><g clip-path="url(#c)"><s:use xlink:href="#r" fill="url(#a) red"/></g>';
    const prefixes = ' xmlns:s="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
    expect(middleOf(svg(own, prefixes))).toEqual([0, 255, 0, 255]);
  });

  it("has its size from width and height in any unit, or from its viewBox", () => {
    const size = (attributes: string) => {
      const { width, height } = examineImage(bytes(`<svg ${NS} ${attributes}/>`));
      return [Math.round(width), Math.round(height)];
    };
    expect(size('width="1in" height="25.4mm"')).toEqual([96, 96]);
    expect(size('viewBox="0 0 24 12"')).toEqual([24, 12]);
    expect(size('viewBox="0 0 24 12" width="100%" height="50%"')).toEqual([24, 6]);
  });

  it("may hold an editor's notes, which are left out", () => {
    const notes =
      '<metadata><i:x xmlns:i="urn:i"/></metadata><i:view xmlns:i="urn:i" i:zoom="1"><rect width="9"/></i:view><title>a</title>';
    expect(
      examineImage(svg(`${notes}<rect width="3" height="3" onclick="alert(1)" data-a="b" class="c"/>`)).element,
    ).toBe('<svg width="10" height="10"><rect width="3" height="3"/></svg>');
  });

  it.each<[string, Uint8Array]>([
    ["a page", bytes("<html></html>")],
    ["a GIF", bytes("GIF89a")],
    ["nothing", new Uint8Array(0)],
    ["half a PNG", png(3, 3).subarray(0, 30)],
    ["half a JPEG", tinyJpeg().subarray(0, 20)],
    ["a PNG that would fill the memory", png(1025, 2)],
    ["no text", Uint8Array.of(60, 115, 118, 103, 32, 0xff, 0xfe)],
    ["too large", svg(" ".repeat(MAX_IMAGE_BYTES))],
    ["not closed", bytes(`<svg ${NS} width="1" height="1"><g>`)],
    ["entities", bytes(`<!DOCTYPE svg [<!ENTITY a "b">]><svg ${NS} width="1" height="1">&a;</svg>`)],
    ["an entity of HTML", svg('<path d="M0 0&nbsp;h1"/>')],
    ["a late document type", svg('<g/><!DOCTYPE svg SYSTEM "http://a/b">')],
    ["a script", svg("<script>alert(1)</script>")],
    ["a script with a prefix", svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>')],
    ["a script by the default namespace", bytes(`<a:svg xmlns:a="http://www.w3.org/2000/svg" ${NS}><script/></a:svg>`)],
    ["a style sheet", svg("<style>@import url(https://a/b)</style>")],
    ["a style sheet from elsewhere", bytes(`<?xml-stylesheet href="#a"?><svg ${NS} width="1" height="1"/>`)],
    ["an image from elsewhere", svg('<image href="https://a/b.png"/>')],
    ["a picture within", svg('<image href="data:image/svg+xml;base64,AAAA"/>')],
    ["an unquoted reference", svg("<use href=https://a/b />")],
    ["a copy from elsewhere", svg('<use href="https://a/b#c"/>')],
    ["a copy from elsewhere, in the older form", svg('<use x:href="a#c" xmlns:x="http://www.w3.org/1999/xlink"/>')],
    ["a fill from elsewhere", svg('<rect fill="url(https://a/b#c)"/>')],
    ["a fill from elsewhere in a style", svg('<rect style="fill:url(//a/b)"/>')],
    ["a fill from elsewhere, written with escapes", svg('<rect style="fill:u\\72l(//a/b)"/>')],
    ["a fill from elsewhere behind one of its own", svg('<rect fill="url(#a) url(//a/b)"/>')],
    ["a page within", svg("<foreignObject/>")],
    ["a text, for which there is no font", svg("<text>a</text>")],
    ["a filter", svg('<filter id="a"/>')],
    ["a filter's name in a style", svg('<rect style="filter:blur(9px)"/>')],
    ["a pattern", svg('<pattern id="a" width="1e-9" height="1"/>')],
    ["pictures on every corner", svg('<path d="M0 0h1" marker-mid="url(#a)"/>')],
    ["a copy of itself", svg('<g id="a"><use href="#a"/></g>')],
    ["a mask of a mask of itself", svg('<mask id="a"><rect mask="url(#a)"/></mask>')],
    ["masks without end", svg(`<mask id="a"><rect/></mask>${'<g mask="url(#a)">'.repeat(31)}${"</g>".repeat(31)}`)],
    ["masks beside each other", svg(`<mask id="a"><rect/></mask>${'<rect mask="url(#a)"/>'.repeat(41)}`)],
    ["nested without end", svg("<g>".repeat(50) + "</g>".repeat(50))],
    ["too many elements", svg("<g/>".repeat(2001))],
    ["a line of a million corners", svg(`<path d="${"M0 0h9".repeat(7000)}"/>`)],
    ["a million dashes", svg('<path d="M0 0h9999" stroke-dasharray=".1 .1"/>')],
    ["a million dashes that a group asks for", svg('<g stroke-dasharray=".1 .1"><path d="M0 0h9999"/></g>')],
    ["numbers out of every range", svg('<rect width="1e30" height="1"/>')],
    ["a transformation that is none", svg('<g transform="url(#a)"/>')],
  ])("is refused when it is %s", (_, file) => {
    expect(() => examineImage(file)).toThrow();
  });

  it("that goes over its pixels again and again is refused", () => {
    const whole = tinyJpeg();
    const scan = whole.subarray(
      whole.findIndex((byte, i) => byte === 0xff && whole[i + 1] === 0xda),
      -2,
    );
    const again = Uint8Array.from([
      ...whole.subarray(0, -2),
      ...Array(50)
        .fill([...scan])
        .flat(),
      0xff,
      0xd9,
    ]);
    expect(() => examineImage(again)).toThrow("40 scans");
  });

  it("of a PNG keeps only what is its picture", () => {
    const plain = png(4, 4);
    const note = bytes("zTXtcomment\0\0");
    const chunk = Uint8Array.from([0, 0, 0, note.length - 4, ...note, 0, 0, 0, 0]);
    const noted = Uint8Array.from([...plain.subarray(0, 33), ...chunk, ...plain.subarray(33)]);
    expect(examineImage(noted)).toEqual(examineImage(plain));
  });
});

/** A WebP of one colour. */
function webp(width: number, height: number, options: WebpOptions = {}, color = RED): Promise<Buffer> {
  const pixels = Uint8Array.from({ length: 4 * width * height }, (_, i) => color[i % 4]);
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .webp(options)
    .toBuffer();
}

describe("a WebP", () => {
  it("is drawn in its colours, lossy and lossless", async () => {
    expect(middleOf(await webp(30, 20, { lossless: true }))).toEqual(RED);
    expect(middleOf(await webp(30, 20, { quality: 90 }))).toEqual(RED.map((value) => expect.closeTo(value, -1)));
  });

  it.each([{ lossless: true }, { quality: 90 }])("is seen through where it is transparent: %j", async (options) => {
    const [red, , , alpha] = middleOf(await webp(30, 20, options, [200, 30, 40, 128]));
    // Multiplied by alpha, as resvg has colours.
    expect([red, alpha]).toEqual([expect.closeTo(100, -1), 128]);
  });

  it("is made of the same pixels as the PNG of it", async () => {
    const noise = Uint8Array.from({ length: 4 * 37 * 23 }, (_, i) => (i * i * 31 + i) % 256);
    const picture = () => sharp(noise, { raw: { width: 37, height: 23, channels: 4 } });
    const file = await picture().webp({ lossless: true, exact: true }).toBuffer();
    expect(drawIcon(examineImage(file))).toEqual(drawIcon(examineImage(await picture().png().toBuffer())));
  });

  it("may be as large as other pictures, and is made smaller before it is drawn", async () => {
    const file = await webp(1024, 701, { lossless: true });
    const picture = examineImage(file);
    expect(picture).toMatchObject({ width: 1024, height: 701 });
    expect(picture.element.length).toBeLessThan(200_000);
    expect(middleOf(file)).toEqual(RED);
    expect(drawIcon(picture)).toMatchObject({ width: 64, height: expect.closeTo((64 * 701) / 1024, 5) });
  });

  it("that is animated is refused with a sentence", async () => {
    const frames = Uint8Array.from({ length: 3 * 8 * 16 }, (_, i) => (i < 192 ? 0 : 255));
    const animated = await sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    expect(() => examineImage(animated)).toThrow("Animated WebP is not supported");
  });

  it("that is cut off anywhere, or not as long as it says, is refused", async () => {
    for (const options of [{ lossless: true }, { quality: 80 }]) {
      const file = await webp(30, 20, options, [200, 30, 40, 128]);
      for (let length = 0; length < file.length; length++)
        expect(() => examineImage(file.subarray(0, length))).toThrow(ImageError);
      // The same with a header that knows of it. The last byte may be padding.
      for (let length = 12; length < file.length - 1; length++) {
        const short = Uint8Array.from(file.subarray(0, length));
        new DataView(short.buffer).setUint32(4, length - 8, true);
        expect(() => examineImage(short)).toThrow(ImageError);
      }
    }
  });

  it.each<[string, WebpOptions, number]>([
    ["lossless", { lossless: true }, 21],
    ["lossy", { quality: 80 }, 26],
  ])("that claims absurd dimensions is refused before it is decoded: %s", async (_, options, at) => {
    const file = Uint8Array.from(await webp(30, 20, options, [200, 30, 40, 255]));
    file.fill(0xff, at, at + 3);
    expect(() => examineImage(file)).toThrow("1024 × 1024 pixels");
  });

  it("with a small canvas around large pixels is refused", async () => {
    const file = Uint8Array.from(await webp(30, 20, { quality: 80 }, [200, 30, 40, 128]));
    expect(String.fromCharCode(...file.subarray(12, 16))).toBe("VP8X");
    file[24] = 3;
    expect(() => examineImage(file)).toThrow("canvas of another size");
  });

  it("that is long and thin is refused", async () => {
    await expect(webp(210, 10).then(examineImage)).rejects.toThrow("20 times the shorter");
  });

  it("that asks for hundreds of megabytes of tables is refused, and the next one is drawn", async () => {
    expect(examineImage(webpOfTables(10))).toMatchObject({ width: 1024, height: 1024 });
    for (const groups of [5000, 20_000, 50_000])
      expect(() => examineImage(webpOfTables(groups))).toThrow("cannot be decoded");
    expect(middleOf(await webp(30, 20, { lossless: true }))).toEqual(RED);
  });

  it("that was tampered with harms no other", async () => {
    const good = await webp(64, 64, { lossless: true });
    for (const options of [{ lossless: true }, { quality: 80 }]) {
      const noise = Uint8Array.from({ length: 4 * 64 * 64 }, (_, i) => (i * i * 31 + (i >> 3)) % 256);
      const whole = await sharp(noise, { raw: { width: 64, height: 64, channels: 4 } })
        .webp(options)
        .toBuffer();
      for (let round = 0; round < samples(12, 40); round++) {
        const file = Uint8Array.from(whole);
        for (let i = 0; i < 8; i++)
          file[12 + ((round * 7919 + i * i * 104729) % (file.length - 12))] ^= 1 + (round % 255);
        try {
          drawIcon(examineImage(file));
        } catch (error) {
          expect(error).toBeInstanceOf(ImageError);
        }
      }
      expect(middleOf(good)).toEqual(RED);
    }
  });
});

describe("the worst picture that is taken", () => {
  const random = (() => {
    let state = 7;
    return () => {
      state = (state * 16807) % 2147483647;
      return state / 2147483647;
    };
  })();
  const zigzag = (corners: number) =>
    Array.from({ length: corners }, () => `${Math.floor(100 * random())} ${random() < 0.5 ? 0 : 100}`).join("L");
  it.each<[string, string]>([
    [
      "lines over lines",
      `<path d="M${zigzag(1490)}" fill="none" stroke="red" stroke-width="9" stroke-linejoin="round"/>`,
    ],
    ["areas over areas", `<path d="M${zigzag(5990)}"/>`],
    [
      "layers over layers",
      '<mask id="m"><rect width="100" height="100"/></mask>'.concat(
        '<rect opacity=".5" width="100" height="100"/>'.repeat(37),
      ),
    ],
    ["dashes", '<path stroke="red" stroke-width="90" stroke-linecap="round" d="M0 50h99" stroke-dasharray=".05 .01"/>'],
  ])("is drawn before anybody has to wait: %s", (_, inner) => {
    const picture = examineImage(bytes(`<svg ${NS} viewBox="0 0 100 100">${inner}</svg>`));
    const before = process.cpuUsage();
    drawIcon(picture);
    // Of the processor, whatever else runs beside the test [µs].
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe("an uploaded icon", () => {
  it("comes back from its bytes as it was", () => {
    const icon = drawIcon(examineImage(svg('<rect width="9" height="3" fill="red"/>', ' viewBox="0 0 20 10"')));
    expect(decodeIcon(encodeIcon(icon))).toEqual(icon);
    expect(formerIcon(encodeIcon(icon))).toBeUndefined();
    expect(() => decodeIcon(encodeIcon(icon).subarray(0, 90))).toThrow("cut off");
  });

  it("of the former version is the file that was sent", () => {
    expect(formerIcon(Uint8Array.from([...bytes("GICN"), 1, 2, ...bytes("<svg/>")]))).toEqual(bytes("<svg/>"));
  });
});
