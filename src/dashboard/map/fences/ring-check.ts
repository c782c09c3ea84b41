import { selfCrossing } from "../../../core/geo/shapes/self-crossing.ts";

/**
 * Describes what is wrong with a ring of [longitude, latitude]. The server tests points by the even-odd rule, under
 * which a self-crossing ring has unintended holes, so it rejects such rings. This check reports them while the user
 * draws or opens a file.
 */

/** Most corners a geofence may have, as POST /v1/geofences says. */
const MAX_CORNERS = 2000;

/** undefined when the ring is fit to be a geofence. */
export function ringFault(ring: readonly unknown[]): string | undefined {
  if (ring.length < 4) return "A ring needs at least three corners, and must end with the first one.";
  if (ring.length > MAX_CORNERS)
    return `The ring has ${ring.length.toLocaleString("en")} positions. The limit is ${MAX_CORNERS}.`;
  for (const [i, pair] of ring.entries()) {
    const fault = pairFault(pair);
    if (fault) return `Position ${i + 1}: ${fault}`;
  }
  const pairs = ring as number[][];
  const [first, last] = [pairs[0], pairs[pairs.length - 1]];
  if (first[0] !== last[0] || first[1] !== last[1])
    return "The ring is not closed. Its last position must equal its first.";
  if (new Set(pairs.map((pair) => pair.join())).size < 3) return "A ring needs at least three different corners.";
  const crossing = selfCrossing(pairs);
  if (crossing) {
    const [a, b] = crossing.edges;
    return `The ring crosses itself: its edge ${a} (from ${cornerText(pairs[a - 1])}) crosses its edge ${b} (from ${cornerText(pairs[b - 1])}).`;
  }
  return undefined;
}

const cornerText = ([longitude, latitude]: number[]) =>
  `${Number(latitude.toFixed(5))}, ${Number(longitude.toFixed(5))}`;

/** Describes what is wrong with a position. Swapped latitude and longitude is the most common mistake. */
export function pairFault(pair: unknown): string | undefined {
  if (!Array.isArray(pair) || pair.length < 2) return "Expected [longitude, latitude].";
  const [longitude, latitude] = pair as unknown[];
  if (typeof longitude !== "number" || typeof latitude !== "number") return "Expected two numbers.";
  if (Math.abs(latitude) > 90 && Math.abs(longitude) <= 90)
    return `The latitude is ${latitude}. Are latitude and longitude swapped? Longitude comes first.`;
  if (!(Math.abs(latitude) <= 90)) return `The latitude is ${latitude}. It must be between -90 and 90.`;
  if (!(Math.abs(longitude) <= 180)) return `The longitude is ${longitude}. It must be between -180 and 180.`;
  return undefined;
}
