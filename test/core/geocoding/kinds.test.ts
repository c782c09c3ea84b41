import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildKey } from "../../../src/core/geo/builds/manifest.ts";
import { LAYERS } from "../../../src/core/geocoding/search/search.ts";
import { readCategory } from "../../../src/core/places/category-words.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { placesLayer } from "../../../src/importer/layers/places/places-layer.ts";
import type { OsmNode } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { answersTo } from "../../../src/worker/answers/geocode/answers.ts";
import type { Asked } from "../../../src/worker/answers/geocode/asked.ts";
import { type Geodata, openGeodata } from "../../../src/worker/geodata/live.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import { runLayer } from "../regions/extract-harness.ts";
import { worldBase } from "./index/demo-index.ts";

const KINDS =
  "hospital pharmacy restaurant train-station hotel school bank museum supermarket library police-station airport".split(
    " ",
  );

/** A word for each of these kinds, in their order. */
const WORDS: Readonly<Record<string, string>> = {
  en: "hospital|pharmacy|restaurant|train station|hotel|school|bank|museum|supermarket|library|police station|airport",
  de: "Krankenhaus|Apotheke|Restaurant|Bahnhof|Hotel|Schule|Bank|Museum|Supermarkt|Bibliothek|Polizei|Flughafen",
  "de-CH": "Spital|Apotheke|Restaurant|Hauptbahnhof|Hotel|Schule|Bank|Museum|Supermarkt|Bücherei|Polizei|Flughafen",
  fr: "hôpital|pharmacie|restaurant|gare|hôtel|école|banque|musée|supermarché|bibliothèque|commissariat|aéroport",
  es: "hospital|farmacia|restaurante|estación de tren|hotel|escuela|banco|museo|supermercado|biblioteca|comisaría|aeropuerto",
  pt: "hospital|farmácia|restaurante|estação de comboios|hotel|escola|banco|museu|supermercado|biblioteca|polícia|aeroporto",
  it: "ospedale|farmacia|ristorante|stazione|albergo|scuola|banca|museo|supermercato|biblioteca|questura|aeroporto",
  nl: "ziekenhuis|apotheek|restaurant|treinstation|hotel|basisschool|bank|museum|supermarkt|bibliotheek|politie|luchthaven",
  pl: "szpital|apteka|restauracja|dworzec|hotel|szkoła|bank|muzeum|supermarket|biblioteka|policja|lotnisko",
  cs: "nemocnice|lékárna|restaurace|nádraží|hotel|škola|banka|muzeum|supermarket|knihovna|policie|letiště",
  ru: "больница|аптека|ресторан|вокзал|гостиница|школа|банк|музей|супермаркет|библиотека|полиция|аэропорт",
  uk: "лікарня|аптека|ресторан|вокзал|готель|школа|банк|музей|супермаркет|бібліотека|поліція|аеропорт",
  tr: "hastane|eczane|restoran|gar|otel|okul|banka|müze|süpermarket|kütüphane|polis|havalimanı",
  ar: "مستشفى|صيدلية|مطعم|محطة قطار|فندق|مدرسة|بنك|متحف|سوبرماركت|مكتبة|شرطة|مطار",
  he: "בית חולים|בית מרקחת|מסעדה|תחנת רכבת|מלון|בית ספר|בנק|מוזיאון|סופרמרקט|ספרייה|משטרה|שדה תעופה",
  el: "νοσοκομείο|φαρμακείο|εστιατόριο|σιδηροδρομικός σταθμός|ξενοδοχείο|σχολείο|τράπεζα|μουσείο|σούπερ μάρκετ|βιβλιοθήκη|αστυνομία|αεροδρόμιο",
  ja: "病院|薬局|レストラン|駅|ホテル|学校|銀行|博物館|スーパー|図書館|警察署|空港",
  ko: "병원|약국|식당|기차역|호텔|학교|은행|박물관|슈퍼마켓|도서관|경찰서|공항",
  zh: "医院|药店|餐厅|火车站|酒店|学校|银行|博物馆|超市|图书馆|派出所|机场",
  sv: "sjukhus|apotek|restaurang|tågstation|hotell|skola|bank|museum|livsmedel|bibliotek|polis|flygplats",
  da: "sygehus|apotek|restaurant|banegård|hotel|skole|bank|museum|supermarked|bibliotek|politi|lufthavn",
  fi: "sairaala|apteekki|ravintola|rautatieasema|hotelli|koulu|pankki|museo|supermarket|kirjasto|poliisi|lentoasema",
};
const LANGUAGES = Object.entries(WORDS).map(([language, words]) => ({ language, words: words.split("|") }));

