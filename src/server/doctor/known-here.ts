import { readdirSync } from "node:fs";
import { join } from "node:path";
import { layers } from "../../importer/run/layers.ts";
import { ROOT } from "../base/wrangler.ts";
import type { Known } from "./checks.ts";

/** Expected values of a deployment: the last migration, and the formats that this version writes. */
export function knownHere(): Known {
  const schema = readdirSync(join(ROOT, "migrations")).sort().at(-1) ?? "";
  return { schema, formats: Object.fromEntries(layers.map(({ name, formatVersion }) => [name, formatVersion])) };
}
