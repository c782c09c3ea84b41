import { z } from "zod";
import { signUrl } from "../../../core/auth/signed-url.ts";
import { ApiError, invalid } from "../../platform/errors.ts";
import { number, text } from "../../wire/input/fields.ts";
import { MAX_URL } from "../../wire/maps/overlay-fields.ts";
import { publicOrigin } from "../serve/connection.ts";
import { endpoint } from "../serve/endpoint.ts";
import { staticMap } from "./static-map.ts";

/** A year [s]. */
const MAX_LENGTH = 366 * 24 * 3600;
const URL_RULE = `Expected the URL of a static map, such as "${staticMap.path}?width=600&height=400&markers=40.7,-73.9".`;

export const signMap = endpoint({
  name: "signMap",
  method: "POST",
  path: "/v1/maps/sign",
  level: "secret",
  chapter: "Maps",
  summary: "Signs the URL of a static map, so that a page can show it without a key.",
  description:
    "The URL opens only this map until it expires, or until the secret key is revoked. With the secret key you can also sign locally: the " +
    "maps guide describes the steps, with a test vector. The map itself is not checked: request it once.",
  audited: false,
  body: z.object({
    url: text(MAX_URL).meta({
      description: "path and query of GET /maps/static, or the full URL; a key in it is removed",
      example: `${staticMap.path}?width=600&height=400&center=48.99,-111.2&zoom=14`,
    }),
    expiresIn: number({ min: 1, max: MAX_LENGTH, integer: true }).default(3600).meta({ description: "seconds" }),
  }),
  response: z.object({ url: z.string(), expiresAt: z.string() }),
  async handle({ body, caller, env, request, now }) {
    if (!caller.key || caller.member)
      throw new ApiError(400, "Only a secret key can sign: send it in the Authorization header instead of a session.");
    const origin = publicOrigin(request, env);
    const url = URL.canParse(body.url, origin) ? new URL(body.url, origin) : undefined;
    if (url?.pathname !== staticMap.path) throw invalid("url", URL_RULE);
    for (const name of ["publishableKey", "expires", "keyId", "signature"]) url.searchParams.delete(name);
    const expires = Math.floor(now / 1000) + body.expiresIn;
    const signed = await signUrl(caller.key, `${url.pathname}${url.search}`, expires);
    return { url: `${origin}${signed}`, expiresAt: new Date(expires * 1000).toISOString() };
  },
});
