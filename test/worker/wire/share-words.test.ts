import { expect, it } from "vitest";
import { SHARED_FIELDS, shareWords } from "../../../src/worker/wire/share.ts";

it("what a share link shows is written in words, without the names of fields", () => {
  const at = Date.parse("2026-12-01T11:28:57.891Z");
  expect(shareWords(["location", "eta"], at)).toBe("position, ETA, until 2026-12-01 11:28 UTC");
  expect(shareWords(SHARED_FIELDS, at)).not.toMatch(/location|\beta\b|T\d|Z$/);
});
