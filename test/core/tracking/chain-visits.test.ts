import { expect, it } from "vitest";
import { countVisit, topChains } from "../../../src/core/tracking/chain-visits.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import { seededRandom } from "../../bench/support/random.ts";

const chain = (slug: string) => ({ slug, name: slug.toUpperCase() });

it("the chains visited most come first, among equals the one visited last", () => {
  let visits: UserState["chainVisits"];
  for (const [i, slug] of ["a", "b", "b", "c", "a", "d"].entries()) visits = countVisit(visits, chain(slug), i);
  expect(topChains(visits, 3).map(({ slug }) => slug)).toEqual(["a", "b", "d"]);
  expect(topChains(visits, 10)).toHaveLength(4);
  expect(topChains(undefined, 5)).toEqual([]);
});

it("a chain shows its name and the customer's id as of the last visit", () => {
  const first = countVisit(undefined, { slug: "a", name: "Old", externalId: "1" }, 0);
  expect(topChains(countVisit(first, { slug: "a", name: "New" }, 1), 1)).toEqual([{ slug: "a", name: "New" }]);
  expect(first).toEqual({ a: { name: "Old", externalId: "1", count: 1, lastAt: 0 } });
});

it("visits of fifty chains are counted exactly; beyond, the chain visited longest ago is forgotten", () => {
  const random = seededRandom(3);
  let visits: UserState["chainVisits"];
  const counts = new Map<string, number>();
  for (let i = 0; i < 2000; i++) {
    const slug = `chain-${Math.floor(random() ** 2 * 50)}`;
    counts.set(slug, (counts.get(slug) ?? 0) + 1);
    visits = countVisit(visits, chain(slug), i);
  }
  for (const [slug, { count }] of Object.entries(visits ?? {})) expect([slug, count]).toEqual([slug, counts.get(slug)]);
  const oldest = Object.entries(visits ?? {}).sort(([, a], [, b]) => a.lastAt - b.lastAt)[0][0];
  for (let i = 0; i <= 50 - counts.size; i++) visits = countVisit(visits, chain(`new-${i}`), 3000 + i);
  expect(Object.keys(visits ?? {})).toHaveLength(50);
  expect(visits).not.toHaveProperty(oldest);
});
