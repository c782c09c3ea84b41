import { expect, it } from "vitest";
import { killRun } from "./kill-run.ts";

it("a server that is killed under load, twice, loses no acknowledged event, doubles none, and knows where everybody is", async () => {
  const { audit, events, repeated, users } = await killRun({ kills: 2, seconds: 1 });
  expect(audit).toEqual({ lost: [], doubled: [], unknown: [], stale: [], misplaced: [] });
  expect(events).toBeGreaterThan(20);
  expect(repeated).toBeGreaterThan(0);
  expect(users).toBeGreaterThan(10);
}, 90_000);
