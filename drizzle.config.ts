import { defineConfig } from "drizzle-kit";

/**
 * `npm run migration -- --name=what` compares the schema with the snapshot and writes the difference into migrations/. The
 * snapshot is elsewhere because everything in migrations/ is applied.
 */
export default defineConfig({
  dialect: "sqlite",
  schema: "./src/worker/db/schema.ts",
  out: "./src/worker/db/snapshot",
  breakpoints: false,
});
