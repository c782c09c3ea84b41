import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../src/core/geocoding/index/pack.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { parseHouseNumber } from "../../../src/core/geocoding/words/house-number.ts";
import { nearestOf, skeletonOf } from "../../../src/core/geocoding/words/skeleton.ts";
import { inScriptOf, isForeignIn, toLatin } from "../../../src/core/geocoding/words/transliterate.ts";
import { FORWARD, worldBase } from "./index/demo-index.ts";

interface Town {
  city: string;
  country: string;
  at: readonly [latitude: number, longitude: number];
  streets: readonly string[];
  /** The text, without the number 10, and the street that it finds. */
  cases: readonly (readonly [text: string, street: string])[];
}

const TOWNS: readonly Town[] = [
  {
    city: "Москва",
    country: "RU",
    at: [55.75, 37.62],
    streets: [
      "улица Фонвизина",
      "Тверская улица",
      "Ленинградский проспект",
      "улица Большая Ордынка",
      "Цветной бульвар",
    ],
    cases: [
      ["ulitsa Fonvizina 10, Moscow", "улица Фонвизина"],
      ["10 Tverskaya Street, Moscow", "Тверская улица"],
      ["Leningradsky prospekt 10, Moscow", "Ленинградский проспект"],
      ["Leningradskiy Avenue 10, Moscow", "Ленинградский проспект"],
      ["Bolshaya Ordynka 10, Moscow", "улица Большая Ордынка"],
      ["Tsvetnoy bulvar 10, Moscow", "Цветной бульвар"],
    ],
  },
  {
    city: "Αθήνα",
    country: "GR",
    at: [37.98, 23.73],
    streets: ["Οδός Ερμού", "Λεωφόρος Συγγρού", "Οδός Πανεπιστημίου", "Πατησίων"],
    cases: [
      ["Ermou 10, Athens", "Οδός Ερμού"],
      ["Syngrou Avenue 10, Athens", "Λεωφόρος Συγγρού"],
      ["Panepistimiou 10, Athens", "Οδός Πανεπιστημίου"],
      ["Patission 10, Athens", "Πατησίων"],
    ],
  },
  {
    city: "תל אביב-יפו",
    country: "IL",
    at: [32.08, 34.78],
    streets: ["שדרות רוטשילד", "רחוב דיזנגוף", "הירקון", "אלנבי", "בן יהודה", "המלך ג'ורג'"],
    cases: [
      ["Rothschild Boulevard 10, Tel Aviv", "שדרות רוטשילד"],
      ["Sderot Rothschild 10, Tel Aviv", "שדרות רוטשילד"],
      ["10 Dizengoff St, Tel Aviv", "רחוב דיזנגוף"],
      ["HaYarkon 10, Tel Aviv", "הירקון"],
      ["Allenby 10, Tel Aviv", "אלנבי"],
      ["Ben Yehuda 10, Tel Aviv", "בן יהודה"],
    ],
  },
  {
    city: "القاهرة",
    country: "EG",
    at: [30.06, 31.25],
    streets: ["شارع التحرير", "شارع طلعت حرب", "شارع رمسيس", "شارع قصر النيل", "شارع الجيش"],
    cases: [
      ["Tahrir Street 10, Cairo", "شارع التحرير"],
      ["El Tahrir St 10, Cairo", "شارع التحرير"],
      ["Sharia Talaat Harb 10, Cairo", "شارع طلعت حرب"],
      ["10 Ramses Street, Cairo", "شارع رمسيس"],
      ["Qasr El Nil St 10, Cairo", "شارع قصر النيل"],
      ["10 El-Geish Street, Cairo", "شارع الجيش"],
    ],
  },
  {
    city: "London",
    country: "GB",
    at: [51.51, -0.13],
    streets: ["King's Road", "Baker Street", "Oxford Street", "Abbey Road", "Park Lane"],
    cases: [
      ["Кингс Роуд 10, Лондон", "King's Road"],
      ["Бейкер-стрит 10, Лондон", "Baker Street"],
      ["Оксфорд-стрит 10, Лондон", "Oxford Street"],
      ["Парк-лейн 10, Лондон", "Park Lane"],
      ["Οξφορντ Στριτ 10, Λονδίνο", "Oxford Street"],
      ["שדרות אוקספורד 10, לונדון", "Oxford Street"],
      ["אוקספורד סטריט 10, לונדון", "Oxford Street"],
      ["شارع أكسفورد 10, لندن", "Oxford Street"],
      ["شارع بيكر 10, لندن", "Baker Street"],
    ],
  },
  {
    city: "Berlin",
    country: "DE",
    at: [52.52, 13.4],
    streets: ["Bachstraße", "Friedrichstraße", "Alexanderplatz", "Goethestraße", "Unter den Linden"],
    cases: [
      ["улица Баха 10, Берлин", "Bachstraße"],
      ["Фридрихштрассе 10, Берлин", "Friedrichstraße"],
      ["Александерплац 10, Берлин", "Alexanderplatz"],
      ["Унтер ден Линден 10, Берлин", "Unter den Linden"],
      ["شارع غوته 10, برلين", "Goethestraße"],
      ["Гёте штрассе 10, Берлин", "Goethestraße"],
    ],
  },
  {
    city: "Paris",
    country: "FR",
    at: [48.86, 2.35],
    streets: ["Rue de Rivoli", "Avenue Montaigne", "Boulevard Voltaire"],
    cases: [
      ["Рю де Риволи 10, Париж", "Rue de Rivoli"],
      ["улица Риволи 10, Париж", "Rue de Rivoli"],
      ["бульвар Вольтера 10, Париж", "Boulevard Voltaire"],
      ["شارع ريفولي 10, باريس", "Rue de Rivoli"],
    ],
  },
];

