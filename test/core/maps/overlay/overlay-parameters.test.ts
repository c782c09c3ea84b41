import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatLine } from "../../../../src/core/geo/shapes/polyline.ts";
import { type Anchor, markerExtent } from "../../../../src/core/maps/overlay.ts";
import { namesIn, parseMarkers, parsePath, SectionError } from "../../../../src/core/maps/overlay-parameters.ts";
import { anywhere } from "../../geo/arbitrary.ts";

const NAVY = [0, 2, 0x57, 1];

describe("markers", () => {
  it("are default pins where only locations are given", () => {
    expect(parseMarkers("40.7,-73.9|40.8, -73.8")).toEqual({
      color: NAVY,
      size: "normal",
      icon: undefined,
      locations: [
        { latitude: 40.7, longitude: -73.9 },
        { latitude: 40.8, longitude: -73.8 },
      ],
    });
  });

  it.each([
    ["color:0xFF8000|1,2", [255, 128, 0, 1]],
    ["color:#ff8000|1,2", [255, 128, 0, 1]],
    ["color:0xFF800080|1,2", [255, 128, 0, 128 / 255]],
    ["COLOR:DarkOrange|1,2", [255, 140, 0, 1]],
    ["Color: red |1,2", [255, 0, 0, 1]],
  ])("take their color from %s", (text, color) => {
    expect(parseMarkers(text).color).toEqual(color);
  });

  it("are as large as their size says", () => {
    const sizes = ["small", "normal", "large", "LARGE"].map((size) => parseMarkers(`size:${size}|1,2`).size);
    expect(sizes).toEqual(["small", "normal", "large", "large"]);
  });

  it("keep the colons of an icon's URL", () => {
    expect(parseMarkers("icon:https://example.com/a:b.png|1,2").icon).toBe("https://example.com/a:b.png");
  });

  it("ignore empty sections", () => {
    expect(parseMarkers("|label:A||1,2|")).toMatchObject({ label: "A", locations: [{ latitude: 1, longitude: 2 }] });
  });

  it("have letters or a pictogram in their heads, an anchor, and words beside them", () => {
    const text = "label:12|anchor:TopLeft|text:Café: 3rd floor|symbol:bus|1,2";
    expect(parseMarkers(text)).toMatchObject({
      label: "12",
      anchor: "topleft",
      text: "Café: 3rd floor",
      symbol: "bus",
    });
  });

  it("may name places, which are looked up before", () => {
    expect(namesIn(["color:red|Rue de Rivoli, Paris|1,2|北京", "Rom"])).toEqual([
      "Rue de Rivoli, Paris",
      "北京",
      "Rom",
    ]);
    const placeOf = (name: string) => (name === "Rom" ? { latitude: 41.9, longitude: 12.5 } : undefined);
    expect(parseMarkers("Rom|1,2", placeOf).locations).toEqual([
      { latitude: 41.9, longitude: 12.5 },
      { latitude: 1, longitude: 2 },
    ]);
    expect(() => parseMarkers("Rom|Atlantis", placeOf)).toThrow('Section 2 ("Atlantis"): No place of this name');
  });

  it("anchor their picture, whatever its size, where they are told", () => {
    const [width, height] = [30, 42];
    const places: [Anchor, number, number][] = [
      ["bottom", 15, 39],
      ["top", 15, 0],
      ["left", 0, 20],
      ["bottomright", 30, 39],
      ["center", 15, 20],
    ];
    for (const [anchor, x, y] of places)
      for (const [size, factor] of [
        ["normal", 1],
        ["small", 0.62],
        ["large", 1.4],
      ] as const) {
        const marker = { at: { latitude: 0, longitude: 0 }, color: [0, 0, 0, 1] as const, size, anchor };
        const { left, right, above, below } = markerExtent(marker);
        expect([left, above, right, below].map((side) => side / factor)).toEqual(
          [x, y, width - x, height - y].map((side) => expect.closeTo(side, 9)),
        );
      }
  });

  it.each([
    ["color:grn|1,2", 'Section 1 ("color:grn")'],
    ["size:big|1,2", 'Section 1 ("size:big"): Valid values: small, normal, large.'],
    ["label:Home|1,2", "1 to 3 letters"],
    ["symbol:unicorn|1,2", "Valid values: food, shop"],
    ["anchor:middle|1,2", "Valid values: bottom, center"],
    ["colour:red|1,2", "No such option. Options: color, size, icon, label, symbol, anchor, text."],
    ["constructor:red|1,2", "No such option."],
    ["icon:|1,2", 'Section 1 ("icon:")'],
    ["1,2|91,0", 'Section 2 ("91,0")'],
    ["Brooklyn", 'Section 1 ("Brooklyn"): Expected "latitude,longitude"'],
    ["1,2|color:red", "Options come before the locations."],
    ["color:red", "It has no location."],
    ["", "It has no location."],
  ])("are refused, with the section named: %s", (text, message) => {
    expect(() => parseMarkers(text)).toThrow(SectionError);
    expect(() => parseMarkers(text)).toThrow(message);
  });
});

