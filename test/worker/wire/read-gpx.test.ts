import { describe, expect, it } from "vitest";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { readGpx } from "../../../src/worker/wire/traces/read-gpx.ts";
import { tagsOf, textUntilTag } from "../../../src/worker/wire/traces/xml-tags.ts";

const read = (text: string, most = 1000) => readGpx(text, most, unpaced());
const POINT = { latitude: 1.5, longitude: -2 };

describe("a GPX file", () => {
  it.each([
    ["with attributes in any order and quotes", `<trkpt lon = '-2'  lat="1.5"/>`],
    ["with blanks around numbers", `<trkpt lat=" 1.5 " lon="-2"/>`],
    ["with a prefix of a namespace", `<gpx:trkpt lat="1.5" lon="-2"></gpx:trkpt>`],
    ["with a comment that looks like a point", `<!-- <trkpt lat="9" lon="9"/> --><trkpt lat="1.5" lon="-2"/>`],
    [
      "with CDATA that looks like a point",
      `<name><![CDATA[<trkpt lat="9" lon="9"/>]]></name><trkpt lat="1.5" lon="-2"/>`,
    ],
    ["with > in a quoted value", `<trkpt note="a>b" lat="1.5" lon="-2"/>`],
    ["with numbers of characters", `<trkpt lat="&#49;.5" lon="-&#x32;"/>`],
    ["with a document type and instructions", `<?xml version="1.0"?><!DOCTYPE gpx><trkpt lat="1.5" lon="-2"/>`],
    ["with exponents", `<trkpt lat="15e-1" lon="-0.2E1"/>`],
    ["without an end", `<gpx><trk><trkpt lat="1.5" lon="-2"><time>`],
  ])("is read %s", async (_, text) => {
    expect(await read(text)).toEqual([POINT]);
  });

  it.each(["0x1", "1,5", "", " ", "1.5.5", "Infinity", "1 5", "91"])("has no point at latitude %j", async (lat) => {
    expect(await read(`<trkpt lat="${lat}" lon="0"/>`)).toBeUndefined();
  });

  it("tells the time of a point, and not that of what stands between points", async () => {
    const at = Date.parse("2026-11-22T10:00:00Z");
    const time = "<time>\n 2026-11-22T10:00:00Z </time>";
    const own = `<trkpt lat="1.5" lon="-2"><ele>3</ele>${time}<extensions><time>2000-01-01</time></extensions></trkpt>`;
    expect(await read(`${time}${own}${time}<trkpt lat="1.5" lon="-2"/>${time}`)).toEqual([{ ...POINT, at }, POINT]);
    expect(await read(`<trkpt lat="1.5" lon="-2"><time><![CDATA[2026-11-22T10:00:00Z]]></time></trkpt>`)).toEqual([
      { ...POINT, at },
    ]);
  });

  it("is read no further than one point after the limit", async () => {
    const points = `<trkpt lat="1.5" lon="-2"/>`.repeat(50);
    expect(await read(points, 10)).toHaveLength(11);
  });

  it("gives no time to a point that has ended, or has none", async () => {
    const time = "<time>2026-11-22T10:00:00Z</time>";
    expect(await read(`<trkpt lat="1.5" lon="-2"></trkpt>${time}`)).toEqual([POINT]);
    expect(await read(`<trkpt lat="1.5" lon="-2"/>${time}`)).toEqual([POINT]);
    expect(await read(`<trkpt lat="1.5" lon="-2"><time/></trkpt>`)).toEqual([POINT]);
    expect(await read(`<trkpt lat="1.5" lon="-2"><time>soon</time></trkpt>`)).toEqual([POINT]);
  });

  it("has the points of its tracks, else of its routes, else its waypoints", async () => {
    const [track, route, way] = ["trkpt", "rtept", "wpt"].map((tag, i) => `<${tag} lat="${i}" lon="0"/>`);
    const latitudes = async (text: string) => (await read(text))?.map(({ latitude }) => latitude);
    expect(await latitudes(way + route + track)).toEqual([0]);
    expect(await latitudes(way + route)).toEqual([1]);
    expect(await latitudes(way)).toEqual([2]);
    expect(await latitudes("<gpx/>")).toEqual([]);
    // A list with a point without a position is not replaced by another one.
    expect(await latitudes(`<trkpt/>${route}`)).toBeUndefined();
    expect(await latitudes(`<rtept/>${track}`)).toEqual([0]);
  });

  it.each([
    ["an attribute that is not closed", `<trkpt lat="1.5 lon="-2"/>`, []],
    ["an attribute without quotes", `<trkpt lat=1.5 lon=-2/>`, undefined],
    ["an attribute twice: the first counts", `<trkpt lat="1.5" lon="-2" lat="9"/>`, [POINT]],
    ["a comment that is not closed", `<!-- <trkpt lat="1.5" lon="-2"/>`, []],
    ["a tag that is not closed", `<trkpt lat="1.5" lon="-2"/><trkpt lat="1`, [POINT]],
    ["entities", `<trkpt lat="&#x31;.5&unknown;" lon="-2"/>`, undefined],
    ["a name that begins alike", `<trkpts lat="1.5" lon="-2"/>`, []],
    ["a name before a slash", `<trkpt/><trkpt lat="1.5" lon="-2"/>`, undefined],
  ])("with %s", async (_, text, points) => expect(await read(text)).toEqual(points));
});

describe("an XML text", () => {
  const tags = (text: string) =>
    [...tagsOf(text)].map(({ name, isEnd, isEmpty, attributes }) => [name, isEnd, isEmpty, [...attributes()]]);

  it("has its tags, with their names, ends and attributes", () => {
    expect(tags(`<a x='1'><b:c d:e = "2" f="3"/></a >`)).toEqual([
      ["a", false, false, [["x", "1"]]],
      [
        ...["c", false, true],
        [
          ["e", "2"],
          ["f", "3"],
        ],
      ],
      ["a", true, false, []],
    ]);
    expect(tags("<a/><b /></c/>").map(([name, isEnd, isEmpty]) => [name, isEnd, isEmpty])).toEqual([
      ["a", false, true],
      ["b", false, true],
      ["c", true, false],
    ]);
    expect([...tagsOf("ab<c>d")].map(({ end }) => end)).toEqual([5]);
    expect(tags("no tags")).toEqual([]);
  });

  it("has text up to the next tag, with CDATA and entities resolved", () => {
    expect([textUntilTag("<a>", 0), textUntilTag("<a>b<c>", 3), textUntilTag("<a>b", 3)]).toEqual(["", "b", "b"]);
    expect(textUntilTag("a<![CDATA[<b>&amp;]]>c<d>", 0)).toBe("a<b>&amp;c");
    expect(textUntilTag("a<![CDATA[b", 0)).toBe("a");
    expect(textUntilTag("&amp;&lt;&gt;&quot;&apos;&#65;&#x42;&no;&#x110000;&#x10FFFF;", 0)).toBe(
      "&<>\"'AB&no;&#x110000;\u{10FFFF}",
    );
  });
});
