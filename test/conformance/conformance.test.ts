import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { conformanceDocument, rows } from "./document.ts";

const TESTS = resolve(import.meta.dirname, "..");
const sources = new Map<string, string>();

function sourceOf(file: string): string {
  const source = sources.get(file) ?? readFileSync(resolve(TESTS, file), "utf8");
  sources.set(file, source);
  return source;
}

/** Whether the file has a test with this title that is not skipped. */
function hasTest(test: string): boolean {
  const [file, title] = test.split(/ > (.*)/s);
  const source = sourceOf(file);
  if (title === undefined) return /\b(it|test)\b/.test(source) && !/\.(skip|todo)\b/.test(source);
  const at = ['"', "`"].map((quote) => source.indexOf(`${quote}${title}${quote}`)).find((index) => index >= 0);
  if (at === undefined) return false;
  return !/\.(skip|todo)[^\n]*$/.test(source.slice(0, at));
}

describe("every statement of the specification", () => {
  it("has an id of its own", () => {
    const ids = rows().map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    expect(ids.length).toBeGreaterThan(300);
  });

  it("is proven by a test, and each test it names is there", () => {
    expect(rows().filter(({ tests }) => tests.length === 0)).toEqual([]);
    const missing = rows().flatMap(({ id, tests }) =>
      tests.filter((test) => !hasTest(test)).map((test) => `${id}: ${test}`),
    );
    expect(missing).toEqual([]);
  });

  it("stands in docs/conformance.md (npm run conformance writes it)", async () => {
    await expect(conformanceDocument()).toMatchFileSnapshot("../../docs/conformance.md");
  });
});
