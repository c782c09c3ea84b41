import { z } from "zod";
import { toPoint } from "../../../core/geo/coordinate.ts";
import { countryName, flagOf } from "../../../core/regions/region.ts";
import { commonDatabase } from "../../db/databases.ts";
import { newId } from "../../objects/tracker/id.ts";
import { wireDate } from "../../wire/date.ts";
import { optionalText } from "../../wire/input/fields.ts";
import { pointShape } from "../../wire/point.ts";
import { locationOf } from "../geocode/geocode-ip.ts";
import { signer } from "../serve/callers/signing-keys.ts";
import { spokenFor } from "../serve/callers/speaker.ts";
import { publicOrigin } from "../serve/connection.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";

/** How long the token is valid [s]. */
const VALID_FOR = 20 * 60;

const said = () => z.string().meta({ description: "empty: unknown" });
const texts = <K extends string>(...names: K[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, said()])) as Record<K, z.ZodString>);

const DEVICE = [
  ...(["deviceId", "deviceType", "deviceMake", "deviceModel", "sdkVersion", "xPlatformType", "installId"] as const),
  ...(["appId", "appName", "appVersion", "appBuild"] as const),
];

export const revealRisk = endpoint({
  name: "revealRisk",
  method: "POST",
  path: "/v1/reveal/risk",
  level: "publishable",
  role: "read",
  chapter: "Track",
  summary: "Returns the risk level of the caller's connection, without a location. Nothing is stored.",
  description:
    "Used by `revealRisk` of the SDKs. `risk.level` is `high` if the IP address is in a blocked country or in another than " +
    "the expected one, `medium` for an address of a proxy or VPN, else `low`. Only the IP address of the connection is checked; a " +
    "`fraudPayload` is ignored, because it is encrypted for another service. All strings and flags are present, because the Android SDK needs them; unknown ones are empty or false. The token has the same claims " +
    "as that of verified tracking, with `risk`, `network` and `device`.",
  body: z.object({
    userId: optionalText(),
    ...Object.fromEntries([...DEVICE, "deviceOS"].map((name) => [name, optionalText()])),
    expectedCountryCode: optionalText(8),
    expectedStateCode: optionalText(8),
    reason: optionalText(),
    transactionId: optionalText(),
  }),
  response: z.object({
    _id: z.string(),
    token: z.string(),
    expiresAt: z.string().meta({ format: "date-time" }),
    expiresIn: z.number(),
    transactionId: z.string().optional(),
    risk: z.object({
      level: z.enum(["low", "medium", "high"]),
      reasons: z.array(z.string()),
      failureReasons: z.array(z.string()).meta({ description: "alias of reasons" }),
      score: z.number().meta({ description: "0 low, 0.5 medium, 1 high" }),
    }),
    network: z.object({
      ipAddress: texts(
        ...(["ip", "countryCode", "country", "countryFlag", "state", "stateCode", "city", "postalCode"] as const),
        ...(["connectionType", "stateConfidence", "countryConfidence", "dma", "dmaCode", "layer"] as const),
      ).extend({
        latitude: z.number().optional(),
        longitude: z.number().optional(),
        countryAllowed: z.boolean(),
        stateAllowed: z.boolean(),
        geometry: pointShape.optional(),
      }),
      privacy: z.object({
        hosting: z.boolean(),
        proxy: z.boolean(),
        relay: z.boolean(),
        service: said(),
        tor: z.boolean(),
        vpn: z.boolean(),
        residentialProxy: z.boolean(),
      }),
      asn: texts("asn", "country", "domain", "name", "network", "type"),
    }),
    device: texts(...DEVICE, "deviceOSName", "deviceOSVersion"),
  }),
  async handle(call) {
    const { body, caller, ip, request } = call;
    const given: Given = body;
    const userId = spokenFor(caller, given.userId, given.deviceId);
    const from = locationOf(request);
    const allowed = !(caller.settings.blockedCountries ?? []).includes(from.countryCode ?? "");
    const risk = riskOf(from, allowed, given);
    const network = networkOf(request, from, allowed, ip);
    const device = deviceOf(given);
    return signRisk(call, userId, given, { risk, network, device });
  },
});

