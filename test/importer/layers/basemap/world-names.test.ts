import { beforeAll, describe, expect, it } from "vitest";
import type { Properties } from "../../../../src/core/maps/tiles/mvt.ts";
import { planeX, planeY, WORLD_SIZE } from "../../../../src/core/maps/tiles/plane.ts";
import { MAP_LANGUAGES } from "../../../../src/importer/layers/basemap/features/names.ts";
import { plainEnglish } from "../../../../src/importer/world/english-names.ts";
import { worldTold } from "./world-told.ts";

interface Named {
  layer: string;
  parts: readonly (readonly number[])[];
  told: Properties;
}

let world: Named[];
beforeAll(async () => {
  world = (await worldTold()).map(({ feature: { layer, parts }, told }) => ({ layer, parts, told }));
});

const towns = () => world.filter(({ layer, told }) => layer === "places" && told.kind === "locality");
/** The largest town with an English name, or with the local one if that is Latin. */
const town = (english: string) => {
  const found = towns().filter(({ told }) => (told["name:en"] ?? told.name) === english);
  expect(found.length, english).toBeGreaterThan(0);
  return found.reduce((a, b) => (rankOf(b.told) > rankOf(a.told) ? b : a)).told;
};
/** As the styles sort (place-labels.ts). */
const rankOf = ({ rank, population }: Properties) => Number(rank ?? 4 * Math.log2(1 + Number(population ?? 0)));

/** In ranks. */
const MUCH_LARGER = 4 * Math.log2(2.5);

