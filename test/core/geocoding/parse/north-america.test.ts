import { describe, expect, it } from "vitest";
import type { ParsedAddress } from "../../../../src/core/geocoding/parse/parsed-address.ts";
import { parseAddress } from "../../../../src/core/geocoding/search/parse-address.ts";

/** address | number | street | unit | city | state | postal code; of our own writing. A slash is a line break. */
const CASES: Record<string, string> = {
  "without commas": `
20 Jay St Brooklyn NY 11201 | 20 | Jay St | | Brooklyn | NY | 11201
123 Main St St Louis MO 63101 | 123 | Main St | | St Louis | MO | 63101
500 Broadway New York NY 10012 | 500 | Broadway | | New York | NY | 10012
511 South 300 West Salt Lake City UT 84101 | 511 | South 300 West | | Salt Lake City | UT | 84101
77 W Lake Dr Suite 1800 Chicago IL 60601 | 77 | W Lake Dr | 1800 | Chicago | IL | 60601
9 Ocean Ave West Palm Beach FL 33401 | 9 | Ocean Ave | | West Palm Beach | FL | 33401
9 Ocean Avenue North Naples FL 34102 | 9 | Ocean Avenue North | | Naples | FL | 34102
7 Elm St North Platte NE 69101 | 7 | Elm St | | North Platte | NE | 69101
7 Elm St N Omaha NE 68102 | 7 | Elm St N | | Omaha | NE | 68102
2002 FM 544 Wylie TX 75098 | 2002 | FM 544 | | Wylie | TX | 75098
88 US Highway 16 Worland WY 82401 | 88 | US Highway 16 | | Worland | WY | 82401
7104 Highway 62 West Gassville AR 72635 | 7104 | Highway 62 West | | Gassville | AR | 72635
12 Sunset Ridge Boerne TX 78006 | 12 | Sunset Ridge | | Boerne | TX | 78006
14 A Street East Poplar MT 59255 | 14 | A Street East | | Poplar | MT | 59255
594 Lane 8 1/2 Powell WY 82435 | 594 | Lane 8 1/2 | | Powell | WY | 82435
100 Park Place Blvd Orlando FL 32801 | 100 | Park Place Blvd | | Orlando | FL | 32801
12 Main Fort Cobb OK 73038 | 12 | Main | | Fort Cobb | OK | 73038
1600 Lincoln Avenue Northwest Washington DC 20500 | 1600 | Lincoln Avenue Northwest | | Washington | DC | 20500
24 Oak Lane Apt 3B Rear Denver CO 80202 | 24 | Oak Lane | 3B | Rear Denver | CO | 80202
301 Front St W Toronto ON M5V 2T6 | 301 | Front St W | | Toronto | ON | M5V 2T6
10220 104 Ave NW Edmonton AB T5J0H6 | 10220 | 104 Ave NW | | Edmonton | AB | T5J0H6
Brooklyn CT 06234 | | | | Brooklyn | CT | 06234
St Paul MN 55101 | | | | St Paul | MN | 55101
Salt Lake City UT 84101 | | | | Salt Lake City | UT | 84101
Palm Springs CA 92262 | | | | Palm Springs | CA | 92262
Main St Hartford CT 06103 | | Main St | | Hartford | CT | 06103
Broadway New York NY 10012 | | Broadway | | New York | NY | 10012
rue Principale Gaspé QC G4X 1A1 | | rue Principale | | Gaspé | QC | G4X 1A1
45 rue Sainte-Anne Ouest Montréal QC H2X 1Y4 | 45 | rue Sainte-Anne Ouest | | Montréal | QC | H2X 1Y4`,
  "with commas": `
217-14 Jamaica Ave, Queens Village, NY 11428 | 217-14 | Jamaica Ave | | Queens Village | NY | 11428
20 Jay St, Brooklyn,NY 11201-1234 | 20 | Jay St | | Brooklyn | NY | 11201-1234
20 Jay St, Brooklyn NY, 11201 | 20 | Jay St | | Brooklyn | NY | 11201
20 Jay St, Brooklyn, NY 112011234 | 20 | Jay St | | Brooklyn | NY | 11201-1234
100 Gold Street, 2nd Fl., New York, NY 10038 | 100 | Gold Street | 2 | New York | NY | 10038
20 Jay St, Bldg C, Suite 5, Brooklyn, NY | 20 | Jay St | C 5 | Brooklyn | NY |
Acme Inc, 20 Jay St, Suite 3, Brooklyn, NY 11201 | 20 | Jay St | 3 | Brooklyn | NY | 11201
Suite 1800, 77 W Lake Dr, Chicago, IL 60601 | 77 | W Lake Dr | 1800 | Chicago | IL | 60601
144 Kings Highway, SW, Dover, Delaware 19901 | 144 | Kings Highway SW | | Dover | DE | 19901
48S 400E, Salt Lake City UT | 48 | S 400 E | | Salt Lake City | UT |
9 Columbus Ave, Mount Vernon, NY 10550 Suite 102B | 9 | Columbus Ave | 102B | Mount Vernon | NY | 10550
123 rue Principale, bureau 5, Québec (Québec) G1R 4P5 | 123 | rue Principale | 5 | Québec | QC | G1R 4P5
4411 Stone Way North Seattle, King County, WA | 4411 | Stone Way North | | Seattle | WA |
20 Jay St, Brooklyn, Kings County, NY 11201 | 20 | Jay St | | Brooklyn | NY | 11201
7 Levee Rd, Chalmette, St Bernard Parish, LA 70043 | 7 | Levee Rd | | Chalmette | LA | 70043
20 Jay St, Orange County, CA 92801 | 20 | Jay St | | Orange County | CA | 92801
Brooklyn, CT 06234 | | | | Brooklyn | CT | 06234
New York, NY 10012 | | | | New York | NY | 10012
Toronto, ON M5V 2T6 | | | | Toronto | ON | M5V 2T6
Ocean Ct, NY 11201 | | Ocean Ct | | | NY | 11201
Rosa Parks Plaza, Detroit, MI 48226 | | Rosa Parks Plaza | | Detroit | MI | 48226
10-123 Main St NW, Calgary AB T2P 1A1 | 123 | Main St NW | 10 | Calgary | AB | T2P 1A1`,
  "on lines": `
Acme Inc/20 Jay St/Brooklyn, NY 11201 | 20 | Jay St | | Brooklyn | NY | 11201
ANN LEE/30 S LAKE DR/STE 2200/CHICAGO IL 60606 | 30 | S LAKE DR | 2200 | CHICAGO | IL | 60606
Ann Lee/c$o Acme/Suite 1800/77 W Lake Dr/Chicago, IL 60601 | 77 | W Lake Dr | 1800 | Chicago | IL | 60601
M. Tremblay/1234 3e Avenue app. 5/Québec QC  G1L 2X4/CANADA | 1234 | 3e Avenue | 5 | Québec | QC | G1L 2X4`,
};

