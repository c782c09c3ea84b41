/**
 * Categories of places, from their OSM tags. A category is a path of up to three slugs, group first:
 * `food-beverage/restaurant/burger-restaurant`. A place carries every slug of its paths, so a search for `restaurant`
 * finds burgers too.
 *
 * The slugs match those that clients of this API already use (`burger-restaurant`, `coffee-shop`, `gas-station`); if no
 * public slug exists, we chose one. A row lists the tag patterns that lead to its path: space-separated conditions must
 * all hold, `|` separates values, `*` is any value but `no`. The pattern with the most conditions wins, then the
 * earlier row.
 */
const TABLE: readonly (readonly [path: string, ...patterns: string[]])[] = [
  // Food and drink
  ["food-beverage/restaurant/american-restaurant", "amenity=restaurant cuisine=american|diner|southern"],
  ["food-beverage/restaurant/bbq-restaurant", "amenity=restaurant cuisine=barbecue|bbq|grill"],
  [
    "food-beverage/restaurant/burger-restaurant",
    "amenity=restaurant cuisine=burger",
    "amenity=fast_food cuisine=burger",
  ],
  [
    "food-beverage/restaurant/chicken-restaurant",
    "amenity=restaurant cuisine=chicken|wings",
    "amenity=fast_food cuisine=chicken|wings",
  ],
  [
    "food-beverage/restaurant/chinese-restaurant",
    "amenity=restaurant cuisine=chinese",
    "amenity=fast_food cuisine=chinese",
  ],
  ["food-beverage/restaurant/french-restaurant", "amenity=restaurant cuisine=french|crepe"],
  ["food-beverage/restaurant/greek-restaurant", "amenity=restaurant cuisine=greek"],
  ["food-beverage/restaurant/indian-restaurant", "amenity=restaurant cuisine=indian"],
  ["food-beverage/restaurant/italian-restaurant", "amenity=restaurant cuisine=italian|pasta"],
  ["food-beverage/restaurant/japanese-restaurant", "amenity=restaurant cuisine=japanese|ramen"],
  ["food-beverage/restaurant/korean-restaurant", "amenity=restaurant cuisine=korean"],
  [
    "food-beverage/restaurant/mexican-restaurant",
    "amenity=restaurant cuisine=mexican|tex-mex",
    "amenity=fast_food cuisine=mexican|tex-mex",
  ],
  [
    "food-beverage/restaurant/middle-eastern-restaurant",
    "amenity=restaurant cuisine=lebanese|turkish|arab|kebab",
    "amenity=fast_food cuisine=kebab|turkish",
  ],
  ["food-beverage/restaurant/pizza-place", "amenity=restaurant cuisine=pizza", "amenity=fast_food cuisine=pizza"],
  [
    "food-beverage/restaurant/sandwich-shop",
    "amenity=restaurant cuisine=sandwich",
    "amenity=fast_food cuisine=sandwich",
  ],
  [
    "food-beverage/restaurant/seafood-restaurant",
    "amenity=restaurant cuisine=seafood|fish|fish_and_chips",
    "amenity=fast_food cuisine=fish_and_chips",
  ],
  ["food-beverage/restaurant/steakhouse", "amenity=restaurant cuisine=steak_house|steak"],
  ["food-beverage/restaurant/sushi-restaurant", "amenity=restaurant cuisine=sushi"],
  ["food-beverage/restaurant/thai-restaurant", "amenity=restaurant cuisine=thai"],
  [
    "food-beverage/restaurant/vegetarian-restaurant",
    "amenity=restaurant diet:vegetarian=only",
    "amenity=restaurant cuisine=vegetarian|vegan",
  ],
  ["food-beverage/restaurant/vietnamese-restaurant", "amenity=restaurant cuisine=vietnamese"],
  ["food-beverage/restaurant/fast-food-restaurant", "amenity=fast_food"],
  ["food-beverage/restaurant/food-court", "amenity=food_court"],
  ["food-beverage/restaurant", "amenity=restaurant"],
  ["food-beverage/cafe/coffee-shop", "amenity=cafe cuisine=coffee_shop|coffee", "shop=coffee"],
  ["food-beverage/cafe/tea-house", "amenity=cafe cuisine=tea|bubble_tea", "shop=tea"],
  ["food-beverage/cafe", "amenity=cafe"],
  ["food-beverage/bar/pub", "amenity=pub"],
  ["food-beverage/bar/beer-garden", "amenity=biergarten"],
  ["food-beverage/bar/brewery", "craft=brewery", "craft=distillery"],
  ["food-beverage/bar/winery", "craft=winery"],
  ["food-beverage/bar", "amenity=bar"],
  ["food-beverage/dessert-shop/bakery", "shop=bakery|pastry"],
  [
    "food-beverage/dessert-shop/donut-shop",
    "amenity=fast_food cuisine=donut",
    "amenity=cafe cuisine=donut",
    "shop=bakery cuisine=donut",
  ],
  [
    "food-beverage/dessert-shop/ice-cream-shop",
    "amenity=ice_cream",
    "amenity=fast_food cuisine=ice_cream",
    "shop=ice_cream",
  ],
  ["food-beverage/dessert-shop/chocolate-shop", "shop=chocolate|confectionery"],
  // Shops
  ["shopping-retail/food-grocery/supermarket", "shop=supermarket"],
  ["shopping-retail/food-grocery/convenience-store", "shop=convenience"],
  ["shopping-retail/food-grocery/butcher-shop", "shop=butcher"],
  ["shopping-retail/food-grocery/fish-market", "shop=seafood|fishmonger"],
  ["shopping-retail/food-grocery/farmers-market", "amenity=marketplace", "shop=farm|greengrocer"],
  ["shopping-retail/food-grocery/liquor-store", "shop=alcohol|wine|beverages"],
  ["shopping-retail/food-grocery/health-food-store", "shop=health_food|organic|deli|cheese"],
  ["shopping-retail/department-store/discount-store", "shop=variety_store|second_hand|charity"],
  ["shopping-retail/department-store", "shop=department_store|general"],
  ["shopping-retail/shopping-mall", "shop=mall"],
  ["shopping-retail/warehouse-store", "shop=wholesale"],
  ["shopping-retail/apparel/clothing-store", "shop=clothes|boutique|fashion"],
  ["shopping-retail/apparel/shoe-store", "shop=shoes"],
  ["shopping-retail/apparel/jewelry-store", "shop=jewelry|watches"],
  ["shopping-retail/apparel/bag-store", "shop=bag|leather"],
  ["shopping-retail/home/hardware-store", "shop=hardware|doityourself|trade"],
  ["shopping-retail/home/furniture-store", "shop=furniture|bed|kitchen"],
  ["shopping-retail/home/garden-center", "shop=garden_centre|florist"],
  ["shopping-retail/home/home-goods-store", "shop=houseware|interior_decoration|appliance|carpet"],
  ["shopping-retail/electronics/electronics-store", "shop=electronics|computer|hifi"],
  ["shopping-retail/electronics/mobile-phone-shop", "shop=mobile_phone"],
  ["shopping-retail/leisure-goods/bookstore", "shop=books|newsagent|stationery"],
  ["shopping-retail/leisure-goods/toy-store", "shop=toys|games"],
  ["shopping-retail/leisure-goods/sporting-goods-store", "shop=sports|outdoor|fishing|hunting"],
  ["shopping-retail/leisure-goods/bicycle-shop", "shop=bicycle"],
  ["shopping-retail/leisure-goods/music-store", "shop=music|musical_instrument"],
  ["shopping-retail/leisure-goods/gift-shop", "shop=gift|art|craft"],
  ["shopping-retail/leisure-goods/pet-store", "shop=pet"],
  ["shopping-retail/tobacco-shop", "shop=tobacco|e-cigarette|cannabis"],
  ["shopping-retail/cosmetics-store", "shop=cosmetics|perfumery"],
  ["shopping-retail", "shop=*"],
  // Cars
  ["automotive/gas-station", "amenity=fuel"],
  ["automotive/charging-station", "amenity=charging_station"],
  ["automotive/car-dealership", "shop=car|motorcycle"],
  ["automotive/auto-parts-store", "shop=car_parts|tyres"],
  ["automotive/auto-repair", "shop=car_repair"],
  ["automotive/car-wash", "amenity=car_wash"],
  ["automotive/car-rental", "amenity=car_rental"],
  ["automotive/parking", "amenity=parking"],
  // Travel
  ["travel-transportation/airport", "aeroway=aerodrome"],
  ["travel-transportation/airport/airport-terminal", "aeroway=terminal"],
  ["travel-transportation/train-station", "railway=station|halt"],
  ["travel-transportation/train-station/subway-station", "railway=station station=subway|light_rail"],
  ["travel-transportation/bus-station", "amenity=bus_station"],
  ["travel-transportation/ferry-terminal", "amenity=ferry_terminal"],
  ["travel-transportation/rest-area", "highway=rest_area|services"],
  ["travel-transportation/marina", "leisure=marina"],
  ["travel-transportation/border-crossing", "amenity=customs", "office=customs"],
  ["hotel-lodging/hotel", "tourism=hotel"],
  ["hotel-lodging/motel", "tourism=motel"],
  ["hotel-lodging/hostel", "tourism=hostel"],
  ["hotel-lodging/bed-and-breakfast", "tourism=guest_house|chalet|apartment"],
  ["hotel-lodging/campground", "tourism=camp_site|caravan_site"],
  // Arts and outings
  ["arts-entertainment/museum/art-gallery", "tourism=gallery", "amenity=arts_centre"],
  ["arts-entertainment/museum", "tourism=museum"],
  ["arts-entertainment/theatre/movie-theatre", "amenity=cinema"],
  [
    "arts-entertainment/theatre/concert-hall",
    "amenity=concert_hall",
    "amenity=theatre theatre:genre=philharmonic|opera",
    "amenity=music_venue",
  ],
  ["arts-entertainment/theatre", "amenity=theatre"],
  ["arts-entertainment/amusement-park", "tourism=theme_park"],
  ["arts-entertainment/amusement-park/water-park", "leisure=water_park"],
  ["arts-entertainment/zoo/aquarium", "tourism=aquarium"],
  ["arts-entertainment/zoo", "tourism=zoo"],
  ["arts-entertainment/night-club", "amenity=nightclub"],
  ["arts-entertainment/casino", "amenity=casino|gambling"],
  ["arts-entertainment/arcade", "leisure=amusement_arcade|adult_gaming_centre"],
  ["arts-entertainment/tourist-attraction", "tourism=attraction|viewpoint", "historic=monument|castle|memorial|ruins"],
  // Sport and the open air
  ["sports-recreation/gym", "leisure=fitness_centre"],
  ["sports-recreation/gym/yoga-studio", "leisure=fitness_centre sport=yoga|pilates", "leisure=dance", "shop=yoga"],
  ["sports-recreation/sports-club/golf-course", "leisure=golf_course"],
  ["sports-recreation/sports-club/bowling-alley", "leisure=bowling_alley", "leisure=sports_centre sport=10pin|9pin"],
  [
    "sports-recreation/sports-club/swimming-pool",
    "leisure=sports_centre sport=swimming",
    "amenity=swimming_pool",
    "leisure=swimming_pool access=yes|customers|public",
  ],
  ["sports-recreation/sports-club/ice-rink", "leisure=ice_rink"],
  ["sports-recreation/sports-club", "leisure=sports_centre|sports_hall"],
  ["sports-recreation/stadium", "leisure=stadium"],
  ["sports-recreation/park", "leisure=park"],
  ["sports-recreation/park/nature-reserve", "leisure=nature_reserve", "boundary=national_park"],
  ["sports-recreation/park/playground", "leisure=playground"],
  ["sports-recreation/park/garden", "leisure=garden access=yes|customers", "tourism=picnic_site"],
  ["sports-recreation/beach", "natural=beach", "leisure=beach_resort"],
  // Health and beauty
  ["medical-health/hospital", "amenity=hospital"],
  ["medical-health/medical-center", "amenity=clinic"],
  ["medical-health/doctor", "amenity=doctors", "healthcare=doctor"],
  ["medical-health/doctor/dentist", "amenity=dentist"],
  ["medical-health/doctor/optician", "shop=optician"],
  ["medical-health/pharmacy", "amenity=pharmacy", "shop=chemist|drugstore"],
  ["medical-health/veterinarian", "amenity=veterinary"],
  ["medical-health/nursing-home", "amenity=nursing_home|social_facility"],
  ["beauty-personal-care/hair-salon", "shop=hairdresser"],
  ["beauty-personal-care/beauty-salon", "shop=beauty"],
  ["beauty-personal-care/spa", "leisure=spa|sauna", "shop=massage"],
  ["beauty-personal-care/tattoo-parlor", "shop=tattoo"],
  // Education, offices, money
  ["education/university", "amenity=university"],
  ["education/college", "amenity=college"],
  ["education/school", "amenity=school"],
  ["education/preschool", "amenity=kindergarten|childcare"],
  ["education/school/driving-school", "amenity=driving_school"],
  ["education/school/music-school", "amenity=music_school|language_school"],
  ["finance/bank", "amenity=bank"],
  ["finance/atm", "amenity=atm"],
  ["finance/currency-exchange", "amenity=bureau_de_change|money_transfer"],
  ["finance/insurance-agency", "office=insurance|financial"],
  ["business-services/post-office", "amenity=post_office"],
  ["business-services/real-estate-agency", "office=estate_agent"],
  ["business-services/law-firm", "office=lawyer|notary"],
  ["business-services/travel-agency", "shop=travel_agency"],
  ["business-services/laundry", "shop=laundry|dry_cleaning"],
  ["business-services/storage-facility", "shop=storage_rental"],
  ["business-services/coworking-space", "amenity=coworking_space", "office=coworking"],
  ["business-services/office", "office=company|it|architect|accountant|employment_agency|advertising_agency"],
  // Public life
  ["community-government/city-hall", "amenity=townhall"],
  ["community-government/courthouse", "amenity=courthouse"],
  ["community-government/police-station", "amenity=police"],
  ["community-government/fire-station", "amenity=fire_station"],
  ["community-government/library", "amenity=library"],
  ["community-government/community-center", "amenity=community_centre"],
  ["community-government/government-office", "office=government"],
  ["community-government/embassy", "amenity=embassy", "office=diplomatic"],
  ["community-government/cemetery", "landuse=cemetery", "amenity=grave_yard"],
  ["religion/church", "amenity=place_of_worship religion=christian"],
  ["religion/mosque", "amenity=place_of_worship religion=muslim"],
  ["religion/synagogue", "amenity=place_of_worship religion=jewish"],
  ["religion/temple", "amenity=place_of_worship religion=buddhist|hindu|sikh|shinto|taoist"],
  ["religion", "amenity=place_of_worship"],
];

