import { readFileSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../vitest.config.ts";
import { EXTRACTS_TESTS, WORKER_TESTS } from "../near/speeds.ts";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/** `it(…`, `beforeAll(…`, `describe.skipIf(…`: where a call begins that may end with a limit. */
const CALL = /^\s*(it|test|describe|beforeAll|beforeEach|afterAll|afterEach)\b/;
/** `}, 60_000);`, and alone in its line. */
const AT_THE_END = /^(\s*)(?:\}, )?([\d_]+)(?:\);|,)$/;
const IN_OPTIONS = /\btimeout: ([\d_]+)/;

/** The limits that tests and hooks of a source set for themselves [ms], with their lines. */
function ownLimits(source: string): { line: number; isHook: boolean; limit: number }[] {
  const lines = source.split("\n");
  return lines.flatMap((text, i) => {
    const inOptions = CALL.test(text) ? IN_OPTIONS.exec(text) : undefined;
    if (inOptions) return [{ line: i + 1, isHook: false, limit: number(inOptions[1]) }];
    const atTheEnd = AT_THE_END.exec(text);
    if (!atTheEnd) return [];
    const indent = text.includes("}") ? atTheEnd[1].length : atTheEnd[1].length - 2;
    const begin = lines.slice(0, i).findLast((one) => one.trim() !== "" && one.search(/\S/) <= indent);
    if (begin === undefined || begin.search(/\S/) !== indent || !CALL.test(begin)) return [];
    return [{ line: i + 1, isHook: /^\s*(before|after)/.test(begin), limit: number(atTheEnd[2]) }];
  });
}

const number = (text: string) => Number(text.replaceAll("_", ""));

const isOneOf = (patterns: readonly string[], path: string) => patterns.some((pattern) => matchesGlob(path, pattern));
const limitsOf = (path: string) => {
  if (isOneOf(WORKER_TESTS, path)) return LIMITS.worker;
  return isOneOf(EXTRACTS_TESTS, path) ? LIMITS.extracts : LIMITS.pure;
};

/** The limits of vitest.config.ts are for a busy machine. A test or hook with a shorter one of its own fails there, and nowhere else. */
describe("a time limit of a test or hook", () => {
  it("is none that ends it sooner than others of its project", () => {
    const tests = sourcesBelow(join(ROOT, "test")).filter((path) => path.endsWith(".test.ts"));
    expect(tests.length).toBeGreaterThan(100);
    const short = tests.flatMap((file) => {
      const path = relative(ROOT, file);
      const { testTimeout, hookTimeout } = limitsOf(path);
      return ownLimits(readFileSync(file, "utf8"))
        .filter(({ isHook, limit }) => limit < (isHook ? hookTimeout : testTimeout))
        .map(({ line, limit }) => `${path}:${line} ${limit}`);
    });
    expect(short).toEqual([]);
  });

  it("is found at the end of a call and in its options", () => {
    const source = [
      'it("a", async () => {',
      "}, 30_000);",
      "  beforeAll(async () => {",
      "    await until(() => {",
      "    }, 5_000);",
      "  }, 40_000);",
      "it.skipIf(no)(",
      '  "b",',
      "  async () => {},",
      "  1_000,",
      ");",
      'describe("c", { timeout: 2_000 }, () => {',
    ].join("\n");
    expect(ownLimits(source)).toEqual([
      { line: 2, isHook: false, limit: 30_000 },
      { line: 6, isHook: true, limit: 40_000 },
      { line: 10, isHook: false, limit: 1_000 },
      { line: 12, isHook: false, limit: 2_000 },
    ]);
  });
});