const KEYS = ["number", "street", "unit", "city", "stateCode", "postalCode"] as const;

describe("a whole address of the US or Canada", () => {
  for (const [how, table] of Object.entries(CASES)) {
    describe(how, () => {
      const rows = table
        .trim()
        .split("\n")
        .map((row) => row.split("|").map((cell) => cell.trim()));
      it.each(rows)("%s", (text, ...cells) => {
        const lines = how === "on lines" ? text.replaceAll("/", "\n").replaceAll("$", "/") : text;
        const { countryCode, ...parts } = parseAddress(lines);
        const expected: ParsedAddress = {};
        KEYS.forEach((key, i) => {
          if (cells[i]) expected[key] = cells[i];
        });
        expect(parts).toEqual(expected);
        expect(["US", "CA"]).toContain(countryCode);
      });
    });
  }

  it("knows boxes with their towns, with and without commas", () => {
    const box = { box: "9580", city: "Rancho Santa Fe", stateCode: "CA", postalCode: "92067", countryCode: "US" };
    expect(parseAddress("PO Box 9580 Rancho Santa Fe CA 92067")).toEqual(box);
    expect(parseAddress("P.O. Box 9580, Rancho Santa Fe, CA 92067, USA")).toEqual(box);
  });

  it("leaves addresses of other countries to their own rules", () => {
    expect(parseAddress("Rathausplatz 1, 91052 Erlangen, DE").countryCode).toBe("DE");
    expect(parseAddress("5 Example Road, Perth WA 6000, Australia").countryCode).toBe("AU");
  });
});
