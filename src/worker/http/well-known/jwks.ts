import { z } from "zod";
import { commonDatabase } from "../../db/databases.ts";
import { publishedKeys } from "../serve/callers/signing-keys.ts";
import { endpoint } from "../serve/endpoint.ts";

/** Cache time of the keys [s]: far less than the day for which a key is published before it signs. */
const FRESH_FOR = 300;

export const jwks = endpoint({
  name: "jwks",
  method: "GET",
  path: "/.well-known/jwks.json",
  level: "open",
  rate: "address",
  chapter: "Track",
  summary: "Returns the public keys for verifying tokens of verified tracking, as a JSON Web Key Set (RFC 7517).",
  description:
    "The tokens are signed with ES256; `kid` in a token's header is the id of its key. Each key signs for 90 days, is published a day before it " +
    "signs and a week after its last token has ended, so a library that refetches the set for an unknown `kid` needs nothing else.",
  media: ["application/jwk-set+json"],
  response: z.object({ keys: z.array(z.unknown().meta({ type: "object" })) }),
  async handle({ env, now }) {
    const headers = {
      "content-type": "application/jwk-set+json",
      "cache-control": `public, max-age=${FRESH_FOR}`,
      "access-control-allow-origin": "*",
    };
    return new Response(JSON.stringify({ keys: await publishedKeys(commonDatabase(env), now) }), { headers });
  },
});
