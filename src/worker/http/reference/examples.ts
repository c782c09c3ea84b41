import type { Env } from "../../platform/env.ts";
import type { Assets } from "./guide-pages.ts";

/** Recorded responses and events for the reference: docs/examples, which the build copies next to the guides. */
export interface Examples {
  /** Successful responses, by operation. */
  answers: Readonly<Record<string, unknown>>;
  /** Error responses, by status. */
  errors: Readonly<Record<string, unknown>>;
  /** Webhook messages, by type. */
  events: Readonly<Record<string, unknown>>;
}

const NONE: Examples = { answers: {}, errors: {}, events: {} };

/** Empty if nothing was built. */
export async function examplesOf(env: Env, { url }: Request): Promise<Examples> {
  const { ASSETS } = env as Env & { ASSETS?: Assets };
  if (!ASSETS) return NONE;
  const parts = await Promise.all(
    (["answers", "errors", "events"] as const).map(async (name) => {
      const found = await ASSETS.fetch(new URL(`/docs/files/${name}.json`, url));
      return [name, found.ok ? await found.json() : {}] as const;
    }),
  );
  return { ...NONE, ...Object.fromEntries(parts) };
}