interface Category {
  /** Slugs from the group down: ["food-beverage", "cafe", "coffee-shop"]. */
  path: readonly string[];
  patterns: readonly string[];
}

/**
 * Every row of the table. A place stores the row's number, so rows are only ever added at the end of a format version.
 */
export const CATEGORIES: readonly Category[] = TABLE.map(([path, ...patterns]) => ({
  path: path.split("/"),
  patterns,
}));

/** Every slug that a search may use, on any level. */
export const CATEGORY_SLUGS: ReadonlySet<string> = new Set(CATEGORIES.flatMap(({ path }) => path));

interface Pattern {
  category: number;
  conditions: { key: string; values: ReadonlySet<string> | undefined }[];
}

/** Patterns by the key of their first condition, those with most conditions first. */
const PATTERNS_BY_KEY = new Map<string, Pattern[]>();
CATEGORIES.forEach(({ patterns }, category) => {
  for (const text of patterns) {
    const conditions = text.split(" ").map((condition) => {
      const [key, values] = condition.split("=");
      return { key, values: values === "*" ? undefined : new Set(values.split("|")) };
    });
    const key = conditions[0].key;
    PATTERNS_BY_KEY.set(key, [...(PATTERNS_BY_KEY.get(key) ?? []), { category, conditions }]);
  }
});
for (const patterns of PATTERNS_BY_KEY.values()) patterns.sort((a, b) => weight(b) - weight(a));

