import { describe, expect, it } from "vitest";
import { addressLine, areasOf, placeOf } from "../../../../src/importer/layers/addresses/records/address-levels.ts";

/** Tags without their prefix. */
const tagsOf = (levels: Record<string, string>) =>
  Object.fromEntries(Object.entries(levels).map(([level, value]) => [`addr:${level}`, value]));

const lineOf = (country: string, levels: Record<string, string>) => {
  const tags = tagsOf(levels);
  const line = addressLine(tags, tags["addr:street"] ?? placeOf(tags) ?? "", country);
  return line && `${line.name} | ${line.number} | ${line.form}`;
};

describe("the levels of an address are one line and a number", () => {
  const rows: [country: string, levels: Record<string, string>, line: string | undefined][] = [
    ["DE", { street: "Hauptstraße", housenumber: "5", suburb: "Altstadt" }, "Hauptstraße | 5 | street"],
    ["JP", { quarter: "銀座", neighbourhood: "四丁目", block_number: "6", housenumber: "1" }, "銀座 | 4-6-1 | block"],
    [
      "JP",
      { quarter: "銀座", neighbourhood: "銀座４丁目", block_number: "6", housenumber: "1" },
      "銀座 | 4-6-1 | block",
    ],
    ["JP", { quarter: "丸の内", neighbourhood: "十二丁目", housenumber: "1" }, "丸の内 | 12-1 | block"],
    ["JP", { quarter: "大手町", block_number: "6", housenumber: "1" }, "大手町 | 6-1 | block"],
    ["JP", { neighbourhood: "北一条西二丁目", suburb: "中央区", housenumber: "8" }, "北一条西 | 2-8 | block"],
    ["JP", { neighbourhood: "神南一丁目", block_number: "16" }, "神南 | 1-16 | block"],
    ["JP", { street: "銀座通り", housenumber: "8" }, "銀座通り | 8 | street"],
    ["JP", { quarter: "銀座", neighbourhood: "四丁目" }, undefined],
    ["BR", { place: "SQN 205", block: "A", housenumber: "1" }, "SQN 205 Bloco A | 1 | block"],
    ["PK", { suburb: "Gulshan", block_number: "Block 7", housenumber: "B-45" }, "Gulshan Block 7 | B-45 | block"],
    ["PK", { neighbourhood: "Johar", block_number: "13", housenumber: "A1" }, "Johar Block 13 | A1 | block"],
    ["KR", { district: "강남구", subdistrict: "역삼동", housenumber: "736-1" }, "역삼동 | 736-1 | block"],
    ["CZ", { place: "Lhota", conscriptionnumber: "47" }, "Lhota | 47 | block"],
    ["CZ", { street: "Dlouhá", conscriptionnumber: "47", streetnumber: "3" }, "Dlouhá | 47/3 | street"],
    ["CR", { place: "Los Lagos", housename: "Casa 16" }, "Los Lagos | Casa 16 | block"],
    ["GB", { street: "High Street", housename: "Rose Cottage" }, undefined],
    ["IT", { place: "San Marco", housenumber: "1234" }, "San Marco | 1234 | block"],
    ["DE", { suburb: "Altstadt", housenumber: "5" }, undefined],
  ];
  it.each(rows)("%s %j", (country, levels, line) => expect(lineOf(country, levels)).toBe(line));

  it("has the names of its level in other languages, and both spellings of a square", () => {
    const english = { "quarter:en": "Ginza", quarter: "銀座", neighbourhood: "1丁目", housenumber: "2" };
    expect(addressLine(tagsOf(english), "1丁目", "JP")?.names).toEqual([["en", "Ginza"]]);
    const arabic = { street: "شارع الطيران", "street:en": "El Tayaran Street", housenumber: "2" };
    expect(addressLine(tagsOf(arabic), "شارع الطيران", "EG")?.names).toEqual([["en", "El Tayaran Street"]]);
    for (const [name, other] of [
      ["C 4", "C4"],
      ["C4", "C 4"],
    ]) {
      const names = [
        ["en", name],
        ["en", other],
      ];
      expect(addressLine(tagsOf({ place: name, housenumber: "2" }), name, "DE")?.names).toEqual(names);
    }
  });
});

describe("the parts of a town that an address names", () => {
  const tags = tagsOf({
    city: "İstanbul",
    district: "Kadıköy",
    neighbourhood: "Caferağa Mahallesi",
    "district:en": "K",
  });

  it("are its district and its neighborhood, but not the line itself or the town", () => {
    expect(areasOf(tags, "TR", "Moda Caddesi")).toEqual({
      district: "Kadıköy",
      quarter: "Caferağa Mahallesi",
      english: "K",
    });
    expect(areasOf(tags, "TR", "Caferağa Mahallesi").quarter).toBe("");
    expect(areasOf(tagsOf({ city: "Lima", suburb: "Lima" }), "PE", "").district).toBe("");
  });

  it("are left to drawn regions where addresses do not have them", () => {
    expect(areasOf(tags, "DE", "Moda Caddesi")).toEqual({ district: "", quarter: "", english: "" });
  });
});
