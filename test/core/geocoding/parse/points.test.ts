import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance } from "../../../../src/core/geo/distance.ts";
import { encodeMgrs, readGrid } from "../../../../src/core/geocoding/points/mgrs.ts";
import {
  decodePlusCode,
  encodePlusCode,
  plusCodeKind,
  recoverPlusCode,
} from "../../../../src/core/geocoding/points/plus-code.ts";
import { readPoint } from "../../../../src/core/geocoding/points/read-point.ts";
import { fromUtm, toUtm } from "../../../../src/core/geocoding/points/utm.ts";

const NEW_YORK = [40.7142, -74.0061];
const BERLIN = [52.52, 13.405];

/** The one position a text is read as, to four digits; undefined where it is none. */
function read(text: string, language: "en" | "de" | "fr" = "en"): number[] | undefined {
  const reading = readPoint(text, language);
  if (reading?.kind !== "point" || reading.locations.length !== 1) return undefined;
  const [{ latitude, longitude }] = reading.locations;
  return [Number(latitude.toFixed(4)), Number(longitude.toFixed(4))];
}

describe("positions as people write them", () => {
  it.each([
    ["52.52, 13.405", BERLIN],
    ["52.52 13.405", BERLIN],
    ["52,5200 13,4050", BERLIN],
    ["52,52; 13,405", BERLIN],
    ["52,5200, 13,4050", BERLIN],
    ["(52.52,13.405)", BERLIN],
    ["[52.52; 13.405]", BERLIN],
    ["52.52°, 13.405°", BERLIN],
    ["52.52° N, 13.405° E", BERLIN],
    ["N52.52 E13.405", BERLIN],
    ["E 13.405 N 52.52", BERLIN],
    ["lat: 52.52, lon: 13.405", BERLIN],
    ["lng=13.405 lat=52.52", BERLIN],
    ["Breite 52,52 Länge 13,405", BERLIN],
    ["N 52° 31.2' E 013° 24.3'", BERLIN],
    ["N52 31.200 E013 24.300", BERLIN],
    ["52°31′12″N 13°24′18″E", BERLIN],
    ["52° 31' 12'' N, 13° 24' 18'' E", BERLIN],
    ["52º31’12”N 13º24’18”E", BERLIN],
    ["52:31:12N 13:24:18E", BERLIN],
    ["52-31-12N 13-24-18E", BERLIN],
    ["52d31m12s N 13d24m18s E", BERLIN],
    ["52° 31' 12\" n. Br., 13° 24' 18\" ö. L.", BERLIN],
    ["52,52° nördlicher Breite, 13,405° östlicher Länge", BERLIN],
    ["52.52° с.ш., 13.405° в.д.", BERLIN],
    ["北緯52度31分12秒 東経13度24分18秒", BERLIN],
    ["北纬52.52度，东经13.405度", BERLIN],
    ["북위 52.52 동경 13.405", BERLIN],
    ["٥٢٫٥٢، ١٣٫٤٠٥", BERLIN],
    ["５２.５２，１３.４０５", BERLIN],
    ["523112N0132418E", BERLIN],
    ["+52.5200+013.4050/", BERLIN],
    ["+523112+0132418/", BERLIN],
    ["POINT(13.405 52.52)", BERLIN],
    ["SRID=4326;POINT(13.405 52.52)", BERLIN],
    ["geo:52.52,13.405", BERLIN],
    ["geo:52.52,13.405,34;crs=wgs84;u=10", BERLIN],
    ["geo:0,0?q=52.52,13.405(Fernsehturm)", BERLIN],
    ["https://www.openstreetmap.org/#map=17/52.52/13.405", BERLIN],
    ["https://www.openstreetmap.org/?mlat=52.52&mlon=13.405#map=12", BERLIN],
    ["https://maps.google.com/?q=52.52,13.405", BERLIN],
    ["https://www.google.com/maps/place/X/@52.1,13.1,17z/data=!3d52.52!4d13.405", BERLIN],
    ["33U 391779 5820069", BERLIN],
    ["33UUU9177920069", BERLIN],
    ["33U UU 91779 20069", BERLIN],
    ["9F4MGCC4+22", [52.5201, 13.4051]],
    ["40°42′51″N 74°00′22″W", NEW_YORK],
    ["40° 42' 51\" Norte, 74° 00' 22\" Oeste", NEW_YORK],
    ["48,8566° Nord, 2,3522° Ouest", [48.8566, -2.3522]],
    ["40N 74W", [40, -74]],
    ["40, -74", [40, -74]],
    ["151.2, -33.86", [-33.86, 151.2]],
    ["-33.86, 151.2", [-33.86, 151.2]],
    ["90° S, 0° E", [-90, 0]],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("reads O as Ost for Germans, as ouest for the French, and as either for others, the west first", () => {
    expect(read("52,5° N 13,4° O", "de")).toEqual([52.5, 13.4]);
    expect(read("52,5° N 13,4° O", "fr")).toEqual([52.5, -13.4]);
    expect(readPoint("52.5° N 13.4° O", "en")).toEqual({
      kind: "point",
      sure: false,
      locations: [
        { latitude: 52.5, longitude: -13.4 },
        { latitude: 52.5, longitude: 13.4 },
      ],
    });
  });

  it("takes the text out of a geo: URI, and where to look for it", () => {
    expect(readPoint("geo:0,0?q=20+Jay+St", "en")).toEqual({ kind: "text", text: "20 Jay St" });
    const near = { latitude: 40.7, longitude: -74 };
    expect(readPoint("geo:40.7,-74?q=coffee", "en")).toEqual({ kind: "text", text: "coffee", near });
  });

  it("says that a numbered crossing of Utah may be a house as well", () => {
    expect(readPoint("45 N 100 W", "en")).toMatchObject({ kind: "point", sure: false });
    expect(readPoint("45° N 100° W", "en")).toMatchObject({ kind: "point", sure: true });
  });

  it.each([
    "12 34 Main St",
    "12, 34",
    "12 34",
    "12-34",
    "2;3",
    "14 30",
    "40.7",
    "10,5",
    "N 40",
    "5 N",
    "12 1/2",
    "221-05",
    "1600 Pennsylvania Ave NW, Washington, DC 20500",
    "120 N 200 E, Provo",
    "1700 E 900 S, Salt Lake City",
    "W 34th St",
    "10115 Berlin",
    "12/34 Smith St",
    "Calle 12 # 34-56",
    "Straße des 17. Juni 135",
    "90210, 10001",
    "5.1 A",
    "12.5 km",
    "12:30 14:45",
    "3 d 5 d",
    "99.5 99.5",
    "100.5, 200.5",
    "12.11.2024 13.12.2025",
    "C++",
    "7+8",
    "A+B Street 12",
    "E 5th St & N 3rd Ave",
    "47 A 12",
    "32/12",
    "1, 2, 3",
    "60° 61' N 10° E",
    "N 1° S 2°",
    "40° N 50° N",
    "95° N 10° E",
    "91N 10E",
    "+1 406 555 0100",
    "",
    "   ",
    "12",
    "Rue du 8 Mai 1945",
    "38 rue 40.7",
    "Via 6 12.5",
  ])("leaves %j to the search", (text) => {
    expect(readPoint(text, "en")).toBeUndefined();
  });

  const anywhere = fc.record({
    latitude: fc.double({ min: -89.99, max: 89.99, noNaN: true }),
    longitude: fc.double({ min: -179.99, max: 179.99, noNaN: true }),
  });
  const side = (value: number, [plus, minus]: string) => (value < 0 ? minus : plus);
  const dms = (value: number, of: string, marks: string) => {
    const tenths = Math.round(Math.abs(value) * 36_000);
    const [degrees, minutes, seconds] = [
      Math.floor(tenths / 36_000),
      Math.floor(tenths / 600) % 60,
      (tenths % 600) / 10,
    ];
    return `${degrees}${marks[0]}${minutes}${marks[1]}${seconds}${marks[2]} ${side(value, of)}`;
  };
  const FORMS: ((latitude: number, longitude: number) => string)[] = [
    (a, b) => `${a.toFixed(6)}, ${b.toFixed(6)}`,
    (a, b) => `${a.toFixed(6)} ${b.toFixed(6)}`,
    (a, b) => `${a.toFixed(6).replace(".", ",")}; ${b.toFixed(6).replace(".", ",")}`,
    (a, b) => `${a.toFixed(6).replace(".", ",")} ${b.toFixed(6).replace(".", ",")}`,
    (a, b) => `lon=${b.toFixed(6)}&lat=${a.toFixed(6)}`.replace("&", " "),
    (a, b) => `${Math.abs(a).toFixed(6)}° ${side(a, "NS")} ${Math.abs(b).toFixed(6)}° ${side(b, "EW")}`,
    (a, b) => `${side(b, "EW")}${Math.abs(b).toFixed(6)} ${side(a, "NS")}${Math.abs(a).toFixed(6)}`,
    (a, b) => `${dms(a, "NS", "°'\"")}, ${dms(b, "EW", "°'\"")}`,
    (a, b) => `${dms(a, "NS", "°′″")} ${dms(b, "EW", "°′″")}`,
    (a, b) => `geo:${a.toFixed(6)},${b.toFixed(6)}`,
    (a, b) => `POINT (${b.toFixed(6)} ${a.toFixed(6)})`,
    (a, b) => encodePlusCode({ latitude: a, longitude: b }, 11),
  ];

  it("gives back any point of the Earth from every form within 2 m", () => {
    fc.assert(
      fc.property(anywhere, fc.nat(FORMS.length - 1), ({ latitude, longitude }, form) => {
        const reading = readPoint(FORMS[form](latitude, longitude), "en");
        if (reading?.kind !== "point") throw new Error(FORMS[form](latitude, longitude));
        expect(distance(reading.locations[0], { latitude, longitude })).toBeLessThan(5);
      }),
      { seed: 19, numRuns: 3000 },
    );
  });

  it("gives back any point from its grid reference within 1 m, and from UTM within a millimetre", () => {
    fc.assert(
      fc.property(anywhere, ({ latitude, longitude }) => {
        const at = { latitude: latitude * 0.88, longitude };
        expect(distance(fromUtm(toUtm(at))!, at)).toBeLessThan(0.001);
        expect(distance(readGrid(encodeMgrs(at))!.locations[0], at)).toBeLessThan(1);
      }),
      { seed: 19, numRuns: 1000 },
    );
  });

  it("never throws, and never leaves the Earth", () => {
    const pieces = fc.constantFrom(..."0123456789 .,;:°'\"NSEWO+-/()=".split(""), "lat", "lon", "geo:", "北緯", "0+");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        const reading = readPoint(parts.join(""), "en");
        if (reading?.kind !== "point") return;
        for (const { latitude, longitude } of reading.locations) {
          expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
          expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
        }
      }),
      { seed: 19, numRuns: 3000 },
    );
  });
});