/** More conditions are more specific, and naming values is more specific than `*`. */
function weight({ conditions }: Pattern): number {
  return conditions.reduce((sum, { values }) => sum + (values ? 10 : 1), 0);
}

/**
 * Rows of the table that match the tags, at most one per tag key, in the table's order. A gas station with a shop has
 * two; the bare groups are replaced by anything more specific.
 */
export function categoriesOf(tags: Readonly<Record<string, string>>): number[] {
  const found = new Set<number>();
  for (const [key, patterns] of PATTERNS_BY_KEY) {
    if (tags[key] === undefined) continue;
    const match = patterns.find(({ conditions }) => conditions.every(({ key, values }) => holds(tags[key], values)));
    if (match) found.add(match.category);
  }
  const rows = [...found].sort((a, b) => a - b);
  const specific = rows.filter((row) => CATEGORIES[row].path.length > 1);
  return specific.length > 0 ? specific : rows;
}

/** OSM lists several values with semicolons; any of them will do. */
function holds(value: string | undefined, values: ReadonlySet<string> | undefined): boolean {
  if (value === undefined || value === "no") return false;
  if (!values) return true;
  return values.has(value) || (value.includes(";") && value.split(";").some((part) => values.has(part.trim())));
}

/**
 * OSM tags that make a feature a place: "key=value" pairs, or "key" if any value will do. Other features need not be
 * read.
 */