type Given = Readonly<Record<string, string | undefined>>;
type ClientLocation = ReturnType<typeof locationOf>;

function riskOf({ countryCode = "", stateCode = "", proxy }: ClientLocation, allowed: boolean, given: Given) {
  const reasons = [
    ...(allowed ? [] : ["country_not_allowed"]),
    ...(isOther(countryCode, given.expectedCountryCode) ? ["country_not_expected"] : []),
    ...(isOther(stateCode, given.expectedStateCode) ? ["state_not_expected"] : []),
    ...(proxy ? ["proxy_detected"] : []),
  ];
  const level = reasons.some((reason) => reason !== "proxy_detected") ? "high" : proxy ? "medium" : "low";
  return { level, reasons, failureReasons: reasons, score: { low: 0, medium: 0.5, high: 1 }[level] } as const;
}

function networkOf(request: Request, from: ClientLocation, allowed: boolean, ip = "") {
  const cf = (request.cf ?? {}) as Record<string, unknown>;
  const tor = cf.country === "T1";
  const { countryCode = "", location } = from;
  return {
    ipAddress: {
      ip,
      countryCode,
      country: countryCode && countryName(countryCode),
      countryFlag: countryCode && flagOf(countryCode),
      state: from.state ?? "",
      stateCode: from.stateCode ?? "",
      city: from.city ?? "",
      postalCode: from.postalCode ?? "",
      ...{ connectionType: "", stateConfidence: "", countryConfidence: "", dma: "", dmaCode: "" },
      layer: location ? "locality" : "",
      ...location,
      countryAllowed: allowed,
      stateAllowed: allowed,
      geometry: location && toPoint(location),
    },
    privacy: {
      hosting: from.proxy && !tor,
      proxy: from.proxy,
      relay: false,
      service: "",
      tor,
      vpn: false,
      residentialProxy: false,
    },
    asn: {
      asn: typeof cf.asn === "number" ? `AS${cf.asn}` : "",
      ...{ country: "", domain: "", network: "", type: "" },
      name: typeof cf.asOrganization === "string" ? cf.asOrganization : "",
    },
  };
}

function deviceOf(given: Given) {
  const [, osName = "", osVersion = given.deviceOS ?? ""] = /^([A-Za-z ]+)([\d.].*)?$/.exec(given.deviceOS ?? "") ?? [];
  return {
    ...(Object.fromEntries(DEVICE.map((name) => [name, given[name] ?? ""])) as Record<(typeof DEVICE)[number], string>),
    deviceOSName: osName.trim() || (given.deviceType ?? ""),
    deviceOSVersion: osVersion,
  };
}

interface RiskReport {
  risk: ReturnType<typeof riskOf>;
  network: ReturnType<typeof networkOf>;
  device: ReturnType<typeof deviceOf>;
}

/** The response, with the same as a token. */
async function signRisk(
  { caller, env, now, request }: Call,
  userId: string | undefined,
  { deviceId, reason, transactionId }: Given,
  report: RiskReport,
) {
  const _id = newId(now);
  const issuedAt = Math.floor(now / 1000);
  const sign = await signer(commonDatabase(env), now);
  const token = await sign({
    iss: publicOrigin(request, env),
    aud: String(caller.project),
    jti: _id,
    live: caller.live,
    sub: userId ?? deviceId,
    iat: issuedAt,
    exp: issuedAt + VALID_FOR,
    reason,
    transactionId,
    passed: report.risk.level === "low",
    failureReasons: report.risk.reasons,
    ...report,
  });
  const expiresAt = wireDate((issuedAt + VALID_FOR) * 1000);
  return { _id, token, expiresAt, expiresIn: VALID_FOR, transactionId, ...report };
}

function isOther(found: string, expected: string | undefined): boolean {
  return expected !== undefined && found.toUpperCase() !== expected.toUpperCase().replace(/^.*-/, "");
}
