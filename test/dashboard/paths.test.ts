import { expect, it } from "vitest";
import { isPage, WORDS } from "../../src/dashboard/frame/page-words.ts";

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