describe("a word for a kind of place", () => {
  it.each(LANGUAGES)("in $language, before and after a town", ({ words }) => {
    expect(words.length).toBe(KINDS.length);
    for (const [i, word] of words.entries()) {
      for (const text of [word, `${word} Porto`, `Porto ${word}`, `${word}, Porto`, `Porto, ${word}`]) {
        const read = readCategory(text);
        expect([text, read?.slugs.includes(KINDS[i]), read?.reference]).toEqual([
          text,
          true,
          text === word ? "" : "Porto",
        ]);
      }
    }
  });

  it.each([
    ["京都病院", "hospital", "京都", false],
    ["京都の病院", "hospital", "京都", true],
    ["柏林的餐厅", "restaurant", "柏林", true],
    ["上海医院", "hospital", "上海", false],
    ["서울병원", "hospital", "서울", false],
    ["서울의 병원", "hospital", "서울", true],
    ["İzmir'de eczane", "pharmacy", "İzmir", true],
    ["İstanbul’daki otel", "hotel", "İstanbul", true],
    ["φαρμακείο στην Αθήνα", "pharmacy", "Αθήνα", true],
    ["Hospital de Braga", "hospital", "Braga", false],
  ])("%s", (text, slug, reference, sure) => {
    const read = readCategory(text);
    expect([read?.slugs[0], read?.reference, read?.sure]).toEqual([slug, reference, sure]);
  });

  it.each([
    ["больница в Москве", "Москва"],
    ["аптека в Твери", "Тверь"],
    ["аптека в Лондоне", "Лондон"],
    ["аптека у Києві", "Київ"],
    ["лікарня у Львові", "Львів"],
    ["лікарня в Одесі", "Одеса"],
    ["apteka w Krakowie", "Krakow"],
    ["apteka w Warszawie", "Warszawa"],
    ["apteka w Katowicach", "Katowice"],
    ["apteka w Łodzi", "Łodź"],
    ["apteka w Poznaniu", "Poznan"],
    ["lékárna v Brně", "Brno"],
    ["lékárna v Praze", "Praha"],
    ["lékárna v Pardubicích", "Pardubice"],
    ["בית חולים בתל אביב", "תל אביב"],
  ])("%s may be in %s", (text, town) => expect(readCategory(text)?.others).toContain(town));

  it.each(["Москва", "京都", "サクラ", "Hotelstraße 5", "病院"])("%s has no town", (text) => {
    expect(readCategory(text)?.reference ?? "").toBe("");
  });
});

const NEW_YORK = [
  "LaGuardia Airport",
  "Newark Liberty International Airport",
  "Teterboro Airport",
  "John F. Kennedy International Airport",
  "Westchester County Airport",
];
const PORTO = { latitude: 41.1496, longitude: -8.611 };
const KREMS = { latitude: 48.41, longitude: 15.61 };
const SLIEMA = { latitude: 35.9128, longitude: 14.5019 };
const LEIMEN = { latitude: 49.3474, longitude: 8.6874 };
const TAGS: Readonly<Record<string, Record<string, string>>> = {
  hospital: { amenity: "hospital" },
  pharmacy: { amenity: "pharmacy" },
  restaurant: { amenity: "restaurant" },
  "train-station": { railway: "station" },
};

