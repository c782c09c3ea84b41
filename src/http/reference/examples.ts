import type { Env } from "../../env.ts";
import type { Assets } from "./guide-pages.ts";

/** Real answers and events of a run, for the reference: docs/examples, which the build lays beside the guides. */
export interface Examples {
  /** By operation: a success. */
  answers: Readonly<Record<string, unknown>>;
  /** By status: a mistake. */
  errors: Readonly<Record<string, unknown>>;
  /** By type: what a webhook sends. */
  events: Readonly<Record<string, unknown>>;
}

const NONE: Examples = { answers: {}, errors: {}, events: {} };

/** Empty where nothing was built. */
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
