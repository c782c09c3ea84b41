// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
import nodeGeocoder from "node-geocoder";
import * as nominatimBrowser from "nominatim-browser";
import { beforeAll, describe, expect, it } from "vitest";
import { choice, openPeerWorld, type PeerWorld, QUESTIONS, randomPoint, seeded } from "./peer-world.ts";

let peer: PeerWorld;
/** The server for clients that can only be given a URL. */
let base: string;
beforeAll(async () => {
  peer = await openPeerWorld();
  base = `${peer.host}/key/${peer.world.keys.testPublishable}/nominatim`;
});

const search = async (query: Record<string, string | number>) =>
  (await peer.ask(`/nominatim/search?${new URLSearchParams(query as Record<string, string>)}`)).body;
const reverse = async (query: Record<string, string | number>) =>
  (await peer.ask(`/nominatim/reverse?${new URLSearchParams(query as Record<string, string>)}`)).body;

/** Houses, streets, places and towns of the demo world. */
async function texts(random: () => number): Promise<string> {
  const [longitude, latitude] = randomPoint(random);
  const { addresses } = await peer.own(`/v1/geocode/reverse?coordinates=${latitude},${longitude}&layers=fine,coarse`);
  return choice(random, addresses as { formattedAddress: string }[]).formattedAddress;
}

describe("Nominatim's search", () => {
  it("has the results of forward geocoding, in their order and field by field", async () => {
    const random = seeded(1);
    for (let i = 0; i < QUESTIONS; i++) {
      const q = await texts(random);
      const theirs = await search({ q, addressdetails: 1 });
      const own = await peer.own(`/v1/geocode/forward?query=${encodeURIComponent(q)}&layers=fine,coarse`);
      expect(theirs.map((one: any) => [one.lat, one.lon, one.display_name])).toEqual(
        own.addresses.map((one: any) => [String(one.latitude), String(one.longitude), one.formattedAddress]),
      );
      theirs.forEach(({ address }: any, at: number) => {
        const { number, street, city, county, state, postalCode, country, countryCode } = own.addresses[at];
        const { house_number, road, ...rest } = address;
        expect([house_number, road, rest.city, rest.county, rest.state, rest.postcode, rest.country]).toEqual([
          number,
          street,
          city,
          county,
          state,
          postalCode,
          country,
        ]);
        expect(rest.country_code).toBe(countryCode?.toLowerCase());
      });
    }
  });

  it("has the fields of the five formats", async () => {
    const q = "cafe in Meridale";
    const [json, v2, geojson, geocodejson, xml] = await Promise.all(
      ["json", "jsonv2", "geojson", "geocodejson", "xml"].map((format) =>
        search({ q, format, addressdetails: 1, extratags: 1 }),
      ),
    );
    expect([json[0].class, json[0].type, json[0].osm_type]).toEqual(["amenity", "cafe", v2[0].osm_type]);
    expect([v2[0].category, v2[0].addresstype, v2[0].class]).toEqual(["amenity", "amenity", undefined]);
    expect(v2[0].address.amenity).toBe(v2[0].name);
    expect([geojson.features.length, geocodejson.features.length]).toEqual([json.length, json.length]);
    expect(geocodejson.features[0].properties.geocoding.label).toBe(json[0].display_name);
    expect(xml.match(/<place /g).length).toBe(json.length);
    const [south, north, west, east] = json[0].boundingbox.map(Number);
    expect(south < Number(json[0].lat) && Number(json[0].lat) < north).toBe(true);
    expect(west < Number(json[0].lon) && Number(json[0].lon) < east).toBe(true);
    expect(geojson.features[0].bbox).toEqual([west, south, east, north]);
  });

  it("finds by parts, in a language, in a box, in a country, of a layer, and without some", async () => {
    const [house] = (await peer.own("/v1/geocode/reverse?coordinates=48.99,-111.2&layers=address")).addresses;
    const [found] = await search({ street: `${house.number} ${house.street}`, city: house.city, addressdetails: 1 });
    expect([found.address.house_number, found.address.road]).toEqual([house.number, house.street]);
    expect((await search({ country: "Germany", "accept-language": "de" }))[0].name).toBe("Deutschland");
    const german = await peer.ask("/nominatim/search?country=Germany", {
      headers: { "accept-language": "xx,de-AT;q=0.8,en;q=0.1" },
    });
    expect(german.body[0].name).toBe("Deutschland");
    const canada = await search({ q: "Main Street", countrycodes: "ca", addressdetails: 1 });
    expect(canada.map(({ address }: any) => address.country_code)).toEqual(canada.map(() => "ca"));
    const inCountry = (country: string, more = {}) =>
      search({ city: "Meridale", country, addressdetails: 1, ...more }).then((all) =>
        all.map(({ name, address }: any) => `${name} ${address.country_code}`),
      );
    for (const country of ["Vereinigte Staaten", "us", "USA", "アメリカ合衆国"])
      expect((await inCountry(country))[0]).toBe("Meridale us");
    expect(await inCountry("Canada")).not.toContain("Meridale us");
    expect(await inCountry("Chile")).toEqual([]);
    expect(await inCountry("USA", { countrycodes: "ca" })).toEqual([]);
    const boxed = await search({ q: "cafe in Meridale", viewbox: "-111.21,49,-111.2,48.98", bounded: 1 });
    expect(boxed.length).toBeGreaterThan(0);
    for (const { lon } of boxed) expect(-111.21 <= Number(lon) && Number(lon) <= -111.2).toBe(true);
    const [first, second] = await search({ q: "Meridale" });
    expect((await search({ q: "Meridale", exclude_place_ids: first.place_id }))[0].place_id).toBe(second.place_id);
    expect((await search({ q: "Meridale", featureType: "country" })).map((one: any) => one.addresstype)).not.toContain(
      "city",
    );
    const pois = await search({ q: "Latitude Coffee", layer: "poi" });
    expect(new Set(pois.map((one: any) => one.place_rank))).toEqual(new Set([30]));
    expect((await search({ q: "Meridale", limit: 1 })).length).toBe(1);
    expect(await search({ q: "xyzzy qwrtp 99999" })).toEqual([]);
  });

  it.each([
    ["q=a&city=b", 400],
    ["", 400],
    ["q=a&limit=0", 400],
    ["q=a&viewbox=1,2,3", 400],
    ["q=a&bounded=1", 400],
    ["q=a&polygon_svg=1", 400],
    ["q=a&json_callback=f", 400],
    ["q=a&layer=sea", 400],
    ["q=a&format=html", 400],
    ["q=null", 200],
    ["q=Meridale&viewbox=&countrycodes=&featureType=&layer=&limit=", 200],
  ])("answers %s with %i", async (query, status) => {
    const answer = await peer.ask(`/nominatim/search?${query}`);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.error).toMatchObject({ code: 400, message: expect.any(String) });
  });
});

