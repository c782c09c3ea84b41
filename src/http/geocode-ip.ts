import { z } from "zod";
import { type Coordinate, parseCoordinate, toPoint } from "../geo/coordinate.ts";
import { isProxy } from "../geocoding/proxy-networks.ts";
import { openGeodata } from "../geodata/live.ts";
import { IP_GEOCODE_RATE_PER_DEVICE } from "../limits/table.ts";
import { countryName, flagOf } from "../regions/region.ts";
import { describeTimeZone, timeZoneAt } from "../regions/time-zone.ts";
import { endpoint } from "./endpoint.ts";
import { everyRegionAt } from "./geocode-data.ts";
import { limitRateOf } from "./rate-limit.ts";
import { pointShape } from "./wire.ts";
import { addressShape, timeZoneShape } from "./wire-address.ts";

/** What the platform knows about the connection's address. Any of it may be missing. */
interface IpLocation {
  location?: Coordinate;
  countryCode?: string;
  city?: string;
  state?: string;
  stateCode?: string;
  postalCode?: string;
  timeZone?: string;
  proxy: boolean;
}

/**
 * Reads `request.cf`, which the platform fills in from the connection; no header of the request is believed. "XX" and "T1"
 * (Tor) are no countries.
 */
export function ipLocation(request: Request): IpLocation {
  const cf = (request.cf ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof cf[name] === "string" && cf[name] !== "" ? (cf[name] as string) : undefined);
  const country = text("country");
  const countryCode = country && /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : undefined;
  return {
    location: parseCoordinate(`${text("latitude") ?? ""},${text("longitude") ?? ""}`),
    countryCode,
    city: text("city"),
    state: text("region"),
    stateCode: text("regionCode"),
    postalCode: text("postalCode"),
    timeZone: text("timezone"),
    proxy: isProxy(country, typeof cf.asn === "number" ? cf.asn : undefined),
  };
}

export const ipGeocode = endpoint({
  name: "ipGeocode",
  method: "GET",
  path: "/v1/geocode/ip",
  level: "publishable",
  chapter: "Geocoding",
  summary: "Where the caller's IP address is.",
  description:
    "The address is that of the connection; headers such as X-Forwarded-For are not believed. What the platform does not know is left " +
    "out. `proxy` tells Tor exits and networks that rent servers. At most 10 calls per second and address.",
  response: z.object({
    address: addressShape.partial().extend({ geometry: pointShape.optional(), timeZone: timeZoneShape.optional() }),
    proxy: z.boolean(),
    ip: z.string().optional(),
  }),
  rate: "device",
  async handle({ caller, env, request, ip, now }) {
    const rate = caller.settings.rateLimits?.ipGeocode ?? IP_GEOCODE_RATE_PER_DEVICE;
    await limitRateOf(env, `${caller.scope}:ipGeocode:${ip ?? "unknown"}`, rate, now);
    const known = ipLocation(request);
    const { location } = known;
    const regions = location ? await everyRegionAt(await openGeodata(env.GEODATA), location) : {};
    const countryCode = known.countryCode ?? regions.country?.code;
    const zone = known.timeZone ?? (location && timeZoneAt(location));
    const address = {
      ...(location && { ...location, geometry: toPoint(location) }),
      country: countryCode && countryName(countryCode),
      countryCode,
      countryFlag: countryCode && flagOf(countryCode),
      county: regions.county?.name,
      city: known.city ?? regions.locality?.name,
      state: known.state ?? regions.state?.name,
      stateCode: known.stateCode ?? regions.state?.code,
      postalCode: known.postalCode,
      timeZone: zone && describeTimeZone(zone, now),
    };
    return { address, proxy: known.proxy, ip };
  },
});
