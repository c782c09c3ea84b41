import { isCoordinate } from "../../core/geo/coordinate.ts";

/** On Earth, and not what programs write for a missing number: 0, 0 (100 m around it), a pole, the 180th meridian itself. */
export function isPlaced(latitude: number, longitude: number): boolean {
  if (!isCoordinate(latitude, longitude)) return false;
  const isZero = Math.abs(latitude) < 0.001 && Math.abs(longitude) < 0.001;
  return !isZero && Math.abs(latitude) < 89.9 && Math.abs(longitude) < 180;
}
