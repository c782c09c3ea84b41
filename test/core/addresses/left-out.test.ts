import { describe, expect, it } from "vitest";
import { validateAddress } from "../../../src/core/addresses/validate.ts";
import { town } from "./town.ts";

const SPRINGFIELD = town(`
10, 12, 20 | Jay St | Springfield | IL | 62701
5, 7 | Evergreen Ter | Springfield | IL | 62702
9 | Park Ave | Springfield | IL | 62704
11 | Dark Ave | Springfield | IL | 62704
30 | Mount Vernon Blvd | Springfield | IL | 62702
100 | Main St | Springfield | IL | 62701
100 | Main St | Springfield | IL | 62703`);

async function ask(addressLabel: string, postalCode: string, more: object = {}) {
  const question = {
    country: "US" as const,
    city: "Springfield",
    stateCode: "IL",
    addressLabel,
    postalCode,
    ...more,
  };
  const { status, address, corrections } = await validateAddress([SPRINGFIELD], question);
  return { status, line: address.formattedAddress, remainder: address.remainder, corrections };
}

describe("an address without its postal code", () => {
  it("is verified where one record has it, and gets the record's code", async () => {
    expect(await ask("20 Jay St", "")).toMatchObject({
      status: "verified",
      line: "20 JAY ST, SPRINGFIELD IL 62701",
      corrections: [],
    });
  });

  it("is ambiguous where two codes have it, and keeps none where it is not known", async () => {
    expect(await ask("100 Main St", "")).toMatchObject({ status: "ambiguous", line: "100 MAIN ST, SPRINGFIELD IL" });
    expect(await ask("20 Nowhere Blvd", "")).toMatchObject({
      status: "unverified",
      line: "20 NOWHERE BLVD, SPRINGFIELD IL",
    });
  });

  it("never gets another number", async () => {
    expect(await ask("22 Jay St", "")).toMatchObject({
      status: "partially verified",
      line: "22 JAY ST, SPRINGFIELD IL",
    });
  });
});

describe("a street that begins wrong", () => {
  it.each([
    ["5 Lvergreen Ter", "5 EVERGREEN TER, SPRINGFIELD IL 62702"],
    ["9 Qark Ave", undefined],
    ["30 Nount Vernon Blvd", "30 MOUNT VERNON BLVD, SPRINGFIELD IL 62702"],
    ["100 Nain St", "100 MAIN ST, SPRINGFIELD IL 62701"],
  ])("%s is found, and not said to be sure", async (line, expected) => {
    const found = await ask(line, line.startsWith("9") ? "62704" : line.startsWith("100") ? "62701" : "62702");
    if (expected) expect(found).toMatchObject({ line: expected, corrections: ["street"] });
    expect(found.status).toBe(line.startsWith("5 ") || line.startsWith("30") ? found.status : "partially verified");
    expect(found.line.split(" ")[0]).toBe(line.split(" ")[0]);
  });

  it("with both streets there, the number decides and no number is changed", async () => {
    expect((await ask("11 Park Ave", "62704")).status).toBe("partially verified");
  });
});

describe("a suffix that is misspelt", () => {
  it.each(["20 Jay Btreet", "20 Jay Sreet", "20 Jay Stret", "20 Jay Tsreet"])("%s is put right", async (line) => {
    expect(await ask(line, "62701")).toMatchObject({ status: "verified", line: "20 JAY ST, SPRINGFIELD IL 62701" });
  });

  it("also a long one with two mistakes", async () => {
    expect((await ask("30 Mount Vernon Boulavrad", "62702")).line).toBe("30 MOUNT VERNON BLVD, SPRINGFIELD IL 62702");
  });
});

describe("what a first line says besides", () => {
  it("a box next to a street is reported, whichever comes first", async () => {
    expect(await ask("20 Jay St, PO Box 7", "62701")).toMatchObject({ status: "verified", remainder: "PO BOX 7" });
    expect(await ask("20 Jay St PO Box 7", "62701")).toMatchObject({ status: "verified", remainder: "PO BOX 7" });
    expect(await ask("PO Box 7, 20 Jay St", "62701")).toMatchObject({
      line: "PO BOX 7, SPRINGFIELD IL 62701",
      remainder: "20 JAY ST",
    });
    expect((await ask("20 Jay St", "62701")).remainder).toBeUndefined();
  });

  it.each([
    ["US", "PR", "Via 6", "VIA 6"],
    ["US", "PR", "12 Via 6", "12 VIA 6"],
    ["US", "PR", "Via 6 12", "12 VIA 6"],
    ["US", "PR", "Cond Miraflores Apt 3", "COND MIRAFLORES APT 3"],
    ["CA", "SK", "RR 3 Site 5 Comp 10", "SITE 5 COMP 10 RR 3"],
    ["CA", "SK", "Site 5 Comp 10 RR 3", "SITE 5 COMP 10 RR 3"],
  ] as const)("%s, %s: %s keeps what it is", async (country, stateCode, addressLabel, expected) => {
    const { address } = await validateAddress([SPRINGFIELD], {
      country,
      stateCode,
      addressLabel,
      city: "X",
      postalCode: "",
    });
    expect([address.addressLabel, address.remainder]).toEqual([expected, undefined]);
  });
});