describe("Nominatim's other services", () => {
  it("have at each point what reverse geocoding has", async () => {
    const random = seeded(2);
    for (let i = 0; i < QUESTIONS; i++) {
      const [lon, lat] = randomPoint(random);
      const own = (
        await peer.own(`/v1/geocode/reverse?coordinates=${lat},${lon}&layers=address,locality,county,state,country`)
      ).addresses[0];
      const theirs = await reverse({ lat, lon, format: "jsonv2" });
      if (!own) expect(theirs).toEqual({ error: "Unable to geocode" });
      else
        expect([theirs.lat, theirs.lon, theirs.display_name]).toEqual([
          String(own.latitude),
          String(own.longitude),
          own.formattedAddress,
        ]);
    }
  });

  it("have a coarser result at a lower zoom", async () => {
    const types = await Promise.all(
      [3, 5, 8, 10, 13, 17, 18].map(async (zoom) => {
        const { addresstype, address } = await reverse({ lat: 48.99, lon: -111.2, zoom, format: "jsonv2" });
        return [addresstype, address.house_number !== undefined];
      }),
    );
    expect(types).toEqual([
      ["country", false],
      ["state", false],
      ["county", false],
      ["city", false],
      ["city", false],
      ["road", false],
      ["place", true],
    ]);
  });

  it("look up places by their element in OpenStreetMap", async () => {
    const [cafe] = await search({ q: "cafe in Meridale" });
    const id = `${cafe.osm_type[0].toUpperCase()}${cafe.osm_id}`;
    const { body } = await peer.ask(`/nominatim/lookup?osm_ids=${id},N999999999&format=jsonv2`);
    expect(body.map(({ place_id, name }: any) => [place_id, name])).toEqual([[cafe.place_id, cafe.name]]);
    expect((await peer.ask("/nominatim/lookup?osm_ids=X1&format=json")).status).toBe(400);
    expect((await peer.ask("/nominatim/lookup?osm_ids=X1&format=xml")).body).toContain("<error><code>400</code>");
  });

  it("tell that the server works", async () => {
    expect((await peer.ask("/nominatim/status")).body).toBe("OK");
    expect((await peer.ask("/nominatim/status.php?format=json")).body).toMatchObject({ status: 0, message: "OK" });
  });
});

describe("a client of Nominatim", () => {
  it("node-geocoder finds and names addresses", async () => {
    const geocoder = nodeGeocoder({ provider: "openstreetmap", osmServer: base, language: "en" } as never);
    const [house] = (await peer.own("/v1/geocode/reverse?coordinates=48.99,-111.2&layers=address")).addresses;
    const [found] = await geocoder.geocode(house.formattedAddress);
    expect(found).toMatchObject({
      latitude: house.latitude,
      longitude: house.longitude,
      streetName: house.street,
      streetNumber: house.number,
      city: house.city,
      zipcode: house.postalCode,
      countryCode: "US",
    });
    const [named] = await geocoder.reverse({ lat: 48.99, lon: -111.2 });
    expect(named.formattedAddress).toBe(house.formattedAddress);
  });

  it("nominatim-browser does, too", async () => {
    const [found] = await nominatimBrowser.geocode({ city: "Meridale", addressdetails: true } as never, base);
    expect(found.display_name).toContain("Meridale");
    const named = await nominatimBrowser.reverseGeocode(
      { lat: "48.99", lon: "-111.2", addressdetails: true } as never,
      base,
    );
    expect(named.address.road).toBe("Bobolink Place");
    const [cafe] = await search({ q: "cafe in Meridale" });
    const id = `${cafe.osm_type[0].toUpperCase()}${cafe.osm_id}`;
    const looked = await nominatimBrowser.lookupAddress({ osm_ids: id } as never, base);
    expect(looked[0].display_name).toBe(cafe.display_name);
  });
});
