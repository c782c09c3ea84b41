import { describe, expect, it } from "vitest";
import { validateAddress } from "../../../src/core/addresses/validate.ts";
import { ask, town } from "./town.ts";

const SPRINGFIELD = town(`
10, 12, 14, 16, 20 | Jay St | Springfield | IL | 62701
100 | N Main St | Springfield | IL | 62701
100 | S Main St | Springfield | IL | 62703
200 | N Main St | Springfield | IL | 62701
5 | Evergreen Ter | Springfield | IL | 62702
30 | Mount Vernon Ave | Springfield | IL | 62702
40 | 5th St | Springfield | IL | 62702
50 | Park Ave | Springfield | IL | 62704 | 1A 1B 2A
60 | Park Ave | Springfield | IL | 62704 | APT#1 APT#2
70 | State Route 29 | Springfield | IL | 62707
80, 217-14 | Saint Louis Ave | Springfield | IL | 62707
7 | Kay St | Shelbyville | IL | 62565
7 | Marin St | Shelbyville | IL | 62565
7 | Maris St | Shelbyville | IL | 62565
9 | Oak Ave | Shelbyville | IL | 62565`);

const statusOf = async (text: string) => {
  const { status, analysis, coverage } = await ask(SPRINGFIELD, text);
  return [status, analysis ?? coverage].filter(Boolean).join(", ");
};
const lineOf = async (text: string) => (await ask(SPRINGFIELD, text)).address.formattedAddress;

describe("an address that is in the data", () => {
  it.each([
    ["20 Jay St | Springfield | IL | 62701", "20 JAY ST, SPRINGFIELD IL 62701"],
    ["20 JAY STREET | springfield | IL | 62701-1234", "20 JAY ST, SPRINGFIELD IL 62701"],
    ["30 Mt. Vernon Avenue | Springfield | IL | 62702", "30 MOUNT VERNON AVE, SPRINGFIELD IL 62702"],
    ["40 Fifth Street | Springfield | IL | 62702", "40 5TH ST, SPRINGFIELD IL 62702"],
    ["70 SR 29 | Springfield | IL | 62707", "70 STATE ROUTE 29, SPRINGFIELD IL 62707"],
    ["70 IL-29 | Springfield | IL | 62707", "70 STATE ROUTE 29, SPRINGFIELD IL 62707"],
    ["80 St Louis Ave | Springfield | IL | 62707", "80 SAINT LOUIS AVE, SPRINGFIELD IL 62707"],
    ["217-14 Saint Louis Ave | Springfield | IL | 62707", "217-14 SAINT LOUIS AVE, SPRINGFIELD IL 62707"],
    ["100 North Main Street | Springfield | IL | 62701", "100 N MAIN ST, SPRINGFIELD IL 62701"],
  ])("in other words is verified: %s", async (text, line) => {
    expect([await statusOf(text), await lineOf(text)]).toEqual(["verified", line]);
  });

  it.each([
    ["a spelling", "5 Evergren Ter | Springfield | IL | 62702", "5 EVERGREEN TER, SPRINGFIELD IL 62702"],
    ["two letters swapped", "5 Evegreren Ter | Springfield | IL | 62702", "5 EVERGREEN TER, SPRINGFIELD IL 62702"],
    ["a suffix left out", "5 Evergreen | Springfield | IL | 62702", "5 EVERGREEN TER, SPRINGFIELD IL 62702"],
    ["a suffix misspelt", "5 Evergreen Terrase | Springfield | IL | 62702", "5 EVERGREEN TER, SPRINGFIELD IL 62702"],
    ["a directional left out", "200 Main St | Springfield | IL | 62701", "200 N MAIN ST, SPRINGFIELD IL 62701"],
    ["a directional behind", "200 Main St N | Springfield | IL | 62701", "200 N MAIN ST, SPRINGFIELD IL 62701"],
  ])("with %s is put right and verified", async (_, text, line) => {
    expect([await statusOf(text), await lineOf(text)]).toEqual(["verified", line]);
    if (!text.includes(" N |")) expect((await ask(SPRINGFIELD, text)).corrections).toEqual(["street"]);
  });

  it.each([
    ["postal code", "20 Jay St | Springfield | IL | 62799", "20 JAY ST, SPRINGFIELD IL 62701", ["postalCode"]],
    ["city", "20 Jay St | Decatur | IL | 62701", "20 JAY ST, SPRINGFIELD IL 62701", ["city"]],
    ["suffix", "5 Evergreen Ct | Springfield | IL | 62702", "5 EVERGREEN TER, SPRINGFIELD IL 62702", ["street"]],
    ["directional", "200 S Main St | Springfield | IL | 62701", "200 S MAIN ST, SPRINGFIELD IL 62701", []],
    [
      "hyphen",
      "21714 Saint Louis Ave | Springfield | IL | 62707",
      "217-14 SAINT LOUIS AVE, SPRINGFIELD IL 62707",
      ["number"],
    ],
  ])("with another %s is partially verified", async (_, text, line, corrections) => {
    const { status, address, corrections: made } = await ask(SPRINGFIELD, text);
    expect([status, address.formattedAddress, made]).toEqual(["partially verified", line, corrections]);
  });
});

