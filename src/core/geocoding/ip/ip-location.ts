import { type Coordinate, parseCoordinate } from "../../geo/coordinate.ts";
import { isProxy } from "./proxy-networks.ts";

/** Location data for the IP address of the connection. Any of it may be missing. */
export interface IpLocation {
  location?: Coordinate;
  countryCode?: string;
  city?: string;
  state?: string;
  stateCode?: string;
  postalCode?: string;
  timeZone?: string;
  proxy: boolean;
}

/** From the properties of Cloudflare's `request.cf`. "XX" and "T1" (Tor) are no countries. */
export function ipLocation(cf: Readonly<Record<string, unknown>>): IpLocation {
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