describe("the towns of the world base", () => {
  it.each([
    ["Kuwait City", "Al Ahmadi"],
    ["Port of Spain", "Chaguanas"],
    ["Valletta", "Birkirkara"],
  ])("name the capital %s before %s, the larger town next to it", (capital, larger) => {
    expect(rankOf(town(capital))).toBeGreaterThan(rankOf(town(larger)));
    expect(Number(town(capital).min_zoom)).toBeLessThanOrEqual(Number(town(larger).min_zoom));
  });

  it("at every zoom show no town before a larger one within 40 pixels, or one of 2.5 times the people within 70", () => {
    const all = towns().map(({ parts: [[x, y]], told }) => ({
      x,
      y,
      zoom: Number(told.min_zoom) - 0.6,
      rank: rankOf(told),
      told,
    }));
    let compared = 0;
    for (let zoom = 2; zoom <= 8; zoom += 0.5) {
      const pixel = WORLD_SIZE / (512 * 2 ** zoom);
      const reach = 70 * pixel;
      const cells = new Map<string, typeof all>();
      const key = (x: number, y: number) => `${Math.floor(x / reach)}/${Math.floor(y / reach)}`;
      const hidden = all.filter((one) => one.zoom > zoom + 0.01);
      for (const one of hidden) cells.set(key(one.x, one.y), [...(cells.get(key(one.x, one.y)) ?? []), one]);
      for (const { x, y, rank, told } of all.filter((one) => one.zoom <= zoom + 0.01)) {
        for (let dx = -1; dx <= 1; dx++) {
          for (let dy = -1; dy <= 1; dy++) {
            for (const other of cells.get(key(x + dx * reach, y + dy * reach)) ?? []) {
              compared++;
              const isLarger = other.rank > rank + 1;
              if (!isLarger) continue;
              const most = other.rank > rank + MUCH_LARGER + 1 ? 70 : 40;
              const isBefore = Math.hypot(other.x - x, other.y - y) < most * pixel;
              expect(isBefore, `zoom ${zoom}: ${told.name} before ${other.told.name}`).toBe(false);
            }
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(10_000);
  });

  it("do not show Utsunomiya while Yokohama, 120 km away, has no space beside Tokyo", () => {
    expect(Number(town("Utsunomiya").min_zoom)).toBeGreaterThan(5.6);
  });

  it("have the names that GeoNames lacks: Xuzhou for its district Tongshan, and those of India in Hindi", () => {
    expect(town("Xuzhou").name).toBe("徐州");
    expect([town("Astana").name, town("Astana")["name:fr"] ?? "Astana"]).toEqual(["Астана", "Astana"]);
    expect(towns().some(({ told }) => told["name:en"] === "Tongshan")).toBe(false);
    expect([town("Gwalior"), town("Howrah")].map((told) => told["name:hi"])).toEqual(["ग्वालियर", "हावड़ा"]);
  });

  it("do not have the people of their county: Gorakhpur in Haryana is a village", () => {
    const both = towns().filter(({ told }) => told.name === "Gorakhpur" && Number(told.min_zoom) < 6);
    expect(both.map(({ parts: [[x]] }) => x > planeX(80))).toEqual([true]);
  });

  it("name capitals before all others: none of these is missing at zoom 5", () => {
    const capitals = ["New Delhi", "Valletta", "Riga", "Ljubljana", "Dhaka", "Islamabad", "Manila", "Bern", "Prague"];
    expect(capitals.filter((name) => Number(town(name).min_zoom) - 0.6 > 5)).toEqual([]);
    const vienna = Number(town("Vienna").min_zoom);
    expect([vienna, Number(town("Zürich").min_zoom) < Number(town("Vaduz").min_zoom)]).toEqual([3.1, true]);
  });

  it.each([
    ["Stuttgart", "Aalen"],
    ["Zhengzhou", "Kaifeng"],
    ["Yokohama", "Hachioji"],
    ["Surrey", "Ladner"],
    ["San Francisco", "Fremont"],
    ["Kermanshah", "Kahriz"],
    ["Hamadan", "Azadshahr"],
  ])("name %s before %s", (larger, smaller) => {
    expect(Number(town(larger).min_zoom)).toBeLessThan(Number(town(smaller).min_zoom));
  });

  it("are not called by their municipality or office, nor in the genitive, in any language", () => {
    const office =
      /^(?:Kota|Kabupaten|Delegación|Municipio|Heroica|Ciudad de|Cidade da|City of|Gmina|Powiat|Thành Phố|Thị Xã|Huyện|Mkoa|Amphoe) |(?: (?:Shahri|Şəhəri|District|County|Chengguanzhen|Municipality|Township)|광역|_vald)$/i;
    const namesOf = (told: Properties) =>
      Object.entries(told).flatMap(([key, name]) => (key.startsWith("name") ? [String(name)] : []));
    const countries = new Set(world.filter(({ told }) => told.kind === "country").flatMap(({ told }) => namesOf(told)));
    // Mexico City, Benin City; towns of Malaysia, and American townships.
    const isName = (name: string) =>
      countries.has(name.replace(office, "")) ||
      /^(?:Ciudad de (?:Mexico|Benín)|Kota (?:Bahru|Bharu|Kinabalu|Tinggi)|\p{Lu}\p{Ll}+ Township)$/u.test(name);
    for (const { told } of towns())
      for (const name of namesOf(told)) if (office.test(name) && !isName(name)) expect.fail(name);
    const all = new Set(towns().map(({ told }) => told.name));
    for (const name of [
      "Surabaya",
      "Salta",
      "Tlalpan",
      "Hạ Long",
      "Gagarin",
      "Durrës",
      "Shkodër",
      "Prizren",
      "부산",
      "Praia",
    ])
      expect(all, name).toContain(name);
    for (const name of [
      "Ciudad de México",
      "Ciudad de Guatemala",
      "Ciudad Juárez",
      "Kota Kinabalu",
      "Quezon City",
      "George Town",
    ])
      expect(all, name).toContain(name);
    expect([...all].filter((name) => /^Marseille/.test(String(name)))).toEqual(["Marseille"]);
  });

  it("are below the town that they are a part of, and apart where they are not", () => {
    const suburbs = new Set(world.filter(({ told }) => told.kind === "macrohood").map(({ told }) => told.name));
    for (const name of ["West End", "Westminster", "Mokotów", "Anderlecht", "Frederiksberg", "Le Kremlin-Bicêtre"])
      expect([name, suburbs.has(name)]).toEqual([name, true]);
    for (const name of [
      "Vancouver",
      "North Vancouver",
      "Jersey City",
      "Potsdam",
      "Saint-Denis",
      "New Delhi",
      "Città del Vaticano",
    ])
      expect([name, suburbs.has(name)]).toEqual([name, false]);
    expect(towns().some(({ told }) => told.name === "West End" && told.population === 45_000)).toBe(false);
  });

  it("have their local name, and others in the languages of maps", () => {
    expect(town("Tokyo")).toMatchObject({ name: "東京", "name:ru": "Токио" });
    expect(town("Osaka")).toMatchObject({ name: "大阪", "name:ar": "أوساكا" });
    expect(town("Delhi")).toMatchObject({ name: "Delhi", "name:hi": "दिल्ली" });
    expect(town("Ankara")).toMatchObject({ name: "Ankara", "name:ar": "أنقرة" });
    expect(town("Moscow")).toMatchObject({ name: "Москва", "name:ja": "モスクワ" });
  });

  it("follow one rule in English", () => {
    expect(town("Nuremberg").name).toBe("Nürnberg");
    expect(town("Cologne").name).toBe("Köln");
    expect(town("Geneva").name).toBe("Genève");
    expect(town("Gifu").name).toBe("岐阜");
    for (const { told } of towns()) {
      const english = String(told["name:en"] ?? told.name);
      expect(english, english).not.toMatch(/-shi$|^\p{Lu}{4,}$/u);
    }
    expect(plainEnglish("DZ", "BABOR - VILLE")).toBe("Babor - Ville");
    expect(plainEnglish("IN", "Allahābād")).toBe("Allahabad");
    expect(plainEnglish("DE", "Düsseldorf")).toBe("Düsseldorf");
  });
});

describe("other names of the world base", () => {
  it("call states by today's names", () => {
    const english = world.filter(({ told }) => told.kind === "region").map(({ told }) => told["name:en"] ?? told.name);
    expect(english).toEqual(expect.arrayContaining(["Odisha", "Uttarakhand", "Bavaria", "Styria", "Kyoto"]));
    expect(english).not.toContain("Orissa");
    expect(world.some(({ told }) => told.kind === "region" && told.name === "Orissa")).toBe(false);
  });

  it("follow each river, not its neighbor", () => {
    const nameNear = (latitude: number, longitude: number, language = "name") => {
      const [x, y] = [planeX(longitude), planeY(latitude)];
      const near = world.filter(({ layer, told, parts }) => {
        if (layer !== "water" || told.kind !== "river" || told.name === undefined) return false;
        return parts.some((part) =>
          part.some((value, i) => i % 2 === 0 && Math.hypot(value - x, part[i + 1] - y) < WORLD_SIZE / 600),
        );
      });
      return [...new Set(near.map(({ told }) => told[language] ?? told.name))];
    };
    for (const [name, latitude, longitude] of [
      ["Donau", 48.76, 11.42],
      ["Donau", 48.3, 14.3],
      ["Donau", 48.2, 16.4],
      ["Duna", 47.2, 18.9],
      ["Дунав", 44.8, 20.5],
      ["Rhein", 49.9, 8.3],
      ["Labe", 50.2, 15],
      ["Wisła", 52.3, 21],
      ["Thames", 51.5, -0.3],
      ["النيل", 30.05, 31.25],
      ["Mackenzie", 66.3, -128.7],
      ["Лена", 66, 124],
      ["Paraguay", -20, -58],
    ] as const)
      expect(nameNear(latitude, longitude), `${latitude},${longitude}`).toContain(name);
    // In one language, a river has one name in all its countries.
    for (const [name, latitude, longitude] of [
      ["Euphrates", 36.83, 38.03],
      ["Euphrates", 35.33, 40.13],
      ["Euphrates", 33.43, 43.3],
      ["Tigris", 37.9, 40.24],
      ["Tigris", 36.35, 43.13],
      ["Irtysh", 54.98, 73.37],
      ["Danube", 48.3, 14.3],
      ["Danube", 44.8, 20.5],
    ] as const) {
      const names = nameNear(latitude, longitude, "name:en");
      expect(names, `${latitude},${longitude}`).toContain(name);
      expect(names.filter((one) => /^(F[iı]rat|Al Furat|Dicle|Ertis|Donau|Дунав)$/.test(String(one)))).toEqual([]);
    }
  });

  it("call the Caspian Sea in every language of maps", () => {
    const sea = world.find(({ told }) => told.name === "Caspian Sea")?.told;
    for (const language of MAP_LANGUAGES)
      if (language !== "en") expect(sea, language).toHaveProperty([`name:${language}`]);
  });

  it("include Antarctica, Fiji and small islands at low zooms", () => {
    const zoomOf = (name: string) =>
      Number(world.find(({ told }) => told.kind === "country" && told.name === name)?.told.min_zoom);
    expect(zoomOf("Antarctica")).toBeLessThanOrEqual(1);
    expect(zoomOf("Fiji")).toBeLessThanOrEqual(3);
    expect(zoomOf("Dominica")).toBeLessThanOrEqual(4);
    const islands = new Set(world.filter(({ told }) => told.kind === "island").map(({ told }) => told.name));
    for (const name of ["Réunion", "Tahiti", "Easter Island", "Bornholm"]) expect(islands).toContain(name);
  });
});
