import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { sourcesBelow } from "../support/imports.ts";

/** A project lives in the database that its row names. In handlers and rounds `env.DB` is that one; in Durable Objects it is the first. */

const source = resolve(import.meta.dirname, "../../src");

it("no Durable Object takes the first database for that of its scope", () => {
  const found = sourcesBelow(resolve(source, "worker/objects"))
    .filter((path) => /this\.#?env\.DB\b|const \{[^}]*\bDB\b[^}]*\} = this\.#?env\b/.test(readFileSync(path, "utf8")))
    .map((path) => relative(source, path));
  expect(found).toEqual([]);
});

it("what is common is asked of the first database, also in the name of a project that lives elsewhere", () => {
  const common =
    /\b(findSettings|saveSettings|findProject|changeProject|usageOf|usageOfSteps|listMembers|listKeys|replaceKey|insertAuditEntry|listAuditEntries|insertSession|signer|settleUsage|addUsage|callsLeft|count)\((call\.)?(this\.)?env\.DB\b/;
  const found = sourcesBelow(source)
    .filter((path) => common.test(readFileSync(path, "utf8")))
    .map((path) => relative(source, path));
  expect(found).toEqual([]);
});
