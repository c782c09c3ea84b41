import { describe, expect, it } from "vitest";
import { type LabelParts, labelsOf } from "../../../src/core/geocoding/label/label.ts";

const US: LabelParts = {
  number: "20",
  street: "Jay St",
  borough: "Brooklyn",
  city: "New York",
  stateCode: "NY",
  state: "New York",
  postalCode: "11201",
  countryCode: "US",
};

describe("an address is written as its country writes it", () => {
  it("in the United States, with the borough and without a comma before the country", () => {
    expect(labelsOf(US)).toEqual({
      addressLabel: "20 Jay St",
      formattedAddress: "20 Jay St, Brooklyn, New York, NY 11201 USA",
    });
  });

  const rows: [countryCode: string, city: string, postalCode: string, stateCode: string, written: string][] = [
    ["CA", "Vancouver", "V6C 0C3", "BC", "5 Main, Vancouver, BC V6C 0C3, Canada"],
    ["AU", "Sydney", "2000", "NSW", "5 Main, Sydney NSW 2000, Australia"],
    ["GB", "London", "SW1A 2AA", "", "5 Main, London, SW1A 2AA, United Kingdom"],
    ["NZ", "Auckland", "1010", "", "5 Main, Auckland 1010, New Zealand"],
    ["FR", "Paris", "75002", "", "5 Main, 75002 Paris, France"],
    ["DE", "Heidelberg", "69117", "BW", "Main 5, 69117 Heidelberg, Germany"],
    ["NL", "Amsterdam", "1017 GP", "", "Main 5, 1017 GP Amsterdam, Netherlands"],
    ["IT", "Milano", "20121", "", "Main 5, 20121 Milano MI, Italy"],
    ["ES", "Madrid", "28013", "", "Main, 5, 28013 Madrid, Spain"],
    ["PT", "Lisboa", "1100-053", "", "Main 5, 1100-053 Lisboa, Portugal"],
    ["BR", "São Paulo", "01310-200", "SP", "Main, 5, São Paulo - SP, 01310-200, Brazil"],
    ["RU", "Москва", "101000", "", "Main, 5, Москва, 101000, Russia"],
    ["HU", "Budapest", "1051", "", "1051 Budapest, Main 5, Hungary"],
    ["JP", "千代田区", "100-0001", "", "5 Main, 千代田区, 100-0001, Japan"],
    ["KE", "Nairobi", "00100", "", "5 Main, Nairobi, 00100, Kenya"],
  ];
  it.each(rows)("%s", (countryCode, city, postalCode, stateCode, written) => {
    const parts = { number: "5", street: "Main", city, postalCode, stateCode, countryCode };
    expect(labelsOf(parts).formattedAddress).toBe(written);
  });

  it("in Italy, with the letters of the province where it is known", () => {
    const written = (city: string, county?: string) =>
      labelsOf({ number: "5", street: "Via Prova", city, county, postalCode: "12345", countryCode: "IT" })
        .formattedAddress;
    expect(written("Treviglio", "Bergamo")).toBe("Via Prova 5, 12345 Treviglio BG, Italy");
    expect(written("Corsico", "Città metropolitana di Milano")).toBe("Via Prova 5, 12345 Corsico MI, Italy");
    expect(written("Treviglio")).toBe("Via Prova 5, 12345 Treviglio, Italy");
  });

  const blocks: [parts: LabelParts, written: string][] = [
    [
      { number: "4-6-1", street: "銀座", city: "中央区", state: "東京都", postalCode: "104-0061", countryCode: "JP" },
      "104-0061 東京都中央区銀座4-6-1, 日本",
    ],
    [
      { number: "4-6-1", street: "Ginza", city: "Chuo", state: "Tokyo", postalCode: "104-0061", countryCode: "JP" },
      "4-6-1 Ginza, Chuo, Tokyo 104-0061, Japan",
    ],
    [
      { number: "57", street: "Moda Caddesi", borough: "Kadıköy", city: "İstanbul", countryCode: "TR" },
      "Moda Caddesi 57, Kadıköy/İstanbul, Türkiye",
    ],
    [
      { number: "5", street: "Main", city: "Ankara", postalCode: "06000", countryCode: "TR" },
      "Main 5, 06000 Ankara, Türkiye",
    ],
    [
      { number: "736-1", street: "역삼동", borough: "강남구", city: "서울특별시", countryCode: "KR" },
      "서울특별시 강남구 역삼동 736-1, 대한민국",
    ],
    [
      { number: "12", street: "Road 5", borough: "Dhanmondi", city: "Dhaka", postalCode: "1205", countryCode: "BD" },
      "12 Road 5, Dhanmondi, Dhaka - 1205, Bangladesh",
    ],
    [
      { number: "47", street: "Lhota", city: "Lhota", postalCode: "12345", countryCode: "CZ" },
      "Lhota 47, 12345, Czechia",
    ],
  ];
  it.each(blocks)("of blocks, districts and villages %#", (parts, written) =>
    expect(labelsOf(parts).formattedAddress).toBe(written),
  );

  const forms: [countryCode: string, written: string][] = [
    ["PR", "5 Main, Town, SL 12345, Puerto Rico"],
    ["FM", "5 Main, Town, SL 12345, Micronesia"],
    ["AT", "Main 5, 12345 Town, Austria"],
    ["CH", "Main 5, 12345 Town, Switzerland"],
    ["AF", "Main 5, Town, Afghanistan"],
    ["CI", "5 Main, Town, Côte d’Ivoire"],
    ["GF", "5 Main, 12345 Town, French Guiana"],
    ["MC", "5 Main, 12345 Town, Monaco"],
    ["GA", "5 Main, Town, Gabon"],
    ["EG", "5 Main, Town, 12345, Egypt"],
    ["BH", "5 Main, Town 12345, Bahrain"],
    ["NZ", "5 Main, Town 12345, New Zealand"],
    ["BJ", "5, Main, Town, Benin"],
    ["LV", "Main 5, Town, 12345, Latvia"],
    ["AU", "5 Main, Town SL 12345, Australia"],
    ["KW", "Main, 5, 12345 Town, Kuwait"],
    ["AE", "5 Main, Town, Stateland, United Arab Emirates"],
    ["BG", "Main 5, Town 12345, Bulgaria"],
    ["KZ", "Stateland, 12345 Town, Main, 5, Kazakhstan"],
    ["MY", "5 Main, 12345 Town, Stateland, Malaysia"],
    ["EC", "Main 5, 12345, Town, Ecuador"],
    ["OM", "5 Main, 12345, Town, Stateland, Oman"],
    ["TH", "5, Main, Town, Stateland 12345, Thailand"],
    ["CO", "Main 5, 12345 Town, SL, Colombia"],
    ["MX", "Main 5, 12345 Town, SL, Mexico"],
    ["UZ", "Main 5, Town, Stateland, 12345, Uzbekistan"],
    ["VN", "5 Main, Town, Stateland 12345, Vietnam"],
    ["LA", "5, Main, 12345 Town, Laos"],
    ["MU", "5, Main, Town 12345, Mauritius"],
    ["UA", "Main, 5, Town, Stateland, 12345, Ukraine"],
    ["BD", "5 Main, Town - 12345, Bangladesh"],
    ["CN", "5 Main, Town, Stateland 12345, China"],
    ["CR", "Main 5, Stateland, Town, 12345, Costa Rica"],
    ["GT", "Main 5, 12345-Town, Guatemala"],
    ["HU", "12345 Town, Main 5, Hungary"],
    ["ID", "Main 5, Town 12345, Stateland, Indonesia"],
    ["IN", "5, Main, Town - 12345, Stateland, India"],
    ["IQ", "5, Main, Town, 12345, Iraq"],
    ["IR", "Town, Main, 5, Stateland, 12345, Iran"],
    ["KR", "5 Main, Town, Stateland 12345, South Korea"],
    ["MN", "Main, 5, 12345, Town, Mongolia"],
    ["NG", "5 Main, Town 12345, Stateland, Nigeria"],
    ["NP", "Main 5, Town, Stateland 12345, Nepal"],
    ["PA", "Main 5, 12345, Town, Stateland, Panama"],
    ["PG", "5 Main, Town 12345 Stateland, Papua New Guinea"],
    ["PH", "5 Main, Town, 12345 Stateland, Philippines"],
    ["SH", "5 Main, Town, 12345, Stateland, St. Helena"],
    ["SV", "Main 5, 12345 - Town, Stateland, El Salvador"],
    ["TW", "5 Main, Town 12345, Taiwan"],
    ["VE", "Main 5, Town 12345, SL, Venezuela"],
    ["SG", "5 Main, Town 12345, Singapore"],
    ["HK", "5 Main, Town, Hong Kong SAR China"],
  ];
  it.each(forms)("of every form: %s", (countryCode, written) => {
    const parts = {
      number: "5",
      street: "Main",
      city: "Town",
      postalCode: "12345",
      state: "Stateland",
      stateCode: "SL",
    };
    expect(labelsOf({ ...parts, countryCode }).formattedAddress).toBe(written);
  });

  it.each([
    [
      "CN",
      { street: "南京东路", number: "5", city: "黄浦区", state: "上海市", postalCode: "200001" },
      "200001, 上海市, 黄浦区, 南京东路 5, 中国",
    ],
    ["CN", { city: "Xi’an", state: "Shaanxi" }, "Xi’an, Shaanxi, China"],
    [
      "KR",
      { street: "테헤란로", number: "152", city: "강남구", state: "서울특별시" },
      "서울특별시 강남구 테헤란로 152, 대한민국",
    ],
    ["KR", { street: "Teheran-ro", number: "152", city: "Seoul" }, "152 Teheran-ro, Seoul, South Korea"],
    ["TW", { city: "臺北市", area: "", postalCode: "100" }, "100, 臺北市, 台灣"],
    ["TW", { city: "Taipei", postalCode: "100" }, "Taipei 100, Taiwan"],
  ])("from large to small in %s where its own script is written: %j", (countryCode, parts, written) => {
    expect(labelsOf({ ...parts, countryCode }).formattedAddress).toBe(written);
  });

  it.each([
    ["Osaka", "Ōsaka", "JP", "Osaka, Japan"],
    ["Bogotá", "Bogota", "CO", "Bogotá, Colombia"],
    ["Quebec", "Québec", "CA", "Quebec, Canada"],
    ["Trang", "Trat", "TH", "Trang, Trat, Thailand"],
  ])(
    "without saying a state that has the name of the city in other letters: %s, %s",
    (city, state, countryCode, written) => {
      expect(labelsOf({ city, state, countryCode }).formattedAddress).toBe(written);
    },
  );

  it("without saying a state that has the city's name", () => {
    const parts = { number: "7", street: "ул. Тверская", city: "Москва", state: "Москва", postalCode: "125009" };
    expect(labelsOf({ ...parts, countryCode: "RU" }).formattedAddress).toBe("ул. Тверская, 7, Москва, 125009, Россия");
  });

  it("with whatever is known, and no comma for what is not", () => {
    const { formattedAddress: all, addressLabel } = labelsOf({ ...US, number: "", borough: "", postalCode: "" });
    expect([addressLabel, all]).toEqual(["Jay St", "Jay St, New York, NY USA"]);
    expect(labelsOf({ city: "Heidelberg", countryCode: "DE" })).toEqual({
      addressLabel: "Heidelberg",
      formattedAddress: "Heidelberg, Germany",
    });
    expect(labelsOf({ city: "São Paulo", countryCode: "BR" }).formattedAddress).toBe("São Paulo, Brazil");
    expect(labelsOf({ postalCode: "69117", countryCode: "DE" }).addressLabel).toBe("69117");
    expect(labelsOf({ stateCode: "NY", state: "New York", countryCode: "US" }).addressLabel).toBe("New York");
    expect(labelsOf({ countryCode: "" })).toEqual({ addressLabel: "", formattedAddress: "" });
  });

  it("with the country in the language asked for, the unit, and a place's name in front", () => {
    expect(labelsOf({ city: "Wien", countryCode: "AT" }, "fr").formattedAddress).toBe("Wien, Autriche");
    expect(labelsOf({ ...US, unit: "4B" }).formattedAddress).toBe("20 Jay St, #4B, Brooklyn, New York, NY 11201 USA");
    expect(labelsOf({ ...US, number: "", street: "", place: "Pier 1" }).formattedAddress).toBe(
      "Pier 1, Brooklyn, New York, NY 11201 USA",
    );
  });
});
