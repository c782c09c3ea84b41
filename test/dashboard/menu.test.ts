import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { isPage, WORDS } from "../../src/dashboard/frame/page-words.ts";

/** The table of contents as text: the pages of each group, in order. */
const TABLE = readFileSync(resolve(import.meta.dirname, "../../src/dashboard/frame/pages.tsx"), "utf8");
const FOLDING = JSON.parse(/FOLDING = (\[.*?\])/.exec(TABLE)?.[1] ?? "[]") as string[];
const GROUPS = TABLE.split("...groupPages(")
  .slice(1)
  .map((text) => ({ name: /"([^"]*)"/.exec(text)?.[1] ?? "", pages: text.match(/makePage\("/g)?.length ?? 0 }));
/** Lines of 32 pixels that fit beside the rest of a window of 720 pixels. */
const MAX_ENTRIES = 14;

it("the menu has at most 14 entries at once, whichever of its groups is open", () => {
  expect(GROUPS.map(({ name }) => name)).toEqual(["", ...FOLDING, "Project"]);
  const always = GROUPS.filter(({ name }) => !FOLDING.includes(name)).reduce((sum, { pages }) => sum + pages, 0);
  for (const { name, pages } of GROUPS.filter(({ name }) => FOLDING.includes(name))) {
    expect([name, pages > 0]).toEqual([name, true]);
    expect([name, always + FOLDING.length + pages <= MAX_ENTRIES]).toEqual([name, true]);
  }
});

it.each([
  ["settings", ["nonsense"]],
  ["settings", ["keys", "test"]],
  ["events", ["64f0"]],
  ["users", ["van", "nonsense"]],
  ["geofences", ["64f0", "edit", "more"]],
  ["nonsense", []],
  ["constructor", []],
])("there is no page at %s/%j", (page, rest) => {
  expect(isPage(page, rest)).toBe(false);
});

it.each([
  ["users", ["van"]],
  ["geofences", ["64f0", "edit"]],
  ["places", ["chain", "cafe"]],
  ...Object.keys(WORDS).map((page): [string, string[]] => [page, []]),
])("there is a page at %s/%j", (page, rest) => {
  expect(isPage(page, rest)).toBe(true);
});
