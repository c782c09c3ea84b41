import { tableOf } from "../../../common/own-table.ts";
import { LEGAL_ZONES } from "./legal-limits.ts";
import TABLES from "./tables.json" with { type: "json" };

/**
 * Tables of the road profiles. Values follow the published car, bicycle and foot profiles of OSRM
 * (github.com/Project-OSRM/osrm-backend, profiles/*.lua, BSD-2-Clause): speeds in km/h, factors without unit.
 */
export const CAR_SPEEDS = tableOf(TABLES.carSpeeds);

/** Speed of a road with a permitting access tag and no speed. */
export const CAR_DEFAULT_SPEED = 10;

export const CAR_SURFACE_SPEEDS = tableOf(TABLES.carSurfaceSpeeds);

export const CAR_TRACKTYPE_SPEEDS = tableOf(TABLES.carTracktypeSpeeds);

export const CAR_SMOOTHNESS_SPEEDS = tableOf(TABLES.carSmoothnessSpeeds);

/** Share of a speed limit that is really driven. */
export const LIMIT_SHARE = 0.8;

const MPH = 1.609;

/** Limits written as a zone: `maxspeed=DE:rural`, `source:maxspeed=urban`. 0 = no limit known. */
export const ZONE_LIMITS = tableOf({
  ...LEGAL_ZONES,
  ...TABLES.zoneLimits,
  "gb:nsl_single": 60 * MPH,
  "gb:nsl_dual": 70 * MPH,
  "gb:motorway": 70 * MPH,
  "uk:nsl_single": 60 * MPH,
  "uk:nsl_dual": 70 * MPH,
  "uk:motorway": 70 * MPH,
});

/** Roads next to the road: half as attractive as their speed says. */
export const CAR_SERVICE_PREFERENCE = tableOf(TABLES.carServicePreference);

export const SHUTTLE_TRAIN_SPEED = 10;
export const MOVABLE_BRIDGE_SPEED = 5;

export const BIKE_SPEED = 15;
export const PUSHING_SPEED = 4;
export const BIKE_SPEEDS = tableOf(TABLES.bikeSpeeds);
export const BIKE_PUSHING_SPEEDS = tableOf({ footway: PUSHING_SPEED, pedestrian: PUSHING_SPEED, steps: 2 });
export const BIKE_SURFACE_SPEEDS = tableOf(TABLES.bikeSurfaceSpeeds);
/** Rough ways that are ridden, by `smoothness` and by `mtb:scale`; rougher ones are pushed over. */
export const BIKE_SMOOTHNESS_SPEEDS = tableOf(TABLES.bikeSmoothnessSpeeds);
export const BIKE_SCALE_SPEEDS = tableOf(TABLES.bikeScaleSpeeds);
export const WALKING_SPEED = 5;
/** To wait for a lift and to ride in it, drawn as a way [s]; one that is a node costs the same (`OBSTACLE.lift`). */
export const LIFT_SECONDS = 60;
export const FOOT_SPEEDS = tableOf(Object.fromEntries(TABLES.footHighways.map((highway) => [highway, WALKING_SPEED])));
/** Of mountain paths by `sac_scale` (Valhalla's factors); harder ones are for mountaineers. */
export const FOOT_SCALE_FACTORS = tableOf(TABLES.footScaleFactors);
export const FOOT_SURFACE_FACTORS = tableOf(TABLES.footSurfaceFactors);

/**
 * The vehicle that `truck` stands for: a five-axle semi-trailer within the common limits of North America and Europe.
 */
export const TRUCK_SIZE = { height: 4.11, width: 2.6, length: 18, weight: 36 };
export const TRUCK_TOP_SPEED = 90;
export const CAR_SIZE = { height: 2, width: 1.9, length: 4.8, weight: 2 };