function indexOf({ city, country, at: [south, longitude], streets }: Town): AddressIndex {
  const collector = new AddressCollector();
  const context = collector.context({ ...NO_CONTEXT, city, countryCode: country });
  for (const [s, name] of streets.entries()) {
    const at = { latitude: south + s * 0.002, longitude };
    const street = collector.street(name, context, "");
    collector.line(street, [at, { ...at, longitude: longitude + 0.01 }]);
    collector.house(street, parseHouseNumber("10")!, at);
  }
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  return new AddressIndex(keepDecoded(memorySource(objects)));
}

let world: AddressIndex;
beforeAll(async () => {
  world = (await worldBase()).index;
}, 240_000);

describe("an address in another script than the data", () => {
  for (const town of TOWNS) {
    const index = indexOf(town);
    it.each(town.cases)(`in ${town.city}: %s`, async (text, street) => {
      const [found] = await searchInTurns([[index, world]], text, FORWARD);
      expect(`${found?.number} ${found?.name}`).toBe(`10 ${street}`);
    });
  }

  it("finds no other street, whatever its consonants", async () => {
    const index = indexOf(TOWNS[4]);
    for (const text of ["Риджент-стрит 10, Лондон", "Пикадилли 10, Лондон"]) {
      const found = await searchInTurns([[index, world]], text, FORWARD);
      expect(found.filter(({ confidence, number }) => confidence === "exact" || number !== undefined)).toEqual([]);
    }
  });

  it("reads no tile for a text in the country's script", async () => {
    const index = indexOf(TOWNS[4]);
    let reads = 0;
    const near = index.near.bind(index);
    index.near = (...asked) => {
      reads++;
      return near(...asked);
    };
    await searchInTurns([[index, world]], "Nowhere Street 10, London", FORWARD);
    expect(reads).toBe(0);
    await searchInTurns([[index, world]], "Новер стрит 10, Лондон", FORWARD);
    expect(reads).toBeGreaterThan(0);
  });
});

describe("the consonants of a word", () => {
  it.each([
    ["rothschild", "רוטשילד"],
    ["dizengoff", "דיזנגוף"],
    ["yehuda", "יהודה"],
    ["weizmann", "ויצמן"],
    ["wolfson", "וולפסון"],
    ["tahrir", "تحرير"],
    ["ramses", "رمسيس"],
    ["qasr", "قصر"],
    ["friedrichstrasse", "фридрихштрассе"],
    ["alexander", "александер"],
    ["baker", "бейкер"],
    ["oxford", "أكسفورد"],
  ])("are the same: %s and %s", (one, other) => {
    expect(skeletonOf(one)).not.toBe("");
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });

  it("are none of numbers and of words of one consonant", () => {
    for (const word of ["10", "a", "10a", "אב", ""]) expect(skeletonOf(word)).toBe("");
  });

  it("leave the word that is written most like another one", () => {
    expect(nearestOf("роуд", ["reed", "road", "ride"])).toBe("road");
    expect(nearestOf("роуд", [])).toBeUndefined();
  });
});

describe("letters of another script", () => {
  it.each([
    ["IL", "Herzl", "הרזל"],
    ["EG", "Tahrir", "تحرير"],
    ["RU", "Fonvizina", "фонвизина"],
    ["GR", "Ermou", "ερμου"],
    ["GB", "Кингс", "kings"],
    ["GB", "לונדון", "lundun"],
  ])("in %s: %s is %s", (country, word, written) => expect(inScriptOf(country, word)).toBe(written));

  it.each([
    ["RU", "Moskva", true],
    ["RU", "Москва", false],
    ["IL", "Herzl", true],
    ["IL", "הרצל", false],
    ["GB", "Лондон", true],
    ["GB", "London", false],
    ["JP", "渋谷", false],
  ])("in %s: whether %s is foreign: %s", (country, word, foreign) => expect(isForeignIn(country, word)).toBe(foreign));

  it.each([
    ["Russian", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"],
    ["Ukrainian and Serbian", "єіїґђјљњћџ"],
    ["Kazakh", "әғқңөұүһі"],
    ["Greek", "αβγδεζηθικλμνξοπρσςτυφχψω"],
    ["Georgian", "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ"],
    ["Armenian", "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքևօֆ"],
    ["Hebrew", "אבגדהוזחטיכךלמםנןסעפףצץקרשת"],
    ["Arabic", "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىأإآؤئپچژگ"],
  ])("has Latin letters for all of %s", (_, letters) => {
    expect([...letters].filter((letter) => !/^[a-z']*$/.test(toLatin(letter)))).toEqual([]);
  });
});
