import { expect } from "vitest";
import { type Difference, metresBetween, pointOf } from "./difference.ts";

type Json = Record<string, unknown>;

/** Effects of the parameters of geocoding, autocomplete, places and address validation, in the demo world. */

/** A crossing of Meridale, Montana, and a field of North Meridale, Alberta. */
const SOUTH = "48.99,-111.2";
const NORTH = "49.01,-111.2";
const [WEST, EAST] = ["48.985,-111.23", "49.015,-111.17"];

/** The town's name, and its country's, as the demo world and the CLDR have them. */
const NAMES: Readonly<Record<string, readonly [town: string, country: string]>> = {
  ar: ["ميريديل", "الولايات المتحدة"],
  de: ["Mittagstal", "Vereinigte Staaten"],
  en: ["Meridale", "United States"],
  es: ["Meridiana", "Estados Unidos"],
  fr: ["Méridale", "États-Unis"],
  ja: ["メリデール", "アメリカ合衆国"],
  ko: ["메리데일", "미국"],
  pt: ["Meridiana", "Estados Unidos"],
  ru: ["Меридейл", "Соединенные Штаты"],
  zh: ["梅里代尔", "美国"],
};

interface Addresses {
  addresses: (Json & {
    layer: string;
    city?: string;
    country: string;
    countryCode: string;
    formattedAddress: string;
    distance?: number;
    latitude: number;
    longitude: number;
  })[];
}
interface Places {
  places: (Json & {
    name: string;
    categories: string[];
    chain?: { slug: string; externalId?: string };
    location: { coordinates: [number, number] };
  })[];
}
interface Validated {
  address: Record<string, string> & { metadata: Json };
  result: { verificationStatus: string; corrections?: string[] };
}

const labels = ({ addresses }: Addresses) => addresses.map(({ formattedAddress }) => formattedAddress);
const codes = ({ addresses }: Addresses) => addresses.map(({ countryCode }) => countryCode);
const layersOf = ({ addresses }: Addresses) => addresses.map(({ layer }) => layer);
const slugs = ({ places }: Places) => places.map(({ chain }) => chain?.slug);
const idsOf = ({ places }: Places) => places.map(({ _id }) => _id);
const away = ({ places }: Places, near: string) =>
  places.map(({ location: { coordinates } }) =>
    metresBetween(pointOf(near), { latitude: coordinates[1], longitude: coordinates[0] }),
  );
const ascending = (values: readonly number[]) => [...values].sort((one, other) => one - other);

/** The same town, once for each language. */
const inEveryLanguage = (id: Difference["id"], both: Json): Difference[] =>
  Object.entries(NAMES).map(([lang, [town, country]]) => ({
    id,
    effect: `in ${lang} the town is ${town}`,
    changes: "the language of names",
    both,
    a: { lang: "en" },
    b: { lang },
    expects(english: Addresses, other: Addresses) {
      const [first] = other.addresses;
      expect([first.city, first.country]).toEqual([town, country]);
      expect([english.addresses[0].city, english.addresses[0].country]).toEqual(NAMES.en);
      expect([first.latitude, first.longitude]).toEqual([
        english.addresses[0].latitude,
        english.addresses[0].longitude,
      ]);
    },
  }));

