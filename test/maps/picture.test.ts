import { describe, expect, it } from "vitest";
import { examinePicture, MAX_PICTURE_BYTES, pngSize } from "../../src/maps/image/picture.ts";
import { greyPng as png } from "./grey-png.ts";

const svg = (inner: string, attributes = "") =>
  new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"${attributes}>${inner}</svg>`,
  );

describe("a picture that a caller brings", () => {
  it("is a PNG or an SVG", () => {
    expect(examinePicture(png(30, 20))).toBe("png");
    expect(pngSize(png(30, 20))).toEqual([30, 20]);
    expect(examinePicture(svg('<circle r="4"/>'))).toBe("svg");
    const declared = `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n<svg width="1" height="1"/>`;
    expect(examinePicture(new TextEncoder().encode(declared))).toBe("svg");
  });

  it("may refer to itself", () => {
    const own = '<defs><linearGradient id="a"/></defs><rect fill="url(#a)"/><use href="#b"/><use xlink:href="#c"/>';
    expect(examinePicture(svg(own))).toBe("svg");
  });

  it.each([
    ["a page", new TextEncoder().encode("<html></html>")],
    ["a GIF", new TextEncoder().encode("GIF89a")],
    ["nothing", new Uint8Array(0)],
    ["half a PNG", png(3, 3).subarray(0, 30)],
    ["a PNG that would fill the memory", png(1025, 2)],
    ["no text", Uint8Array.of(60, 115, 118, 103, 32, 0xff, 0xfe)],
    ["too large", svg(" ".repeat(MAX_PICTURE_BYTES))],
    ["entities", new TextEncoder().encode('<!DOCTYPE svg [<!ENTITY a "b">]><svg width="1" height="1">&a;</svg>')],
    ["a late document type", svg('<g/><!DOCTYPE svg SYSTEM "http://a/b">')],
    ["a script", svg("<script>alert(1)</script>")],
    ["a script with a prefix", svg("<svg:script>alert(1)</svg:script>")],
    ["a style sheet", svg("<style>@import url(https://a/b)</style>")],
    [
      "a style sheet from elsewhere",
      new TextEncoder().encode('<?xml-stylesheet href="#a"?><svg width="1" height="1"/>'),
    ],
    ["an image from elsewhere", svg('<image href="https://a/b.png"/>')],
    ["an image from a file", svg("<image xlink:href='file:///etc/passwd'/>")],
    ["a picture within", svg('<image href="data:image/svg+xml;base64,AAAA"/>')],
    ["an unquoted reference", svg("<image href=https://a/b />")],
    ["a fill from elsewhere", svg('<rect fill="url(https://a/b#c)"/>')],
    ["a page within", svg("<foreignObject/>")],
    ["a filter that never ends", svg('<filter id="a"><feTurbulence numOctaves="1000000000"/></filter>')],
    ["pictures on every corner", svg('<marker id="a"/>')],
    ["masks in masks", svg('<mask id="a"/>'.repeat(21))],
    ["a thousand copies of copies", svg('<use href="#a"/>'.repeat(21))],
  ])("is refused when it is %s", (_, bytes) => {
    expect(() => examinePicture(bytes)).toThrow();
  });
});
