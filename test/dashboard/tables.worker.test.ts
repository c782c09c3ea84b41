import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGAIN, CHROMIUM } from "../browser/chromium.ts";
import { Person } from "../browser/person.ts";
import { makeWorld } from "../support/world.ts";

let person: Person;

beforeAll(async () => {
  if (!CHROMIUM) return;
  person = await Person.of(await makeWorld(), "owner");
}, 60_000);

afterAll(() => person?.driver.close());

describe.skipIf(!CHROMIUM)("a long table", { timeout: 60_000, ...AGAIN }, () => {
  it("uses its full width on a phone, where some columns are hidden", async () => {
    const { driver } = person;
    await driver.look(390, "light");
    await person.open("/settings?section=limits", "autocompleteClick");
    const unused = await driver.eval<number>(`(() => {
      const table = document.querySelector(".report table");
      const shown = [...table.querySelectorAll("th")].filter((one) => one.getClientRects().length > 0);
      return table.getBoundingClientRect().right - shown.at(-1).getBoundingClientRect().right; })()`);
    expect(await driver.eval(`document.querySelectorAll(".report tr.gap").length`)).toBe(1);
    expect(unused).toBeLessThan(2);
    driver.errors();
  });
});