const GEOCODING: readonly Difference[] = [
  {
    id: "parameter.forwardGeocode.query",
    effect: "a different query finds a different address",
    a: { query: "1554 Bobolink Place, Meridale, MT 59999" },
    b: { query: "Main Street, North Meridale, AB" },
    expects(a: Addresses, b: Addresses) {
      expect(a.addresses[0]).toMatchObject({ number: "1554", street: "Bobolink Place", confidence: "exact" });
      expect(metresBetween(pointOf(SOUTH), a.addresses[0])).toBeLessThan(50);
      expect(b.addresses[0]).toMatchObject({ street: "Main Street", city: "North Meridale", countryCode: "CA" });
      expect(b.addresses[0]).not.toHaveProperty("number");
    },
  },
  {
    id: "parameter.forwardGeocode.country",
    effect: "returns only addresses in one country",
    both: { query: "Main Street" },
    b: { country: "CA" },
    expects(a: Addresses, b: Addresses) {
      expect(new Set(codes(a))).toEqual(new Set(["US", "CA"]));
      expect(labels(b)).toEqual(labels(a).filter((_, i) => codes(a)[i] === "CA"));
    },
  },
  {
    id: "parameter.forwardGeocode.country",
    effect: "returns only addresses in several countries",
    both: { query: "Montana" },
    b: { country: "bg, CH" },
    expects(a: Addresses, b: Addresses) {
      expect(codes(a)).toEqual(expect.arrayContaining(["US", "RO", "BG", "CH"]));
      expect(new Set(codes(b))).toEqual(new Set(["BG", "CH"]));
    },
  },
  ...inEveryLanguage("parameter.forwardGeocode.lang", { query: "Meridale", country: "US" }),
  {
    id: "parameter.reverseGeocode.coordinates",
    effect: "a different position returns different addresses and regions, with distances",
    a: { coordinates: SOUTH },
    b: { coordinates: NORTH },
    expects(a: Addresses, b: Addresses) {
      const [house, ...regions] = a.addresses;
      expect(house).toMatchObject({ layer: "address", number: "1554", street: "Bobolink Place" });
      expect(house.distance).toBeGreaterThan(5);
      expect(house.distance).toBeCloseTo(metresBetween(pointOf(SOUTH), house), 0);
      expect(regions.map(({ layer, distance }) => [layer, distance])).toEqual(
        ["postalCode", "locality", "county", "state", "country"].map((layer) => [layer, 0]),
      );
      expect(labels(a).slice(1)).toEqual([
        ...["Meridale, MT 59999 USA", "Meridale, MT USA", "Cottonwood County, MT USA", "Montana USA", "United States"],
      ]);
      expect(labels(b).slice(-5)).toEqual([
        ...["North Meridale, AB T9Y, Canada", "North Meridale, AB, Canada"],
        ...["Municipal District of Cowslip, AB, Canada", "Alberta, Canada", "Canada"],
      ]);
    },
  },
  ...["place", "address", "postalCode", "locality", "county", "state", "country"].map(
    (layer): Difference => ({
      id: "parameter.reverseGeocode.layers",
      effect: `${layer} returns only this layer`,
      changes: "the layers of the addresses",
      both: { coordinates: SOUTH },
      a: { layers: "coarse,fine" },
      b: { layers: layer },
      expects(a: Addresses, b: Addresses) {
        expect(new Set(layersOf(b))).toEqual(new Set([layer]));
        expect(labels(b)).toEqual(labels(a).filter((_, i) => layersOf(a)[i] === layer));
      },
    }),
  ),
  {
    id: "parameter.reverseGeocode.layers",
    effect: "defaults to address and coarse",
    both: { coordinates: SOUTH },
    b: { layers: "address,coarse" },
    expects(a: Addresses, b: Addresses) {
      expect(layersOf(a)).toEqual(["address", "postalCode", "locality", "county", "state", "country"]);
      expect(labels(a)).toEqual(labels(b));
    },
  },
];

