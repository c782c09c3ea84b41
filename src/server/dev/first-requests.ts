import type { DevKeys } from "../project/dev-keys.ts";

/** The address in README.md, which `npm run dev` has without options. */
const HOST = "http://127.0.0.1:8787";

/**
 * The requests of README.md, each on one line (a test compares them): create a geofence around the Brandenburg Gate,
 * track a device into it, get the context of the place, create a webhook, and test it with its _id. Each can be
 * repeated.
 */
const FIRST = [
  `curl -X PUT ${HOST}/v1/geofences/sight/brandenburg-gate -H "Authorization: $SECRET" -d description='Brandenburg Gate' -d type=circle -d 'coordinates=[13.3777,52.5163]' -d radius=100`,
  `curl ${HOST}/v1/track -H "Authorization: $PUBLISHABLE" -d deviceId=phone-1 -d latitude=52.5163 -d longitude=13.3777 -d accuracy=10 -d foreground=true`,
  `curl '${HOST}/v1/context?coordinates=52.5163,13.3777' -H "Authorization: $PUBLISHABLE"`,
  `curl ${HOST}/v1/webhooks -H "Authorization: $SECRET" -d url=http://127.0.0.1:3000/hook`,
  `curl -X POST ${HOST}/v1/webhooks/$WEBHOOK/test -H "Authorization: $SECRET"`,
];

/** Those about the demo world: a route across its border, a table in a café, a map. */
const DEMO = [
  `curl '${HOST}/v1/route/directions?locations=48.985,-111.23|49.015,-111.17&lang=en' -H "Authorization: $PUBLISHABLE"`,
  `curl '${HOST}/v1/search/places?near=48.99,-111.2&categories=food-beverage' -H "Authorization: $PUBLISHABLE"`,
  `curl -o map.png "${HOST}/maps/static?width=600&height=400&scale=2&markers=48.99,-111.2&zoom=14&publishableKey=$PUBLISHABLE"`,
];

/** Both, with address and keys filled in. */
export function firstRequests({ baseUrl, testPublishable, testSecret }: DevKeys): { first: string[]; demo: string[] } {
  const filled = (line: string) =>
    line.replace(HOST, baseUrl).replace("$SECRET", testSecret).replace("$PUBLISHABLE", testPublishable);
  return { first: FIRST.map(filled), demo: DEMO.map(filled) };
}
