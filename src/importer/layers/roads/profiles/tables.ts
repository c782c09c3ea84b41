/**
 * Tables of the road profiles. Values follow the published car, bicycle and foot profiles of OSRM
 * (github.com/Project-OSRM/osrm-backend, profiles/*.lua, BSD-2-Clause): speeds in km/h, factors without unit.
 */
type Table = Readonly<Record<string, number>>;

export const CAR_SPEEDS: Table = {
  motorway: 90,
  motorway_link: 45,
  trunk: 85,
  trunk_link: 40,
  primary: 65,
  primary_link: 30,
  secondary: 55,
  secondary_link: 25,
  tertiary: 40,
  tertiary_link: 20,
  unclassified: 25,
  residential: 25,
  living_street: 10,
  service: 15,
  winter_road: 20,
  ice_road: 15,
};

/** Speed of a road with a permitting access tag and no speed. */
export const CAR_DEFAULT_SPEED = 10;

export const CAR_SURFACE_SPEEDS: Table = {
  cement: 80,
  compacted: 80,
  fine_gravel: 80,
  paving_stones: 60,
  metal: 60,
  bricks: 60,
  grass: 40,
  wood: 40,
  sett: 40,
  grass_paver: 40,
  gravel: 40,
  unpaved: 40,
  ground: 40,
  dirt: 40,
  pebblestone: 40,
  tartan: 40,
  cobblestone: 30,
  clay: 30,
  earth: 20,
  stone: 20,
  rocky: 20,
  sand: 20,
  laterite: 15,
  mud: 10,
  ice: 20,
  snow: 30,
};

export const CAR_TRACKTYPE_SPEEDS: Table = { grade1: 60, grade2: 40, grade3: 30, grade4: 25, grade5: 20 };

export const CAR_SMOOTHNESS_SPEEDS: Table = {
  intermediate: 80,
  bad: 40,
  very_bad: 20,
  horrible: 10,
  very_horrible: 5,
  impassable: 0,
};

/** Share of a speed limit that is really driven. */
export const LIMIT_SHARE = 0.8;

const MPH = 1.609;

/** Limits written as a zone: `maxspeed=DE:rural`, `source:maxspeed=urban`. 0 = no limit known. */
export const ZONE_LIMITS: Table = {
  urban: 50,
  rural: 90,
  trunk: 110,
  motorway: 130,
  "at:rural": 100,
  "at:trunk": 100,
  "ar:urban": 40,
  "ar:rural": 110,
  "be:motorway": 120,
  "be-bru:rural": 70,
  "be-bru:urban": 30,
  "be-vlg:rural": 70,
  "bg:motorway": 140,
  "by:urban": 60,
  "by:motorway": 110,
  "ca-on:rural": 80,
  "ch:rural": 80,
  "ch:trunk": 100,
  "ch:motorway": 120,
  "de:living_street": 7,
  "de:rural": 100,
  "de:motorway": 0,
  "dk:rural": 80,
  "es:trunk": 90,
  "fr:rural": 80,
  "gb:nsl_single": 60 * MPH,
  "gb:nsl_dual": 70 * MPH,
  "gb:motorway": 70 * MPH,
  "lv:living_street": 20,
  "nl:rural": 80,
  "nl:trunk": 100,
  "no:rural": 80,
  "no:motorway": 110,
  "ph:urban": 40,
  "ph:rural": 80,
  "ph:motorway": 100,
  "pl:rural": 100,
  "pl:expressway": 120,
  "pl:motorway": 140,
  "ro:trunk": 100,
  "ru:living_street": 20,
  "ru:urban": 60,
  "ru:motorway": 110,
  "uk:nsl_single": 60 * MPH,
  "uk:nsl_dual": 70 * MPH,
  "uk:motorway": 70 * MPH,
  "za:urban": 60,
  "za:rural": 100,
  none: 140,
};

/** Roads next to the road: half as attractive as their speed says. */
export const CAR_SERVICE_PREFERENCE: Table = {
  alley: 0.5,
  parking: 0.5,
  parking_aisle: 0.5,
  driveway: 0.5,
  "drive-through": 0.5,
  "drive-thru": 0.5,
};

export const SHUTTLE_TRAIN_SPEED = 10;
export const MOVABLE_BRIDGE_SPEED = 5;

export const BIKE_SPEED = 15;
export const PUSHING_SPEED = 4;
export const BIKE_SPEEDS: Table = {
  cycleway: 15,
  primary: 15,
  primary_link: 15,
  secondary: 15,
  secondary_link: 15,
  tertiary: 15,
  tertiary_link: 15,
  residential: 15,
  unclassified: 15,
  living_street: 15,
  road: 15,
  service: 15,
  track: 12,
  path: 13,
};
export const BIKE_PUSHING_SPEEDS: Table = { footway: PUSHING_SPEED, pedestrian: PUSHING_SPEED, steps: 2 };
export const BIKE_SURFACE_SPEEDS: Table = {
  asphalt: 15,
  chipseal: 15,
  concrete: 15,
  concrete_lanes: 15,
  wood: 10,
  metal: 10,
  "cobblestone:flattened": 10,
  paving_stones: 10,
  compacted: 10,
  cobblestone: 7,
  unpaved: 6,
  fine_gravel: 10,
  gravel: 6,
  pebblestone: 6,
  grass_paver: 6,
  ground: 10,
  dirt: 8,
  earth: 6,
  laterite: 5,
  grass: 6,
  mud: 3,
  sand: 3,
  woodchips: 3,
  sett: 9,
};
export const WALKING_SPEED = 5;
/** To wait for a lift and to ride in it, drawn as a way [s]; one that is a node costs the same (`OBSTACLE.lift`). */
export const LIFT_SECONDS = 60;
export const FOOT_SPEEDS: Table = Object.fromEntries(
  [
    "primary",
    "primary_link",
    "secondary",
    "secondary_link",
    "tertiary",
    "tertiary_link",
    "unclassified",
    "residential",
    "road",
    "living_street",
    "service",
    "track",
    "path",
    "steps",
    "pedestrian",
    "platform",
    "footway",
    "corridor",
    "elevator",
    "pier",
  ].map((highway) => [highway, WALKING_SPEED]),
);
export const FOOT_SURFACE_FACTORS: Table = { fine_gravel: 0.75, gravel: 0.75, pebblestone: 0.75, mud: 0.5, sand: 0.5 };

/**
 * The vehicle that `truck` stands for: a five-axle semi-trailer within the common limits of North America and Europe.
 */
export const TRUCK_SIZE = { height: 4.11, width: 2.6, length: 18, weight: 36 };
export const TRUCK_TOP_SPEED = 90;
export const CAR_SIZE = { height: 2, width: 1.9, length: 4.8, weight: 2 };