const near = { near: SOUTH };
const AUTOCOMPLETE: readonly Difference[] = [
  {
    id: "parameter.autocomplete.query",
    effect: "finds towns and places that begin with the query",
    both: near,
    a: { query: "meridal" },
    b: { query: "latitude cof" },
    expects(a: Addresses, b: Addresses) {
      expect(a.addresses[0]).toMatchObject({ layer: "locality", formattedAddress: "Meridale, MT USA" });
      expect(b.addresses.length).toBe(10);
      for (const { layer, placeLabel } of b.addresses)
        expect([layer, placeLabel]).toEqual(["place", "Latitude Coffee"]);
    },
  },
  {
    id: "parameter.autocomplete.query",
    effect: "completes an address as it is typed",
    both: { ...near, layers: "address", countryCode: "US,CA" },
    a: { query: "1554 bobol" },
    b: { query: "1556 bobol" },
    expects(a: Addresses, b: Addresses) {
      expect(labels(a)).toEqual(["1554 Bobolink Place, Meridale, MT 59999 USA"]);
      expect(labels(b)[0]).not.toBe(labels(a)[0]);
    },
  },
  {
    id: "parameter.autocomplete.near",
    effect: "returns the distance, and ranks the nearest of equal names first",
    both: { query: "latitude coffee", layers: "place" },
    a: { near: WEST },
    b: { near: EAST },
    expects(a: Addresses, b: Addresses) {
      for (const [found, from] of [
        [a, WEST],
        [b, EAST],
      ] as const) {
        const told = found.addresses.map(({ distance }) => distance ?? Number.NaN);
        found.addresses.forEach((one, i) => {
          expect(Math.abs(told[i] - metresBetween(pointOf(from), one))).toBeLessThan(0.006 * told[i] + 1);
        });
        expect(told).toEqual(ascending(told));
      }
      expect(a.addresses[0].latitude).not.toBe(b.addresses[0].latitude);
    },
  },
  {
    id: "parameter.autocomplete.near",
    effect: "without it, distant towns with the same prefix come first",
    both: { query: "merid", layers: "locality" },
    b: near,
    expects(a: Addresses, b: Addresses) {
      expect(labels(b)[0]).toBe("Meridale, MT USA");
      expect(labels(a)[0]).not.toBe("Meridale, MT USA");
      for (const { distance } of a.addresses) expect(distance).toBeUndefined();
    },
  },
  ...(
    [
      ["place", ["place"]],
      ["address", ["address"]],
      ["locality", ["locality"]],
      ["fine", ["place", "address"]],
      ["address, coarse", ["address", "locality"]],
    ] as const
  ).map(
    ([layers, shown]): Difference => ({
      id: "parameter.autocomplete.layers",
      effect: `${layers} returns only ${shown.join(" and ")}`,
      changes: "the layers of the addresses",
      both: { query: "merid", near: SOUTH, limit: 20, countryCode: "US,CA" },
      a: { layers: "fine,coarse" },
      b: { layers },
      expects(a: Addresses, b: Addresses) {
        expect(new Set(layersOf(a))).toEqual(new Set(["place", "address", "locality"]));
        expect(new Set(layersOf(b))).toEqual(new Set(shown));
      },
    }),
  ),
  {
    id: "parameter.autocomplete.limit",
    effect: "3 returns the first three of ten",
    both: { query: "ma", near: SOUTH, layers: "place" },
    b: { limit: 3 },
    expects(a: Addresses, b: Addresses) {
      expect(a.addresses).toHaveLength(10);
      expect(labels(b)).toEqual(labels(a).slice(0, 3));
    },
  },
  {
    id: "parameter.autocomplete.limit",
    effect: "100 returns more than ten",
    both: { query: "ma", near: SOUTH, layers: "place" },
    b: { limit: 100 },
    expects(a: Addresses, b: Addresses) {
      expect(b.addresses.length).toBeGreaterThan(20);
      expect(labels(b)).toEqual(expect.arrayContaining(labels(a)));
    },
  },
  {
    id: "parameter.autocomplete.countryCode",
    effect: "returns only addresses in one country",
    both: { query: "main street", near: SOUTH },
    b: { countryCode: "CA" },
    expects(a: Addresses, b: Addresses) {
      expect(new Set(codes(a))).toEqual(new Set(["US", "CA"]));
      expect(new Set(codes(b))).toEqual(new Set(["CA"]));
    },
  },
  {
    id: "parameter.autocomplete.countryCode",
    effect: "returns only the specified countries",
    both: { query: "merid" },
    b: { countryCode: "US,CA" },
    expects(a: Addresses, b: Addresses) {
      expect(codes(a)).toEqual(expect.arrayContaining(["MX", "VE", "US"]));
      expect(codes(b).filter((code) => code !== "US" && code !== "CA")).toEqual([]);
      expect(b.addresses).toHaveLength(10);
    },
  },
  ...inEveryLanguage("parameter.autocomplete.lang", { query: "meridal", near: SOUTH }),
];

/** A mapped id of a chain, in the project of these cases. */
export const CHAINS = {
  chainMappings: { "latitude-coffee": "L9" },
  chainMetadata: {},
  placeFilters: { chain: [], category: [] },
};
const bothChains = { chains: "latitude-coffee,gridline-grocers", categories: undefined, radius: 5000, limit: 100 };

