import { describe, expect, it } from "vitest";
import { printLine } from "../../../src/core/addresses/print.ts";
import { parseDeliveryLine } from "../../../src/core/geocoding/north-america/delivery-line.ts";
import type { Country } from "../../../src/core/geocoding/north-america/words.ts";
import { CANADA_LINES } from "./canada-lines.ts";
import { PUERTO_RICO_LINES, US_LINES } from "./us-lines.ts";

const rowsOf = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()));
const printed = (text: string, country: Country, stateCode = "") =>
  printLine(parseDeliveryLine(text, { country, stateCode }), country).addressLabel;

describe("the first line is printed as USPS does", () => {
  for (const [rule, table] of Object.entries(US_LINES)) {
    describe(rule, () => {
      it.each(rowsOf(table))("%s → %s", (text, label) => expect(printed(text, "US")).toBe(label));
    });
  }
  describe("in Puerto Rico", () => {
    it.each(rowsOf(PUERTO_RICO_LINES))("%s → %s", (text, label) => expect(printed(text, "US", "PR")).toBe(label));
  });
});

describe("the first line is printed as Canada Post does", () => {
  for (const [rule, table] of Object.entries(CANADA_LINES)) {
    describe(rule, () => {
      it.each(rowsOf(table))("%s, %s → %s", (text, province, label) =>
        expect(printed(text, "CA", province)).toBe(label),
      );
    });
  }
});

describe("what is printed", () => {
  const all = [
    ...Object.values(US_LINES).flatMap((table) => rowsOf(table).map(([, label]) => ["US", "", label] as const)),
    ...Object.values(CANADA_LINES).flatMap((table) =>
      rowsOf(table).map(([, state, label]) => ["CA", state, label] as const),
    ),
  ];

  it("has at least 250 cases", () => expect(all.length).toBeGreaterThanOrEqual(250));

  it("is printed the same when it is read again", () => {
    const changed = all.filter(([country, state, label]) => printed(label, country, state) !== label);
    expect(changed.map(([, , label]) => label)).toEqual([]);
  });

  it("does not depend on the case it was written in", () => {
    for (const [country, state, label] of all)
      expect([label, printed(label.toLowerCase(), country, state)]).toEqual([label, label]);
  });

  it.each([
    "",
    ",",
    "#",
    "apt",
    "12",
    "x".repeat(5000),
    "1 ".repeat(2000),
    "# # # #",
    "PO Box",
    "RR",
    "N",
    "((((",
    "1/2",
  ])("of %j is something, soon", (text) => {
    const began = Date.now();
    for (const country of ["US", "CA"] as const) expect(printed(text, country)).toBeTypeOf("string");
    expect(Date.now() - began).toBeLessThan(500);
  });
});
