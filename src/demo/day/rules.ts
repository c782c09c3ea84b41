import type { Platform } from "./platform.ts";

const MEETING = {
  name: "Demo: couriers near visitors",
  users: { metadata: { role: "courier" } },
  others: { metadata: { role: "visitor" } },
  ...{ radius: 200, freshMinutes: 60 },
};
const DRIVING = { speedLimits: true, routeTolerance: 150, idling: 60, idlingExemptTags: ["demo-depot"] };

/** Events about driving, and a rule about meetings, which is created once. */
export async function addRules(platform: Platform): Promise<void> {
  await platform.call("PATCH", "/v1/settings", { tracking: DRIVING });
  const { meetings } = await platform.call<{ meetings: { name: string }[] }>("GET", "/v1/meetings");
  if (!meetings.some(({ name }) => name === MEETING.name)) await platform.call("POST", "/v1/meetings", MEETING);
}