describe("a state that the postal code contradicts", () => {
  it("is put right where a record agrees on all else", async () => {
    const { status, address, corrections } = await ask(SPRINGFIELD, "20 Jay St | Springfield | CA | 62701");
    expect([status, address.stateCode, corrections]).toEqual(["partially verified", "IL", ["stateCode"]]);
  });

  it("stays where nothing is known of that code's state", async () => {
    expect(await statusOf("20 Jay St | Springfield | CA | 01101")).toBe("unverified, no-data-for-state");
  });
});

describe("a house number that is not in the data", () => {
  it.each([
    ["between known ones", "18 Jay St | Springfield | IL | 62701"],
    ["beyond them", "9000 Jay St | Springfield | IL | 62701"],
    ["of another street of the same name", "100 Jay St | Springfield | IL | 62701"],
  ])("%s is never verified, and stays as it was given", async (_, text) => {
    const { status, address } = await ask(SPRINGFIELD, text);
    expect([status, address.addressLabel]).toEqual(["partially verified", text.split(" | ")[0].toUpperCase()]);
  });

  it("is not taken from a street of another type or direction", async () => {
    expect(await statusOf("9 Oak St | Shelbyville | IL | 62565")).toBe("partially verified");
    expect((await ask(SPRINGFIELD, "12 Kay St | Shelbyville | IL | 62565")).address.street).toBe("KAY ST");
  });
});

describe("several addresses that fit alike", () => {
  it.each([
    ["the direction was left out", "100 Main St | Springfield | IL | 62799"],
    ["either name is one letter away", "7 Mariz St | Shelbyville | IL | 62565"],
  ])("are ambiguous where %s, and none is chosen", async (_, text) => {
    const { status, address, corrections } = await ask(SPRINGFIELD, text);
    expect([status, address.addressLabel, corrections]).toEqual(["ambiguous", text.split(" | ")[0].toUpperCase(), []]);
  });

  it("are none where the postal code decides", async () => {
    expect(await lineOf("100 Main St | Springfield | IL | 62703")).toBe("100 S MAIN ST, SPRINGFIELD IL 62703");
  });
});

describe("units", () => {
  it.each([
    ["50 Park Ave | Springfield | IL | 62704", "partially verified, unit:missing", "50 PARK AVE"],
    ["50 Park Ave | Springfield | IL | 62704 | 1A", "verified", "50 PARK AVE # 1A"],
    ["50 Park Ave Apt 1a | Springfield | IL | 62704", "verified", "50 PARK AVE APT 1A"],
    ["50 Park Ave | Springfield | IL | 62704 | Apt 1-A", "verified", "50 PARK AVE APT 1A"],
    ["50 Park Ave | Springfield | IL | 62704 | Apt 9Z", "partially verified, unit:invalid", "50 PARK AVE APT 9Z"],
    ["60 Park Ave | Springfield | IL | 62704 | #01", "verified", "60 PARK AVE APT 1"],
    ["60 Park Ave | Springfield | IL | 62704 | Fl 1", "partially verified, unit:invalid", "60 PARK AVE FL 1"],
    // The source lists no units there at all.
    ["20 Jay St | Springfield | IL | 62701 | Apt 4", "partially verified, unit:invalid", "20 JAY ST APT 4"],
    ["20 Jay St Apt 4 | Springfield | IL | 62701", "partially verified, unit:invalid", "20 JAY ST APT 4"],
    ["20 Jay St | Springfield | IL | 62701", "verified", "20 JAY ST"],
  ])("%s is %s", async (text, status, label) => {
    expect([await statusOf(text), (await ask(SPRINGFIELD, text)).address.addressLabel]).toEqual([status, label]);
  });

  it("make a high-rise of a record", async () => {
    const types = ["50 Park Ave", "20 Jay St", "20 Jay St Apt 4", "Acme Inc, 20 Jay St", "c/o Ann Lee, 20 Jay St"].map(
      async (label) => {
        return (await ask(SPRINGFIELD, `${label} | Springfield | IL | 62701`)).address.recordType;
      },
    );
    expect(await Promise.all(types)).toEqual(["H", "S", "H", "F", "S"]);
  });
});

