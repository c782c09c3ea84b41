import type { Platform } from "./platform.ts";

/** Segments and campaigns of the demo project. Each is created once. */

const SEGMENTS = [
  {
    externalId: "regulars",
    description: "Regulars: three visits of shops in 30 days",
    rule: { conditions: [{ type: "geofenceTag", value: "demo-shop", visits: 3, days: 30 }] },
  },
  {
    externalId: "staff",
    description: "Staff of the shops",
    rule: { conditions: [{ type: "metadata", metadata: { role: "staff" } }] },
  },
  {
    externalId: "seen-this-week",
    description: "Seen in the last seven days",
    rule: { conditions: [{ type: "lastSeen", days: 7 }] },
  },
];

const message = (title: string, body: string, button: string) => ({
  title: { text: title, color: "#1a1a1a" },
  body: { text: body, color: "#444444" },
  button: { text: button, color: "#ffffff", backgroundColor: "#4250d0" },
});

const CAMPAIGNS = [
  {
    name: "Coffee for regulars",
    type: "inAppMessage",
    trigger: { event: "user.entered_geofence", geofenceTags: ["demo-shop"] },
    audience: { segments: ["regulars"] },
    variants: [
      { name: "Coffee", content: message("Welcome back", "The next coffee is on us.", "Show the code") },
      { name: "Discount", content: message("Welcome back", "10 % off your next order.", "Show the code") },
    ],
    holdout: 0.1,
    limits: { perUser: 1, days: 7 },
    goal: { event: "bought", days: 7 },
  },
  {
    name: "Courier at the door",
    type: "eventNotification",
    trigger: { event: "user.approaching_trip_destination" },
    content: { title: "Almost there", text: "Your courier arrives in two minutes." },
  },
  {
    name: "School zone",
    type: "geofenceNotification",
    trigger: { geofenceTags: ["demo-zone"] },
    content: { text: "Slow down, please: children cross here." },
    enabled: false,
  },
];

interface Named {
  _id: string;
  name?: string;
  externalId?: string;
}

export async function addEngagement(platform: Platform): Promise<void> {
  const { segments } = await platform.call<{ segments: Named[] }>("GET", "/v1/segments");
  for (const one of SEGMENTS)
    if (!segments.some(({ externalId }) => externalId === one.externalId))
      await platform.call("POST", "/v1/segments", one);
  const { campaigns } = await platform.call<{ campaigns: Named[] }>("GET", "/v1/campaigns");
  for (const one of CAMPAIGNS)
    if (!campaigns.some(({ name }) => name === one.name)) await platform.call("POST", "/v1/campaigns", one);
}

const CUSTOMERS = "customers.csv";

/** A batch job that geocodes a file of addresses. */
export async function addBatch(platform: Platform, addresses: readonly string[]): Promise<void> {
  const { jobs } = await platform.call<{ jobs: { filename?: string }[] }>("GET", "/v1/geocode/jobs");
  if (jobs.some(({ filename }) => filename === CUSTOMERS)) return;
  const csv = ["customer,address", ...addresses.map((address, i) => `${i + 1},"${address}"`)].join("\r\n");
  await platform.call("POST", `/v1/geocode/jobs?filename=${CUSTOMERS}`, { csv });
}
