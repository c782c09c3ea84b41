export type Units = "metric" | "imperial";

export const FEET_PER_METRE = 3.28084;
const FEET_PER_MILE = 5280;
const KM_PER_MILE = 1.609344;

/** A quantity as the API shows it. */
export interface Quantity {
  value: number;
  text: string;
}

/**
 * Distance in responses: meters or feet, to a tenth, with a text such as "830.0 ft", "1.4 mi", "12.0 m" or "3.1 km". No
 * road is known more precisely, and a number of three digits is written and sent faster than one of seventeen.
 */
export function distanceQuantity(metres: number, units: Units): Quantity {
  if (units === "metric") return { value: Math.round(metres * 10) / 10, text: metricText(metres) };
  const feet = metres * FEET_PER_METRE;
  const text = feet < 1000 ? `${tenths(feet)} ft` : `${tenths(feet / FEET_PER_MILE)} mi`;
  return { value: Math.round(feet * 10) / 10, text };
}

/** A difference of elevations: whole meters or feet. */
export function climbQuantity(metres: number, units: Units): Quantity {
  const value = Math.round(units === "metric" ? metres : metres * FEET_PER_METRE);
  return { value, text: `${value.toLocaleString("en-US")} ${units === "metric" ? "m" : "ft"}` };
}

/** One decimal, as the value beside it is rounded; toFixed takes several times as long. */
function tenths(value: number): string {
  const count = Math.round(value * 10);
  const rest = count % 10;
  return `${(count - rest) / 10}.${rest}`;
}

function metricText(metres: number): string {
  return metres < 1000 ? `${tenths(metres)} m` : `${tenths(metres / 1000)} km`;
}

/**
 * Duration in responses: minutes, to a thousandth (searches count tenths of a second), with a text such as "0.3 min",
 * "5 mins" or "1 hr 38 mins".
 */
export function durationQuantity(seconds: number): Quantity {
  const minutes = seconds / 60;
  return { value: Math.round(minutes * 1000) / 1000, text: durationText(minutes) };
}

function durationText(minutes: number): string {
  if (minutes < 0.5) return `${minutes.toFixed(1)} min`;
  const rounded = Math.round(minutes);
  if (rounded < 60) return minuteText(rounded);
  const rest = rounded % 60;
  const hours = `${Math.floor(rounded / 60)} hr`;
  return rest === 0 ? hours : `${hours} ${minuteText(rest)}`;
}

function minuteText(minutes: number): string {
  return minutes === 1 ? "1 min" : `${minutes} mins`;
}

/** Speed on the wire: "25 mph" or "40 km/h". */
export function speedQuantity(speedKmh: number, units: Units): Quantity {
  const value = units === "metric" ? Math.round(speedKmh) : Math.round(speedKmh / KM_PER_MILE);
  return { value, text: units === "metric" ? `${value} km/h` : `${value} mph` };
}
