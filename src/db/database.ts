import { drizzle } from "drizzle-orm/d1";
import * as schema from "./schema.ts";

/** Drizzle over the D1 binding. Every query function takes the binding first and opens it here. */
export function open(db: D1Database) {
  return drizzle(db, { schema });
}