describe("what could not be verified says why", () => {
  it.each([
    ["20 Jay St | Denver | CO | 80202", "unverified, no-data-for-state"],
    ["20 Jay St | Chicago | IL | 60601", "unverified, no-data-for-area"],
    ["20 Nowhere Blvd | Springfield | IL | 62701", "unverified, no-such-street"],
    ["PO Box 12 | Springfield | IL | 62701", "unverified, not-listed"],
    ["RR 2 Box 12 | Springfield | IL | 62701", "unverified, not-listed"],
    ["General Delivery | Springfield | IL | 62701", "unverified, not-listed"],
    ["Jay St | Springfield | IL | 62701", "unverified, not-read"],
    ["??? | Springfield | IL | 62701", "unverified, not-read"],
  ])("%s: %s", async (text, status) => expect(await statusOf(text)).toBe(status));

  it.each([
    ["PO Box 12", "P"],
    ["PSC 802 Box 74", "P"],
    ["RR 2 Box 12", "R"],
    ["HC 68 Box 23A", "R"],
    ["General Delivery", "G"],
  ])("%s has the type of record %s", async (label, type) => {
    expect((await ask(SPRINGFIELD, `${label} | Springfield | IL | 62701`)).address.recordType).toBe(type);
  });
});

describe("number and street", () => {
  const place = { country: "US", city: "Springfield", stateCode: "IL", postalCode: "62701" } as const;
  it.each([
    ["20", "Jay St", "20 JAY ST"],
    ["20", "20 Jay St", "20 JAY ST"],
    ["217-14", "Saint Louis Ave", "217-14 SAINT LOUIS AVE"],
    ["12", "PO Box", "PO BOX 12"],
    ["12", "P.O. Box #", "PO BOX 12"],
    ["152", "RR 2", "RR 2 BOX 152"],
    ["152", "RR 2 Box", "RR 2 BOX 152"],
    ["74", "PSC 802", "PSC 802 BOX 74"],
  ])("%s, %s → %s", async (number, street, label) => {
    expect((await validateAddress([SPRINGFIELD], { ...place, number, street })).address.addressLabel).toBe(label);
  });
});

describe("a first line that says all of it", () => {
  it.each([
    "20 Jay St Springfield IL 62701",
    "20 Jay St, Springfield, IL 62701-1234, USA",
    "20 JAY ST\nSPRINGFIELD IL  62701",
    "20 Jay St",
  ])("%j keeps its street", async (addressLabel) => {
    const place = { country: "US", city: "Springfield", stateCode: "IL", postalCode: "62701" } as const;
    const { status, address } = await validateAddress([SPRINGFIELD], { ...place, addressLabel });
    expect([status, address.addressLabel]).toEqual(["verified", "20 JAY ST"]);
  });

  it("keeps a street that is called like the city", async () => {
    const place = { country: "US", city: "Brooklyn", stateCode: "NY", postalCode: "11201" } as const;
    const { address } = await validateAddress([SPRINGFIELD], { ...place, addressLabel: "12 Brooklyn Ave" });
    expect(address.addressLabel).toBe("12 BROOKLYN AVE");
  });
});

