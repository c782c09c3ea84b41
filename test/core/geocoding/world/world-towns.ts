import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { randomFrom } from "../sample.ts";

/** A house of a made-up town, and how people of the country write its address. */
export interface WorldHouse {
  tags: Tags;
  at: Coordinate;
  written: readonly string[];
}

export interface WorldTown {
  /** ISO 3166-1 alpha-2 and the town. */
  name: string;
  at: readonly [latitude: number, longitude: number];
  /** Nodes of the town and its parts: places and their names. */
  places: readonly Tags[];
  house: (draw: Draw) => { tags: Record<string, string>; written: readonly string[] };
}

type Draw = ReturnType<typeof drawing>;

/** The same draws for the same seed. */
function drawing(seed: number) {
  const next = randomFrom(seed);
  const to = (most: number) => 1 + Math.floor(next() * most);
  const of = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  return { to, of };
}

const KANJI = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
const digits = (zero: number) => (text: string | number) =>
  `${text}`.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
const [arabic, persian, bengali, devanagari, thai] = [0x660, 0x6f0, 0x9e6, 0x966, 0xe50].map(digits);
const city = (name: string, more: Record<string, string> = {}): Tags => ({ place: "city", name, ...more });

/** Towns by the habits of their countries: the names are theirs, houses and their places are drawn. */
export const WORLD_TOWNS: readonly WorldTown[] = [
  {
    name: "JP Chuo",
    at: [35.671, 139.765],
    places: [
      city("中央区", { "name:en": "Chuo" }),
      ...Object.entries({ 銀座: "Ginza", 築地: "Tsukiji", 八丁堀: "Hatchobori", 月島: "Tsukishima" }).map(
        ([name, english]) => ({ place: "quarter", name, "name:en": english }),
      ),
    ],
    house({ to, of }) {
      const [quarter, english] = of([
        ["銀座", "Ginza"],
        ["築地", "Tsukiji"],
        ["八丁堀", "Hatchobori"],
        ["月島", "Tsukishima"],
      ]);
      const [chome, block, house] = [to(8), to(20), to(15)];
      return {
        tags: {
          "addr:province": "東京都",
          "addr:city": "中央区",
          "addr:quarter": quarter,
          "addr:neighbourhood": of([`${KANJI[chome]}丁目`, `${chome}丁目`, wide(`${chome}丁目`)]),
          "addr:block_number": `${block}`,
          "addr:housenumber": `${house}`,
        },
        written: [
          `中央区${quarter}${chome}-${block}-${house}`,
          `東京都中央区${quarter}${KANJI[chome]}丁目${block}番${house}号`,
          `東京都中央区${quarter}${chome}丁目${block}-${house}`,
          wide(`東京都中央区${quarter}${chome}−${block}−${house}`),
          `${chome}-${block}-${house} ${english}, Chuo-ku, Tokyo`,
          `${english} ${chome}-${block}-${house}, Chuo, Tokyo`,
          `東京都 中央区 ${quarter} ${chome}丁目 ${block}番地${house}`,
        ],
      };
    },
  },
  {
    name: "JP Sapporo",
    at: [43.061, 141.354],
    places: [city("札幌市", { "name:en": "Sapporo" })],
    house({ to, of }) {
      const [row, side, column, house] = [to(9), of(["西", "東"]), to(9), to(20)];
      return {
        tags: {
          "addr:province": "北海道",
          "addr:city": "札幌市",
          "addr:suburb": "中央区",
          "addr:neighbourhood": `北${KANJI[row]}条${side}${KANJI[column]}丁目`,
          "addr:housenumber": `${house}`,
        },
        written: [
          `北海道札幌市中央区北${row}条${side}${column}丁目${house}`,
          `札幌市中央区北${KANJI[row]}条${side}${KANJI[column]}丁目${house}番地`,
        ],
      };
    },
  },
  {
    name: "PK Karachi",
    at: [24.92, 67.09],
    places: [city("Karachi")],
    house({ to, of }) {
      const [area, block, letter, number] = [
        of(["Gulshan-e-Iqbal", "North Nazimabad", "Federal B Area"]),
        to(16),
        of("ABCD".split("")),
        to(250),
      ];
      return {
        tags: {
          "addr:city": "Karachi",
          "addr:street": `${area} Block ${block}`,
          "addr:housenumber": of([`${letter}${number}`, `${letter}-${number}`]),
        },
        written: [
          `${letter}${number}, ${area} Block ${block}, Karachi`,
          `${letter}-${number} Block ${block} ${area}, Karachi`,
          `House No. ${letter}-${number}, Block ${block}, ${area}, Karachi, Pakistan`,
          `${letter} ${number}, Block-${block}, ${area.replaceAll("-", " ")}, Karachi`,
        ],
      };
    },
  },
  {
    name: "PK Islamabad",
    at: [33.71, 73.06],
    places: [city("Islamabad")],
    house({ to, of }) {
      const [sector, street, number] = [of(["F-7/2", "F-7/4", "G-10/3", "I-8/1"]), to(40), to(90)];
      return {
        tags: {
          "addr:city": "Islamabad",
          "addr:suburb": sector,
          "addr:street": `Street ${street}`,
          "addr:housenumber": `${number}`,
        },
        written: [
          `House ${number}, Street ${street}, ${sector}, Islamabad`,
          `House No. ${number}, St. ${street}, ${sector}, Islamabad, Pakistan`,
          `H# ${number}, Street No ${street}, ${sector.replace("-", "")}, Islamabad`,
        ],
      };
    },
  },
  {
    name: "CO Bogotá",
    at: [4.66, -74.08],
    places: [city("Bogotá")],
    house({ to, of }) {
      const [kind, shorts] = of([
        ["Calle", ["Cl.", "Cll", "CL"]],
        ["Carrera", ["Cra.", "Kr", "Cr"]],
        ["Transversal", ["Tv", "Transv."]],
      ] as const);
      const [name, letter] = [`${60 + to(30)}${of(["", "", "A", "Bis"])}`, of(["", "a", "b"])];
      const [first, second] = [60 + to(30), `${to(98)}`.padStart(2, "0")];
      const number = `${first}${letter}-${second}`;
      return {
        tags: {
          "addr:city": "Bogotá",
          "addr:street": `${kind} ${name}`,
          "addr:housenumber": of([number, `# ${number}`]),
        },
        written: [
          `${kind} ${name} # ${number}, Bogotá`,
          `${of(shorts)} ${name} No. ${first}${letter.toUpperCase()} - ${second}, Bogotá, Colombia`,
          `${of(shorts)} ${name} #${number} Bogota`,
          `${kind} ${name} N° ${first}${letter.toUpperCase()}-${second} apto 301, Bogotá`,
        ],
      };
    },
  },
  {
    name: "EG Cairo",
    at: [30.06, 31.34],
    places: [city("القاهرة", { "name:en": "Cairo" })],
    house({ to, of }) {
      const [street, english] = of([
        ["شارع مكرم عبيد", "Makram Ebeid Street"],
        ["شارع عباس العقاد", "Abbas El Akkad Street"],
        ["شارع الطيران", "El Tayaran Street"],
        ["شارع مصطفى النحاس", "Mostafa El Nahas Street"],
      ]);
      const number = to(120);
      return {
        tags: {
          "addr:city": "القاهرة",
          "addr:district": "مدينة نصر",
          "addr:district:en": "Nasr City",
          "addr:street": street,
          "addr:street:en": english,
          "addr:housenumber": of([`${number}`, arabic(number)]),
        },
        written: [
          `${arabic(number)} ${street}، القاهرة`,
          `${street} ${arabic(number)} مدينة نصر القاهرة`,
          `${number} ${english}, Nasr City, Cairo`,
          `${number} ${english.replace("Street", "St.")}, Cairo, Egypt`,
          `${arabic(number)} ${street.replace("شارع", "ش")}، مدينة نصر، القاهرة، مصر`,
        ],
      };
    },
  },
  {
    name: "IR Tehran",
    at: [35.72, 51.41],
    places: [city("تهران", { "name:en": "Tehran" })],
    house({ to, of }) {
      const street = of(["خیابان ولیعصر", "خیابان مطهری", "خیابان بهشتی", "کوچه لاله"]);
      const number = to(150);
      return {
        tags: { "addr:city": "تهران", "addr:street": street, "addr:housenumber": of([`${number}`, persian(number)]) },
        written: [
          `تهران، ${street}، پلاک ${persian(number)}`,
          `${street} پلاک ${number}، تهران`,
          `${street} ${persian(number)} تهران`,
        ],
      };
    },
  },
  {
    name: "BD Dhaka",
    at: [23.745, 90.375],
    places: [city("ঢাকা", { "name:en": "Dhaka" })],
    house({ to, of }) {
      const [area, english] = of([
        ["ধানমন্ডি", "Dhanmondi"],
        ["গুলশান", "Gulshan"],
        ["বনানী", "Banani"],
      ]);
      const [road, number] = [to(25), to(80)];
      return {
        tags: {
          "addr:city": "ঢাকা",
          "addr:suburb": area,
          "addr:suburb:en": english,
          "addr:street": `রোড ${bengali(road)}`,
          "addr:street:en": `Road ${road}`,
          "addr:housenumber": of([`${number}`, bengali(number)]),
        },
        written: [
          `House ${number}, Road ${road}, ${english}, Dhaka`,
          `House # ${number}, Road # ${road}, ${english}, Dhaka`,
          `বাড়ি ${bengali(number)}, রোড ${bengali(road)}, ${area}, ঢাকা`,
        ],
      };
    },
  },
  {
    name: "DE Mannheim",
    at: [49.489, 8.467],
    places: [city("Mannheim")],
    house({ to, of }) {
      const [letter, square, number] = [of("ABCDEFGHKLMNOPQRSTU".split("")), to(7), to(34)];
      const key = of(["addr:street", "addr:place"]);
      return {
        tags: {
          "addr:city": "Mannheim",
          "addr:postcode": "68159",
          [key]: of([`${letter} ${square}`, `${letter}${square}`]),
          "addr:housenumber": `${number}`,
        },
        written: [
          `${letter} ${square}, ${number}, Mannheim`,
          `${letter}${square} ${number}, 68159 Mannheim`,
          `${letter}${square}, ${number} Mannheim`,
          `Mannheim ${letter} ${square} ${number}`,
        ],
      };
    },
  },
  {
    name: "BR Brasília",
    at: [-15.77, -47.88],
    places: [city("Brasília")],
    house({ to, of }) {
      const [sector, block] = [`${of(["SQN", "SQS"])} ${100 * to(4) + to(16)}`, of("ABCDEFGHIJK".split(""))];
      const tags = of<Record<string, string>>([
        { "addr:place": sector, "addr:housenumber": `Bloco ${block}` },
        { "addr:street": `${sector} Bloco ${block}`, "addr:housenumber": "1" },
        { "addr:place": sector, "addr:block": block, "addr:housenumber": "1" },
      ]);
      return {
        tags: { "addr:city": "Brasília", ...tags },
        written: [
          `${sector} Bloco ${block}, Brasília`,
          `${sector}, Bl. ${block}, apto 304, Brasília - DF`,
          `${sector.replace(" ", "")} bloco ${block} Brasilia`,
        ],
      };
    },
  },
  {
    name: "BR Campinas",
    at: [-22.906, -47.06],
    places: [city("Campinas")],
    house({ to, of }) {
      const street = of(["Rua Barão de Jaguara", "Avenida Francisco Glicério", "Rua Conceição", "Avenida Brasil"]);
      const number = 1000 + to(2000);
      const dotted = `${Math.floor(number / 1000)}.${`${number % 1000}`.padStart(3, "0")}`;
      return {
        tags: {
          "addr:city": "Campinas",
          "addr:street": street,
          "addr:housenumber": of([`${number}`, `${number}`, dotted]),
        },
        written: [
          `${street}, ${dotted}, Campinas`,
          `${street}, nº ${number} - Campinas - SP`,
          `${street} ${number}, Apto 31, Campinas`,
        ],
      };
    },
  },
  {
    name: "IN Chandigarh",
    at: [30.735, 76.78],
    places: [city("Chandigarh")],
    house({ to, of }) {
      const [sector, number] = [to(50), to(400)];
      const kind = of(["SCO", "House"]);
      const key = of(["addr:place", "addr:suburb", "addr:street", "addr:neighbourhood"]);
      return {
        tags: {
          "addr:city": "Chandigarh",
          [key]: `Sector ${sector}`,
          "addr:housenumber": kind === "SCO" ? `SCO ${number}` : `${number}`,
        },
        written:
          kind === "SCO"
            ? [
                `SCO ${number}, Sector ${sector}, Chandigarh`,
                `S.C.O. ${number}, Sector-${sector}, Chandigarh`,
                `SCO-${number} Sector ${sector} Chandigarh`,
              ]
            : [
                `House No. ${number}, Sector ${sector}, Chandigarh`,
                `H.No. ${number}, Sector-${sector}, Chandigarh, India`,
                `#${number}, Sector ${sector}, Chandigarh`,
              ],
      };
    },
  },
  {
    name: "IN Lucknow",
    at: [26.85, 80.95],
    places: [city("लखनऊ", { "name:en": "Lucknow" })],
    house({ to, of }) {
      const [street, english] = of([
        ["हज़रतगंज मार्ग", "Hazratganj Marg"],
        ["विधान सभा मार्ग", "Vidhan Sabha Marg"],
        ["स्टेशन रोड", "Station Road"],
      ]);
      const [first, second] = [to(90), to(40)];
      const number = of([`${first}/${second}`, `${first}-${second}/4`, `${first}`]);
      return {
        tags: { "addr:city": "लखनऊ", "addr:street": street, "addr:street:en": english, "addr:housenumber": number },
        written: [
          `${number}, ${english}, Lucknow`,
          `${devanagari(number)} ${street}, लखनऊ`,
          `मकान नं. ${number}, ${street}, लखनऊ`,
        ],
      };
    },
  },
  {
    name: "KR Seoul",
    at: [37.5, 127.036],
    places: [city("서울특별시", { "name:en": "Seoul" })],
    house({ to, of }) {
      const lot = of(["역삼동", "논현동", "삼성동", "대치동"]);
      const number = of([`${to(900)}`, `${to(900)}-${to(40)}`]);
      const key = of(["addr:subdistrict", "addr:quarter", "addr:neighbourhood"]);
      return {
        tags: {
          "addr:city": "서울특별시",
          "addr:district": "강남구",
          [key]: lot,
          "addr:housenumber": of([number, `${number}번지`]),
        },
        written: [
          `서울특별시 강남구 ${lot} ${number}번지`,
          `서울 강남구 ${lot} ${number}`,
          `서울특별시강남구${lot}${number}`,
        ],
      };
    },
  },
  {
    name: "CZ Lhota",
    at: [49.2, 16.1],
    places: ["Horní Lhota", "Dolní Lhota", "Kamenice"].map((name) => ({ place: "village", name })),
    house({ to, of }) {
      const [village, number] = [of(["Horní Lhota", "Dolní Lhota", "Kamenice"]), to(200)];
      const tags = of<Record<string, string>>([
        { "addr:conscriptionnumber": `${number}`, "addr:housenumber": `${number}` },
        { "addr:conscriptionnumber": `${number}` },
        { "addr:housenumber": `${number}` },
      ]);
      return {
        tags: { "addr:place": village, ...tags },
        written: [
          `${village} ${number}`,
          `${village} č.p. ${number}`,
          `č. p. ${number}, ${village}`,
          `${village} ${number}, Česko`,
        ],
      };
    },
  },
  {
    name: "CR Heredia",
    at: [9.998, -84.117],
    places: [city("Heredia")],
    house({ to, of }) {
      const place = of([
        "Condominio Las Flores",
        "Residencial Los Lagos",
        "Barrio San Jorge",
        "Urbanización La Puebla",
      ]);
      const number = to(60);
      const tags = of<Record<string, string>>([
        { "addr:housenumber": `${number}` },
        { "addr:housename": `Casa ${number}` },
      ]);
      return {
        tags: { "addr:city": "Heredia", "addr:place": place, ...tags },
        written: [
          `${place}, casa ${number}, Heredia`,
          `Casa ${number}, ${place}, Heredia, Costa Rica`,
          `${place} #${number}, Heredia`,
        ],
      };
    },
  },
  {
    name: "US Waukesha",
    at: [43.06, -88.2],
    places: [city("Waukesha")],
    house({ to, of }) {
      const street = of(["Bluemound Road", "Pewaukee Road", "Silver Spring Drive", "Town Line Road"]);
      const [across, up] = [`N${to(90)}`, `W${20000 + to(9000)}`];
      return {
        tags: {
          "addr:city": "Waukesha",
          "addr:state": "WI",
          "addr:street": street,
          "addr:housenumber": of([`${across}${up}`, `${across} ${up}`]),
        },
        written: [
          `${across}${up} ${street}, Waukesha, WI`,
          `${across} ${up} ${street.replace("Road", "Rd").replace("Drive", "Dr")}, Waukesha, WI`,
        ],
      };
    },
  },
  {
    name: "TR İstanbul",
    at: [40.985, 29.026],
    places: [city("İstanbul", { "name:en": "Istanbul" })],
    house({ to, of }) {
      const street = of(["Moda Caddesi", "Bahariye Caddesi", "Leylek Sokağı", "Söğütlüçeşme Bulvarı"]);
      const [number, flat] = [of([`${to(200)}`, `${to(90)}/${to(3)}`, `${to(90)}${of(["A", "B"])}`]), to(12)];
      const short = street.replace("Caddesi", "Cad.").replace("Sokağı", "Sk.").replace("Bulvarı", "Bulv.");
      return {
        tags: {
          "addr:city": "İstanbul",
          "addr:district": "Kadıköy",
          "addr:neighbourhood": "Caferağa Mahallesi",
          "addr:street": street,
          "addr:housenumber": number,
        },
        written: [
          `${street} No:${number} D:${flat}, Kadıköy/İstanbul`,
          `Caferağa Mah. ${short} No:${number} Kat:2 Daire:${flat} Kadıköy İstanbul`,
          `${short} ${number}, Kadıköy`,
          `${street.toUpperCase()} NO:${number} KADIKÖY İSTANBUL`,
        ],
      };
    },
  },
  {
    name: "UA Київ",
    at: [50.44, 30.51],
    places: [city("Київ", { "name:en": "Kyiv" })],
    house({ to, of }) {
      const [full, short] = of([
        ["вулиця Саксаганського", "вул. Саксаганського"],
        ["вулиця Жилянська", "вул. Жилянська"],
        ["бульвар Тараса Шевченка", "бул. Тараса Шевченка"],
        ["провулок Музейний", "пров. Музейний"],
      ]);
      const number = of([`${to(120)}`, `${to(120)}${of(["А", "Б"])}`, `${to(60)}/${to(20)}`]);
      return {
        tags: { "addr:city": "Київ", "addr:street": full, "addr:housenumber": number },
        written: [
          `${short}, ${number}, м. Київ`,
          `м. Київ, ${short}, буд. ${number}, кв. 7`,
          `${full} ${number}, Київ`,
        ],
      };
    },
  },
  {
    name: "SG Bedok",
    at: [1.327, 103.93],
    places: [city("Singapore")],
    house({ to, of }) {
      const street = of(["Bedok North Street 1", "Bedok North Avenue 3", "Bedok South Road", "Tampines Street 21"]);
      const number = `${to(900)}${of(["", "", "A", "B"])}`;
      return {
        tags: { "addr:city": "Singapore", "addr:street": street, "addr:housenumber": of([number, `Blk ${number}`]) },
        written: [
          `Blk ${number} ${street} #12-01, Singapore`,
          `${number} ${street.replace("Street", "St").replace("Avenue", "Ave")}, #03-145, Singapore`,
          `Block ${number}, ${street}, Singapore`,
        ],
      };
    },
  },
  {
    name: "TH Bangkok",
    at: [13.736, 100.56],
    places: [city("กรุงเทพมหานคร", { "name:en": "Bangkok" })],
    house({ to, of }) {
      const [street, english] = of([
        ["ถนนสุขุมวิท", "Sukhumvit Road"],
        ["ถนนพระราม 4", "Rama IV Road"],
        ["ซอยทองหล่อ 10", "Soi Thong Lo 10"],
        ["ซอยอารีย์ 1", "Soi Ari 1"],
      ]);
      const number = of([`${to(300)}`, `${to(300)}/${to(40)}`]);
      return {
        tags: {
          "addr:city": "กรุงเทพมหานคร",
          "addr:street": street,
          "addr:street:en": english,
          "addr:housenumber": of([number, thai(number)]),
        },
        written: [
          `${number} ${street.replace("ถนน", "ถ.").replace("ซอย", "ซ.")} กรุงเทพมหานคร`,
          `${thai(number)} ${street} กรุงเทพฯ`,
          `${number} ${english}, Bangkok`,
          `บ้านเลขที่ ${number} หมู่ 5 ${street} กรุงเทพมหานคร`,
        ],
      };
    },
  },
  {
    name: "TW Taipei",
    at: [25.033, 121.543],
    places: [city("臺北市", { "name:en": "Taipei" })],
    house({ to, of }) {
      const [section, number] = [1 + to(5), of([`${to(300)}`, `${to(90)}之${to(9)}`])];
      const road = of(["信義路", "忠孝東路", "仁愛路", "臺灣大道"]);
      const kanji = KANJI[section];
      return {
        tags: {
          "addr:city": "臺北市",
          "addr:district": "大安區",
          "addr:street": `${road}${kanji}段`,
          "addr:housenumber": of([number, `${number}號`]),
        },
        written: [
          `臺北市大安區${road}${kanji}段${number}號`,
          `台北市大安區${road.replace("臺", "台")}${section}段${number}號3樓`,
          `台北市大安区${road.replace("臺灣", "台湾").replace("義", "义").replace("東", "东").replace("愛", "爱")}${kanji}段${number}号`,
        ],
      };
    },
  },
  {
    name: "VN Saigon",
    at: [10.78, 106.69],
    places: [city("Thành phố Hồ Chí Minh", { "name:en": "Ho Chi Minh City" })],
    house({ to, of }) {
      const street = of(["Võ Thị Sáu", "Nguyễn Trãi", "Hai Bà Trưng", "Điện Biên Phủ"]);
      const number = of([
        `${to(400)}`,
        `${to(200)}/${to(40)}`,
        `${to(200)}${of(["A", "Bis"])}`,
        `${to(90)}/${to(30)}/${to(9)}`,
      ]);
      return {
        tags: {
          "addr:city": of(["Thành phố Hồ Chí Minh", "Ho Chi Minh City"]),
          "addr:district": "Quận 3",
          "addr:subdistrict": "Phường 6",
          "addr:street": of([street, `Đường ${street}`]),
          "addr:housenumber": number,
        },
        written: [
          `${number} ${street}, Phường 6, Quận 3, TP.HCM`,
          `${number} Đường ${street}, Q.3, TP. Hồ Chí Minh`,
          `Số ${number} ${street}, P.6, Q3, Ho Chi Minh City`,
        ],
      };
    },
  },
  {
    name: "IT Venezia",
    at: [45.434, 12.338],
    places: [city("Venezia", { "name:en": "Venice" })],
    house({ to, of }) {
      const [sestiere, number] = [of(["San Marco", "Cannaregio", "Dorsoduro", "Castello"]), to(5000)];
      const key = of(["addr:place", "addr:quarter"]);
      return {
        tags: { "addr:city": "Venezia", [key]: sestiere, "addr:housenumber": `${number}` },
        written: [
          `${sestiere} ${number}, Venezia`,
          `${sestiere}, ${number}, 30124 Venezia VE`,
          `${number} ${sestiere}, Venice`,
        ],
      };
    },
  },
];

