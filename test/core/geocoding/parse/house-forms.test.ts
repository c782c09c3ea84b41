import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { FORWARD, worldBase } from "../index/demo-index.ts";

interface Town {
  city: string;
  ward?: string;
  country: string;
  state?: string;
  postalCode: string;
  at: readonly [latitude: number, longitude: number];
  streets: Record<string, readonly string[]>;
  /** The text, and the number, unit, street and confidence of the first result. */
  cases: readonly (readonly [text: string, result: string])[];
}

const TOWNS: readonly Town[] = [
  {
    city: "Porto Alegre",
    country: "BR",
    postalCode: "90010-000",
    at: [-30.03, -51.23],
    streets: { "Rua dos Andradas": ["300", "332", "340"], "Rua Acre": ["85"], "Rua da Praia": ["12", "12 B"] },
    cases: [
      ["Rua dos Andradas, 332 - apto 4, Porto Alegre", "332 #apto 4 Rua dos Andradas exact"],
      ["Rua dos Andradas, 332 - apto 4 - Porto Alegre", "332 #apto 4 Rua dos Andradas exact"],
      ["Rua dos Andradas, 332 - bloco B - apto 12, Porto Alegre", "332 #bloco B - apto 12 Rua dos Andradas exact"],
      ["Rua dos Andradas 332, 2º esq, Porto Alegre", "332 #2º esq Rua dos Andradas exact"],
      ["Rua dos Andradas, 334 - apto 4, Porto Alegre", "334 #apto 4 Rua dos Andradas interpolated"],
      // A house that is not there, on a street without numbers near it.
      ["Rua dos Andradas, 932 - apto 4, Porto Alegre", "Rua dos Andradas fallback"],
      // A letter is that of the house where the data has it, else a unit.
      ["Rua da Praia, 12 B - apto 4, Porto Alegre", "12 B #apto 4 Rua da Praia exact"],
      ["Rua da Praia 12 B, Porto Alegre", "12 B Rua da Praia exact"],
      ["Rua dos Andradas 332 B, Porto Alegre", "332b Rua dos Andradas interpolated"],
      // The name of a street is none of the letters before a number.
      ["Rua Acne 85, Porto Alegre", "85 Rua Acre interpolated"],
    ],
  },
  {
    city: "Lyon",
    country: "FR",
    postalCode: "69002",
    at: [45.76, 4.83],
    streets: { "Rue Mercière": ["12 bis", "14", "16 B", "16 bis"] },
    cases: [
      ["12 B rue Mercière, 69002 Lyon", "12 bis Rue Mercière exact"],
      ["12b rue Mercière, Lyon", "12 bis Rue Mercière exact"],
      ["16 B rue Mercière, Lyon", "16 B Rue Mercière exact"],
    ],
  },
  {
    city: "Roma",
    country: "IT",
    postalCode: "00187",
    at: [41.902, 12.496],
    streets: { "Via XX Settembre": ["97"], "Via Quattro Novembre": ["12"] },
    cases: [
      ["Via Venti Settembre 97, Roma", "97 Via XX Settembre exact"],
      ["Via 20 Settembre, 97, 00187 Roma RM", "97 Via XX Settembre exact"],
      ["Via IV Novembre 12, Roma", "12 Via Quattro Novembre exact"],
      ["Via 4 Novembre, 12, Roma", "12 Via Quattro Novembre exact"],
    ],
  },
  {
    city: "Genova",
    country: "IT",
    postalCode: "16124",
    at: [44.41, 8.93],
    streets: { "Via Garibaldi": ["12", "12r", "14", "16 rosso", "18"], "Via XXV Aprile": ["8"] },
    cases: [
      // Shops have red numbers of their own.
      ["Via Garibaldi 12 rosso, Genova", "12r Via Garibaldi exact"],
      ["Via Garibaldi 12/r, Genova", "12r Via Garibaldi exact"],
      ["Via Garibaldi 16 R, 16124 Genova", "16 rosso Via Garibaldi exact"],
      ["Via Garibaldi 18 rosso, Genova", "18rosso Via Garibaldi interpolated"],
      ["Via Garibaldi 12, Genova", "12 Via Garibaldi exact"],
      ["Via Venticinque Aprile 8, Genova", "8 Via XXV Aprile exact"],
    ],
  },
  {
    city: "Puebla",
    country: "MX",
    postalCode: "72000",
    at: [19.04, -98.2],
    streets: {
      "Avenida 5 de Mayo": ["202"],
      "Calle Dieciséis de Septiembre": ["305"],
      "Avenida Juan Pablo II": ["14"],
    },
    cases: [
      ["Av. Cinco de Mayo 202, Puebla", "202 Avenida 5 de Mayo exact"],
      ["Calle 16 de Septiembre 305, Puebla", "305 Calle Dieciséis de Septiembre exact"],
      ["Av. Juan Pablo II 14, Puebla", "14 Avenida Juan Pablo II exact"],
    ],
  },
  {
    city: "Curitiba",
    country: "BR",
    postalCode: "80060",
    at: [-25.43, -49.27],
    streets: { "Rua XV de Novembro": ["362"], "Rua Sete de Setembro": ["45"], "Avenida Primeiro de Maio": ["9"] },
    cases: [
      ["Rua Quinze de Novembro, 362, Curitiba", "362 Rua XV de Novembro exact"],
      ["Rua 7 de Setembro 45, Curitiba", "45 Rua Sete de Setembro exact"],
      ["Av. 1º de Maio, 9, Curitiba", "9 Avenida Primeiro de Maio exact"],
    ],
  },
  {
    city: "Queens Village",
    country: "US",
    state: "NY",
    postalCode: "11429",
    at: [40.71, -73.74],
    streets: { "223rd Street": ["78-12", "80-02"], "Jamaica Avenue": ["220-05"] },
    cases: [
      ["223rd Street #78-12, Queens Village", "78-12 223rd Street exact"],
      ["Jamaica Avenue # 220-05, Queens Village, NY", "220-05 Jamaica Avenue exact"],
      ["80-02 223rd Street #5, Queens Village", "80-02 #5 223rd Street exact"],
    ],
  },
  {
    city: "Karachi",
    country: "PK",
    postalCode: "75290",
    at: [24.91, 67.13],
    streets: { "Gulistan e Johar Block 13": ["B135", "C51", "B93"], "Phase 5": ["A12"] },
    cases: [
      ["Gulistan e Johar Block 13 B135, Karachi", "B135 Gulistan e Johar Block 13 exact"],
      ["Gulistan e Johar Block 13 #B93, Karachi", "B93 Gulistan e Johar Block 13 exact"],
      ["Gulistan e Johar Block 13, C-51, Karachi", "C51 Gulistan e Johar Block 13 exact"],
      ["Phase 5 A12, Karachi", "A12 Phase 5 exact"],
    ],
  },
  {
    city: "Hồ Chí Minh",
    ward: "Phường 6",
    country: "VN",
    postalCode: "70000",
    at: [10.78, 106.69],
    streets: { "Lê Quý Đôn": ["6", "16"] },
    // A number is no part of a longer name of its city.
    cases: [
      ["6 Lê Quý Đôn, Hồ Chí Minh", "6 Lê Quý Đôn exact"],
      ["16 Lê Quý Đôn, Phường 6, Hồ Chí Minh", "16 Lê Quý Đôn exact"],
    ],
  },
  {
    city: "Fgura",
    country: "MT",
    postalCode: "FGR1242",
    at: [35.873, 14.521],
    streets: { "Triq Is-Sur": ["177", "Liesel Court"], "Triq Il-Mimosa": ["3", "Rose"] },
    cases: [
      ["Liesel Court, Triq Is-Sur, Fgura", "Liesel Court Triq Is-Sur interpolated"],
      ["Triq Il-Mimosa, Rose, Fgura", "Rose Triq Il-Mimosa interpolated"],
      ["Rose Court, Triq Il-Mimosa, Fgura", "Triq Il-Mimosa fallback"],
      ["177 Triq Is-Sr, FGR 1242 Fgura", "177 Triq Is-Sur interpolated"],
      ["177 Triq Is-Sur, FGR 1242 Fgura", "177 Triq Is-Sur exact"],
    ],
  },
  {
    city: "Cincinnati",
    country: "US",
    state: "OH",
    postalCode: "45208",
    at: [39.1, -84.51],
    streets: { "O'Bryon Street": ["2210"] },
    cases: [["2210 O Bryon St, Cincinnati, OH", "2210 O'Bryon Street exact"]],
  },
  {
    city: "Erlangen",
    country: "DE",
    postalCode: "91052",
    at: [49.59, 11],
    streets: { "Untere Karlstraße": ["5", "7"], Schaanerstraße: ["3"], "Hans-Sachs-Weg": ["9"] },
    cases: [
      ["Untere Karlstraße 5 - Hinterhaus, Erlangen", "5 #Hinterhaus Untere Karlstraße exact"],
      ["Schaaner Strasse 3, Erlangen", "3 Schaanerstraße exact"],
      ["Untere Karl 5, Erlangen", "5 Untere Karlstraße interpolated"],
      ["Untere Karlweg 5, Erlangen", "5 Untere Karlstraße interpolated"],
      ["Hans-Sachs-Straße 9, Erlangen", "9 Hans-Sachs-Weg interpolated"],
      ["Untere Karlstraße 5-7, Erlangen", "5-7 Untere Karlstraße interpolated"],
      ["Untere Karlstraße 5, 91054 Erlangen", "5 Untere Karlstraße interpolated"],
      ["Untere Karlstraße 5a, Erlangen", "5a Untere Karlstraße interpolated"],
    ],
  },
  {
    city: "Москва",
    country: "RU",
    postalCode: "127322",
    at: [55.8, 37.6],
    streets: { "улица Фонвизина": ["3", "3 к7", "10", "10 стр. 1", "5 корп. 2"], "Тверская улица": ["7"] },
    cases: [
      ["улица Фонвизина 3 к7, Москва", "3 к7 улица Фонвизина exact"],
      ["ул. Фонвизина, д. 3, корп. 7, Москва", "3 к7 улица Фонвизина exact"],
      ["улица Фонвизина 3 к5, Москва", "3к5 улица Фонвизина interpolated"],
      ["ул. Фонвизина, д. 3, корп. 5, Москва", "3к5 улица Фонвизина interpolated"],
      ["ул. Фонвизина, д. 3 кв. 5, Москва", "3 #кв. 5 улица Фонвизина exact"],
      ["ул. Фонвизина 10с1, Москва", "10 стр. 1 улица Фонвизина exact"],
      ["ул. Фонвизина 10 строение 2, Москва", "10с2 улица Фонвизина interpolated"],
      ["ulitsa Fonvizina 10, Moscow", "10 улица Фонвизина exact"],
      ["Tverskaya ulitsa 7, Moscow", "7 Тверская улица exact"],
      ["Fonvizina str. 10, Moscow, Russia", "10 улица Фонвизина exact"],
    ],
  },
  {
    city: "Αθήνα",
    country: "GR",
    postalCode: "105 57",
    at: [37.98, 23.73],
    streets: { "Οδός Ερμού": ["7"], "Λεωφόρος Συγγρού": ["12"] },
    cases: [["Odos Ermou 7, Athens", "7 Οδός Ερμού exact"]],
  },
  {
    city: "თბილისი",
    country: "GE",
    postalCode: "0108",
    at: [41.7, 44.79],
    streets: { "ჭავჭავაძის გამზირი": ["7"], "ბარათაშვილის ქუჩა": ["12"] },
    cases: [["baratashvilis kucha 12, Tbilisi", "12 ბარათაშვილის ქუჩა exact"]],
  },
  {
    city: "Oxford",
    country: "GB",
    postalCode: "OX1 1AA",
    at: [51.75, -1.25],
    streets: { "High Street": ["226-230", "12", "14"], "Northcliff Drive": ["2110"] },
    cases: [
      ["226-230 High Street, Oxford", "226-230 High Street exact"],
      ["228 High Street, Oxford", "228 High Street interpolated"],
      ["12-16 High Street, Oxford", "12-16 High Street interpolated"],
      ["2110 Northcliff Boulevard, Oxford", "2110 Northcliff Drive interpolated"],
      ["2110 Northcliff, Oxford", "2110 Northcliff Drive interpolated"],
      ["12 High Street, Oxford OX9 9ZZ", "12 High Street interpolated"],
    ],
  },
  {
    city: "Salem",
    country: "US",
    state: "OR",
    postalCode: "97301",
    at: [44.94, -123.03],
    streets: { "Oak Street Northeast": ["12", "120"] },
    cases: [
      ["12 Oak St NE - Suite 200, Salem", "12 #200 Oak Street Northeast exact"],
      ["12 Oak St NE Rear, Salem", "12 Oak Street Northeast interpolated"],
      ["Bldg 3, 12 Oak St NE, Salem", "12 Oak Street Northeast interpolated"],
      ["Acme LLC, 12 Oak St NE, Salem, OR 97301", "12 Oak Street Northeast exact"],
      ["12 Oak Ave NE, Salem", "12 Oak Street Northeast interpolated"],
    ],
  },
];