describe("what nobody would write", () => {
  const commas = ",".repeat(256);
  const blanks = `${" ,".repeat(127)}x`;
  it.each([
    [commas, "Springfield"],
    [blanks, "- - -"],
    ["1 ".repeat(128), "Springfield"],
    ["N ".repeat(128), "Springfield"],
    ["Main St ".repeat(32), "Main ".repeat(50)],
    ["apt # ".repeat(42), "Springfield"],
    ["PO Box RR HC ".repeat(19), "Springfield"],
    ["a.".repeat(128), "a".repeat(256)],
    ["12-12-12-".repeat(28), "Springfield"],
    ["(((()))(".repeat(32), "Springfield"],
  ])("%j in %j is answered soon", async (addressLabel, city) => {
    const began = Date.now();
    const place = { country: "US", city, stateCode: "IL", postalCode: "62701" } as const;
    expect((await validateAddress([SPRINGFIELD], { ...place, addressLabel })).status).not.toBe("verified");
    expect(Date.now() - began).toBeLessThan(1000);
  });
});

describe("facts of the source", () => {
  const index = town("20 | Jay St | Springfield | IL | 62701", { plus4: "0042", propertyType: "commercial" });

  it("are returned: the ZIP+4 add-on and the use of the building", async () => {
    const { address } = await ask(index, "20 Jay St | Springfield | IL | 62701-9999");
    expect(address).toMatchObject({ plus4: "0042", propertyType: "commercial", county: "TEST" });
    expect(address.formattedAddress).toBe("20 JAY ST, SPRINGFIELD IL 62701-0042");
  });

  it("are not invented", async () => {
    const { address } = await ask(SPRINGFIELD, "20 Jay St | Springfield | IL | 62701-9999");
    expect(address.plus4).toBeUndefined();
    expect(address.propertyType).toBeUndefined();
  });
});

describe("in Canada", () => {
  const index = town(`
123 | Main St | Toronto | ON | M5V 2T6
125 | Main St | Toronto | ON | M5V 2T6 | 10
1000 | Rue Sainte-Catherine O | Montréal | QC | H3B 4W5
55 | Rue Main | Moncton | NB | E1C 1B9
400 | 104 Ave NW | Edmonton | AB | T5J 0H6`);
  it.each([
    ["123 main street | toronto | ON | m5v2t6", "123 MAIN ST, TORONTO ON  M5V 2T6"],
    ["10-125 Main St | Toronto | ON | M5V 2T6", "10-125 MAIN ST, TORONTO ON  M5V 2T6"],
    ["1000 rue Sainte-Catherine Ouest | Montreal | QC | H3B 4W5", "1000 RUE SAINTE-CATHERINE O, MONTREAL QC  H3B 4W5"],
    ["1000 Ste-Catherine St W | Montreal | QC | H3B4W5", "1000 RUE SAINTE-CATHERINE O, MONTREAL QC  H3B 4W5"],
    ["55 Main St | Moncton | NB | E1C 1B9", "55 RUE MAIN, MONCTON NB  E1C 1B9"],
    ["400 104th Avenue Northwest | Edmonton | AB | T5J 0H6", "400 104 AVE NW, EDMONTON AB  T5J 0H6"],
  ])("%s → %s", async (text, line) => {
    const { status, address } = await ask(index, text);
    expect([status, address.formattedAddress]).toEqual(["verified", line]);
  });
});

describe("a city that others write under the same postal code", () => {
  const index = town(`
20 | Jay St | Queens Village | NY | 11429
22 | Bay St | Bellaire | NY | 11429`);

  it("is as good as the record's, and stays", async () => {
    const { status, address } = await ask(index, "20 Jay St | Bellaire | NY | 11429");
    expect([status, address.city]).toEqual(["verified", "BELLAIRE"]);
  });

  it("is none where nobody there writes it", async () => {
    const { status, address } = await ask(index, "20 Jay St | Buffalo | NY | 11429");
    expect([status, address.city]).toEqual(["partially verified", "QUEENS VILLAGE"]);
  });
});

describe("a territory", () => {
  it("is a state of the US in the query, and may be a country in the data", async () => {
    const index = town("123 | Calle Sol | San Juan | | 00901 | | PR");
    const { status, address } = await ask(index, "123 Calle Sol | San Juan | PR | 00901");
    expect([status, address.formattedAddress]).toEqual(["verified", "123 CALLE SOL, SAN JUAN PR 00901"]);
  });
});