export const CATEGORY_TAGS: readonly string[] = [
  ...new Set(
    [...PATTERNS_BY_KEY].flatMap(([key, patterns]) =>
      patterns.flatMap(({ conditions: [{ values }] }) =>
        values ? [...values].map((value) => `${key}=${value}`) : [key],
      ),
    ),
  ),
].sort();

/** The row whose path ends in a slug; undefined for slugs that only group others. */
export function rowOfSlug(slug: string): number | undefined {
  const row = CATEGORIES.findIndex(({ path }) => path[path.length - 1] === slug);
  return row < 0 ? undefined : row;
}

/** All slugs of some rows, each once: the place's `categories` on the wire. */
export function slugsOf(rows: readonly number[]): string[] {
  // Most places have one path.
  if (rows.length === 1) return [...CATEGORIES[rows[0]].path];
  return [...new Set(rows.flatMap((row) => CATEGORIES[row].path))];
}

/** The rows whose path contains one of the slugs, for a search by category. Unknown slugs match nothing. */
export function rowsWithSlugs(slugs: readonly string[]): ReadonlySet<number> {
  const wanted = new Set(slugs);
  const rows = new Set<number>();
  CATEGORIES.forEach(({ path }, row) => {
    if (path.some((slug) => wanted.has(slug))) rows.add(row);
  });
  return rows;
}
