import type { Env } from "../env.ts";
import type { MarkerIcon } from "../maps/overlay.ts";
import type { Caller } from "./caller.ts";

/** The pictures that markers name. */
export interface IconSource {
  /** Of the uploaded ones: another version, another picture. */
  version: string;
  load(): Promise<{ icons: ReadonlyMap<string, MarkerIcon>; failed: number }>;
}

export async function iconsFor(_env: Env, _caller: Caller, names: readonly string[]): Promise<IconSource> {
  return { version: "", load: async () => ({ icons: new Map(), failed: new Set(names).size }) };
}
