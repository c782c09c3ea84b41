import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAddresses } from "../../../core/geocoding/index/demo-index.ts";
import type { SampledHouse } from "../../../core/geocoding/sample.ts";
import { type GeocodeWorld, openGeocodeWorld } from "./geocode-world.ts";

/** Houses of the demo world without units, on either side of its border. */
let world: GeocodeWorld;
let here: SampledHouse & { county: string };
let abroad: SampledHouse & { county: string };

async function houseIn(country: string) {
  const { index } = await demoAddresses();
  for (let tile = 0; ; tile++) {
    const names = await index.names(tile);
    if (!names) throw new Error(`no house in ${country}`);
    for (let entry = 0; entry < names.count; entry++) {
      const { city, stateCode, countryCode, county } = names.context(entry);
      const [street, postalCode] = [names.name(entry), names.postalCode(entry)];
      if (names.kinds[entry] !== 0 || countryCode !== country || city === "" || postalCode === "") continue;
      const { houses } = await index.details(tile, names, entry);
      const house = houses.find(
        ({ computed, units, number }) => !computed && units.length === 0 && number.key === number.text,
      );
      if (house)
        return {
          number: house.number.text,
          street,
          city,
          stateCode,
          postalCode,
          countryCode,
          county,
          at: house.location,
        };
    }
  }
}

beforeAll(async () => {
  world = await openGeocodeWorld();
  here = await houseIn("US");
  abroad = await houseIn("CA");
}, 180_000);
afterAll(() => world.close());

const ask = (parameters: Record<string, string | undefined>) => {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return world.get(`/v1/addresses/validate?${new URLSearchParams(given)}`);
};
const place = ({ city, stateCode, postalCode }: SampledHouse, countryCode = "US") => ({
  city,
  stateCode,
  postalCode,
  countryCode,
});
const NOWHERE = { city: "Brooklyn", stateCode: "NY", postalCode: "11201", countryCode: "US" };

describe("GET /v1/addresses/validate", () => {
  it("answers every field of an address that is in the data, upper case", async () => {
    const { number, street } = here;
    const { status, body } = await ask({ ...place(here), number, street });
    expect([status, body.meta, body.result]).toEqual([200, { code: 200 }, { verificationStatus: "verified" }]);
    const { address } = body;
    expect(address).toMatchObject({
      number,
      city: here.city.toUpperCase(),
      stateCode: here.stateCode,
      postalCode: here.postalCode,
      countryCode: "US",
      metadata: { recordType: "S" },
    });
    expect(address.addressLabel).toBe(`${number} ${address.street}`);
    expect(address.formattedAddress).toBe(
      `${address.addressLabel}, ${address.city} ${address.stateCode} ${address.postalCode}`,
    );
    expect(address.county).toBe(here.county.toUpperCase());
    for (const text of Object.values(address)) if (typeof text === "string") expect(text).toBe(text.toUpperCase());
  });

  it("takes addressLabel in place of number and street, and these before it", async () => {
    const addressLabel = `${here.number} ${here.street}`.toLowerCase();
    expect((await ask({ ...place(here), addressLabel })).body.result.verificationStatus).toBe("verified");
    const { body } = await ask({ ...NOWHERE, number: "20", street: "Jay St", addressLabel: "30 Bay St" });
    expect(body.address.addressLabel).toBe("20 JAY ST");
  });

  it("works in Canada, with and without the blank of the postal code", async () => {
    const { number, street } = abroad;
    for (const postalCode of [abroad.postalCode, abroad.postalCode.replace(" ", "").toLowerCase()]) {
      const { body } = await ask({ ...place(abroad, "ca"), postalCode, number, street });
      expect([body.result.verificationStatus, body.address.postalCode]).toEqual(["verified", abroad.postalCode]);
      expect(body.address.formattedAddress).toContain(`${abroad.stateCode}  ${abroad.postalCode}`);
    }
  });

  it("puts a postal code right and says so", async () => {
    const { number, street } = here;
    const { body } = await ask({ ...place(here), postalCode: "59001-1234", number, street });
    expect(body.result).toEqual({ verificationStatus: "partially verified", corrections: ["postalCode"] });
    expect(body.address.postalCode).toBe(here.postalCode);
    expect(body.address.plus4).toBeUndefined();
  });

  it("verifies no house number that is not there", async () => {
    const { body } = await ask({ ...place(here), number: "98765", street: here.street });
    expect(body.result.verificationStatus).toBe("partially verified");
    expect(body.address.number).toBe("98765");
  });

  it("standardises an address without data around it, and says what is missing", async () => {
    const { body } = await ask({ ...NOWHERE, addressLabel: "20 Jay Street", unit: "apartment 4b" });
    expect(body.address).toEqual({
      addressLabel: "20 JAY ST APT 4B",
      number: "20",
      street: "JAY ST",
      unit: "APT 4B",
      city: "BROOKLYN",
      stateCode: "NY",
      postalCode: "11201",
      countryCode: "US",
      formattedAddress: "20 JAY ST APT 4B, BROOKLYN NY 11201",
      metadata: { recordType: "H" },
    });
    expect(body.result).toEqual({
      verificationStatus: "unverified",
      coverage: { code: "no-data-for-state", message: expect.stringContaining("state or province") },
    });
  });

  it.each([
    ["PO Box 12", "P"],
    ["RR 2 Box 152", "R"],
    ["General Delivery", "G"],
  ])("knows the form of %s", async (addressLabel, recordType) => {
    const { body } = await ask({ ...NOWHERE, addressLabel });
    expect([body.address.addressLabel, body.address.metadata]).toEqual([addressLabel.toUpperCase(), { recordType }]);
    expect(body.result.coverage.code).toBe("not-listed");
  });

  it("takes the number of a PO box as the number", async () => {
    const { body } = await ask({ ...NOWHERE, number: "12", street: "PO Box" });
    expect(body.address).toMatchObject({ addressLabel: "PO BOX 12", number: "12", street: "PO BOX" });
  });
});

