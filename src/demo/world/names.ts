import type { LineClass, Side } from "./layout.ts";
import { type Random, random } from "./random.ts";

/**
 * Names of the demo world, all made up by us: plants, birds, weather, instruments of map makers, and towns that never
 * were.
 */
const PLAIN_WORDS =
  "Alder Almanac Amber Anvil Arbor Ashlar Aspen Aster Azimuth Balsam Barley Basalt Beacon Bellflower Birch Bittern Bluestem Bobolink Bracken Bramble Brightwater Bunting Burdock Buttercup Cairn Camas Candle Cardinal Catkin Cedar Chandler Chart Chicory Cinder Clover Cobble Columbine Compass Coneflower Copperleaf Cordage Coriander Cornice Cottonwood Cowslip Crane Crocus Curlew Cypress Dahlia Datum Dogwood Dovetail Driftwood Dunlin Eider Elder Ember Equinox Fairweather Falcon Fennel Fern Finch Firefly Flax Flint Foxglove Gable Gannet Garnet Gentian Goldenrod Gossamer Granary Grebe Greenfinch Grosbeak Hackberry Harrier Harvest Hawthorn Hazel Heather Hemlock Heron Hickory Hollyhock Hornbeam Horizon Indigo Iris Ironwood Isobar Ivory Jasper Juniper Kestrel Kingfisher Lantern Larch Larkspur Lattice Laurel Lavender Legend Lilac Linden Linnet Lodestar Lupine Magnolia Mallow Maple Marigold Marten Meadowlark Merganser Meridian Mistral Moss Mulberry Nightingale Nutmeg Oak Oatfield Ochre Oriole Osprey Oxbow Parallel Partridge Pebble Pemmican Peregrine Petrel Pintail Plover Plumb Poplar Prairie Quail Quarry Quartz Quill Rambler Redstart Reed Rosehip Rowan Russet Saffron Sage Sandpiper Sedge Sextant Shale Skylark Slate Snowberry Sorrel Sparrow Spruce Starling Sumac Sundial Sunflower Swallow Sycamore Tamarack Tanager Teal Thimble Thistle Thrush Timber Topaz Transom Triangle Trillium Tundra Umber Vernier Vesper Violet Walnut Warbler Waxwing Weaver Wheatear Willet Willow Windmill Winter Wren Yarrow Zenith".split(
    " ",
  );

const FRENCH =
  "des Érables|du Lac|des Peupliers|de la Boussole|des Bouleaux|du Méridien|des Hirondelles|de l'Église|du Moulin|des Saules|de la Grange|du Vieux-Quai|des Mésanges|de l'Étoile|des Tournesols|du Parallèle|de la Gare|des Trembles|du Phare|de la Rivière".split(
    "|",
  );

const SUFFIXES = ["Street", "Avenue", "Road", "Lane", "Drive", "Way", "Place", "Terrace"];
const SHORT_SUFFIXES = ["Court", "Close", "Crescent", "Circle", "Loop"];
const TOWN_HEADS =
  "Alder Anvil Barley Birch Bright Cairn Clear Copper Drift Ember Fair Flint Fox Gold Heron Hazel Iron Juniper Lark Linden Maple Marten North Oat Otter Quartz Raven Red Sage Silver Stone Tern Thistle Umber Vesper Wheat Willow Winter Wren Yarrow".split(
    " ",
  );
const TOWN_TAILS =
  "brook bury crest dale fall field ford gate grove haven hollow mere mont moor ridge stead ton vale wick wold".split(
    " ",
  );

export interface StreetName {
  name: string;
  more?: Record<string, string>;
}

/** The book of street names of one township: each name is given once. */
export class StreetBook {
  readonly #long: string[];
  readonly #short: string[];
  readonly #french: string[];
  #lastLong = 0;
  #lastShort = 0;
  #lastFrench = 0;

  constructor(seed: number, township: number) {
    const draw = random(seed, "streets", township);
    this.#long = combine(PLAIN_WORDS, SUFFIXES, draw);
    this.#short = combine(PLAIN_WORDS, SHORT_SUFFIXES, draw);
    this.#french = draw.shuffle(FRENCH.flatMap((name) => [`Rue ${name}`, `Avenue ${name}`]));
  }

