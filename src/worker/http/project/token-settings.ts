import { z } from "zod";
import { checkKey, TOKEN_ALGORITHMS, TokenError, type TokenKey } from "../../../core/auth/token.ts";
import type { ProjectSettings } from "../../db/projects/projects.ts";
import { invalid } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { flag, json, oneOf, text } from "../../wire/input/fields.ts";

/**
 * The settings of signed tokens: which keys verify them, and whether apps must send one. Keys are never returned.
 */

const MAX_KEYS = 10;
const KEYS_RULE = `Must be a dictionary of up to ${MAX_KEYS} keys; names have 1 to 64 characters.`;
const MATERIAL_RULE = "Must be a PEM string (BEGIN PUBLIC KEY) or a JWK.";

const keyBody = z.object({
  alg: oneOf(TOKEN_ALGORITHMS),
  publicKey: z
    .union([z.string().max(8192), z.record(z.string(), z.unknown())], { error: MATERIAL_RULE })
    .optional()
    .meta({ description: "PEM or JWK, for RS256, ES256 and EdDSA" }),
  secret: text(1024).optional().meta({ description: "shared secret of at least 32 bytes, for HS256" }),
});

export const tokensBody = json(
  z.object({
    required: flag().optional().meta({ description: "apps must send a token with every call about a user" }),
    keys: z.record(z.string().min(1).max(64), keyBody.nullable(), { error: KEYS_RULE }).optional(),
  }),
)
  .optional()
  .meta({
    description:
      'signed tokens: {required, keys: {"<kid>": {alg, publicKey | secret}}}; null takes a key away. Keys are not shown again',
  });

export const tokensShape = z.object({
  required: z.boolean(),
  keys: z.record(z.string(), z.object({ alg: z.enum(TOKEN_ALGORITHMS), createdAt: z.string() })),
});

type Tokens = ProjectSettings["tokens"];

/** The settings with the changes of the patch. @throws ApiError 400 for a key that cannot verify tokens */
export async function patchTokens(before: Tokens, patch: z.output<typeof tokensBody>, now: number): Promise<Tokens> {
  if (!patch) return before;
  const keys = new Map(Object.entries(before?.keys ?? {}));
  for (const [kid, body] of Object.entries(patch.keys ?? {})) {
    if (body === null) keys.delete(kid);
    else keys.set(kid, await keyOf(kid, body, now));
  }
  if (keys.size > MAX_KEYS) throw invalid("tokens[keys]", KEYS_RULE);
  const required = patch.required ?? before?.required ?? false;
  if (required && keys.size === 0) throw invalid("tokens[required]", "Register a key before requiring tokens.");
  return { required, keys: Object.fromEntries(keys) };
}

async function keyOf(
  kid: string,
  { alg, publicKey, secret }: z.output<typeof keyBody>,
  now: number,
): Promise<TokenKey> {
  const name = `tokens[keys][${kid}]`;
  const material = alg === "HS256" ? secret : typeof publicKey === "object" ? JSON.stringify(publicKey) : publicKey;
  if (material === undefined) throw invalid(name, alg === "HS256" ? "HS256 needs a secret." : MATERIAL_RULE);
  if ((alg === "HS256") !== (publicKey === undefined))
    throw invalid(name, "HS256 needs a secret, the other algorithms need a publicKey.");
  try {
    await checkKey({ alg, material });
  } catch (error) {
    throw error instanceof TokenError ? invalid(name, error.message) : error;
  }
  return { alg, material, createdAt: now };
}

export function wireTokens(tokens: Tokens): z.input<typeof tokensShape> {
  const keys = Object.entries(tokens?.keys ?? {}).map(
    ([kid, { alg, createdAt }]) => [kid, { alg, createdAt: wireDate(createdAt) }] as const,
  );
  return { required: tokens?.required ?? false, keys: Object.fromEntries(keys) };
}
