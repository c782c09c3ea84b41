import { describe, expect, it } from "vitest";
import { type ParsedAddress, parseAddress } from "../../src/geocoding/parse-address.ts";

/** By country: address | number | street | city | postal code | state | unit. Made up, or public buildings. */
const CASES: Record<string, string> = {
  US: `
20 Jay St, Brooklyn, NY 11201 | 20 | Jay St | Brooklyn | 11201 | NY
20 Jay St Brooklyn NY 11201 | 20 | Jay St | Brooklyn | 11201 | NY
20 Jay Street, Brooklyn, New York 11201, USA | 20 | Jay Street | Brooklyn | 11201 | NY
20 Jay St Apt 4B, Brooklyn, NY 11201-1234 | 20 | Jay St | Brooklyn | 11201-1234 | NY | 4B
20 Jay St #12, Brooklyn, NY | 20 | Jay St | Brooklyn | | NY | 12
20 Jay St, Suite 300, Brooklyn, NY 11201 | 20 | Jay St | Brooklyn | 11201 | NY | 300
217-14 Jamaica Ave, Queens Village, NY 11428 | 217-14 | Jamaica Ave | Queens Village | 11428 | NY
1600 Pennsylvania Ave NW, Washington, DC 20500 | 1600 | Pennsylvania Ave NW | Washington | 20500 | DC
1600 Pennsylvania Avenue NW Washington DC 20500 | 1600 | Pennsylvania Avenue NW | Washington | 20500 | DC
350 5th Ave, New York, NY 10118 | 350 | 5th Ave | New York | 10118 | NY
350 Fifth Avenue New York NY 10118 | 350 | Fifth Avenue | New York | 10118 | NY
100 N Main St, Salt Lake City, UT 84101 | 100 | N Main St | Salt Lake City | 84101 | UT
100 North Main Street, Springfield, Illinois 62701 | 100 | North Main Street | Springfield | 62701 | IL
10 1/2 Elm St, Boston, MA 02108 | 10 1/2 | Elm St | Boston | 02108 | MA
123B Oak Rd, Atlanta, Georgia 30303 | 123B | Oak Rd | Atlanta | 30303 | GA
1 Infinite Loop, Cupertino, CA 95014 | 1 | Infinite Loop | Cupertino | 95014 | CA
500 Broadway, New York, NY | 500 | Broadway | New York | | NY
4059 Mt Lee Dr, Hollywood, CA 90068 | 4059 | Mt Lee Dr | Hollywood | 90068 | CA
1060 W Addison St, Chicago, IL 60613, United States | 1060 | W Addison St | Chicago | 60613 | IL
742 Evergreen Terrace, Springfield OR 97477 | 742 | Evergreen Terrace | Springfield | 97477 | OR
221 Baker St Unit 7, Winston-Salem, North Carolina 27101 | 221 | Baker St | Winston-Salem | 27101 | NC | 7`,
  CA: `
1055 Canada Pl, Vancouver, BC V6C 0C3 | 1055 | Canada Pl | Vancouver | V6C 0C3 | BC
1055 Canada Place, Vancouver, British Columbia V6C 0C3, Canada | 1055 | Canada Place | Vancouver | V6C 0C3 | BC
301 Front St W, Toronto, ON M5V 2T6 | 301 | Front St W | Toronto | M5V 2T6 | ON
301 Front St W Toronto ON M5V 2T6 | 301 | Front St W | Toronto | M5V 2T6 | ON
1200-1055 Dunsmuir St, Vancouver, BC V7X 1L2, Canada | 1055 | Dunsmuir St | Vancouver | V7X 1L2 | BC | 1200
4141 Av. Pierre-De Coubertin, Montréal, QC H1V 3N7 | 4141 | Av. Pierre-De Coubertin | Montréal | H1V 3N7 | QC
1 Rue des Carrières, Québec, QC G1R 4P5 | 1 | Rue des Carrières | Québec | G1R 4P5 | QC
111 Wellington St, Ottawa, Ontario K1A 0A9 | 111 | Wellington St | Ottawa | K1A 0A9 | ON
24 Sussex Dr, Ottawa, ON K1M1M4 | 24 | Sussex Dr | Ottawa | K1M1M4 | ON
10220 104 Ave NW, Edmonton, AB T5J 0H6 | 10220 | 104 Ave NW | Edmonton | T5J 0H6 | AB
5 Main St Unit 2, Halifax, NS B3H 1A1 | 5 | Main St | Halifax | B3H 1A1 | NS | 2
85 King St N, Waterloo, ON N2J 2X3 | 85 | King St N | Waterloo | N2J 2X3 | ON
2 Place du Commerce, Brossard, QC J4W 2T8 | 2 | Place du Commerce | Brossard | J4W 2T8 | QC
900 Howe St, Vancouver BC V6Z 2M4 | 900 | Howe St | Vancouver | V6Z 2M4 | BC
700 14 Ave SW, Calgary, Alberta T2R 0M8 | 700 | 14 Ave SW | Calgary | T2R 0M8 | AB
12 Rue Saint-Jean, Moncton, New Brunswick E1C 1A1 | 12 | Rue Saint-Jean | Moncton | E1C 1A1 | NB
15 Water St, St. John's, NL A1C 1A1 | 15 | Water St | St. John's | A1C 1A1 | NL
33 Queen St, Charlottetown, PE C1A 4A2 | 33 | Queen St | Charlottetown | C1A 4A2 | PE
2100 Broad St, Regina, SK S4P 1Y5 | 2100 | Broad St | Regina | S4P 1Y5 | SK
4 Portage Ave, Winnipeg, MB R3C 0B1 | 4 | Portage Ave | Winnipeg | R3C 0B1 | MB`,
  GB: `
10 Downing Street, London, SW1A 2AA | 10 | Downing Street | London | SW1A 2AA
10 Downing Street, London SW1A 2AA, United Kingdom | 10 | Downing Street | London | SW1A 2AA
221B Baker Street, London NW1 6XE | 221B | Baker Street | London | NW1 6XE
Flat 2, 15 High Street, Oxford, OX1 4AW | 15 | High Street | Oxford | OX1 4AW | | 2
12-14 Market Place, Durham DH1 3NJ | 12-14 | Market Place | Durham | DH1 3NJ
1 Princes Street, Edinburgh EH2 2EQ, Scotland | 1 | Princes Street | Edinburgh | EH2 2EQ
27a Castle Street, Cardiff, CF10 1BT | 27a | Castle Street | Cardiff | CF10 1BT
4 Privet Drive, Guildford, GU1 1AA, England | 4 | Privet Drive | Guildford | GU1 1AA
30 St Mary Axe, London EC3A 8BF | 30 | St Mary Axe | London | EC3A 8BF
8 Donegall Square, Belfast, BT1 5GS, UK | 8 | Donegall Square | Belfast | BT1 5GS`,
  DE: `
Hauptstraße 5, 69117 Heidelberg | 5 | Hauptstraße | Heidelberg | 69117
Hauptstr. 5, 69117 Heidelberg, Deutschland | 5 | Hauptstr. | Heidelberg | 69117
Hauptstraße 5 69117 Heidelberg | 5 | Hauptstraße | Heidelberg | 69117
69117 Heidelberg, Hauptstraße 5 | 5 | Hauptstraße | Heidelberg | 69117
Straße des 17. Juni 135, 10623 Berlin, Germany | 135 | Straße des 17. Juni | Berlin | 10623
Unter den Linden 77a, 10117 Berlin | 77a | Unter den Linden | Berlin | 10117
Am Alten Markt 12-14, 14467 Potsdam | 12-14 | Am Alten Markt | Potsdam | 14467
Kurfürstendamm 26 A, D-10719 Berlin, Germany | 26 A | Kurfürstendamm | Berlin | 10719
Marienplatz 1, 80331 München | 1 | Marienplatz | München | 80331
Zeil 106, 60313 Frankfurt am Main | 106 | Zeil | Frankfurt am Main | 60313
Königsallee 60, 40212 Düsseldorf, Allemagne | 60 | Königsallee | Düsseldorf | 40212`,
  FR: `
5 rue de la Paix, 75002 Paris | 5 | rue de la Paix | Paris | 75002
5, rue de la Paix, 75002 Paris, France | 5 | rue de la Paix | Paris | 75002
5 rue de la Paix 75002 Paris | 5 | rue de la Paix | Paris | 75002
12 bis avenue Foch, 75116 Paris | 12 bis | avenue Foch | Paris | 75116
12bis, avenue Foch, 75116 Paris | 12bis | avenue Foch | Paris | 75116
1 place de la Comédie, 34000 Montpellier | 1 | place de la Comédie | Montpellier | 34000
20 quai des Chartrons, 33000 Bordeaux, France | 20 | quai des Chartrons | Bordeaux | 33000
3 Rue du Général de Gaulle, 67000 Strasbourg | 3 | Rue du Général de Gaulle | Strasbourg | 67000
14 boulevard de la Croisette, 06400 Cannes | 14 | boulevard de la Croisette | Cannes | 06400
8 rue Victor-Hugo, 69002 Lyon | 8 | rue Victor-Hugo | Lyon | 69002`,
  NL: `
Kerkstraat 12, 1017 GP Amsterdam | 12 | Kerkstraat | Amsterdam | 1017 GP
Kerkstraat 12a, 1017GP Amsterdam, Nederland | 12a | Kerkstraat | Amsterdam | 1017GP
Prinsengracht 263-267, 1016 GV Amsterdam, Netherlands | 263-267 | Prinsengracht | Amsterdam | 1016 GV
Coolsingel 40, 3011 AD Rotterdam | 40 | Coolsingel | Rotterdam | 3011 AD
Plein 1, 2511 CR Den Haag | 1 | Plein | Den Haag | 2511 CR`,
  ES: `
Calle Mayor, 5, 28013 Madrid | 5 | Calle Mayor | Madrid | 28013
Calle Mayor 5, 28013 Madrid, España | 5 | Calle Mayor | Madrid | 28013
C/ Serrano 21, 28001 Madrid | 21 | C/ Serrano | Madrid | 28001
Avinguda Diagonal, 211, 08018 Barcelona, Spain | 211 | Avinguda Diagonal | Barcelona | 08018
Plaza de España, 18, 28008 Madrid | 18 | Plaza de España | Madrid | 28008`,
  IT: `
Via Roma 10, 20121 Milano | 10 | Via Roma | Milano | 20121
Via Roma, 10, 20121 Milano, Italia | 10 | Via Roma | Milano | 20121
Piazza del Duomo 1, 50122 Firenze, Italy | 1 | Piazza del Duomo | Firenze | 50122
Corso Vittorio Emanuele II 12/A, 10123 Torino | 12/A | Corso Vittorio Emanuele II | Torino | 10123
Viale Europa 22, 00144 Roma | 22 | Viale Europa | Roma | 00144`,
  BR: `
Avenida Paulista, 1578, São Paulo - SP, 01310-200 | 1578 | Avenida Paulista | São Paulo | 01310-200 | SP
Avenida Paulista, 1578, São Paulo, SP, 01310-200, Brasil | 1578 | Avenida Paulista | São Paulo | 01310-200 | SP
Rua Augusta 500, São Paulo - SP, 01304-000, Brazil | 500 | Rua Augusta | São Paulo | 01304-000 | SP
Praça da Sé, 100, São Paulo - SP, 01001-000 | 100 | Praça da Sé | São Paulo | 01001-000 | SP
Rua das Flores, 12, Curitiba - PR, 80020-190 | 12 | Rua das Flores | Curitiba | 80020-190 | PR`,
  AU: `
1 Macquarie St, Sydney NSW 2000 | 1 | Macquarie St | Sydney | 2000 | NSW
1 Macquarie Street, Sydney, NSW 2000, Australia | 1 | Macquarie Street | Sydney | 2000 | NSW
5/20 George St, Parramatta NSW 2150 | 20 | George St | Parramatta | 2150 | NSW | 5
Unit 3, 12 Swanston Street, Melbourne VIC 3000 | 12 | Swanston Street | Melbourne | 3000 | VIC | 3
99 Adelaide St, Brisbane City QLD 4000 | 99 | Adelaide St | Brisbane City | 4000 | QLD`,
  JP: `
〒100-0001 東京都千代田区千代田1-1 | 1-1 | 千代田 | 千代田区 | 100-0001
東京都渋谷区神南1丁目19番11号 | 1-19-11 | 神南 | 渋谷区 |
〒530-0001 大阪府大阪市北区梅田3-1-3 | 3-1-3 | 北区梅田 | 大阪市 | 530-0001
1-1-2 Oshiage, Sumida, Tokyo 131-0045, Japan | 1-1-2 | Oshiage | Tokyo | 131-0045`,
  AT: `Stephansplatz 3, 1010 Wien, Österreich | 3 | Stephansplatz | Wien | 1010`,
  CH: `Bahnhofstrasse 45, 8001 Zürich, Schweiz | 45 | Bahnhofstrasse | Zürich | 8001`,
  BE: `Rue Neuve 12, 1000 Bruxelles, Belgique | 12 | Rue Neuve | Bruxelles | 1000`,
  PT: `Rua Augusta 24, 1100-053 Lisboa, Portugal | 24 | Rua Augusta | Lisboa | 1100-053`,
  PL: `ul. Marszałkowska 10, 00-590 Warszawa, Polska | 10 | ul. Marszałkowska | Warszawa | 00-590`,
  CZ: `Václavské náměstí 12, 110 00 Praha, Česko | 12 | Václavské náměstí | Praha | 110 00`,
  SE: `Drottninggatan 5, 111 51 Stockholm, Sverige | 5 | Drottninggatan | Stockholm | 111 51`,
  DK: `Vesterbrogade 3, 1630 København, Danmark | 3 | Vesterbrogade | København | 1630`,
  NO: `Karl Johans gate 22, 0026 Oslo, Norge | 22 | Karl Johans gate | Oslo | 0026`,
  FI: `Mannerheimintie 30, 00100 Helsinki, Suomi | 30 | Mannerheimintie | Helsinki | 00100`,
  HU: `1051 Budapest, Szent István tér 1, Magyarország | 1 | Szent István tér | Budapest | 1051`,
  GR: `Ermou 15, 105 63 Athina, Greece | 15 | Ermou | Athina | 105 63`,
  TR: `İstiklal Caddesi 100, 34430 Istanbul, Türkiye | 100 | İstiklal Caddesi | Istanbul | 34430`,
  MX: `Avenida Juárez 50, 06010 Ciudad de México, México | 50 | Avenida Juárez | Ciudad de México | 06010`,
  AR: `Avenida Corrientes 1234, C1043AAZ Buenos Aires, Argentina | 1234 | Avenida Corrientes | Buenos Aires | C1043AAZ`,
  NZ: `12 Queen Street, Auckland 1010, New Zealand | 12 | Queen Street | Auckland | 1010`,
  IE: `24 Grafton Street, Dublin, D02 XY45, Ireland | 24 | Grafton Street | Dublin | D02 XY45`,
  IN: `5 Mahatma Gandhi Road, Bengaluru 560001, India | 5 | Mahatma Gandhi Road | Bengaluru | 560001`,
  ZA: `10 Long Street, Cape Town 8001, South Africa | 10 | Long Street | Cape Town | 8001`,
  SG: `1 Raffles Place, Singapore 048616, Singapore | 1 | Raffles Place | Singapore | 048616`,
};