describe("a postal code that can not lie in the state", () => {
  it("keeps a record that knows no code from being verified", async () => {
    const index = town("20 | Jay St | Springfield | IL | \n5 | Jay St | Springfield | IL | 62701");
    expect((await ask(index, "20 Jay St | Springfield | IL | 62701")).status).toBe("verified");
    expect((await ask(index, "20 Jay St | Springfield | IL | 90210")).status).toBe("partially verified");
  });

  it("is not enough: without it, a code has to be one of other addresses of the city", async () => {
    const index = town("20 | Jay St | Springfield | IL | ");
    expect((await ask(index, "20 Jay St | Springfield | IL | 62701")).status).toBe("partially verified");
    expect((await ask(index, "20 Jay St | Springfield | IL | ")).status).toBe("verified");
  });
});

describe("a house number in another form", () => {
  const index = town(`
12 A, 217-14 | Jay St | Springfield | IL | 62701
14 1/2 | Jay St | Springfield | IL | 62701`);

  it.each([
    ["12A Jay St", "12 A JAY ST", "verified", []],
    ["217-14 Jay St", "217-14 JAY ST", "verified", []],
    ["21714 Jay St", "217-14 JAY ST", "partially verified", ["number"]],
    ["21-714 Jay St", "217-14 JAY ST", "partially verified", ["number"]],
    ["14 1/2 Jay St", "14 1/2 JAY ST", "verified", []],
  ])("%s is %s", async (line, label, status, corrections) => {
    const found = await ask(index, `${line} | Springfield | IL | 62701`);
    expect([found.address.addressLabel, found.status, found.corrections]).toEqual([label, status, corrections]);
  });
});

describe("the same house in two sources", () => {
  const jay = "20 | Jay St | Springfield | IL |";
  const question = {
    country: "US",
    city: "Springfield",
    stateCode: "IL",
    addressLabel: "20 Jay St",
    postalCode: "",
  } as const;
  const known = town(`${jay} 62701`);
  const label = async (...indexes: ReturnType<typeof town>[]) => {
    const { status, address } = await validateAddress(indexes, question);
    return [status, address.formattedAddress];
  };

  it("is the one whose postal code is known", async () => {
    expect(await label(known, town(jay))).toEqual(["verified", "20 JAY ST, SPRINGFIELD IL 62701"]);
    expect(await label(town(jay), known)).toEqual(["verified", "20 JAY ST, SPRINGFIELD IL 62701"]);
    expect(await label(town(jay))).toEqual(["verified", "20 JAY ST, SPRINGFIELD IL"]);
  });

  it("is another house where it is 200 m away", async () => {
    // Rows are 222 m apart.
    const far = town(`1 | Elm St | Springfield | IL | 62701\n${jay}`);
    expect((await label(known, far))[0]).toBe("ambiguous");
  });
});

describe("the unit", () => {
  it("is taken once where the first line has it as well", async () => {
    const of = async (addressLabel: string, unit: string) => {
      const question = {
        country: "US",
        city: "Springfield",
        stateCode: "IL",
        postalCode: "62704",
        addressLabel,
        unit,
      } as const;
      return (await validateAddress([SPRINGFIELD], question)).address.addressLabel;
    };
    expect(await of("50 Park Ave Apt 1A", "Apt 1A")).toBe("50 PARK AVE APT 1A");
    expect(await of("50 Park Ave", " ")).toBe("50 PARK AVE");
    expect(await of("50 Park Ave Apt 1A", "Fl 2")).toBe("50 PARK AVE APT 1A FL 2");
  });
});

describe("the type of a record", () => {
  it.each([
    ["Attn Ann Lee, 20 Jay St", "S"],
    ["Attention Ann Lee, 20 Jay St", "S"],
    ["Care of Ann Lee, 20 Jay St", "S"],
    ["Acme Inc, 20 Jay St Apt 4", "F"],
    ["HC 68 Box 23A", "R"],
  ])("of %s is %s", async (label, type) => {
    expect((await ask(SPRINGFIELD, `${label} | Springfield | IL | 62701`)).address.recordType).toBe(type);
  });
});
