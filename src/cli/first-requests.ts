import type { DevKeys } from "./dev-keys.ts";

/**
 * Three shell commands that show how it works: a geofence around the Brandenburg Gate, a device that walks into it (the
 * answer holds the event), and the context of the place without a user. Each may be run again.
 */
export function firstRequests({ baseUrl, testPublishable, testSecret }: DevKeys): string[] {
  return [
    `curl -X PUT ${baseUrl}/v1/geofences/sight/brandenburg-gate -H 'Authorization: ${testSecret}' ` +
      `-d description='Brandenburg Gate' -d type=circle -d 'coordinates=[13.3777,52.5163]' -d radius=100`,
    `curl ${baseUrl}/v1/track -H 'Authorization: ${testPublishable}' ` +
      `-d deviceId=phone-1 -d latitude=52.5163 -d longitude=13.3777 -d accuracy=10 -d foreground=true`,
    `curl '${baseUrl}/v1/context?coordinates=52.5163,13.3777' -H 'Authorization: ${testPublishable}'`,
  ];
}
