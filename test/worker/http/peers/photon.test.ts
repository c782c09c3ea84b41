// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
import { beforeAll, describe, expect, it } from "vitest";
import { choice, openPeerWorld, type PeerWorld, QUESTIONS, randomPoint, seeded } from "./peer-world.ts";

let peer: PeerWorld;
beforeAll(async () => {
  peer = await openPeerWorld();
});

const ask = async (path: string) => (await peer.ask(`/photon/${path}`)).body;
const places = ({ features }: any) => features.map(({ geometry }: any) => geometry.coordinates);

describe("Photon", () => {
  it("has the results of autocomplete while a word is typed, field by field", async () => {
    const random = seeded(3);
    for (let i = 0; i < QUESTIONS; i++) {
      const [lon, lat] = randomPoint(random);
      const { addresses } = await peer.own(`/v1/geocode/reverse?coordinates=${lat},${lon}&layers=fine,coarse`);
      const { formattedAddress } = choice(random, addresses as { formattedAddress: string }[]);
      const typed = encodeURIComponent(formattedAddress.slice(0, 4 + Math.floor(random() * formattedAddress.length)));
      const theirs = await ask(`api?q=${typed}&lat=${lat}&lon=${lon}&limit=10`);
      const own = (await peer.own(`/v1/search/autocomplete?query=${typed}&near=${lat},${lon}&limit=10`)).addresses;
      expect(places(theirs)).toEqual(own.map(({ longitude, latitude }: any) => [longitude, latitude]));
      theirs.features.forEach(({ properties }: any, at: number) => {
        const { number, city, postalCode, country, countryCode, layer } = own[at];
        expect([properties.housenumber, properties.postcode, properties.countrycode]).toEqual([
          number,
          postalCode,
          countryCode,
        ]);
        if (layer !== "locality") expect(properties.city).toBe(city);
        if (layer !== "country") expect(properties.country).toBe(country);
      });
    }
  });

  it("has at each point what reverse geocoding has", async () => {
    const random = seeded(4);
    for (let i = 0; i < QUESTIONS; i++) {
      const [lon, lat] = randomPoint(random);
      const own = (await peer.own(`/v1/geocode/reverse?coordinates=${lat},${lon}&layers=fine,coarse`)).addresses;
      const theirs = await ask(`reverse?lat=${lat}&lon=${lon}&limit=20`);
      expect(places(theirs)).toEqual(own.map(({ longitude, latitude }: any) => [longitude, latitude]));
    }
  });

  it("filters by layers and tags, each of which may be repeated", async () => {
    const types = ({ features }: any) => [...new Set(features.map(({ properties }: any) => properties.type))].sort();
    expect(types(await ask("api?q=Meridale&layer=city"))).toEqual(["city"]);
    expect(types(await ask("api?q=Main&lat=48.99&lon=-111.2&layer=street&layer=city"))).toEqual(["city", "street"]);
    const tagged = async (query: string) =>
      (await ask(`api?q=cafe&lat=48.99&lon=-111.2&limit=50&${query}`)).features.map(({ properties }: any) =>
        [properties.osm_key, properties.osm_value].join(),
      );
    expect(new Set(await tagged("osm_tag=amenity:cafe"))).toEqual(new Set(["amenity,cafe"]));
    expect(new Set(await tagged("osm_tag=amenity&osm_tag=!amenity:cafe"))).not.toContain("amenity,cafe");
    expect(await tagged("osm_tag=!:cafe")).not.toContain("amenity,cafe");
    for (const pair of await tagged("osm_tag=amenity:!cafe")) expect(pair).toMatch(/^amenity,(?!cafe)/);
    expect(await tagged("osm_tag=tourism:museum")).toEqual([]);
  });

  it("finds by parts, in a box, in a country, in a language", async () => {
    const [house] = (await peer.own("/v1/geocode/reverse?coordinates=48.99,-111.2&layers=address")).addresses;
    const query = new URLSearchParams({
      housenumber: house.number,
      street: house.street,
      city: house.city,
      postcode: house.postalCode,
    });
    expect(places(await ask(`structured?${query}`))[0]).toEqual([house.longitude, house.latitude]);
    for (const [longitude] of places(await ask("api?q=cafe in Meridale&bbox=-111.21,48.98,-111.2,49")))
      expect(longitude >= -111.21 && longitude <= -111.2).toBe(true);
    const [country] = (await ask("api?q=Germany&lang=de&layer=country")).features;
    expect([country.properties.name, country.properties.countrycode]).toEqual(["Deutschland", "DE"]);
    const codes = (await ask("api?q=Main&countrycode=ca")).features.map(
      ({ properties }: any) => properties.countrycode,
    );
    expect(new Set(codes)).toEqual(new Set(["CA"]));
  });

  it.each([
    "api",
    "api?q=",
    "api?q=a&lat=1",
    "api?q=a&layer=sea",
    "api?q=a&osm_tag=a:b:c",
    "api?q=a&limit=0",
    "api?q=a&include=osm.a",
    "api?q=a&geometry=true",
    "api?q=a&bbox=1,2,3",
    "reverse?lat=1",
    "reverse?lat=91&lon=0",
    "reverse?lat=1&lon=1&query_string_filter=a",
    "structured?housenumber=1",
    "structured",
  ])("answers %s with an error in its form", async (path) => {
    const { status, body } = await peer.ask(`/photon/${path}`);
    expect([status, Object.keys(body), typeof body.message]).toEqual([400, ["message"], "string"]);
  });
});
