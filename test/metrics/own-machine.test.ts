import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { SCHEMA } from "../../src/db/schema-version.ts";
import { isOnThisMachine } from "../../src/metrics/own-machine.ts";
import { VERSION } from "../../src/metrics/version.ts";

it.each([
  ["http://127.0.0.1:8787/metrics", {}, true],
  ["http://localhost/metrics", {}, true],
  ["http://[::1]:8787/metrics", {}, true],
  ["https://maps.example.com/metrics", {}, false],
  ["http://evil.example:8787/metrics", {}, false],
  ["http://127.0.0.1.evil.example/metrics", {}, false],
  ["http://127.0.0.1:8787/metrics", { "x-forwarded-for": "192.0.2.1" }, false],
  ["http://127.0.0.1:8787/metrics", { Forwarded: "for=192.0.2.1" }, false],
  ["http://127.0.0.1:8787/metrics", { Origin: "https://evil.example" }, false],
  ["http://127.0.0.1:8787/metrics", { "Sec-Fetch-Site": "cross-site" }, false],
  ["http://127.0.0.1:8787/metrics", { "Sec-Fetch-Site": "none" }, true],
  ["http://127.0.0.1:8787/metrics", { Via: "1.1 proxy" }, false],
])("%s with %o is a caller on this machine: %s", (url, headers, isOwn) => {
  expect(isOnThisMachine(url, new Headers(headers as Record<string, string>))).toBe(isOwn);
});

it("the Worker knows the tables of the last migration", () => {
  expect(SCHEMA).toBe(
    readdirSync(resolve(import.meta.dirname, "../../migrations"))
      .sort()
      .at(-1),
  );
});

it("the Worker tells the version of the package", () => {
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"));
  expect(VERSION).toBe(version);
});
