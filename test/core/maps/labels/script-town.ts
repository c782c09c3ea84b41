import type { OsmElement, OsmNode, OsmRelation, OsmWay, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../../src/importer/osm/pbf/write-pbf.ts";

/**
 * Small towns that never were, with names in Japanese, Arabic and Hindi, for looking at labels in these scripts: a tight old town with
 * streets on foot, alleys, an arcade, steps, a square with a fountain; a river, a park, a school, a hospital, car parks, high buildings
 * with parts, a tram, an underground, a railway.
 *
 *     ══════ river ══════
 *     park │ old town │ school
 *     ─────┼──────────┼─────── primary, tram
 *      new town, grid │ hospital
 *     ┄┄┄┄┄┄┄ railway ┄┄┄┄┄┄┄
 */
export interface TownNames {
  latitude: number;
  longitude: number;
  town: string;
  english: string;
  quarters: readonly [old: string, fresh: string];
  river: string;
  pond: string;
  park: string;
  garden: string;
  square: string;
  fountain: string;
  arcade: string;
  main: string;
  market: string;
  streets: readonly string[];
  alleys: readonly string[];
  school: string;
  hospital: string;
  station: string;
  temple: string;
  museum: string;
  hotel: string;
  cafe: string;
  bakery: string;
  parking: string;
  number(n: number): string;
}

const digits = (zero: number) => (n: number) =>
  [...String(n)].map((digit) => String.fromCodePoint(zero + Number(digit))).join("");

export const SCRIPT_TOWNS = {
  japanese: {
    ...{ latitude: 34.62, longitude: 137.15, town: "花見ヶ丘市", english: "Hanamigaoka" },
    quarters: ["本町", "新緑町"],
    ...{ river: "銀波川", pond: "月見池", park: "若葉中央公園", garden: "紅葉庭園", square: "時計台広場" },
    ...{ fountain: "双鶴の噴水", arcade: "銀杏通り商店街アーケード", main: "大手門通り", market: "朝市小路" },
    streets: [
      "桜並木通り",
      "県道五十八号線",
      "学園東通り",
      "緑ヶ丘三丁目通り",
      "駅前大通り",
      "ハーバービュー通り",
      "柳橋通り",
      "鍛冶屋町通り",
    ],
    alleys: ["猫の小径", "石畳横丁", "提灯横丁", "のれん小路", "井戸端通り"],
    ...{ school: "花見ヶ丘市立第二小学校", hospital: "若葉総合病院", station: "花見ヶ丘駅", temple: "白雲寺" },
    ...{
      museum: "郷土資料館",
      hotel: "ホテル銀波",
      cafe: "喫茶こもれび",
      bakery: "パン工房むぎ",
      parking: "本町駐車場",
    },
    number: (n: number) => `${(n % 5) + 1}-${n}`,
  },
  arabic: {
    ...{ latitude: 24.4, longitude: 45.6, town: "مدينة النخيل", english: "Nakhil" },
    quarters: ["البلدة القديمة", "حي الزهور"],
    ...{
      river: "وادي الياسمين",
      pond: "بركة القمر",
      park: "حديقة الربيع العامة",
      garden: "بستان الورد",
      square: "ساحة الساعة",
    },
    ...{ fountain: "نافورة الحمام", arcade: "سوق النحاسين المسقوف", main: "شارع الباب الكبير", market: "سوق العطارين" },
    streets: [
      "شارع الميناء",
      "شارع الاستقلال",
      "شارع المدرسة",
      "شارع ١٥",
      "شارع المحطة",
      "طريق القوافل",
      "شارع الخياطين",
      "شارع المكتبة",
    ],
    alleys: ["زقاق القطط", "درب الحجر", "زقاق الفوانيس", "درب البئر", "زقاق الحدادين"],
    ...{ school: "مدرسة الأمل الابتدائية", hospital: "مستشفى الشفاء", station: "محطة النخيل", temple: "الجامع العتيق" },
    ...{
      museum: "متحف التراث",
      hotel: "فندق الواحة",
      cafe: "مقهى الظلال",
      bakery: "مخبز القمح",
      parking: "موقف البلدة",
    },
    number: digits(0x660),
  },
  indian: {
    ...{ latitude: 21.3, longitude: 78.4, town: "चंद्रनगरी", english: "Chandranagari" },
    quarters: ["पुराना बाज़ार", "शांति विहार"],
    ...{ river: "रजतधारा नदी", pond: "कमल सरोवर", park: "वसंत उद्यान", garden: "गुलाब वाटिका", square: "घंटाघर चौक" },
    ...{ fountain: "मयूर फव्वारा", arcade: "छत्ता बाज़ार", main: "राजद्वार मार्ग", market: "सब्ज़ी मंडी गली" },
    streets: [
      "श्री कृष्ण मार्ग",
      "स्वतंत्रता पथ",
      "विद्यालय मार्ग",
      "क्षत्रिय नगर सड़क",
      "स्टेशन रोड",
      "ग्रैंड ट्रंक मार्ग",
      "दर्ज़ी गली मार्ग",
      "पुस्तकालय मार्ग",
    ],
    alleys: ["बिल्ली वाली गली", "पत्थर गली", "दीपक गली", "कुआँ गली", "लोहार गली"],
    ...{
      school: "राजकीय प्राथमिक विद्यालय",
      hospital: "आरोग्य चिकित्सालय",
      station: "चंद्रनगरी जंक्शन",
      temple: "श्री लक्ष्मी मंदिर",
    },
    ...{
      museum: "लोक कला संग्रहालय",
      hotel: "होटल राजहंस",
      cafe: "चाय अड्डा",
      bakery: "अन्नपूर्णा बेकरी",
      parking: "चौक पार्किंग",
    },
    number: digits(0x966),
  },
} as const satisfies Record<string, TownNames>;

type Point = readonly [east: number, north: number];

/** Draws on a plan in metres, from the middle of the town. */
class Plan {
  readonly #names: TownNames;
  readonly #nodes = new Map<string, OsmNode>();
  readonly #loose: OsmNode[] = [];
  readonly #ways: OsmWay[] = [];
  readonly #relations: OsmRelation[] = [];
  #last = 0;

  constructor(names: TownNames) {
    this.#names = names;
  }

  #at([east, north]: Point): { latitude: number; longitude: number } {
    const { latitude, longitude } = this.#names;
    const degree = 111_320;
    return {
      latitude: latitude + north / degree,
      longitude: longitude + east / degree / Math.cos((latitude * Math.PI) / 180),
    };
  }

  #node(at: Point): number {
    const key = at.map((value) => Math.round(value * 10)).join();
    let node = this.#nodes.get(key);
    if (!node) {
      node = { type: "node", id: ++this.#last, ...this.#at(at), tags: {} };
      this.#nodes.set(key, node);
    }
    return node.id;
  }

  point(at: Point, tags: Tags): void {
    this.#loose.push({ type: "node", id: ++this.#last, ...this.#at(at), tags });
  }

  line(points: readonly Point[], tags: Tags): number {
    const id = this.#ways.length + 1;
    this.#ways.push({ type: "way", id, refs: points.map((at) => this.#node(at)), tags });
    return id;
  }

  area(points: readonly Point[], tags: Tags): void {
    this.line([...points, points[0]], tags);
  }

  box(west: number, south: number, east: number, north: number, tags: Tags): void {
    this.area([[west, south], [east, south], [east, north], [west, north]], tags); // biome-ignore format: a ring
  }

  route(ways: readonly number[], tags: Tags): void {
    const members = ways.map((ref) => ({ type: "way" as const, ref, role: "" }));
    this.#relations.push({ type: "relation", id: this.#relations.length + 1, members, tags });
  }

  elements(): OsmElement[] {
    const nodes = [...this.#nodes.values(), ...this.#loose].sort((a, b) => a.id - b.id);
    return [...nodes, ...this.#ways, ...this.#relations];
  }
}

/** A row of houses with numbers along a street from west to east or south to north. */
function houses(plan: Plan, names: TownNames, from: Point, to: Point, depth: number, first: number): void {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const count = Math.floor(length / 12);
  for (let i = 0; i < count; i++) {
    const [s, e] = [(i * length) / count, ((i + 1) * length) / count - (i % 4 === 3 ? 2 : 0)];
    const corner = (along: number, across: number): Point => [
      from[0] + dx * along - dy * across,
      from[1] + dy * along + dx * across,
    ];
    plan.area([corner(s, 0), corner(e, 0), corner(e, depth), corner(s, depth)], {
      building: "yes",
      "addr:housenumber": names.number(first + 2 * i),
    });
  }
}

/** The elements of a town. */
export function scriptTown(names: TownNames): OsmElement[] {
  const plan = new Plan(names);
  const [primary, highway, schoolStreet, grid1, grid2, ring, old1, old2] = names.streets;
  plan.point([0, -40], { place: "town", name: names.town, "name:en": names.english, population: "48000" });
  plan.point([-40, 190], { place: "quarter", name: names.quarters[0] });
  plan.point([40, -260], { place: "neighbourhood", name: names.quarters[1] });
  plan.box(-700, -520, 700, 420, { landuse: "residential" });

  const bank: Point[] = [[-900, 430], [-400, 400], [0, 425], [450, 395], [900, 440]]; // biome-ignore format: points
  plan.line(bank, { waterway: "river", name: names.river });
  plan.area([...bank.map(([x, y]): Point => [x, y + 40]), ...bank.map(([x, y]): Point => [x, y - 40]).reverse()], {
    natural: "water",
    water: "river",
    name: names.river,
  });

  // The old town: a main street on foot, streets and alleys, a square, an arcade, steps to the river.
  const xs = [-220, -150, -80, 0, 90, 160, 230];
  plan.line(xs.map((x): Point => [x, 180 + x / 20]), { highway: "pedestrian", name: names.main }); // biome-ignore format: a line
  plan.line([[-220, 260], [-80, 268], [90, 262], [230, 270]], { highway: "living_street", name: old1 }); // biome-ignore format: a line
  plan.line([[-220, 90], [-80, 92], [90, 88], [230, 95]], { highway: "residential", name: old2, oneway: "yes" }); // biome-ignore format: a line
  names.alleys.forEach((name, i) => {
    const x = [-185, -115, -40, 125, 195][i];
    const paved = { highway: i % 2 ? "footway" : "pedestrian", name, surface: "sett" };
    plan.line([[x, 90 + i % 2], [x + 4, 180 + x / 20], [x - 2, 262]], paved); // biome-ignore format: a line
  });
  plan.line([[-220, 90], [-220, 169], [-220, 260]], { highway: "residential", name: ring }); // biome-ignore format: a line
  plan.line([[230, 95], [230, 191.5], [230, 270]], { highway: "residential", name: schoolStreet }); // biome-ignore format: a line
  plan.box(8, 190, 80, 250, { highway: "pedestrian", place: "square", name: names.square });
  plan.box(36, 214, 50, 228, { amenity: "fountain", name: names.fountain });
  plan.line([[44, 190], [44, 92]], { highway: "pedestrian", covered: "arcade", name: names.arcade }); // biome-ignore format: a line
  plan.line([[-80, 268], [-84, 330], [-80, 370]], { highway: "steps", name: names.market }); // biome-ignore format: a line
  plan.line([[160, 188], [160, 262]], { highway: "service", service: "alley", tunnel: "building_passage" }); // biome-ignore format: a line
  for (const [south, north, first] of [[98, 166, 1], [196, 252, 40]] as const) // biome-ignore format: a table
    for (const [west, east] of [
      [-212, -188],
      [-178, -120],
      [-108, -46],
      [92, 120],
      [130, 190],
      [200, 224],
    ] as const) {
      // biome-ignore format: a table
      houses(plan, names, [west, south], [east, south], 24, first);
      houses(plan, names, [west, north - 24], [east, north - 24], 24, first + 1);
    }
  houses(plan, names, [-30, 98], [40, 98], 60, 101);
  houses(plan, names, [49, 98], [86, 98], 60, 121);

  // Park, garden, school, hospital, parking.
  plan.box(-640, 80, -260, 330, { leisure: "park", name: names.park });
  plan.area([[-520, 170], [-470, 150], [-430, 180], [-450, 230], [-510, 225]], { natural: "water", water: "pond", name: names.pond }); // biome-ignore format: a ring
  plan.line([[-640, 200], [-530, 240], [-420, 245], [-260, 180]], { highway: "footway" }); // biome-ignore format: a line
  plan.line([[-450, 330], [-420, 245], [-380, 80]], { highway: "cycleway" }); // biome-ignore format: a line
  plan.box(-380, 250, -290, 320, { leisure: "garden", name: names.garden });
  plan.box(270, 90, 470, 300, { amenity: "school", name: names.school });
  plan.box(290, 120, 400, 150, { building: "school" });
  plan.box(290, 150, 320, 260, { building: "school" });
  plan.box(350, 180, 450, 280, { leisure: "pitch" });
  plan.box(300, -220, 520, -60, { amenity: "hospital", name: names.hospital });
  plan.box(330, -190, 480, -150, { building: "hospital" });
  plan.box(330, -150, 370, -90, { building: "hospital" });
  plan.box(540, -200, 640, -120, { amenity: "parking", name: names.parking });
  plan.box(400, -130, 470, -90, { amenity: "parking" });

  // The new town: primary with a tram, a grid, towers with parts.
  const primaryLine: Point[] = [[-900, 20], [-300, 0], [0, 10], [300, 0], [900, 30]]; // biome-ignore format: points
  plan.line(primaryLine, { highway: "primary", name: primary });
  const tram = plan.line(primaryLine, { railway: "tram" });
  plan.route([tram], { type: "route", route: "tram", ref: "2", colour: "#c2185b" });
  plan.line([[-300, 0], [-260, 90], [-240, 420], [-230, 700]], { highway: "secondary", name: highway }); // biome-ignore format: a line
  plan.line([[-240, 380], [-238, 450]], { highway: "secondary", bridge: "yes", layer: "1", name: highway }); // biome-ignore format: a line
  for (const [i, x] of [-240, -120, 0, 120, 240].entries())
    plan.line([[x, 2], [x, -140], [x, -300]], { highway: "residential", name: names.streets[(i + 2) % 8], ...(i % 2 && { oneway: "yes" }) }); // biome-ignore format: a line
  plan.line([[-240, -140], [-120, -140], [0, -140], [120, -140], [240, -140], [700, -140]], { highway: "tertiary", name: grid1 }); // biome-ignore format: a line
  plan.line([[-240, -300], [-120, -300], [0, -300], [120, -300], [240, -300]], { highway: "residential", name: grid2 }); // biome-ignore format: a line
  for (const x of [-120, 0, 120]) {
    plan.line([[x - 14, -128], [x + 14, -128]], { highway: "footway", footway: "crossing", crossing: "zebra" }); // biome-ignore format: a line
    plan.line([[x - 14, -128], [x - 14, -20]], { highway: "footway", footway: "sidewalk" }); // biome-ignore format: a line
  }
  plan.line([[60, 24], [60, -8]], { highway: "footway", footway: "crossing", crossing: "traffic_signals" }); // biome-ignore format: a line
  for (const [west, base] of [
    [-230, 2],
    [-110, 30],
    [10, 60],
    [130, 90],
  ] as const) {
    // biome-ignore format: a table
    houses(plan, names, [west, -40], [west + 96, -40], 22, base);
    houses(plan, names, [west, -128], [west + 96, -128], 22, base + 1);
    houses(plan, names, [west, -176], [west + 96, -176], 22, base + 20);
  }
  plan.box(20, -290, 100, -220, { building: "yes", height: "12", "addr:housenumber": names.number(77) });
  plan.box(20, -290, 60, -220, { "building:part": "yes", height: "25" });
  plan.box(26, -284, 54, -240, { "building:part": "yes", height: "80" });
  plan.line([[-900, -380], [900, -360]], { railway: "rail" }); // biome-ignore format: a line
  plan.line([[-300, -386], [300, -380]], { railway: "rail", service: "siding" }); // biome-ignore format: a line
  const subway = plan.line([[-500, -400], [-120, -140], [60, 60], [120, 420]], { railway: "subway", tunnel: "yes" }); // biome-ignore format: a line
  plan.route([subway], { type: "route", route: "subway", ref: "U1", colour: "#0b7a3b" });

  const spots: [Point, Tags][] = [
    [[0, -368], { railway: "station", name: names.station }],
    [[-60, 160], { amenity: "place_of_worship", name: names.temple }],
    [[-140, 230], { tourism: "museum", name: names.museum }],
    [[-180, -30], { tourism: "hotel", name: names.hotel }],
    [[70, 165], { amenity: "cafe", name: names.cafe }],
    [[150, 112], { shop: "bakery", name: names.bakery }],
    [[-20, 25], { railway: "tram_stop", name: names.square }],
  ];
  for (const [at, tags] of spots) plan.point(at, tags);
  return plan.elements();
}

/** Writes a town as an extract. */
export async function writeScriptTown(path: string, names: TownNames): Promise<void> {
  const { latitude, longitude } = names;
  const bounds = [longitude - 0.02, latitude - 0.016, longitude + 0.02, latitude + 0.016] as const;
  await writePbf(path, scriptTown(names), { bounds, writingProgram: "graticule test town", sorted: true });
}
