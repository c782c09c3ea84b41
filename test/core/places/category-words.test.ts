import { describe, expect, it } from "vitest";
import { rowsWithSlugs } from "../../../src/core/places/categories.ts";
import { readCategory } from "../../../src/core/places/category-words.ts";

describe("words for kinds of places", () => {
  it.each([
    ["coffee near Union Square", "coffee-shop", "Union Square"],
    ["coffee shops in Brooklyn, NY", "coffee-shop", "Brooklyn, NY"],
    ["pharmacy", "pharmacy", ""],
    ["Pharmacy near me", "pharmacy", ""],
    ["Apotheke in Heidelberg", "pharmacy", "Heidelberg"],
    ["Bäckerei in der Nähe von Köln", "bakery", "Köln"],
    ["pharmacie près de Place Bellecour", "pharmacy", "Place Bellecour"],
    ["farmacia cerca de mí", "pharmacy", ""],
    ["gasolinera en Madrid", "gas-station", "Madrid"],
    ["padaria perto de Praça da Sé", "bakery", "Praça da Sé"],
    ["farmacia vicino a Piazza Navona", "pharmacy", "Piazza Navona"],
    ["apotheek bij Utrecht Centraal", "pharmacy", "Utrecht Centraal"],
    ["apteka w Krakowie", "pharmacy", "Krakowie"],
    ["lékárna v Brně", "pharmacy", "Brně"],
    ["apotek i Malmö", "pharmacy", "Malmö"],
    ["bager i Odense", undefined, undefined],
    ["sykehus i Bergen", "hospital", "Bergen"],
    ["eczane", "pharmacy", ""],
    ["аптека рядом с Красной площадью", "pharmacy", "Красной площадью"],
    ["صيدلية في دبي", "pharmacy", "دبي"],
    ["東京駅の近くのカフェ", "coffee-shop", "東京駅"],
    ["天安门附近的咖啡馆", "coffee-shop", "天安门"],
    ["강남역 근처 카페", "coffee-shop", "강남역"],
    ["コンビニ", "convenience-store", ""],
  ])("%s", (text, slug, reference) => {
    const read = readCategory(text);
    expect([read?.slugs[0], read?.reference, read?.sure]).toEqual([slug, reference, slug && true]);
  });

  it.each([
    "Park Street",
    "School Lane 5",
    "Church St, Salem",
    "Hotel California",
    "Heidelberg Apotheke",
    "pizza new york",
  ])("%s may be a name as well", (text) => {
    expect(readCategory(text)?.sure).toBe(false);
  });

  it.each(["20 Jay St", "Bankstraße 5", "Barcelona", "New York", "", "Postgasse", "Restaurantgasse 3"])(
    "%s names none",
    (text) => {
      expect(readCategory(text)).toBeUndefined();
    },
  );

  it("every slug is one that places have", () => {
    const words = [
      "coffee",
      "bar",
      "doctor",
      "hotel",
      "museum",
      "gas",
      "metro",
      "beach",
      "zoo",
      "mall",
      "pool",
      "university",
      "theatre",
      "gym",
    ];
    for (const word of words)
      for (const slug of readCategory(word)!.slugs)
        expect([slug, rowsWithSlugs([slug]).size > 0]).toEqual([slug, true]);
  });

  it.each([
    ["coffee-shop,cafe", ["coffee", "koffiebar", "커피숍"]],
    ["restaurant", ["restaurant", "restauracja", "레스토랑"]],
    ["fast-food-restaurant", ["fast food", "restauration rapide", "패스트푸드"]],
    ["pizza-place", ["pizza", "pizzerie", "피자"]],
    ["sushi-restaurant", ["sushi", "سوشي", "스시"]],
    ["bakery", ["bakery", "panificio", "베이커리"]],
    ["bar,pub", ["bar", "kneipen", "술집"]],
    ["supermarket", ["supermarket", "supermercados", "마트"]],
    ["convenience-store", ["convenience store", "spätkauf", "편의점"]],
    ["pharmacy", ["pharmacy", "farmácias", "약국"]],
    ["hospital", ["hospital", "ospedali", "병원"]],
    ["doctor,medical-center", ["doctor", "huisarts", "의원"]],
    ["dentist", ["dentist", "tandarts", "치과"]],
    ["gas-station", ["gas station", "gasolinera", "주유소"]],
    ["charging-station", ["charging station", "estación de carga", "충전소"]],
    ["parking", ["parking", "estacionamento", "주차장"]],
    ["bank", ["bank", "bancos", "은행"]],
    ["atm", ["atm", "caixa eletrônico", "현금인출기"]],
    ["post-office", ["post office", "correos", "우체국"]],
    ["hotel,motel,hostel", ["hotel", "hotele", "호텔"]],
    ["school", ["school", "escolas", "학교"]],
    ["library", ["library", "bibliotecas", "도서관"]],
    ["museum,art-gallery", ["museum", "museus", "미술관"]],
    ["movie-theatre", ["cinema", "cinémas", "극장"]],
    ["park", ["park", "parchi", "공원"]],
    ["playground", ["playground", "parco giochi", "놀이터"]],
    ["gym", ["gym", "gimnasios", "헬스장"]],
    ["hair-salon", ["hairdresser", "peluquerías", "미용실"]],
    ["bookstore", ["bookstore", "livraria", "서점"]],
    ["hardware-store", ["hardware store", "ferreterías", "철물점"]],
    ["clothing-store", ["clothes", "loja de roupas", "옷가게"]],
    ["train-station", ["train station", "estação", "기차역"]],
    ["subway-station", ["subway", "estação de metrô", "지하철역"]],
    ["bus-station", ["bus station", "autostazione", "버스터미널"]],
    ["airport", ["airport", "aeroportos", "공항"]],
    ["police-station", ["police", "polizia", "경찰서"]],
    ["church", ["church", "chiese", "교회"]],
    ["mosque", ["mosque", "mesquita", "모스크"]],
    ["synagogue", ["synagogue", "sinagogas", "유대교회당"]],
    ["shopping-mall", ["mall", "centro commerciale", "쇼핑몰"]],
    ["ice-cream-shop", ["ice cream", "gelateria", "아이스크림"]],
    ["theatre", ["theatre", "teatri", "劇院"]],
    ["zoo", ["zoo", "ogród zoologiczny", "동물원"]],
    ["swimming-pool", ["swimming pool", "piscina", "수영장"]],
    ["beach", ["beach", "praias", "해수욕장"]],
    ["university", ["university", "universidades", "대학교"]],
  ])("%s is meant by %j, in any language", (slugs, words) => {
    for (const word of words)
      expect([word, readCategory(word)]).toEqual([word, { slugs: slugs.split(","), reference: "", sure: true }]);
  });

  it.each([
    ["svommehal", "swimming-pool"],
    ["SVØMMEHAL", "swimming-pool"],
    ["szkola", "school"],
    ["Szkoła", "school"],
    ["firin", "bakery"],
    ["fırın", "bakery"],
    ["tandlaege", "dentist"],
    ["Tandlæge", "dentist"],
    ["farmacias", "pharmacy"],
    ["  Pharmacy?!", "pharmacy"],
    ["Spielplatze", "playground"],
    ["Imbiß", "fast-food-restaurant"],
  ])("%s, with or without its marks, means %s", (text, slug) => {
    expect(readCategory(text)?.slugs[0]).toBe(slug);
  });

  it("is not looked for in a text of more than 160 characters", () => {
    const long = (length: number) => `pharmacy near ${"x".repeat(length - 14)}`;
    expect(readCategory(long(160))).toMatchObject({ slugs: ["pharmacy"], sure: true });
    expect(readCategory(long(161))).toBeUndefined();
  });

  it.each([
    ["grocery stores, Salem", "supermarket", "Salem", false],
    ["grocery stores: near Salem", "supermarket", "Salem", true],
    ["coffee near me", "coffee-shop", "", true],
    ["coffee near here", "coffee-shop", "", true],
    ["Café près d'ici", "coffee-shop", "", true],
    ["estación de tren cerca de la Plaza Mayor", "train-station", "Plaza Mayor", true],
    ["Salem, coffee", "coffee-shop", "Salem", false],
    ["Salem grocery stores", "supermarket", "Salem", false],
    ["Galata yakınında eczane", "pharmacy", "galata", true],
    ["coffee  near   Union Square", "coffee-shop", "Union Square", true],
  ])("%s: %s, and where", (text, slug, reference, sure) => {
    const read = readCategory(text);
    expect([read?.slugs[0], read?.reference, read?.sure]).toEqual([slug, reference, sure]);
  });
});
