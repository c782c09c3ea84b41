import { describe, expect, it } from "vitest";
import { encodeTile, type PlaceRecord, PlaceTile } from "../../../src/core/places/tile.ts";

/** "Café Null" of the chain "Null Cafés", as version 1 wrote it. */
const VERSION_1 =
  "R1BMQwEAAQABAAAAAQAAAICWmAAALTEBAQAAAAcAAAAKAAAAFAAAAB8AAAAMAAAAA////0NhZsOpIE51bGxudWxsLWNhZmVzTnVsbCBDYWbDqXM=";

const place = (name: string, more: Partial<PlaceRecord> = {}): PlaceRecord => ({
  key: { high: 1, low: name.length },
  name,
  categories: [3],
  location: { latitude: 1, longitude: 2 },
  footprint: 12,
  ...more,
});

describe("a tile of places", () => {
  it("keeps what is known of an address and of a chain, and nothing where nothing is", () => {
    const address = { number: "12 bis", street: "Rue de l'Église", city: "Lévis", stateCode: "QC", postalCode: "" };
    const chain = { slug: "null-cafes", name: "Null Cafés", domain: "null.example" };
    const bytes = encodeTile(
      [place("Café", { address, chain }), place("東京", { chain })],
      [place("Park", { address: { number: "", street: "", city: "", stateCode: "", postalCode: "" } })],
    );
    const tile = new PlaceTile(bytes);
    expect([tile.place(0).address, tile.place(0).chain]).toEqual([address, chain]);
    expect([tile.place(1).name, tile.place(1).address, tile.place(1).chain]).toEqual(["東京", undefined, chain]);
    expect([tile.place(2).name, tile.place(2).address, tile.place(2).chain]).toEqual(["Park", undefined, undefined]);
  });

  it("of the version before is still read", () => {
    const found = new PlaceTile(new Uint8Array(Buffer.from(VERSION_1, "base64"))).place(0);
    expect(found).toMatchObject({
      name: "Café Null",
      chain: { slug: "null-cafes", name: "Null Cafés" },
      footprint: 12,
    });
    expect([found.address, found.chain?.domain]).toEqual([undefined, undefined]);
  });

  it("that is cut short anywhere is rejected before a place of it is read", () => {
    const details = { phone: "+49 30 1", website: "https://a.example" };
    const record = {
      key: { high: 1, low: 2 },
      name: "Bakery",
      categories: [1],
      location: { latitude: 1, longitude: 2 },
    };
    const bytes = encodeTile([{ ...record, footprint: 5, details: details as never }], []);
    expect(new PlaceTile(bytes).place(0).name).toBe("Bakery");
    for (let length = 0; length < bytes.length; length++)
      expect(() => new PlaceTile(bytes.slice(0, length)), `${length} of ${bytes.length}`).toThrow();
  });

  it("of a later version is rejected", () => {
    const bytes = encodeTile([place("Café")], []);
    bytes[4] = 9;
    expect(() => new PlaceTile(bytes)).toThrow(/version 9/);
  });
});
