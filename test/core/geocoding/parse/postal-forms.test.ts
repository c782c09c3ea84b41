import { describe, expect, it } from "vitest";
import TABLE from "../../../../src/core/geocoding/parse/postal-forms.json" with { type: "json" };
import { readPostalCode } from "../../../../src/core/geocoding/parse/postal-forms.ts";
import { random } from "../../../../src/demo/world/random.ts";

const draw = random("postal forms");
const postalCodeIn = (text: string, country: string) => readPostalCode(text).find((one) => one.country === country);
const LETTERS = [..."ABCDEFGHJKLMNPRSTUVWXY"];
const DIGITS = [..."0123456789"];
const drawn = (form: string) =>
  [...form].map((sign) => (sign === "A" ? draw.pick(LETTERS) : sign === "9" ? draw.pick(DIGITS) : sign)).join("");

describe("a postal code", () => {
  it.each([
    ["SW1A 1AA", "GB", "SW1A 1AA"],
    ["sw1a1aa", "GB", "SW1A 1AA"],
    ["EC1A 1BB", "GB", "EC1A 1BB"],
    ["M1 1AE", "GB", "M1 1AE"],
    ["GY1 1AA", "GG", "GY1 1AA"],
    ["75001 FR", "FR", "75001"],
    ["F-75001", "FR", "75001"],
    ["CH-1204", "CH", "1204"],
    ["50667 DE", "DE", "50667"],
    ["2511 CV", "NL", "2511 CV"],
    ["VIC 3000", "AU", "3000"],
    ["4000 qld", "AU", "4000"],
    ["NY 10001", "US", "10001"],
    ["D-10115", "DE", "10115"],
    ["9486, li", "LI", "9486"],
    ["60614-1234", "US", "60614"],
    ["1012 LG", "NL", "1012 LG"],
    ["1012lg", "NL", "1012 LG"],
    ["K1A0B1", "CA", "K1A 0B1"],
    ["k1a-0b1", "CA", "K1A 0B1"],
    ["D02X285", "IE", "D02 X285"],
    ["d6w xh28", "IE", "D6W XH28"],
    ["〒100-0001", "JP", "100-0001"],
    ["１００－０００１", "JP", "100-0001"],
    ["01310-100", "BR", "01310-100"],
    ["C1425DKA", "AR", "C1425DKA"],
    ["1100-148", "PT", "1100-148"],
    ["00-950", "PL", "00-950"],
    ["111 20", "SE", "111 20"],
    ["SE-111 20", "SE", "111 20"],
    ["LT-01103", "LT", "01103"],
    ["110 001", "IN", "110 001"],
    ["AD500", "AD", "AD500"],
    ["VLT 1117", "MT", "VLT 1117"],
  ])("%s is read in %s as %s", (text, country, code) => {
    expect(postalCodeIn(text, country)).toMatchObject({ country, code, partial: false });
  });

  it("names no other country where its form or a code beside it tells", () => {
    const countries = (text: string) => readPostalCode(text).map(({ country }) => country);
    expect(countries("SW1A 1AA")).toEqual(["GB"]);
    expect(countries("JE2 3AB")).toEqual(["JE"]);
    expect(countries("K1A 0B1")).toEqual(["CA"]);
    expect(countries("1012 AB")).toEqual(["NL"]);
    expect(countries("75001 FR")).toEqual(["FR"]);
    expect(countries("100-0001")).toEqual(["CL", "CR", "JP"]);
    expect(countries("75001")).toEqual(expect.arrayContaining(["DE", "FR", "US"]));
  });

  it("has the four digits after a ZIP code apart", () => {
    expect(postalCodeIn("60614-1234", "US")).toMatchObject({ code: "60614", plus4: "1234" });
  });

  it("is the first half of one, where people write that alone", () => {
    expect(postalCodeIn("SW1A", "GB")).toMatchObject({ code: "SW1A", partial: true });
    expect(postalCodeIn("K1A", "CA")).toMatchObject({ partial: true });
    expect(postalCodeIn("D02", "IE")).toMatchObject({ partial: true });
  });

  it("is not a house number, a word, a date, a telephone number, a floor, or a code of another country beside it", () => {
    const texts =
      "12|12a|217-14|Paris|Rue|2024-01-31|555-1234567|+49 30 1234|3. OG|75001 GB|SW1A 1AA FR|00000000000|1-2-3|SW1A 1A|1012 LGX|A|".split(
        "|",
      );
    expect(texts.filter((text) => readPostalCode(text).length > 0)).toEqual([]);
  });

  it("of any form and country is read, in upper and lower case, and with or without its space", () => {
    for (const [form, list] of Object.entries(TABLE.forms)) {
      let read = 0;
      for (let i = 0; i < 50; i++) {
        const text = drawn(form);
        const readings = readPostalCode(text);
        expect(readPostalCode(text.toLowerCase())).toEqual(readings);
        if (!form.includes("-"))
          expect(readPostalCode(text.replace(" ", "")).map(({ country }) => country)).toEqual(
            expect.arrayContaining(
              readings.flatMap(({ country }) => (list.split(" ").includes(country) ? [country] : [])),
            ),
          );
        for (const { country } of readings) if (list.split(" ").includes(country)) read++;
      }
      // Some begin with letters or digits that few drawn ones have.
      if (list.split(" ").some((country) => !(country in TABLE.patterns)))
        expect([form, read > 0]).toEqual([form, true]);
    }
  });
});
