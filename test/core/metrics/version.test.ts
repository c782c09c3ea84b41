import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { VERSION } from "../../../src/core/metrics/version.ts";
import { SCHEMA } from "../../../src/worker/db/schema-version.ts";

it("the Worker knows the tables of the last migration", () => {
  expect(SCHEMA).toBe(
    readdirSync(resolve(import.meta.dirname, "../../../migrations"))
      .sort()
      .at(-1),
  );
});

it("the Worker tells the version of the package", () => {
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../../package.json"), "utf8"));
  expect(VERSION).toBe(version);
});