function indexOf({ city, ward = "", country, state = "", postalCode, at: [south, west], streets }: Town): AddressIndex {
  const collector = new AddressCollector();
  const context = collector.context({
    ...NO_CONTEXT,
    city,
    neighborhood: ward,
    countryCode: country,
    stateCode: state,
  });
  for (const [s, [name, numbers]] of Object.entries(streets).entries()) {
    const street = collector.street(name, context, postalCode);
    const latitude = south + s * 0.002;
    collector.line(street, [
      { latitude, longitude: west },
      { latitude, longitude: west + 0.01 },
    ]);
    for (const [n, number] of numbers.entries())
      collector.house(street, parseHouseNumber(number)!, { latitude, longitude: west + n * 0.0003 });
  }
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  return new AddressIndex(keepDecoded(memorySource(objects)));
}

let world: AddressIndex;
beforeAll(async () => {
  world = (await worldBase()).index;
}, 240_000);

describe("a house number with what people write around it", () => {
  for (const town of TOWNS)
    it.each(town.cases)(`in ${town.city}: %s`, async (text, result) => {
      const [found] = await searchInTurns([[indexOf(town), world]], text, FORWARD);
      const { number, unit, name, confidence } = found ?? {};
      expect([number, unit && `#${unit}`, name, confidence].filter(Boolean).join(" ")).toBe(result);
    });
});