describe("a path", () => {
  it("is navy, 3 pixels wide, with 2 pixels of white around, if nothing else is said", () => {
    expect(parsePath("1,2|3,4")).toEqual({
      points: [
        { latitude: 1, longitude: 2 },
        { latitude: 3, longitude: 4 },
      ],
      stroke: NAVY,
      width: 3,
      border: [255, 255, 255, 1],
      borderWidth: 2,
    });
  });

  it("takes options in any case, and an empty first section", () => {
    expect(parsePath("|Stroke:red|WIDTH:5|border:0x000000|borderwidth:0|1,2")).toMatchObject({
      stroke: [255, 0, 0, 1],
      width: 5,
      border: [0, 0, 0, 1],
      borderWidth: 0,
    });
  });

  it("holds every line that the routing endpoints encode, bars and all", () => {
    let bars = 0;
    fc.assert(
      fc.property(
        fc.array(anywhere, { minLength: 2, maxLength: 60 }),
        fc.constantFrom<[string, "polyline5" | "polyline6"]>(["enc", "polyline5"], ["enc6", "polyline6"]),
        fc.constantFrom("", "stroke:red|", "|width:4|"),
        (line, [prefix, format], options) => {
          const encoded = (formatLine(line, format) as { polyline: string }).polyline;
          bars += encoded.split("|").length - 1;
          const { points } = parsePath(`${options}${prefix}:${encoded}`);
          expect(points).toHaveLength(line.length);
          points.forEach(({ latitude, longitude }, i) => {
            expect(latitude).toBeCloseTo(line[i].latitude, format === "polyline5" ? 4 : 5);
            expect(longitude).toBeCloseTo(line[i].longitude, format === "polyline5" ? 4 : 5);
          });
        },
      ),
      { seed: 8, numRuns: 300 },
    );
    expect(bars).toBeGreaterThan(100);
  });

  it("with a fill is an area, whose holes follow in rings of their own, encoded or not", () => {
    const encoded = "enc:_p~iF~ps|U_ulLnnqC";
    expect(parsePath(`fill:0x0000ff80|${encoded}|1,2|hole:|3,4|5,6|hole:|${encoded}`)).toMatchObject({
      fill: [0, 0, 255, 128 / 255],
      points: [{ latitude: 38.5 }, { latitude: 40.7 }, { latitude: 1 }],
      holes: [
        [{ latitude: 3 }, { latitude: 5 }],
        [{ latitude: 38.5 }, { latitude: 40.7 }],
      ],
    });
    expect(parsePath("geodesic:1|1,2|3,4")).toMatchObject({ geodesic: true });
  });

  it("may go on behind an encoded part", () => {
    const { points } = parsePath("enc:_p~iF~ps|U_ulLnnqC|50,8|ENC6:_izlhA~rlgdF|-1,-2");
    expect(points.map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
      [38.5, -120.2],
      [40.7, -120.95],
      [50, 8],
      [38.5, -120.2],
      [-1, -2],
    ]);
  });

  it.each([
    ["stroke:rot|1,2", 'Section 1 ("stroke:rot"): Expected 0xRRGGBB or the name of a CSS color.'],
    ["width:-1|1,2", "Valid range: [0, 64]."],
    ["width:|1,2", "Valid range: [0, 64]."],
    ["borderWidth:65|1,2", "Valid range: [0, 64]."],
    ["border:0x12|1,2", "Expected 0xRRGGBB"],
    ["1,2|3", 'Section 2 ("3")'],
    ["enc:", "The polyline is empty."],
    ["enc:_p~iF", "cut off"],
    ["enc:_p~iF~ps|", "cut off"],
    ["enc:_p~iF!", 'the character "!"'],
    ["enc:~~~~~~~~~@~~~~~~~~~@", "leaves the Earth"],
    ["stroke:red", "It has no location."],
    ["1,2|width:3", "Options come before the locations."],
    ["1,2|hole:|3,4", "Only an area has holes"],
    ["fill:red|hole:|3,4", "The locations before it are missing."],
    ["fill:red|1,2|hole:", "Its last hole has no location."],
    ["fill:red|1,2|hole:3,4", "Put its locations in separate sections."],
    ["geodesic:yes|1,2", "Valid values: true, false."],
    ["weight:5|1,2", "No such option. Options: stroke, width, border, borderWidth, fill, geodesic, hole."],
    ["Paris|1,2", 'Expected "latitude,longitude"'],
  ])("is refused, with the section named: %s", (text, message) => {
    expect(() => parsePath(text)).toThrow(message);
  });

  it("of more than 10,000 points is refused before it is decoded", () => {
    expect(() => parsePath(`enc:${"?".repeat(20_002)}`)).toThrow("up to 10000 points");
    expect(parsePath(`enc:${"?".repeat(20_000)}`).points).toHaveLength(10_000);
  });
});