/** Cases that test/conformance/effects/search-places.ts does not prove: the order, and omitted places. */
const PLACES: readonly Difference[] = [
  {
    id: "parameter.searchPlaces.chains",
    effect: "one chain, or several, nearest place first",
    both: { ...bothChains, near: SOUTH },
    a: { chains: "latitude-coffee, gridline-grocers" },
    b: { chains: "latitude-coffee" },
    expects(a: Places, b: Places) {
      expect(new Set(slugs(a))).toEqual(new Set(["latitude-coffee", "gridline-grocers"]));
      expect(idsOf(b)).toEqual(idsOf(a).filter((_, i) => slugs(a)[i] === "latitude-coffee"));
      expect(away(a, SOUTH)).toEqual(ascending(away(a, SOUTH)));
    },
  },
  {
    id: "parameter.searchPlaces.chains",
    effect: "a mapped id is equivalent to the slug",
    both: bothChains,
    a: { chains: "latitude-coffee" },
    b: { chains: "L9" },
    expects(a: Places, b: Places) {
      expect(a.places.length).toBeGreaterThan(5);
      expect(b.places).toEqual(a.places);
      for (const { chain } of b.places) expect(chain?.externalId).toBe("L9");
    },
  },
  {
    id: "parameter.searchPlaces.categories",
    effect: "one category, or several, nearest place first",
    both: { radius: 300, limit: 100 },
    a: { categories: "food-beverage,shopping-retail" },
    b: { categories: "shopping-retail" },
    expects(a: Places, b: Places) {
      const isShop = a.places.map(({ categories }) => categories.includes("shopping-retail"));
      expect(new Set(isShop)).toEqual(new Set([true, false]));
      expect(idsOf(b)).toEqual(idsOf(a).filter((_, i) => isShop[i]));
      for (const { categories } of a.places)
        expect(categories).toEqual(
          expect.toSatisfy((own: string[]) => /food-beverage|shopping-retail/.test(own.join())),
        );
      expect(away(a, SOUTH)).toEqual(ascending(away(a, SOUTH)));
    },
  },
  {
    id: "parameter.searchPlaces.categories",
    effect: "with chains, a place must match both",
    both: bothChains,
    b: { categories: "food-beverage" },
    expects(a: Places, b: Places) {
      expect(idsOf(b)).toEqual(idsOf(a).filter((_, i) => slugs(a)[i] === "latitude-coffee"));
    },
  },
  {
    id: "parameter.searchPlaces.iataCode",
    effect: "finds the airport with this code and ignores other parameters",
    a: { near: undefined, categories: undefined, iataCode: "QMZ" },
    b: { near: "0,0", radius: 1, iataCode: "qmz" },
    expects(a: Places, b: Places) {
      expect(a.places.map(({ name }) => name)).toEqual(["Meridale International Airport"]);
      expect(b.places).toEqual(a.places);
    },
  },
  {
    id: "parameter.searchPlaces.near",
    effect: "returns nearby places, nearest first",
    both: bothChains,
    a: { near: WEST },
    b: { near: EAST },
    expects(a: Places, b: Places) {
      for (const [found, from] of [
        [a, WEST],
        [b, EAST],
      ] as const) {
        expect(found.places.length).toBeGreaterThan(10);
        expect(away(found, from)).toEqual(ascending(away(found, from)));
      }
      expect(idsOf(a)[0]).not.toBe(idsOf(b)[0]);
    },
  },
  {
    id: "parameter.searchPlaces.radius",
    effect: "returns places within the radius",
    both: { chains: "latitude-coffee,gridline-grocers,azimuth-mobile", categories: undefined, limit: 100 },
    b: { radius: 400 },
    expects(a: Places, b: Places) {
      expect(Math.max(...away(a, SOUTH))).toBeLessThanOrEqual(1000);
      expect(Math.max(...away(a, SOUTH))).toBeGreaterThan(600);
      expect(b.places.length).toBeGreaterThan(1);
      expect(idsOf(b)).toEqual(idsOf(a).filter((_, i) => away(a, SOUTH)[i] <= 400));
    },
  },
  {
    id: "parameter.searchPlaces.limit",
    effect: "3 returns the nearest three of ten",
    b: { limit: 3 },
    expects(a: Places, b: Places) {
      expect(a.places).toHaveLength(10);
      expect(b.places).toEqual(a.places.slice(0, 3));
    },
  },
  {
    id: "parameter.searchPlaces.limit",
    effect: "100 returns up to a hundred",
    both: { radius: 10_000 },
    b: { limit: 100 },
    expects(a: Places, b: Places) {
      expect(b.places).toHaveLength(100);
      expect(b.places.slice(0, 10)).toEqual(a.places);
    },
  },
];