/** Porto has two places of each kind, and Vila Nova de Gaia another of each; Krems has a pharmacy only. */
function* nodes(): Generator<OsmNode> {
  let id = 1;
  const node = (tags: Record<string, string>, { latitude, longitude }: typeof PORTO): OsmNode => ({
    type: "node",
    id: id++,
    latitude,
    longitude,
    tags,
  });
  yield node({ place: "city", name: "Porto", population: "230000" }, PORTO);
  yield node({ place: "town", name: "Krems an der Donau", population: "25000" }, KREMS);
  for (const [kind, tags] of Object.entries(TAGS)) {
    for (const [n, city] of ["Porto", "Porto", "Vila Nova de Gaia"].entries())
      yield node(
        { ...tags, name: `${kind} ${n}`, "addr:city": city, "addr:street": "Rua Nova", "addr:housenumber": `${n + 1}` },
        { ...PORTO, latitude: PORTO.latitude + [0.01, 0.02, -0.005][n] },
      );
  }
  yield node({ ...TAGS.pharmacy, name: "Adler" }, { ...KREMS, latitude: KREMS.latitude + 0.001 });
  // Sliema has a pharmacy, and its neighbor one that is nearer to its center; Leimen has none.
  yield node({ place: "town", name: "Tas-Sliema", population: "20000" }, SLIEMA);
  const pharmacy = (name: string, city: string, { latitude, longitude }: typeof PORTO, away: number) =>
    node(
      { ...TAGS.pharmacy, name, "addr:city": city, "addr:street": `${name} Road`, "addr:housenumber": "1" },
      { latitude: latitude + away, longitude },
    );
  yield pharmacy("Balluta", "San Ġiljan", SLIEMA, 0.004);
  yield pharmacy("Tower", "Sliema", SLIEMA, -0.008);
  yield pharmacy("Strand", "Tas-Sliema", SLIEMA, -0.009);
  yield node({ ...TAGS.pharmacy, name: "Ferries" }, { latitude: SLIEMA.latitude + 0.01, longitude: SLIEMA.longitude });
  yield node({ ...TAGS.pharmacy, name: "Marsa" }, { latitude: SLIEMA.latitude - 0.08, longitude: SLIEMA.longitude });
  yield node({ place: "town", name: "Leimen", population: "26000" }, LEIMEN);
  yield pharmacy("Rohrbach", "Heidelberg", LEIMEN, 0.03);
  yield pharmacy("Altstadt", "Heidelberg", LEIMEN, 0.06);
  // A place of this name, far from the town.
  yield node({ amenity: "bar", name: "Porto" }, { ...KREMS, latitude: KREMS.latitude + 0.002 });
}

let geodata: Geodata;
beforeAll(async () => {
  const bucket = new FakeBucket();
  const folder = await mkdtemp(join(tmpdir(), "graticule-kinds-"));
  const layers = { addresses: addressesLayer.formatVersion, places: placesLayer.formatVersion };
  try {
    const path = join(folder, "towns.osm.pbf");
    await writePbf(path, nodes());
    for (const layer of [addressesLayer, placesLayer])
      for (const [key, bytes] of (await runLayer(layer, [path])).objects) bucket.put(buildKey("towns", key), bytes);
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const [key, bytes] of (await worldBase()).objects) bucket.put(buildKey("base", key), bytes);
  const build = (name: string, id: string) => ({ name, id, areas: [[-180, -90, 180, 90]], sources: [], previous: [] });
  const builds = [
    { ...build("towns", "towns"), layers },
    { ...build("world", "base"), layers: { addresses: addressesLayer.formatVersion } },
  ];
  bucket.put("live.json", JSON.stringify({ version: 1, builds }));
  geodata = await openGeodata(bucket, { now: 0, waitUntil: undefined });
}, 240_000);

const ask = (text: string, more: Partial<Asked> = {}) =>
  answersTo(geodata, text, { layers: new Set(LAYERS), limit: 10, language: "en", open: false, now: 0, ...more });