const KEYS = ["number", "street", "city", "postalCode", "stateCode", "unit"] as const;

describe("a whole address is taken apart", () => {
  for (const [country, table] of Object.entries(CASES)) {
    const rows = table
      .trim()
      .split("\n")
      .map((row) => row.split("|").map((cell) => cell.trim()));
    describe(country, () => {
      it.each(rows)("%s", (text, ...cells) => {
        const parsed = parseAddress(text);
        const expected: ParsedAddress = {};
        KEYS.forEach((key, i) => {
          if (cells[i]) expected[key] = cells[i];
        });
        const { countryCode, ...parts } = parsed;
        expect(parts).toEqual(expected);
        if (countryCode) expect(countryCode).toBe(country);
      });
    });
  }

  it("has cases for at least 25 countries", () => expect(Object.keys(CASES).length).toBeGreaterThanOrEqual(25));

  it("knows a box at the post office", () => {
    expect(parseAddress("PO Box 123, Springfield, IL 62701")).toMatchObject({
      box: "123",
      city: "Springfield",
      stateCode: "IL",
    });
    expect(parseAddress("Postfach 10 20, 69117 Heidelberg", "DE")).toMatchObject({ box: "1020", city: "Heidelberg" });
  });

  it.each(["", ",", "12", "x".repeat(5000), "1 ".repeat(2000), ",,,,", "apt apt apt", "((((((((("])(
    "takes %j without failing, soon",
    (text) => {
      const began = Date.now();
      expect(parseAddress(text)).toBeTypeOf("object");
      expect(Date.now() - began).toBeLessThan(500);
    },
  );
});
