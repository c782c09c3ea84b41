import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { makeMember, makeOperator } from "../support/members.ts";
import { makeWorld } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { Driver } from "./driver.ts";

let driver: Driver;
let base: string;

beforeAll(async () => {
  if (!CHROMIUM) return;
  const world = await makeWorld();
  base = `${inject("baseUrl")}/dashboard/${world.id}/test`;
  driver = await Driver.start({ isAlone: true });
  const member = await makeMember({ [world.id]: "owner" });
  await makeOperator(member);
  const value = member.cookie.split("=")[1];
  await driver.send("Network.setCookie", { name: "graticule", value, url: inject("baseUrl"), httpOnly: true });
});
afterAll(() => driver?.close());

/** The server of tests makes no backups: its answers say what a machine says whose backups have, or have not, stopped. */
const machineSays = (backup: object) =>
  driver.send("Page.addScriptToEvaluateOnNewDocument", {
    source: `{
      const fetched = window.fetch;
      window.fetch = async (...given) => {
        const answer = await fetched(...given);
        if (!String(given[0]?.url ?? given[0]).includes("/dashboard/api/status")) return answer;
        const body = await answer.json();
        body.machine = { ...body.machine, backup: ${JSON.stringify(backup)} };
        return Response.json(body);
      };
    }`,
  });

describe.skipIf(!CHROMIUM)("the banner of backups", { timeout: 90_000, ...AGAIN }, () => {
  it.each(["users", "events", "status"])("says to operators on the page %s that backups have stopped", async (page) => {
    await machineSays({ at: "2026-07-01T12:00:00.000Z", isLate: true, isFailing: true });
    await driver.look(390, "light");
    await driver.goto(`${base}/${page}`);
    await driver.text("Backups have stopped.");
    expect(await driver.eval("document.querySelector('main, body').innerText")).toMatch(/2026/);
  });

  it("is not there while backups are made", async () => {
    await machineSays({ at: new Date().toISOString(), isLate: false, isFailing: true });
    await driver.goto(`${base}/status`);
    await driver.text("Oldest in the outbox");
    expect(await driver.eval("document.body.innerText")).not.toContain("Backups have stopped");
  });
});
