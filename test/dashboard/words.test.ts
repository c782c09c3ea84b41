import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { shareWords } from "../../src/worker/wire/share-words.ts";

/** Words that a reader meets in the README, in guides and in the dashboard: the same for the same thing. */

const ROOT = resolve(import.meta.dirname, "../..");
const textOf = (path: string) => readFileSync(resolve(ROOT, path), "utf8");
const SOURCES = globSync("src/dashboard/**/*.{ts,tsx}", { cwd: ROOT });
const READ = [
  ...["README.md", ...globSync("docs/{,guides/}*.md", { cwd: ROOT })],
  ...[...SOURCES, ...globSync("src/worker/http/reference/*.ts", { cwd: ROOT })],
];

it("examples have one name for each key: PUBLISHABLE and SECRET", () => {
  const others = /\b(?:PUBLISHABLE|SECRET)_KEY\b|<(?:your )?(?:publishable|secret)[ -]key>|\bYOUR_[A-Z_]*KEY\b/gi;
  expect(READ.flatMap((path) => [...textOf(path).matchAll(others)].map(([name]) => `${path}: ${name}`))).toEqual([]);
});

it("the buttons that the guide of the dashboard names are in the dashboard", () => {
  const [, jobs = ""] = /## Ten common jobs(.*?)\n## /s.exec(textOf("docs/guides/dashboard.md")) ?? [];
  const named = [...jobs.matchAll(/\*([A-Z][^*]*)\*/g)].map(([, name]) => name);
  const shown = SOURCES.map(textOf).join("\n");
  const isShown = (name: string) => new RegExp(`[">]\\s*${name.replace("?", "\\?")}\\s*["<]`).test(shown);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !isShown(name))).toEqual([]);
});

it("what a share link shows is written in words, without the names of fields", () => {
  const at = Date.parse("2026-12-01T11:28:57.891Z");
  expect(shareWords(["location", "eta"], at)).toBe("position, ETA, until 2026-12-01 11:28 UTC");
  expect(shareWords(["destination", "route"], at)).not.toMatch(/location|\beta\b|T\d|Z$/);
});
