import { round6 } from "../base/result.ts";

/** A geofence of the API, as far as tools use it. */
export interface WireFence {
  _id: string;
  type: string;
  tag?: string;
  externalId?: string;
  description: string;
  enabled?: boolean;
  mode?: string;
  geometryCenter: { coordinates: [number, number] };
  geometryRadius?: number;
  geometry?: { coordinates: [number, number][][] };
}

/** A geofence in a line of a result. */
export function fenceLine(fence: WireFence) {
  const { _id, type, tag, externalId, description, enabled, mode, geometryCenter, geometryRadius } = fence;
  const [longitude, latitude] = geometryCenter.coordinates;
  return {
    id: _id,
    ...(tag !== undefined && { tag }),
    ...(externalId !== undefined && { externalId }),
    description,
    shape: type,
    ...(mode && { mode }),
    ...(enabled === false && { enabled }),
    latitude: round6(latitude),
    longitude: round6(longitude),
    ...(geometryRadius !== undefined && radiusOf(type, geometryRadius)),
  };
}

const radiusOf = (type: string, radius: number) =>
  type === "isochrone" ? { minutes: radius } : type === "circle" ? { radius } : {};