describe("a request that breaks a rule", () => {
  const whole = { ...NOWHERE, number: "20", street: "Jay St" };
  it.each<[string, Record<string, string | undefined>, string, string]>([
    ["no city", { city: undefined }, "city", "Required."],
    ["no state", { stateCode: undefined }, "stateCode", "Required."],
    ["no country", { countryCode: undefined }, "countryCode", "Required."],
    ["another country", { countryCode: "DE" }, "countryCode", "Valid values: US, CA."],
    ["a territory as country", { countryCode: "PR" }, "countryCode", "PR is a stateCode of countryCode US."],
    ["no state at all", { stateCode: "XX" }, "stateCode", "Valid values: AL, AK,"],
    ["a province in the US", { stateCode: "ON" }, "stateCode", "Valid values: AL, AK,"],
    ["a state in Canada", { countryCode: "CA", postalCode: "M5V 2T6" }, "stateCode", "Valid values: AB, BC,"],
    ["no postal code", { postalCode: undefined }, "postalCode", "Required."],
    ["an empty postal code", { postalCode: "" }, "postalCode", "Must be a string of 1 to 16 characters."],
    ["a postal code of spaces", { postalCode: "  " }, "postalCode", "Required."],
    ["a city of spaces", { city: " " }, "city", "Required."],
    ["four digits", { postalCode: "1120" }, "postalCode", "Expected 5 digits"],
    ["a Canadian code in the US", { postalCode: "M5V 2T6" }, "postalCode", "Expected 5 digits"],
    ["a code of D", { countryCode: "CA", stateCode: "ON", postalCode: "D5V 2T6" }, "postalCode", "A1A 1A1"],
    ["a code with O", { countryCode: "CA", stateCode: "ON", postalCode: "M5O 2T6" }, "postalCode", "A1A 1A1"],
    ["a street without number", { number: undefined }, "number", "Required."],
    ["a number without street", { street: undefined }, "street", "Required."],
    ["no first line", { number: undefined, street: undefined }, "addressLabel", "Required. Set addressLabel"],
    ["a first line of spaces", { number: " ", street: " ", addressLabel: " " }, "addressLabel", "Required."],
    ["an empty first line", { number: "", street: "", addressLabel: "" }, "addressLabel", "Required."],
    ["an endless first line", { addressLabel: "x".repeat(300) }, "addressLabel", "256"],
    ["an endless unit", { unit: "x".repeat(65) }, "unit", "64"],
  ])("%s is refused by name", async (_, changed, param, rule) => {
    const { status, body } = await ask({ ...whole, ...changed });
    expect([status, body.meta.code, body.meta.param]).toEqual([400, 400, param]);
    expect(body.meta.message).toContain(rule);
    expect(body.meta.message).toMatch(new RegExp(`^${param}: `));
  });

  it.each([
    { postalCode: "11201-1234" },
    { postalCode: "112011234" },
    { postalCode: "11201 1234" },
    { countryCode: "us" },
    { stateCode: "ny" },
    { stateCode: "PR", postalCode: "00901" },
    { stateCode: "AE", postalCode: "09012" },
    { stateCode: "New York" },
  ])("%j is none", async (changed) => expect((await ask({ ...whole, ...changed })).status).toBe(200));
});

describe("/docs", () => {
  it("shows how many addresses are loaded, by state and province, and the table of decisions", async () => {
    const body = await (await world.request("/docs", {})).text();
    const article = /<article id="validateAddress">.*?<\/article>/s.exec(body)?.[0] ?? "";
    expect(article).toMatch(/<caption>Imported addresses<\/caption>/);
    expect(article).toMatch(new RegExp(`<td>US ${here.stateCode}</td><td class="text">[\\d,]+</td>`));
    expect(article).toMatch(new RegExp(`<td>CA ${abroad.stateCode}</td><td class="text">[\\d,]+</td>`));
    expect(article).toContain("none of them is chosen");
    expect(article).toContain("not CASS or SERP certification");
  });
});
