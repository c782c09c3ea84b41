import { drizzle } from "drizzle-orm/d1";
import * as schema from "./schema.ts";

/** Opens a D1 binding with Drizzle. Every query function takes the binding and opens it here. */
export function open(db: D1Database) {
  return drizzle(db, { schema });
}