  long(): StreetName {
    return { name: this.#long[this.#lastLong++ % this.#long.length] };
  }

  short(): StreetName {
    return { name: this.#short[this.#lastShort++ % this.#short.length] };
  }

  /** French streets of the old quarter in the north, with an additional English name. */
  french(): StreetName {
    const name = this.#french[this.#lastFrench++ % this.#french.length];
    return { name, more: { "name:fr": name } };
  }
}

function combine(words: readonly string[], suffixes: readonly string[], draw: Random): string[] {
  // Every word once before any comes again, so neighbours differ by more than their suffix.
  const starts = words.map(() => draw.below(suffixes.length));
  return suffixes.flatMap((_, turn) =>
    draw.shuffle(words.map((word, i) => `${word} ${suffixes[(starts[i] + turn) % suffixes.length]}`)),
  );
}

/** Arterials keep their name from township to township, on either side of the border another one. */
export function arterialName(
  seed: number,
  axis: "ns" | "ew",
  strip: number,
  index: number,
  kind: LineClass,
  side: Side,
): string {
  const known = KNOWN_ARTERIALS[`${axis}/${strip}/${index}/${side}`];
  if (known) return known;
  const draw = random(seed, "arterial", axis, strip, index, axis === "ns" ? side : "");
  if (kind === "trunk") return side === "US" ? "Surveyors Highway" : "Voyageur Highway";
  const suffixes = { primary: ["Boulevard"], secondary: ["Parkway", "Avenue"], tertiary: ["Road", "Street", "Avenue"] }[
    kind
  ];
  return `${draw.pick(PLAIN_WORDS)} ${draw.pick(suffixes)}`;
}

const KNOWN_ARTERIALS: Record<string, string> = {
  "ns/0/0/US": "Lakeshore Drive",
  "ns/0/0/CA": "Promenade du Lac",
  "ns/0/2/US": "Main Street",
  "ns/0/2/CA": "Union Street",
  "ns/0/5/US": "Railway Avenue West",
  "ns/0/5/CA": "Railway Avenue West",
  "ns/0/6/US": "Railway Avenue East",
  "ns/0/6/CA": "Railway Avenue East",
  "ew/0/1/US": "South Bank Road",
  "ew/0/2/US": "Front Street",
  "ew/0/4/US": "Boundary Avenue",
  "ew/0/5/CA": "Border Road",
};

export interface TownName {
  name: string;
  more: Record<string, string>;
}

const TWINS: Record<Side, TownName> = {
  US: {
    name: "Meridale",
    more: {
      "name:ar": "ميريديل",
      "name:de": "Mittagstal",
      "name:es": "Meridiana",
      "name:fr": "Méridale",
      "name:ja": "メリデール",
      "name:ko": "메리데일",
      "name:pt": "Meridiana",
      "name:ru": "Меридейл",
      "name:zh": "梅里代尔",
    },
  },
  CA: {
    name: "North Meridale",
    more: {
      "name:ar": "ميريديل الشمالية",
      "name:de": "Nord-Mittagstal",
      "name:es": "Meridiana del Norte",
      "name:fr": "Méridale-Nord",
      "name:ja": "ノースメリデール",
      "name:ko": "노스메리데일",
      "name:pt": "Meridiana do Norte",
      "name:ru": "Северный Меридейл",
      "name:zh": "北梅里代尔",
    },
  },
};

/** The towns of a township: the twins in the centre, elsewhere one or (on the border) two. */
export function townName(seed: number, index: number, side: Side): TownName {
  if (index === 0) return TWINS[side];
  // Heads and tails are walked with strides coprime to their numbers: 800 names before one repeats.
  const start = random(seed, "towns").below(TOWN_HEADS.length * TOWN_TAILS.length);
  const turn = start + index * 2 + (side === "CA" ? 1 : 0);
  const head = TOWN_HEADS[(turn * 7) % TOWN_HEADS.length];
  const tail = TOWN_TAILS[(turn * 3 + Math.floor(turn / TOWN_HEADS.length)) % TOWN_TAILS.length];
  return { name: head + tail, more: {} };
}

export const COUNTY_WORDS: readonly string[] = PLAIN_WORDS.filter((word) => word.length > 5);

const POSTAL_LETTERS = "ABCEGHJKLMNPRSTVWXYZ";
/** First letters of Canadian areas: T is Alberta's; the others serve worlds of more than 100 townships. */
const POSTAL_REGIONS = "TSRVXYKLMN";

/**
 * Well-formed codes for the k-th postal area of a country; they are ours, not the post's. The United States count down
 * from 59999, Canada (forward sortation areas) from T9Z to T0A, and then from S9Z.
 */
export function postalArea(side: Side, k: number): string {
  if (side === "US") return `${59999 - k}`;
  const letters = POSTAL_LETTERS.length;
  const region = POSTAL_REGIONS[Math.floor(k / (10 * letters)) % POSTAL_REGIONS.length];
  return `${region}${9 - (Math.floor(k / letters) % 10)}${POSTAL_LETTERS[letters - 1 - (k % letters)]}`;
}

/** The full Canadian code of the n-th block of an area: "T9Z 4B2". A US code stays as it is. */
export function postalCode(side: Side, area: string, n: number): string {
  if (side === "US") return area;
  return `${area} ${(n * 7) % 10}${POSTAL_LETTERS[(n * 3) % POSTAL_LETTERS.length]}${(n * 3 + Math.floor(n / 10)) % 10}`;
}