describe("plus codes", () => {
  // Examples of the specification.
  it.each([
    ["7FG49Q00+", 20.375, 2.775],
    ["7FG49QCJ+2V", 20.3700625, 2.7821875],
    ["7FG49QCJ+2VX", 20.3701125, 2.782234375],
    ["8FVC2222+22", 47.0000625, 8.0000625],
    ["4VCPPQGP+Q9", -41.2730625, 174.7859375],
    ["62G20000+", 0.5, -179.5],
    ["22220000+", -89.5, -179.5],
    ["6VGX0000+", 0.5, 179.5],
  ])("%s has its middle at %d, %d", (code, latitude, longitude) => {
    expect(plusCodeKind(code)).toBe("full");
    const { center } = decodePlusCode(code);
    expect(center.latitude).toBeCloseTo(latitude, 6);
    expect(center.longitude).toBeCloseTo(longitude, 6);
  });

  it.each([
    "8FVC2222+2",
    "8FVC222+22",
    "8FVC22222+22",
    "8FVA2222+22",
    "+",
    "22+",
    "F0+22",
    "X2220000+",
    "1+1",
    "00000000+",
  ])("%s is none", (code) => {
    expect(plusCodeKind(code)).toBeUndefined();
  });

  it("a short code is the nearest one of its kind, also across the lines between codes", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.double({ min: -179, max: 179, noNaN: true }),
        fc.double({ min: -0.4, max: 0.4, noNaN: true }),
        fc.double({ min: -0.4, max: 0.4, noNaN: true }),
        (latitude, longitude, north, east) => {
          const code = encodePlusCode({ latitude, longitude });
          const near = { latitude: latitude + north, longitude: longitude + east };
          expect(recoverPlusCode(code.slice(4), near)).toBe(code);
        },
      ),
      { seed: 19, numRuns: 1000 },
    );
  });

  it("is read with a town before or behind it", () => {
    expect(readPoint("PXM7+4Q New York", "en")).toEqual({ kind: "short", code: "PXM7+4Q", reference: "New York" });
    expect(readPoint("Zürich, 9G8F+6W", "en")).toEqual({ kind: "short", code: "9G8F+6W", reference: "Zürich" });
  });
});