describe("places of a kind in a town", () => {
  it.each(LANGUAGES)("in $language, in any order, with or without a position", async ({ words }) => {
    for (const [i, kind] of Object.keys(TAGS).entries()) {
      const word = words[KINDS.indexOf(kind)];
      for (const [text, near] of [
        [`${word} Porto`, undefined],
        [`Porto ${word}`, KREMS],
        [`${word}, Porto`, PORTO],
      ] as const) {
        const found = await ask(text, { near });
        const names = found.map(({ name }) => name);
        expect([text, i, names.slice(0, 3)]).toEqual([text, i, [`${kind} 0`, `${kind} 1`, `${kind} 2`]]);
      }
    }
  });

  it.each(["hospital krems", "Krems Krankenhaus", "Spital in Krems", "restaurace Krems", "больница Krems"])(
    "%s: the town, as a fallback, where there is none",
    async (text) => {
      for (const near of [undefined, PORTO, KREMS]) {
        const found = await ask(text, { near });
        expect(found.map(({ confidence }) => confidence)).not.toContain("exact");
        expect([text, found[0]]).toMatchObject([
          text,
          { layer: "locality", countryCode: "AT", confidence: "fallback" },
        ]);
      }
    },
  );

  it("are results without layers, but not without a town", async () => {
    const layers = new Set(LAYERS.filter((layer) => layer !== "place"));
    expect((await ask("hospital Porto", { layers, defaultLayers: true })).map(({ layer }) => layer)).toContain("place");
    expect((await ask("Porto hospital", { layers, defaultLayers: true }))[0]).toMatchObject({ name: "hospital 0" });
    expect((await ask("hospital Porto", { layers })).map(({ layer }) => layer)).not.toContain("place");
    for (const text of ["hospital", "hospital near me"])
      for (const { layer } of await ask(text, { layers, defaultLayers: true, near: PORTO }))
        expect(layer).not.toBe("place");
  });

  it("are in the town whose name has an article, before those of its neighbors", async () => {
    for (const text of ["pharmacy Sliema", "pharmacy in Tas-Sliema", "Sliema Apotheke", "pharmacy near Sliema"]) {
      const found = (await ask(text)).map(({ name, confidence }) => `${name} ${confidence}`);
      expect([text, found]).toEqual([
        text,
        ["Tower exact", "Strand exact", "Ferries exact", "Balluta fallback", "Marsa fallback"],
      ]);
      const two = await ask(text, { limit: 2 });
      expect(two.map(({ name }) => name)).toEqual(["Tower", "Strand"]);
    }
  });

  it.each(["1 Strand Road, Sliema", "Strand Road 1, Tas-Sliema", "Tower Road 1, Tas-Sliema", "1 Tower Road, Sliema"])(
    "the town of an address has its article or not: %s",
    async (text) => {
      expect((await ask(text))[0]).toMatchObject({ number: "1", countryCode: "MT", confidence: "exact" });
    },
  );

  it("are not exact in another town", async () => {
    const found = await ask("Apotheke Leimen");
    expect(found.map(({ name, confidence }) => `${name} ${confidence}`)).toEqual([
      "Rohrbach fallback",
      "Altstadt fallback",
    ]);
  });

  it("has no town outside the requested layers", async () => {
    expect(await ask("hospital krems", { layers: new Set(["place"]) })).toEqual([]);
  });

  it.each([
    ["Flughafen Wien", ["Vienna International Airport"]],
    ["Vienna airport", ["Vienna International Airport"]],
    ["Paris airport", ["Paris Orly Airport", "Paris-Charles De Gaulle Airport", "Paris Beauvais Airport"]],
    ["aeroporto Milano", ["Milano Linate Airport", "Milano Malpensa Airport"]],
    ["New York airport", NEW_YORK],
    ["NYC airport", NEW_YORK],
    ["airport New York", NEW_YORK],
    ["Flughafen New York", NEW_YORK],
    ["aéroport de New York", NEW_YORK],
    ["aeropuerto de Nueva York", NEW_YORK],
    ["ニューヨーク 空港", NEW_YORK],
    ["аэропорт Нью-Йорк", NEW_YORK],
    ["Tokyo airport", ["Haneda Airport", "Narita International Airport"]],
    ["東京の空港", ["Haneda Airport", "Narita International Airport"]],
    ["Chicago airport", ["Chicago Midway International Airport", "O'Hare International Airport"]],
    ["Seoul airport", ["Gimpo International Airport", "Incheon International Airport"]],
    ["Manchester airport, UK", ["Manchester Airport"]],
    ["Vancouver International Airport", ["Vancouver International Airport"]],
    ["O'Hare airport", ["O'Hare International Airport"]],
    ["JFK airport", ["John F. Kennedy International Airport"]],
    ["Flughafen VIE", ["Vienna International Airport"]],
    ["LHR", ["London Heathrow Airport"]],
    ["jfk", ["John F. Kennedy International Airport"]],
  ])("are airports without an import and without layers: %s", async (text, names) => {
    const layers = new Set(LAYERS.filter((layer) => layer !== "place"));
    const found = (await ask(text, { layers, defaultLayers: true })).filter(({ layer }) => layer === "place");
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(found[0].confidence).toBe("exact");
    expect(await ask(text, { layers })).not.toContainEqual(expect.objectContaining({ layer: "place" }));
    expect(await ask(text, { layers, defaultLayers: true, countries: ["KP"] })).toEqual([]);
  });

  it("is a town before the airport with the code of its name, without layers", async () => {
    const layers = new Set(LAYERS.filter((layer) => layer !== "place"));
    const [ulm, ...others] = await ask("ULM", { layers, defaultLayers: true });
    expect(ulm).toMatchObject({ layer: "locality", countryCode: "DE" });
    expect(others.map(({ layer }) => layer)).toContain("locality");
    expect((await ask("Flughafen Krems", { layers, defaultLayers: true }))[0]).toMatchObject({
      layer: "locality",
      confidence: "fallback",
    });
  });

  it("is the place of the name, if it has one", async () => {
    expect((await ask("restaurant 1, Porto"))[0]).toMatchObject({ name: "restaurant 1", confidence: "exact" });
    expect((await ask("Apotheke Krems"))[0]).toMatchObject({ name: "Adler" });
    expect((await ask("Porto bar", { near: KREMS }))[0]).not.toMatchObject({ name: "Porto", confidence: "exact" });
  });
});