describe("without an import", () => {
  it.each([
    ["90210", "90210, CA postalCode exact"],
    ["Pelotas, Rio Grande do Sul", "Pelotas, BR locality exact"],
    ["50 Oxford Street, Oxford, OH", "Oxford, OH locality fallback"],
    ["Calle 10 Medellín", "Medellín, CO locality fallback"],
    ["São Roue, Brazil", "Brazil, BR country fallback"],
    ["New Caio Egypt", "Egypt, EG country fallback"],
    ["Turkistan", "Turkestan, KZ locality fallback"],
    ["Balé", "Balé, BF state exact"],
    ["10 Main St, Boston, MA 02118", "02118, MA postalCode fallback"],
    ["FR", "France, FR country exact"],
    ["DE", "Germany, DE country exact"],
    ["Dover, DE", "Dover, DE locality exact"],
    ["Berlin, DE", "Berlin, DE locality exact"],
    ["Genf", "Genève, CH locality exact"],
    ["Krakau", "Kraków, PL locality exact"],
    ["Cracow", "Kraków, PL locality exact"],
    ["Mailand", "Milan, IT locality exact"],
    ["Florenz", "Florence, IT locality exact"],
    ["Prag", "Prague, CZ locality exact"],
    ["Lissabon", "Lisbon, PT locality exact"],
    ["大阪市", "Osaka, JP locality exact"],
    ["东京", "Tokyo, JP locality exact"],
    ["თბილისი", "Tbilisi, GE locality exact"],
    ["バイエルン州", "Bavaria, DE state exact"],
    ["東京都渋谷区", "Shibuya, JP locality exact"],
    ["서울특별시 강남구", "Gangnam-gu, KR locality exact"],
    ["北京市朝阳区", "Chaoyang, CN locality exact"],
    ["バークリー, アメリカ合衆国", "Berkeley, CA locality exact"],
    ["ザルツブルク, オーストリア", "Salzburg, AT locality exact"],
    ["杜尚别, 塔吉克斯坦", "Dushanbe, TJ locality exact"],
  ])("%s is %s", async (text, result) => {
    const [found] = await searchInTurns([[world]], text, FORWARD);
    const { countryCode, stateCode } = found.context;
    const around = countryCode === "US" ? stateCode : countryCode;
    expect(`${found.name}, ${around} ${found.layer} ${found.confidence}`).toBe(result);
  });

  it.each(["main street", "12 Oxford Street", "Rue de Lyon", "Via Roma 5", "50 King William Road"])(
    "%s is a street, and no town of its name",
    async (text) => {
      expect((await searchInTurns([[world]], text, FORWARD)).map(({ name }) => name)).toEqual([]);
    },
  );
});
