import { z } from "zod";
import { toPoint } from "../../../core/geo/coordinate.ts";
import { type IpLocation, ipLocation } from "../../../core/geocoding/ip/ip-location.ts";
import { labelsOf } from "../../../core/geocoding/label/label.ts";
import { IP_GEOCODE_RATE_PER_DEVICE } from "../../../core/limits/table.ts";
import { countryName, flagOf } from "../../../core/regions/region.ts";
import { describeTimeZone, timeZoneAt } from "../../../core/regions/time-zone.ts";
import { openGeodata } from "../../geodata/live.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import { addressShape, timeZoneShape } from "../../wire/address.ts";
import { pointShape } from "../../wire/point.ts";
import { endpoint } from "../serve/endpoint.ts";
import { limitRateOf } from "../serve/rate-limit.ts";

/** The platform fills in `request.cf` from the connection; request headers are not trusted. */
export function locationOf(request: Request): IpLocation {
  return ipLocation((request.cf ?? {}) as Record<string, unknown>);
}

export const ipGeocode = endpoint({
  name: "ipGeocode",
  method: "GET",
  path: "/v1/geocode/ip",
  level: "publishable",
  geodataOnly: true,
  chapter: "Geocoding",
  summary: "Returns the location of the caller's IP address.",
  description:
    "Uses the address of the connection; headers such as X-Forwarded-For are ignored. Unknown values are " +
    "omitted. `proxy` is true for Tor exits and hosting networks. At most 10 calls per second and address.",
  response: z.object({
    address: addressShape.partial().extend({
      geometry: pointShape.optional(),
      timeZone: timeZoneShape.optional(),
      dma: z.object({ code: z.string(), name: z.string() }).optional().meta({ description: "US only" }),
    }),
    proxy: z.boolean(),
    ip: z.string().optional(),
  }),
  rate: "device",
  async handle(call) {
    const { caller, env, request, ip, now } = call;
    const rate = caller.settings.rateLimits?.ipGeocode ?? IP_GEOCODE_RATE_PER_DEVICE;
    await limitRateOf(env, `${caller.scope}:ipGeocode:${ip ?? "unknown"}`, rate, now);
    const known = locationOf(request);
    const { location } = known;
    const found = location ? await everyRegionAt(await openGeodata(env.GEODATA, call), location) : {};
    const countryCode = known.countryCode ?? found.country?.code;
    // Results outside the connection's country are omitted: a position from an IP address is a guess.
    const regions = found.country?.code === countryCode ? found : {};
    const zone = known.timeZone ?? (location && timeZoneAt(location, regions));
    const parts = {
      city: known.city ?? regions.locality?.name,
      state: known.state ?? regions.state?.name,
      stateCode: known.stateCode ?? regions.state?.code,
      postalCode: known.postalCode,
    };
    const labels = countryCode === undefined ? undefined : labelsOf({ ...parts, countryCode });
    const address = {
      ...(location && { ...location, geometry: toPoint(location) }),
      country: countryCode && countryName(countryCode),
      countryCode,
      countryFlag: countryCode && flagOf(countryCode),
      county: regions.county?.name,
      ...parts,
      dma: regions.dma,
      formattedAddress: labels?.formattedAddress,
      addressLabel: labels?.addressLabel || undefined,
      // A city, not a house: a fallback in the other endpoints.
      confidence: countryCode && ("fallback" as const),
      timeZone: zone && describeTimeZone(zone, now),
    };
    return { address, proxy: known.proxy, ip };
  },
});
