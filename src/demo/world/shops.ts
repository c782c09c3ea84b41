import { type Random, random } from "./random.ts";
import type { MutableTags } from "./sheet.ts";

/** Kinds of business that fit behind a shop front: tags, then what their names end in. All names are made up by us. */
const KINDS: readonly (readonly [tags: string, endings: string])[] = [
  ["amenity=restaurant cuisine=american", "Kitchen|Diner|Table"],
  ["amenity=restaurant cuisine=barbecue", "Smokehouse|Barbecue"],
  ["amenity=restaurant cuisine=burger", "Burgers|Burger Bar"],
  ["amenity=fast_food cuisine=chicken", "Chicken|Wings"],
  ["amenity=restaurant cuisine=chinese", "Garden|Wok|Dumpling House"],
  ["amenity=restaurant cuisine=french", "Bistro|Brasserie"],
  ["amenity=restaurant cuisine=greek", "Taverna"],
  ["amenity=restaurant cuisine=indian", "Tandoor|Spice House"],
  ["amenity=restaurant cuisine=italian", "Trattoria|Osteria"],
  ["amenity=restaurant cuisine=japanese;ramen", "Ramen|Izakaya"],
  ["amenity=restaurant cuisine=korean", "Korean Grill"],
  ["amenity=restaurant cuisine=mexican", "Cantina|Taqueria"],
  ["amenity=fast_food cuisine=kebab", "Kebab|Grill House"],
  ["amenity=restaurant cuisine=pizza", "Pizza|Pizzeria"],
  ["amenity=fast_food cuisine=sandwich", "Subs|Sandwiches"],
  ["amenity=restaurant cuisine=seafood", "Fish House|Oyster Bar"],
  ["amenity=restaurant cuisine=steak_house", "Steakhouse|Chop House"],
  ["amenity=restaurant cuisine=sushi", "Sushi"],
  ["amenity=restaurant cuisine=thai", "Thai Kitchen"],
  ["amenity=restaurant cuisine=vegetarian", "Greens|Garden Table"],
  ["amenity=restaurant cuisine=vietnamese", "Pho|Noodle Bar"],
  ["amenity=fast_food", "Snack Bar|Drive-In"],
  ["amenity=food_court", "Food Hall"],
  ["amenity=restaurant", "Restaurant|Tavern"],
  ["amenity=cafe cuisine=coffee_shop", "Coffee|Roasters|Espresso"],
  ["amenity=cafe cuisine=bubble_tea", "Tea House"],
  ["amenity=cafe", "Café"],
  ["amenity=pub", "Arms|Inn|Alehouse"],
  ["amenity=biergarten", "Beer Garden"],
  ["craft=brewery", "Brewing Company"],
  ["craft=winery", "Cellars"],
  ["amenity=bar", "Bar|Lounge|Taproom"],
  ["shop=bakery", "Bakery|Bread Company"],
  ["amenity=fast_food cuisine=donut", "Donuts"],
  ["amenity=ice_cream", "Ice Cream|Creamery"],
  ["shop=chocolate", "Chocolates"],
  ["shop=convenience", "Corner Store|Mini Mart"],
  ["shop=butcher", "Meats"],
  ["shop=seafood", "Fish Market"],
  ["shop=greengrocer", "Produce"],
  ["shop=alcohol", "Wine & Spirits"],
  ["shop=health_food", "Natural Foods"],
  ["shop=variety_store", "Bargains|Dollar Shop"],
  ["shop=clothes", "Clothing|Outfitters"],
  ["shop=shoes", "Shoes"],
  ["shop=jewelry", "Jewelers"],
  ["shop=bag", "Leather Goods"],
  ["shop=hardware", "Hardware"],
  ["shop=furniture", "Furniture"],
  ["shop=florist", "Flowers"],
  ["shop=interior_decoration", "Home"],
  ["shop=electronics", "Electronics"],
  ["shop=mobile_phone", "Mobile"],
  ["shop=books", "Books"],
  ["shop=toys", "Toys"],
  ["shop=sports", "Sports"],
  ["shop=bicycle", "Cycles"],
  ["shop=musical_instrument", "Music"],
  ["shop=gift", "Gifts"],
  ["shop=pet", "Pet Supply"],
  ["shop=tobacco", "Tobacconist"],
  ["shop=cosmetics", "Cosmetics"],
  ["shop=frame", "Framing"],
  ["amenity=charging_station", "Charging"],
  ["shop=car_parts", "Auto Parts"],
  ["shop=car_repair", "Auto Repair"],
  ["amenity=car_wash", "Car Wash"],
  ["amenity=car_rental", "Car Rental"],
  ["tourism=hotel", "Hotel"],
  ["tourism=hostel", "Hostel"],
  ["tourism=guest_house", "Bed & Breakfast|Guest House"],
  ["tourism=gallery", "Gallery"],
  ["amenity=cinema", "Cinema"],
  ["amenity=music_venue", "Music Hall"],
  ["amenity=theatre", "Playhouse"],
  ["amenity=nightclub", "Club"],
  ["amenity=casino", "Casino"],
  ["leisure=amusement_arcade", "Arcade"],
  ["leisure=fitness_centre", "Fitness|Gym"],
  ["leisure=fitness_centre sport=yoga", "Yoga"],
  ["leisure=bowling_alley", "Lanes"],
  ["amenity=clinic", "Medical Center"],
  ["amenity=doctors", "Family Practice"],
  ["amenity=dentist", "Dental"],
  ["shop=optician", "Optical"],
  ["amenity=pharmacy", "Pharmacy"],
  ["amenity=veterinary", "Animal Hospital"],
  ["amenity=nursing_home", "Retirement Home"],
  ["shop=hairdresser", "Hair|Barbers"],
  ["shop=beauty", "Beauty"],
  ["leisure=sauna", "Spa"],
  ["shop=tattoo", "Tattoo"],
  ["amenity=kindergarten", "Preschool"],
  ["amenity=driving_school", "Driving School"],
  ["amenity=language_school", "Language School"],
  ["amenity=bank", "Bank|Credit Union"],
  ["amenity=atm", "Cash"],
  ["amenity=bureau_de_change", "Exchange"],
  ["office=insurance", "Insurance"],
  ["office=estate_agent", "Realty"],
  ["office=lawyer", "Law Office"],
  ["shop=travel_agency", "Travel"],
  ["shop=laundry", "Laundry|Dry Cleaners"],
  ["shop=storage_rental", "Self Storage"],
  ["amenity=coworking_space", "Coworking"],
  ["office=company", "Works|Instruments|Surveyors"],
  ["amenity=embassy", "Consulate"],
];