/** Houses of each town. */
const HOUSES = 24;
/** [degrees] */
const APART = 0.0009;

export interface DrawnTown extends WorldTown {
  houses: WorldHouse[];
  elements: OsmElement[];
}

/** Different addresses of a town on a square, and the elements of an extract with them. */
export function drawTown(town: WorldTown, seed: number): DrawnTown {
  const draw = drawing(seed);
  const elements: OsmElement[] = [];
  const [latitude, longitude] = town.at;
  // Extracts share elements with the same id.
  const first = 1 + 1000 * WORLD_TOWNS.indexOf(town);
  for (const [i, tags] of town.places.entries())
    elements.push({
      type: "node",
      id: first + i,
      latitude: latitude + i * APART,
      longitude: longitude + APART / 2,
      tags,
    });
  const houses: WorldHouse[] = [];
  const seen = new Set<string>();
  while (houses.length < HOUSES) {
    const { tags, written } = town.house(draw);
    if (written.some((text) => seen.has(text))) continue;
    for (const text of written) seen.add(text);
    const i = houses.length;
    const at = { latitude: latitude + Math.floor(i / 5) * APART, longitude: longitude + (i % 5) * APART };
    houses.push({ tags, at, written });
    elements.push({ type: "node", id: first + 100 + i, ...at, tags });
  }
  return { ...town, houses, elements };
}
