import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Limits } from "../../../src/core/engagement/campaign.ts";
import type { Entry } from "../../../src/core/engagement/ledger.ts";
import { type Ask, type Grant, type Grants, grantOne, needsGrant } from "../../../src/core/engagement/person.ts";
import { sendCampaigns } from "../../../src/core/engagement/send.ts";
import { campaign, entered, Sender } from "./campaigns.ts";

/** Two devices of a person, and an index that grants their messages. */
function phonesOf(userId: string | undefined, ...limits: Limits[]) {
  const campaigns = limits.map((one, i) => campaign({ _id: `c${i}`, limits: one }));
  const senders = [new Sender(...campaigns), new Sender(...campaigns)];
  const counted = new Map<string, Entry>();
  const grant = (ask: Ask): Grant => {
    const { _id } = ask.campaign;
    const one = grantOne(ask, counted.get(_id));
    if ("entry" in one && one.entry && !("refused" in one)) counted.set(_id, one.entry);
    return one;
  };
  return (phone: number, minute: number): string[] => {
    const sender = senders[phone];
    const { state, events, now: noon } = entered("store", { deviceId: `phone-${phone}`, ...(userId && { userId }) });
    const now = noon + minute * 60_000;
    const later = events.map((event) => ({ ...event, createdAt: now }));
    const grants: Grants = new Map();
    for (;;) {
      const outcome = sendCampaigns(sender.book, sender.ledger, state, later, { now, timeZone: undefined }, grants);
      for (const ask of outcome.needs) {
        const all = grants.get(ask.campaign._id) ?? [];
        grants.set(ask.campaign._id, [...all, grant(ask)]);
      }
      if (outcome.needs.length > 0) continue;
      sender.ledger = outcome.ledger;
      return outcome.sent.map((one) => one.campaign);
    }
  };
}

const limitsOf = fc
  .record(
    {
      perUser: fc.integer({ min: 1, max: 4 }),
      days: fc.constantFrom(0.01, 0.5, 2),
      cooldownMinutes: fc.constantFrom(5, 90, 2000),
    },
    { requiredKeys: [] },
  )
  .map(({ days, ...limits }): Limits => ("perUser" in limits && days !== undefined ? { ...limits, days } : limits));

describe("a person with two phones", () => {
  it("gets the messages that one phone with all their updates would get", () => {
    const steps = fc.array(fc.record({ phone: fc.nat(1), wait: fc.nat(600) }), { maxLength: 25 });
    fc.assert(
      fc.property(limitsOf, limitsOf, steps, (one, other, all) => {
        const both = phonesOf("zoe", one, other);
        const single = phonesOf(undefined, one, other);
        let minute = 0;
        for (const { phone, wait } of all) {
          minute += wait;
          expect(both(phone, minute)).toEqual(single(0, minute));
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it("asks for no grant when nothing depends on the other one", () => {
    const entry = { n: 1, at: [1], variant: 0 };
    expect(needsGrant({ _id: "c1" }, "zoe", undefined, 0)).toBe(true);
    expect(needsGrant({ _id: "c1" }, "zoe", entry, 0)).toBe(false);
    expect(needsGrant({ _id: "c1", limits: { perUser: 3 } }, undefined, undefined, 0)).toBe(false);
    expect(needsGrant({ _id: "c1", goal: { event: "bought", days: 1 } }, "zoe", entry, 0)).toBe(true);
  });
});
