import { describe, expect, it } from "vitest";
import { type LabelParts, labelsOf } from "../../src/geocoding/label.ts";

const US: LabelParts = {
  number: "20",
  street: "Jay St",
  borough: "Brooklyn",
  city: "New York",
  stateCode: "NY",
  state: "New York",
  postalCode: "11201",
  countryCode: "US",
};

describe("an address is written as its country writes it", () => {
  it("in the United States, with the borough and without a comma before the country", () => {
    expect(labelsOf(US)).toEqual({
      addressLabel: "20 Jay St",
      formattedAddress: "20 Jay St, Brooklyn, New York, NY 11201 USA",
    });
  });

  const rows: [countryCode: string, city: string, postalCode: string, stateCode: string, written: string][] = [
    ["CA", "Vancouver", "V6C 0C3", "BC", "5 Main, Vancouver, BC V6C 0C3, Canada"],
    ["AU", "Sydney", "2000", "NSW", "5 Main, Sydney NSW 2000, Australia"],
    ["GB", "London", "SW1A 2AA", "", "5 Main, London, SW1A 2AA, United Kingdom"],
    ["NZ", "Auckland", "1010", "", "5 Main, Auckland 1010, New Zealand"],
    ["FR", "Paris", "75002", "", "5 Main, 75002 Paris, France"],
    ["DE", "Heidelberg", "69117", "BW", "Main 5, 69117 Heidelberg, Germany"],
    ["NL", "Amsterdam", "1017 GP", "", "Main 5, 1017 GP Amsterdam, Netherlands"],
    ["IT", "Milano", "20121", "", "Main 5, 20121 Milano, Italy"],
    ["ES", "Madrid", "28013", "", "Main, 5, 28013 Madrid, Spain"],
    ["PT", "Lisboa", "1100-053", "", "Main 5, 1100-053 Lisboa, Portugal"],
    ["BR", "São Paulo", "01310-200", "SP", "Main, 5, São Paulo - SP, 01310-200, Brazil"],
    ["RU", "Москва", "101000", "", "Main, 5, Москва, 101000, Russia"],
    ["HU", "Budapest", "1051", "", "Budapest, Main 5, 1051, Hungary"],
    ["JP", "千代田区", "100-0001", "", "5 Main, 千代田区, 100-0001, Japan"],
    ["KE", "Nairobi", "00100", "", "5 Main, Nairobi 00100, Kenya"],
  ];
  it.each(rows)("%s", (countryCode, city, postalCode, stateCode, written) => {
    const parts = { number: "5", street: "Main", city, postalCode, stateCode, countryCode };
    expect(labelsOf(parts).formattedAddress).toBe(written);
  });

  it("with whatever is known, and no comma for what is not", () => {
    const { formattedAddress: all, addressLabel } = labelsOf({ ...US, number: "", borough: "", postalCode: "" });
    expect([addressLabel, all]).toEqual(["Jay St", "Jay St, New York, NY USA"]);
    expect(labelsOf({ city: "Heidelberg", countryCode: "DE" })).toEqual({
      addressLabel: "Heidelberg",
      formattedAddress: "Heidelberg, Germany",
    });
    expect(labelsOf({ city: "São Paulo", countryCode: "BR" }).formattedAddress).toBe("São Paulo, Brazil");
    expect(labelsOf({ postalCode: "69117", countryCode: "DE" }).addressLabel).toBe("69117");
    expect(labelsOf({ stateCode: "NY", state: "New York", countryCode: "US" }).addressLabel).toBe("New York");
    expect(labelsOf({ countryCode: "" })).toEqual({ addressLabel: "", formattedAddress: "" });
  });

  it("with the country in the language asked for, the unit, and a place's name in front", () => {
    expect(labelsOf({ city: "Wien", countryCode: "AT" }, "fr").formattedAddress).toBe("Wien, Autriche");
    expect(labelsOf({ ...US, unit: "4B" }).formattedAddress).toBe("20 Jay St, #4B, Brooklyn, New York, NY 11201 USA");
    expect(labelsOf({ ...US, number: "", street: "", place: "Pier 1" }).formattedAddress).toBe(
      "Pier 1, Brooklyn, New York, NY 11201 USA",
    );
  });
});