/** A house of the demo world, in parts. */
const HOUSE = { number: "1554", street: "Bobolink Place" };
const verdict = ({ result }: Validated) => [result.verificationStatus, result.corrections];
const VERIFIED = ["verified", undefined];

/** One part of a known address is wrong: it is not verified, and the wrong part is corrected to the record. */
const corrected = (part: string, wrong: string, right: string): Difference => ({
  id: `parameter.validateAddress.${part}`,
  effect: `${wrong} is corrected to ${right}`,
  both: HOUSE,
  b: { [part]: wrong },
  expects(a: Validated, b: Validated) {
    expect(verdict(a)).toEqual(VERIFIED);
    expect(verdict(b)).toEqual(["partially verified", [part]]);
    expect([a.address[part], b.address[part]]).toEqual([right, right]);
  },
});

const VALIDATION: readonly Difference[] = [
  corrected("city", "Helena", "MERIDALE"),
  corrected("stateCode", "WY", "MT"),
  corrected("street", "Bobolink Street", "BOBOLINK PL"),
  {
    id: "parameter.validateAddress.stateCode",
    effect: "also works in lower case",
    both: HOUSE,
    b: { stateCode: "mt" },
    expects: (a: Validated, b: Validated) => expect(b).toEqual(a),
  },
  {
    id: "parameter.validateAddress.countryCode",
    effect: "selects the country's states, postal codes and address format",
    both: { city: "Calgary", stateCode: "AB", postalCode: "T2P 2M5", number: "100", street: "Main Street" },
    a: { countryCode: "CA" },
    b: { countryCode: "US" },
    isRejected: true,
    expects(a: Validated, b: { meta: Json }) {
      expect(a.address.formattedAddress).toBe("100 MAIN ST, CALGARY AB  T2P 2M5");
      expect(a.address.countryCode).toBe("CA");
      expect(b.meta).toMatchObject({ param: "stateCode", message: expect.stringContaining("Valid values: AL, AK") });
    },
  },
  {
    id: "parameter.validateAddress.number",
    effect: "an unknown number is not verified",
    both: HOUSE,
    b: { number: "9999" },
    expects(a: Validated, b: Validated) {
      expect(verdict(a)).toEqual(VERIFIED);
      expect([b.result.verificationStatus, b.address.addressLabel]).toEqual([
        ...["partially verified", "9999 BOBOLINK PL"],
      ]);
    },
  },
  {
    id: "parameter.validateAddress.street",
    effect: "a different street is a different address",
    both: HOUSE,
    b: { street: "Lattice Lane" },
    expects(a: Validated, b: Validated) {
      expect([a.address.addressLabel, b.address.addressLabel]).toEqual(["1554 BOBOLINK PL", "1554 LATTICE LN"]);
    },
  },
  {
    id: "parameter.validateAddress.unit",
    effect: "follows the street in the label, and the building is a high-rise",
    both: HOUSE,
    b: { unit: "apartment 4b" },
    expects(a: Validated, b: Validated) {
      expect([a.address.unit, a.address.metadata.recordType]).toEqual([undefined, "S"]);
      expect([b.address.unit, b.address.metadata.recordType]).toEqual(["APT 4B", "H"]);
      expect(b.address.formattedAddress).toBe("1554 BOBOLINK PL APT 4B, MERIDALE MT 59999");
    },
  },
  {
    id: "parameter.validateAddress.addressLabel",
    effect: "replaces number and street",
    a: HOUSE,
    b: { number: undefined, street: undefined, addressLabel: "1554 bobolink place" },
    expects(a: Validated, b: Validated) {
      expect(verdict(a)).toEqual(VERIFIED);
      expect(b).toEqual(a);
    },
  },
  {
    id: "parameter.validateAddress.addressLabel",
    effect: "a different first line is a different address",
    both: { number: undefined, street: undefined },
    a: { addressLabel: "1554 Bobolink Place" },
    b: { addressLabel: "1555 Bobolink Place" },
    expects(a: Validated, b: Validated) {
      expect([a.address.number, b.address.number]).toEqual(["1554", "1555"]);
    },
  },
];

export const GEO_DIFFERENCES: readonly Difference[] = [...GEOCODING, ...AUTOCOMPLETE, ...PLACES, ...VALIDATION];
