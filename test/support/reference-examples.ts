import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * The examples of the reference are real answers of a run: `WRITE_EXAMPLES=1 npx vitest run test/worker/http/reference/shapes.test.ts
 * test/worker/http/track/event-catalogue.test.ts test/core/webhooks/alerts.test.ts` notes those of its own run in docs/examples. Without it, a test looks whether
 * they still have the shapes of today's answers.
 */
export const WRITES_EXAMPLES = process.env.WRITE_EXAMPLES === "1";

const FOLDER = resolve(import.meta.dirname, "../../docs/examples");

export type ExampleFile = "answers" | "errors" | "events";

export function readExamples(name: ExampleFile): Record<string, unknown> {
  return JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8"));
}

export function writeExamples(name: ExampleFile, examples: Readonly<Record<string, unknown>>): void {
  const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(resolve(FOLDER, `${name}.json`), `${JSON.stringify(shortened(sorted), null, 1)}\n`);
}

/** At most three of a list, and no secret, not even one of a test. */
function shortened(value: unknown): unknown {
  if (typeof value === "string")
    return value
      .replace(/(whsec_|prj_\w+_[ps]k_|gr[acr]_(?=[0-9a-f]{64}))[\w+/=-]+/g, "$1…")
      .replace(/(token=)[0-9a-f]{16,}/g, "$1…");
  if (Array.isArray(value)) return value.slice(0, typeof value[0] === "number" ? 4 : 3).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}