/** Chains of the demo world; they exist nowhere else. Slugs come from the brand. */
const CHAINS: readonly (readonly [brand: string, tags: string])[] = [
  ["Burger Compass", "amenity=fast_food cuisine=burger drive_through=yes"],
  ["Latitude Coffee", "amenity=cafe cuisine=coffee_shop takeaway=yes"],
  ["Polar Donuts", "amenity=fast_food cuisine=donut"],
  ["Equator Pizza", "amenity=restaurant cuisine=pizza delivery=yes"],
  ["Tropic Tacos", "amenity=fast_food cuisine=mexican"],
  ["Gridline Grocers", "shop=convenience"],
  ["Isobar Pharmacy", "amenity=pharmacy dispensing=yes"],
  ["Prime Meridian Bank", "amenity=bank atm=yes"],
  ["Plumbline Hardware", "shop=hardware"],
  ["Azimuth Mobile", "shop=mobile_phone"],
  ["Cartograph Books", "shop=books"],
  ["Contour Fitness", "leisure=fitness_centre"],
  ["Waypoint Motors", "shop=car_parts"],
  ["Bearing Outfitters", "shop=clothes"],
];

/** Chains whose branches are separate buildings. */
const BIG_CHAINS = {
  supermarket: ["Gridline Market", "shop=supermarket"],
  fuel: ["Northstar Fuel", "amenity=fuel shop=convenience"],
  department: ["Mercator & Daughters", "shop=department_store"],
  warehouse: ["Bulk Parallel", "shop=wholesale"],
  hotel: ["Sextant Suites", "tourism=hotel"],
  motel: ["Fathom Lodge", "tourism=motel"],
  doItYourself: ["Plumbline Depot", "shop=doityourself"],
} as const;

const OWNERS =
  "Abacus Acorn Admiral Alcove Anchor Astrolabe Atlas Aurora Bayleaf Bluebell Brasslight Caliper Cascade Clearwater Clementine Cobalt Copper Corner Daisy Dandelion Eastside Eleven Elm Fiddlehead Fox Frontier Gilded Golden Granite Green Half Moon Harbor Highline Honeycomb Hummingbird Iron Ivy Jackdaw Kettle Keystone Lakeside Landmark Little Longitude Lucky Magpie Marigold Midnight Mill Mosaic Mulberry Nomad Northern Northwind Old Mill Olive Orchard Orion Pelican Pilot Plum Poppy Quill Rail Red Door Riverbend Rosewood Royal Saddle Sapphire Scholar Seven Silver Slate Southern Sparrow Spyglass Starlit Stone Sundial Sunrise Swan Tall Tree Tandem Tessera Three Rivers Tin Roof Towpath Trailhead Twin Two Rivers Union Velvet Violet Wayside Westerly Whistle White Owl Wild Winding Woodland Yellow".split(
    " ",
  );

const HOURS = ["Mo-Fr 09:00-18:00", "Mo-Sa 08:00-20:00", "Mo-Su 07:00-22:00", "24/7", "Tu-Su 11:00-23:00"];

interface Shop {
  tags: MutableTags;
  /** Branches of a chain share a name and a brand. */
  chain: boolean;
}

/** An endless supply of shops for one township: every kind comes once before any is repeated, chains in between. */
export class ShopShelf {
  readonly #draw: Random;
  #kinds: (readonly [string, string])[] = [];
  #chains: (readonly [string, string])[] = [];

  constructor(seed: number, township: number) {
    this.#draw = random(seed, "shops", township);
  }

  next(): Shop {
    const chain = this.#draw.chance(0.2);
    const tags: MutableTags = {};
    if (chain) {
      if (this.#chains.length === 0) this.#chains = this.#draw.shuffle(CHAINS);
      const [brand, own] = this.#chains.pop()!;
      Object.assign(tags, parseTags(own), { name: brand, brand });
    } else {
      if (this.#kinds.length === 0) this.#kinds = this.#draw.shuffle(KINDS);
      const [own, endings] = this.#kinds.pop()!;
      const ending = this.#draw.pick(endings.split("|"));
      Object.assign(tags, parseTags(own), { name: `${this.ownerName()} ${ending}` });
    }
    if (this.#draw.chance(0.6)) tags.opening_hours = this.#draw.pick(HOURS);
    if (this.#draw.chance(0.5)) tags.wheelchair = this.#draw.pick(["yes", "limited", "no"]);
    return { tags, chain };
  }

  ownerName(): string {
    return this.#draw.pick(OWNERS);
  }
}

export function parseTags(text: string): MutableTags {
  return Object.fromEntries(text.split(" ").map((pair) => pair.split("=") as [string, string]));
}

/** Tags of a big chain's branch. */
export function branchTags(kind: keyof typeof BIG_CHAINS): MutableTags {
  const [brand, tags] = BIG_CHAINS[kind];
  return { ...parseTags(tags), name: brand, brand };
}
