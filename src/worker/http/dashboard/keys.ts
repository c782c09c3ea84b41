import { z } from "zod";
import { hashKey, KEY_BYTES, type KeyKind, keyHint, mintKey } from "../../../core/auth/key.ts";
import { commonDatabase } from "../../db/databases.ts";
import { listKeys, replaceKey } from "../../db/projects/keys.ts";
import { notFound } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { forgetProject } from "../serve/callers/caller.ts";
import { endpoint } from "../serve/endpoint.ts";
import { CHAPTER } from "./shapes.ts";

const KINDS = {
  test_publishable: { live: false, secret: false },
  test_secret: { live: false, secret: true },
  live_publishable: { live: true, secret: false },
  live_secret: { live: true, secret: true },
} as const satisfies Record<string, KeyKind>;

const kindOf = ({ live, secret }: KeyKind) =>
  `${live ? "live" : "test"}_${secret ? "secret" : "publishable"}` as keyof typeof KINDS;

const keyShape = z.object({
  kind: z.enum(Object.keys(KINDS) as [keyof typeof KINDS, ...(keyof typeof KINDS)[]]),
  live: z.boolean(),
  secret: z.boolean(),
  hint: z.string().meta({ description: "last four characters" }),
  createdAt: z.string(),
  lastUsedAt: z.string().optional().meta({ description: "to the minute" }),
});

export const getKeys = endpoint({
  name: "listKeys",
  method: "GET",
  path: "/dashboard/api/keys",
  level: "member",
  chapter: CHAPTER,
  summary: "Lists the project's keys by their last four characters; the keys themselves are not stored.",
  response: z.object({ keys: z.array(keyShape) }),
  async handle({ caller, env }) {
    const keys = await listKeys(commonDatabase(env), caller.project);
    return {
      keys: keys.map(({ live, secret, hint, createdAt, lastUsedAt }) => ({
        kind: kindOf({ live, secret }),
        live,
        secret,
        hint,
        createdAt: wireDate(createdAt),
        ...(lastUsedAt !== null && { lastUsedAt: wireDate(lastUsedAt) }),
      })),
    };
  },
});

export const rotateKey = endpoint({
  name: "rotateKey",
  method: "POST",
  path: "/dashboard/api/keys/:kind/rotate",
  level: "member",
  role: "admin",
  chapter: CHAPTER,
  summary:
    "Rotates the key of one kind. Only this response shows the new key; the old keys of this kind stop working within ten seconds.",
  response: z.object({ key: z.string() }),
  errors: [404],
  async handle({ params, caller, env, now, audit }) {
    if (!Object.hasOwn(KINDS, params.kind)) throw notFound("Kind of key");
    const kind = KINDS[params.kind as keyof typeof KINDS];
    const key = mintKey(kind, crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
    const row = { hash: await hashKey(key), project: caller.project, ...kind, hint: keyHint(key), createdAt: now };
    await replaceKey(commonDatabase(env), row);
    forgetProject(caller.project);
    audit({ summary: `Rotated; the new key ends with ${row.hint}` });
    return { key };
  },
});
