import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../src/core/addresses/candidates.ts";
import { agreesOnCity, cityKey } from "../../../src/core/addresses/city.ts";
import { beginsWrong, compareStreets, lettersApart } from "../../../src/core/addresses/compare-street.ts";
import type { AddressRecord } from "../../../src/core/addresses/look-up-number.ts";
import { fitsState, statesOf } from "../../../src/core/addresses/postal-areas.ts";
import {
  formattedAddress,
  printCity,
  printLine,
  printPostalCode,
  printStreet,
  printUnits,
} from "../../../src/core/addresses/print.ts";
import { readingsOf } from "../../../src/core/addresses/readings.ts";
import { checkUnits, parseUnits } from "../../../src/core/addresses/units.ts";
import { areasOf } from "../../../src/core/addresses/validate.ts";
import { best, type Evidence, RULES, rulesAsText, statusOf } from "../../../src/core/addresses/verdict.ts";
import { NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { parseDeliveryLine } from "../../../src/core/geocoding/north-america/delivery-line.ts";
import type { StreetParts } from "../../../src/core/geocoding/north-america/street-name.ts";

const street = (text: string, country: "US" | "CA" = "US"): StreetParts =>
  parseDeliveryLine(`1 ${text}`, { country, stateCode: country === "US" ? "IL" : "QC" }).street!;

describe("two streets", () => {
  const compared = (asked: string, known: string) => {
    const found = compareStreets(street(asked), street(known));
    return found && [found.letters, found.suffix, found.directional, Math.round(found.penalty * 10) / 10];
  };

  it.each<[asked: string, known: string, difference: ReturnType<typeof compared>]>([
    ["Main St", "Main St", [0, "same", "same", 0]],
    ["Fifth Ave", "5th Ave", [0, "same", "same", 0]],
    ["Main", "Main St", [0, "added", "same", 1]],
    ["Main St", "Main", [0, "dropped", "same", 1.5]],
    ["Main Ave", "Main St", [0, "changed", "same", 3]],
    ["Main St", "N Main St", [0, "same", "added", 1]],
    ["N Main St", "Main St", [0, "same", "dropped", 1.6]],
    ["S Main St", "N Main St", [0, "same", "changed", 4]],
    ["Main St N", "N Main St", [0, "same", "same", 0]],
    ["Evergren Ter", "Evergreen Ter", [1, "same", "same", 2.6]],
    ["Evegren Ter", "Evergreen Ter", [2, "same", "same", 3.2]],
    ["Lvergreen Ter", "Evergreen Ter", [2, "same", "same", 3.2]],
    ["Park Ave", "Dark Ave", [3, "same", "same", 3.4]],
    ["Evergren Ave", "N Evergreen Ter", [1, "changed", "added", 6.6]],
    ["Elm St", "Oak St", undefined],
    ["104 St", "105 St", undefined],
  ])("%s and %s differ by %j", (asked, known, difference) => {
    expect(compared(asked, known)).toEqual(difference);
  });

  it("with one of two directions left out differ by less than with another one", () => {
    const parts = (predirectional: string, postdirectional: string): StreetParts => ({
      ...street("Main St"),
      name: "1700",
      suffix: "",
      predirectional,
      postdirectional,
    });
    const directional = (asked: StreetParts, known: StreetParts) => compareStreets(asked, known)?.directional;
    expect(directional(parts("E", ""), parts("E", "S"))).toBe("added");
    expect(directional(parts("S", ""), parts("E", "S"))).toBe("added");
    expect(directional(parts("N", ""), parts("E", "S"))).toBe("changed");
    expect(directional(parts("E", "S"), parts("E", ""))).toBe("changed");
    // NE is one direction, not two.
    expect(directional(parts("E", ""), parts("NE", ""))).toBe("changed");
    // West is Ouest.
    expect(directional(parts("", "O"), parts("W", ""))).toBe("same");
  });

  it.each([
    ...[
      ["RUE", "ST"],
      ["AV", "AVE"],
      ["BOUL", "BLVD"],
      ["CH", "RD"],
      ["PLACE", "PL"],
      ["PKY", "PKWY"],
      ["CRT", "CT"],
      ["TERR", "TER"],
      ["TSSE", "TER"],
      ["CROIS", "CRES"],
      ["LANE", "LN"],
      ["TRAIL", "TRL"],
      ["COVE", "CV"],
      ["CROSS", "XING"],
      ["PLAZA", "PLZ"],
      ["IMP", "CLOSE"],
      ["ALLEE", "ALY"],
      ["RLE", "LN"],
      ["AUT", "FWY"],
    ],
  ])("of the type %s and %s are alike", (one, other) => {
    const base = street("Main St");
    expect(compareStreets({ ...base, suffix: one }, { ...base, suffix: other })?.suffix).toBe("same");
    expect(compareStreets({ ...base, suffix: one }, { ...base, suffix: "DR" })?.suffix).toBe("changed");
  });
});

describe("letters of two names", () => {
  it.each([
    ["JAY", "JAY", 0],
    ["MC KINLEY", "MCKINLEY", 0],
    ["JAY", "KAY", undefined],
    ["MAIN", "MAIS", 1],
    ["MARINES", "MARINAS", 1],
    ["MARINES", "MASINAS", undefined],
    ["MARINERS", "MASINARS", 2],
    ["MARINERS", "MASINATS", undefined],
    ["SUNSET 29", "SUNSET 30", undefined],
    ["SUNSET 29", "SUNSAT 29", 1],
  ])("%s and %s: %s apart", (asked, known, apart) => {
    expect(lettersApart(asked, known)).toBe(apart);
    expect(lettersApart(known, asked)).toBe(apart);
  });

  it.each([
    ["LAIN", "MAIN", true],
    ["AIN", "MAIN", true],
    ["AMIN", "MAIN", true],
    ["LAIS", "MAIN", false],
    ["AMIS", "MAIN", false],
    ["IAMN", "MAIN", false],
    ["JAY", "KAY", false],
    ["1AIN", "MAIN", false],
    ["MAIN", "MAIN", true],
  ])("%s begins wrong for %s: %s", (asked, known, wrong) => {
    expect(beginsWrong(asked, known)).toBe(wrong);
  });
});

describe("a city", () => {
  it.each([
    ["Saint Louis", "St. Louis"],
    ["Sainte-Anne", "Ste Anne"],
    ["Mount Vernon", "Mt. Vernon"],
    ["Fort Worth", "Ft Worth"],
    ["Jackson Heights", "Jackson Hts"],
    ["North Haven", "N Haven"],
    ["South Bend", "S. Bend"],
    ["East Lansing", "E Lansing"],
    ["West Allis", "W Allis"],
    ["Abington Township", "Abington"],
    ["Abington Twp", "Abington"],
    ["City of San José", "San Jose"],
    ["Town of Salem", "Salem"],
    ["Village of Oak Park", "Oak Park"],
    ["Borough of Queens", "Queens"],
    ["Township of Abington", "Abington"],
  ])("%s is %s", (one, other) => {
    expect(cityKey(one)).toBe(cityKey(other));
    expect(cityKey(one)).not.toBe("");
    // Once more from the cache.
    expect(cityKey(one)).toBe(cityKey(other));
  });

  it.each([
    ["North Haven", "South Haven"],
    ["City of Industry", "Industry City"],
    ["City", "Town"],
    ["Saint Paul", "Paul"],
  ])("%s is not %s", (one, other) => expect(cityKey(one)).not.toBe(cityKey(other)));

  it("agrees with the record's city or its borough; without either that is unknown", () => {
    const brooklyn = { ...NO_CONTEXT, city: "New York", borough: "Brooklyn" };
    expect(["New York", "BROOKLYN", "Queens"].map((name) => agreesOnCity(brooklyn, name))).toEqual([true, true, false]);
    expect(agreesOnCity(NO_CONTEXT, "")).toBe("unknown");
    expect(agreesOnCity({ ...NO_CONTEXT, borough: "Brooklyn" }, "Brooklyn")).toBe(true);
    expect(agreesOnCity({ ...NO_CONTEXT, city: "Salem" }, "")).toBe(false);
  });
});

describe("units", () => {
  const parsed = (text: string, country: "US" | "CA" = "US") =>
    parseUnits(text, country).map(({ designator, id }) => `${designator}:${id}`);

  it.each([
    ["Apt 4b", ["APT:4B"]],
    ["#12", [":12"]],
    ["Bldg 4 Apt 2", ["BLDG:4", "APT:2"]],
    ["4B", [":4B"]],
    ["", []],
    ["Apt", [":APT"]],
    ["Suite # 7", ["STE:7"]],
    ["Apt red door", ["APT:RED DOOR"]],
  ])("%j is read as %j", (text, units) => expect(parsed(text)).toEqual(units));

  const checked = (given: string, ...listed: string[]) => {
    const { state, units } = checkUnits(parseUnits(given, "US"), listed, "US");
    return `${state} ${printUnits(units)}`.trim();
  };

  it.each<[given: string, listed: string[], expected: string]>([
    ["", [], "none"],
    ["Apt 4", [], "unlisted APT 4"],
    ["", ["4"], "missing"],
    ["Apt 4", ["4"], "known APT 4"],
    ["4", ["Apt 4"], "known APT 4"],
    ["4", ["4", "5"], "known 4"],
    ["Apt 4", ["Unit 4"], "known UNIT 4"],
    ["Ste 4", ["Apt 4"], "known APT 4"],
    ["Rm 4", ["Apt 4"], "known APT 4"],
    ["Fl 4", ["Apt 4"], "invalid FL 4"],
    ["Bldg 4", ["Apt 4"], "invalid BLDG 4"],
    ["Fl 4", ["Fl 4"], "known FL 4"],
    ["Bldg 4", ["Dept 4"], "invalid BLDG 4"],
    ["Bldg 4", ["Bldg 4"], "known BLDG 4"],
    ["Apt 9", ["Apt 4", "Apt 5"], "invalid APT 9"],
    ["Apt 04-b", ["4B"], "known APT 4B"],
    ["Apt 0", ["Apt 0"], "known APT 0"],
    ["Bldg 4 Apt 2", ["Bldg 4 Apt 2"], "known BLDG 4 APT 2"],
    ["Bldg 4 Apt 2", ["Apt 2"], "known APT 2"],
    ["Bldg 4 Apt 2", ["Apt 3"], "invalid BLDG 4 APT 2"],
    ["Apt 4-2", ["Bldg 4 Apt 2"], "known BLDG 4 APT 2"],
    ["Apt 4", ["# 4"], "known APT 4"],
  ])("%j where %j are listed is %s", (given, listed, expected) => {
    expect(checked(given, ...listed)).toBe(expected);
  });
});

describe("a verdict", () => {
  const SURE: Evidence = {
    records: 1,
    number: "exact",
    contradicted: false,
    postalCodeCorrected: false,
    postalCodeImpossible: false,
    postalCodeUnknown: false,
    cityCorrected: false,
    unit: "none",
  };

  it.each<[change: Partial<Evidence>, status: string]>([
    [{}, "verified"],
    [{ unit: "known" }, "verified"],
    [{ unit: "unlisted" }, "partially verified"],
    [{ unit: "missing" }, "partially verified"],
    [{ unit: "invalid" }, "partially verified"],
    [{ contradicted: true }, "partially verified"],
    [{ postalCodeImpossible: true }, "partially verified"],
    [{ postalCodeCorrected: true }, "partially verified"],
    [{ postalCodeUnknown: true }, "partially verified"],
    [{ cityCorrected: true }, "partially verified"],
    [{ number: "interpolated" }, "partially verified"],
    [{ number: "absent" }, "partially verified"],
    [{ records: 2 }, "ambiguous"],
    [{ records: 2, number: "absent", cityCorrected: true }, "ambiguous"],
    [{ records: 0 }, "unverified"],
  ])("with %j is %s", (change, status) => expect(statusOf({ ...SURE, ...change })).toBe(status));

  it("has its rules in the reference, numbered", () => {
    const text = rulesAsText();
    for (const [i, { status, when }] of RULES.entries()) expect(text).toContain(`${i + 1}. \`${status}\`: ${when}.`);
    expect(text).toContain(". 2. ");
  });

  const record = (name: string, penalty: number, number: AddressRecord["number"] = "exact", more = {}) =>
    ({
      number,
      houseNumber: name,
      candidate: { difference: { penalty }, postalCodeAgrees: true, cityAgrees: true, ...more } as Candidate,
    }) as AddressRecord;
  const chosen = (...records: AddressRecord[]) => {
    const { tied, better } = best(records, ({ houseNumber }) => houseNumber);
    return [tied.map(({ houseNumber }) => houseNumber), better];
  };

  it("is for the best record; for none where several are as good", () => {
    expect(chosen()).toEqual([[], false]);
    expect(chosen(record("b", 1), record("a", 0))).toEqual([["a"], false]);
    expect(chosen(record("a", 0), record("b", 0), record("a", 0))).toEqual([["a", "b"], false]);
    expect(chosen(record("a", 0), record("b", 0.04))).toEqual([["a", "b"], false]);
    expect(chosen(record("a", 0), record("b", 0.06))).toEqual([["a"], false]);
  });

  it("weighs a missing number against the street, the postal code and the city", () => {
    expect(chosen(record("a", 0, "absent"), record("b", 2.4))).toEqual([["b"], true]);
    expect(chosen(record("a", 0, "absent"), record("b", 2.6))).toEqual([["a"], false]);
    expect(chosen(record("a", 0, "interpolated"), record("b", 1.1))).toEqual([["b"], true]);
    expect(chosen(record("a", 0, "interpolated"), record("b", 1.3))).toEqual([["a"], false]);
    const costs: [more: object, cost: number][] = [
      [{ postalCodeAgrees: false }, 1.2],
      [{ postalCodeAgrees: "unknown" }, 0.4],
      [{ cityAgrees: false }, 1],
      [{ cityAgrees: "used" }, 0.2],
      [{ cityAgrees: "unknown" }, 0.4],
    ];
    for (const [more, cost] of costs) {
      expect(chosen(record("a", 0, "exact", more), record("b", cost - 0.1))[0]).toEqual(["b"]);
      expect(chosen(record("a", 0, "exact", more), record("b", cost + 0.1))[0]).toEqual(["a"]);
    }
  });
});

describe("readings of a street", () => {
  const readings = (text: string, country: "US" | "CA" = "US") =>
    readingsOf(street(text, country), country).map((one) => printStreet(one));

  it.each([
    ["Main St", ["MAIN ST", "MAIN STREET"]],
    ["Lake Forest", ["LAKE FRST", "LAKE FOREST"]],
    ["Main Stret", ["MAIN STRET", "MAIN ST"]],
    ["Main Boulavrad", ["MAIN BOULAVRAD", "MAIN BLVD"]],
    ["Main Btreet", ["MAIN BTREET", "MAIN ST"]],
    ["West Boulveard", ["W BOULVEARD", "WEST BLVD"]],
    ["Nroth Main St", ["NROTH MAIN ST", "NROTH MAIN STREET", "N MAIN ST"]],
    ["Main", ["MAIN"]],
  ])("%s may be %j", (text, expected) => expect(readings(text)).toEqual(expected));

  it("of a French street keep its type in front", () => {
    expect(readings("rue Principale", "CA")).toEqual(["RUE PRINCIPALE"]);
  });
});

describe("what is printed", () => {
  const line = (text: string, country: "US" | "CA" = "US") =>
    printLine(parseDeliveryLine(text, { country, stateCode: country === "US" ? "IL" : "ON" }), country);

  it.each([
    ["20 Jay St Apt 4b", { number: "20", street: "JAY ST", unit: "APT 4B", addressLabel: "20 JAY ST APT 4B" }],
    ["20 Jay St # 4b", { number: "20", street: "JAY ST", unit: "4B", addressLabel: "20 JAY ST # 4B" }],
    ["PO Box 12", { number: "12", street: "PO BOX", unit: "", addressLabel: "PO BOX 12" }],
    ["RR 2 Box 12", { number: "12", street: "RR 2", unit: "", addressLabel: "RR 2 BOX 12" }],
    ["General Delivery", { number: "", street: "GENERAL DELIVERY", unit: "", addressLabel: "GENERAL DELIVERY" }],
  ])("of %s is in its parts", (text, printed) => expect(line(text)).toEqual(printed));

  it.each([
    ["123 Main St Apt 10", "10-123 MAIN ST"],
    ["123 Main St Unit 10", "10-123 MAIN ST"],
    ["123 Main St Suite 10", "10-123 MAIN ST"],
    ["10-123 Main St", "10-123 MAIN ST"],
    ["123 Main St Bldg 10", "123 MAIN ST BLDG 10"],
    ["123 Main St Floor 3", "123 MAIN ST FL 3"],
  ])("in Canada of %s is %s", (text, label) => expect(line(text, "CA").addressLabel).toBe(label));

  it("of a last line has one blank in the US and two in Canada", () => {
    const us = { city: "BROOKLYN", stateCode: "NY", postalCode: "11201" };
    const ca = { city: "TORONTO", stateCode: "ON", postalCode: "M5V 2T6" };
    expect(formattedAddress("20 JAY ST", us, "US")).toBe("20 JAY ST, BROOKLYN NY 11201");
    expect(formattedAddress("20 JAY ST", { ...us, plus4: "1234" }, "US")).toBe("20 JAY ST, BROOKLYN NY 11201-1234");
    expect(formattedAddress("", us, "US")).toBe("BROOKLYN NY 11201");
    expect(formattedAddress("20 JAY ST", { ...us, postalCode: "" }, "US")).toBe("20 JAY ST, BROOKLYN NY");
    expect(formattedAddress("1 MAIN ST", ca, "CA")).toBe("1 MAIN ST, TORONTO ON  M5V 2T6");
    expect(formattedAddress("", { ...ca, postalCode: "" }, "CA")).toBe("TORONTO ON");
    expect(formattedAddress("", { city: "", stateCode: "", postalCode: "M5V 2T6" }, "CA")).toBe("M5V 2T6");
  });

  it("of a city and a postal code is as each country prints it", () => {
    expect([printCity("St. John's", "US"), printCity(" Winston-Salem ", "US"), printCity("O’Fallon", "US")]).toEqual([
      ...["ST JOHNS", "WINSTON SALEM", "OFALLON"],
    ]);
    expect([printCity("Trois-Rivières", "CA"), printCity("St.  John's", "CA")]).toEqual(["TROIS-RIVIERES", "ST JOHNS"]);
    expect([
      printPostalCode("11201-1234", "US"),
      printPostalCode("m5v2t6", "CA"),
      printPostalCode("m5v-2t6", "CA"),
    ]).toEqual([...["11201", "M5V 2T6", "M5V 2T6"]]);
    expect([printPostalCode("", "US"), printPostalCode(" ", "CA")]).toEqual(["", ""]);
  });
});

/** The first and the last ZIP code prefix of each state, and what is next to them (USPS labeling list L002). */
const ZIPS =
  "AL 350 369|AK 995 999|AZ 850 865|AR 716 729|CA 900 961|CO 800 816|CT 060 069|DE 197 199|DC 200 205|FL 320 349|GA 300 319|HI 967 968|ID 832 838|IL 600 629|IN 460 479|IA 500 528|KS 660 679|KY 400 427|LA 700 714|ME 039 049|MD 206 219|MA 010 027|MI 480 499|MN 550 567|MS 386 397|MO 630 658|MT 590 599|NE 680 693|NV 889 898|NH 030 038|NJ 070 089|NM 870 884|NY 100 149|NC 269 289|ND 580 588|OH 430 459|OK 730 749|OR 970 979|PA 150 196|RI 028 029|SC 290 299|SD 570 577|TN 370 385|TX 750 799|UT 840 847|VT 050 059|VA 220 246|WA 980 994|WV 247 268|WI 530 549|WY 820 831";

describe("postal codes", () => {
  it.each(ZIPS.split("|").map((row) => row.split(" ")))("of %s begin with %s to %s", (state, first, last) => {
    const fits = (prefix: number) => fitsState(`${`${prefix}`.padStart(3, "0")}01`, state, "US");
    expect([fits(Number(first)), fits(Number(last))]).toEqual([true, true]);
    expect(statesOf(`${first}01`, "US")).toContain(state);
    const others = state === "VT" ? [] : [Number(first) - 1];
    expect(others.map(fits)).toEqual(others.map(() => false));
  });

  it.each([
    ["A", ["NL"]],
    ["B", ["NS"]],
    ["C", ["PE"]],
    ["E", ["NB"]],
    ["G", ["QC"]],
    ["H", ["QC"]],
    ["J", ["QC"]],
    ["K", ["ON"]],
    ["L", ["ON"]],
    ["M", ["ON"]],
    ["N", ["ON"]],
    ["P", ["ON"]],
    ["R", ["MB"]],
    ["S", ["SK"]],
    ["T", ["AB"]],
    ["V", ["BC"]],
    ["X", ["NT", "NU"]],
    ["Y", ["YT"]],
    ["D", []],
  ])("that begin with %s are in %j", (letter, provinces) => {
    expect(statesOf(`${letter}1A 1A1`, "CA")).toEqual(provinces);
    expect(statesOf(`${letter.toLowerCase()}1a1a1`, "CA")).toEqual(provinces);
  });

  it("of a military address or a territory are its own", () => {
    const states = ["34001", "09012", "96201", "00901", "00801", "96910", "96799"].map((code) => statesOf(code, "US"));
    expect(states).toEqual([
      ...[["FL", "AA"], ["AE"], ["AP"], ["PR"], ["PR", "VI"], ["GU", "MP", "FM", "MH", "PW"], ["HI", "AS"]],
    ]);
    expect(fitsState("", "ON", "CA")).toBe(false);
    expect(fitsState("11201", "XX", "US")).toBe(false);
  });

  it("name the areas in which an address may be", () => {
    const areas = (stateCode: string, postalCode: string, country: "US" | "CA" = "US") =>
      areasOf({ country, stateCode, postalCode, city: "" });
    expect(areas("IL", "62701")).toEqual(["US-IL"]);
    expect(areas("CA", "62701")).toEqual(["US-CA", "US-IL"]);
    expect(areas("IL", "")).toEqual(["US-IL"]);
    expect(areas("ON", "H2X 1Y4", "CA")).toEqual(["CA-ON", "CA-QC"]);
    for (const state of ["PR", "GU", "VI", "AS", "MP"]) expect(areas(state, "")).toEqual([`US-${state}`, `${state}-`]);
  });
});
