import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { CATEGORIES } from "../../../src/core/places/categories.ts";
import { OVERTURE_CATEGORIES } from "../../../src/core/places/overture-categories.ts";

const PAGE = resolve(import.meta.dirname, "../../../docs/overture-categories.md");

function page(): string {
  const rows = OVERTURE_CATEGORIES.map(([slug, names]) => {
    const { path } = CATEGORIES.find((category) => category.path.at(-1) === slug) ?? { path: [slug] };
    return `| \`${path.join("/")}\` | ${names.join(", ")} |`;
  });
  return [
    "# Categories of Overture's places",
    "",
    "What each category of Overture's taxonomy (release of August 2026) becomes. A place takes the most specific name of its hierarchy that is in the",
    "table, and those of its alternates. A place without any of them is not imported. The table is in `src/core/places/overture-categories.json`.",
    "",
    "| category | names in Overture |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
}

it("the page of categories lists the table (WRITE_CATEGORIES=1 writes it)", () => {
  if (process.env.WRITE_CATEGORIES === "1") writeFileSync(PAGE, page());
  expect(readFileSync(PAGE, "utf8")).toBe(page());
});
