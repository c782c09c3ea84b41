import { SCHEDULE } from "../../../core/webhooks/schedule.ts";
import { sdkPathsText } from "./sdk-paths.ts";

/** Chapters after all others, without endpoints. */
export const CLOSING_CHAPTERS: readonly string[] = ["Data access by key type", "Errors and limits"];

/** The chapter of another service, whose clients work here after their host is changed. */
function peerChapter(name: string, guide: string, text: string): string {
  return `
<p>${text}</p>
<p>The key is in the header <code>Authorization</code>, in one of the parameters <code>access_token</code>, <code>api_key</code>, <code>apiKey</code> and <code>key</code>, or in the path: <code>$HOST/key/KEY/${name}</code>, with a publishable key. Errors have the form of the service. Limits and usage are those of the endpoint behind each. <a href="/docs/${guide}">Guide</a></p>
`;
}

/** The text of a chapter before its endpoints, as HTML. */
export const CHAPTER_TEXTS: Readonly<Record<string, string>> = {
  "Batch geocoding": `
<p>Geocodes many addresses or positions in one call; requires a secret key. Up to 1,000 rows return immediately; a CSV file of up to 100,000 rows runs as a background job:</p>
<pre tabindex="0" role="group" aria-label="example">curl -X POST …/v1/geocode/batch -H "Authorization: prj_test_sk_…" -H "Content-Type: application/json" \\
  -d '{"rows": [{"id": "a7", "query": "20 Jay St, Brooklyn"}, {"kind": "reverse", "coordinates": "40.7,-74"}]}'

curl -X POST "…/v1/geocode/jobs?filename=customers.csv" -H "Authorization: prj_test_sk_…" -H "Content-Type: text/csv" --data-binary @customers.csv
curl …/v1/geocode/jobs/JOB -H "Authorization: prj_test_sk_…"
curl …/v1/geocode/jobs/JOB/result -H "Authorization: prj_test_sk_…" > result.csv</pre>
<p>Rows are independent: an invalid row returns its error and does not affect the others. The dashboard page Batch does the same with a dropped file.</p>`,
  Dashboard: `
<p>Endpoints that only the dashboard at <code>/dashboard</code> uses. API keys are not accepted: a member signs in with a one-time link, a passkey, or Cloudflare Access, and gets a session in an HttpOnly cookie. With the session, the dashboard also calls all other endpoints on this page; there it acts as the secret key of the environment, within the limits of the member's role.</p>
<ul>
<li>A session is valid only for pages of the same origin (<code>Sec-Fetch-Site: same-origin</code>, or a matching <code>Origin</code>), and never together with an API key.</li>
<li>Two headers specify the project and the environment: <code>x-graticule-project: 1</code> and <code>x-graticule-environment: test</code> or <code>live</code>. A GET can have them in the query instead, as <code>project</code> and <code>environment</code>, for sockets, images and links. Endpoints about the member need neither.</li>
<li>Roles: <code>read</code> reads data; <code>write</code> also changes geofences, beacons, users, trips and events; <code>admin</code> also changes settings, webhooks, keys, styles and members; <code>owner</code> also changes owners, quota and limits, and disables the project. In <a href="/openapi.json">the OpenAPI document</a>, <code>x-role</code> is the role that an endpoint requires. A lower role returns 403 with the required role.</li>
<li>Geodata serves all projects of the deployment. Only operators can change it, whatever their role: <code>npm run project -- operator add EMAIL</code>.</li>
<li>A changed role, a removed member and an ended session take effect immediately on the machine that made the change, and within ten seconds everywhere. While the database is unavailable, sessions return 503.</li>
<li>Calls with a session count neither as usage nor toward the quota; rate limits apply per member. Every change is in the audit log.</li>
</ul>`,
  "Errors and limits": `
<p>Unknown parameters are ignored, and <code>null</code> is the same as absent. An error names the parameter in <code>meta.param</code>. Every response has the header <code>x-radar-request-id</code>. Requests over a limit return 429 with <code>Retry-After</code> and <code>X-RateLimit-*</code>. A URL of more than 60,000 characters returns 414.</p>
<h3>New and revoked keys</h3>
<p>A new key works immediately. A revoked key is rejected everywhere within ten seconds, as long as the database is available. An IP address can try fifty unknown keys per second; a machine caches an unknown key for five seconds. A secret key in a URL is rejected, because logs and browser histories store URLs.</p>
<h3>Without the database</h3>
<p>While the database is unavailable (locked, overloaded, disconnected), endpoints that need it return 503 with <code>Retry-After</code>. Endpoints that read only geodata (geocoding, address validation, place search, routing, maps) keep accepting keys that the machine has looked up within the last ten minutes, even if revoked in the meantime, and retry the database every two seconds.</p>
<h3>Without geodata</h3>
<p>While the bucket with geodata does not respond, location updates, their context and lists of what is nearby continue: the user stays in its place and regions, the header <code>x-graticule-left-out</code> names what was not read, and the next update catches up. Verified updates, and endpoints whose result is geodata, return 503 with <code>Retry-After</code>.</p>
<h3>Caching and browsers</h3>
<p>Responses are not cached (<code>Cache-Control: no-store</code>), except for maps, tiles, styles and these pages. Web pages can read errors, but not successful responses of secret endpoints.</p>`,
  "Data access by key type": `<a id="chapter-what-each-key-may-learn"></a>
<p>A publishable key is in every copy of an app: anyone with the app has the key. So it does not identify the caller. Access to a user's data depends on what else the caller sends:</p>
<div class="scroll" tabindex="0" role="group" aria-label="table"><table><thead><tr><th>Credentials</th><th>Accessible user data</th></tr></thead><tbody>
<tr><td class="text">a publishable key and a <code>userId</code></td><td class="text">the fields it sent, and ids. No location, <code>deviceId</code> or metadata of that user. A trip that waits for the user is started by the first device that sends an update with the userId, and shown to it</td></tr>
<tr><td class="text">a publishable key and a <code>deviceId</code></td><td class="text">the record of that device (with its userId), its events, and its trip. Nothing about other devices of the same user</td></tr>
<tr><td class="text">a publishable key and a trip's <code>externalId</code></td><td class="text">nothing, and no changes: the response is 404, as for a trip that does not exist</td></tr>
<tr><td class="text">a publishable key, a trip's <code>externalId</code> and its <code>userId</code></td><td class="text">the trip's status, ETA and own fields (destination, times, metadata); not its user or device. It may change and end the trip, as the SDKs do</td></tr>
<tr><td class="text">a publishable key, a trip's <code>externalId</code> and the <code>deviceId</code> of its device</td><td class="text">the complete trip, which it may change and end</td></tr>
<tr><td class="text">a signed token with the user's id</td><td class="text">as with the deviceId, and the trips of that user. Endpoints that require a secret key stay unavailable</td></tr>
<tr><td class="text">a secret key</td><td class="text">all data of its environment</td></tr>
</tbody></table></div>
<p>The <code>deviceId</code> authenticates a device: the SDKs generate it from 122 random bits. Treat it as the device's password: do not derive it from a name or number, do not write it to logs or URLs, and do not share it with another app.</p>
<p>Geofences, beacons and places belong to the project, not to a user: any key can read those near a point, with their metadata. Only secret keys can read a geofence's <code>userIds</code> and <code>ip</code>. Keep personal data out of the metadata and descriptions of geofences.</p>
<p>A key alone does not prevent this: anyone with a userId can log conversions for it, create a trip for it, start its pending trip, or change a trip whose externalId it knows; anyone with an event's id can verify the event. If that matters, require tokens.</p>
<h3>Signed tokens</h3>
<p>A token is a JWT that your server signs after a user logs in; the app sends it instead of the key: <code>Authorization: Bearer eyJ…</code> (radar-sdk-js from 5.1: <code>Radar.initialize({ authToken })</code>). Register the verification key with a secret key:</p>
<pre tabindex="0" role="group" aria-label="example">curl -X PATCH …/v1/settings -H "Authorization: prj_test_sk_…" -H "Content-Type: application/json" \\
  -d '{"tokens": {"keys": {"2026-11": {"alg": "ES256", "publicKey": "-----BEGIN PUBLIC KEY-----\\n…"}}}}'</pre>
<ul>
<li>Algorithms: RS256 (at least 2048 bits), ES256, EdDSA (Ed25519) with a <code>publicKey</code> as PEM or JWK; HS256 with a <code>secret</code> of at least 32 bytes. A token must be signed with the algorithm of its key. Up to ten keys; <code>null</code> removes a key. Keys and secrets are never returned.</li>
<li>Header: <code>kid</code>, the name of the key; optional if there is only one key.</li>
<li>Claims: <code>userId</code> or <code>sub</code>, the user; <code>exp</code>, required; <code>nbf</code> and <code>iat</code> are checked if present, all with a minute of leeway; <code>deviceId</code>, if the token is for one device; <code>aud</code>, the publishable key (can be one of several), which sets the project and environment. A client can send the key in the header <code>X-Radar-Publishable-Key</code> instead.</li>
<li>A call with a token applies to the token's user: a missing <code>userId</code> is filled in, a different one returns 403. Trips and events of other users return 404.</li>
<li><code>"tokens": {"required": true}</code>: calls about a user, or a user's trip or event, need a token; otherwise they return 401. Other calls, and secret keys, work as before.</li>
</ul>
<p>A token that is expired, forged, too long (over 4,096 characters) or signed with an unknown key returns 401 and the reason. Changes to the registered keys take effect within ten seconds.</p>`,
  "Other apps": `
<p>Phones and trackers can report without an SDK, with apps from the app stores that support a custom server. Each position becomes an update at the device's own time, as with <code>POST /v1/track/replay</code>: it moves the user, generates events and is in the history; positions that an app stored while offline are applied in order. <code>$HOST</code> is the URL of this server, with https outside your own network; <code>$PUBLISHABLE</code> is a publishable key.</p>
<p>The device name in the app is its <code>deviceId</code>, which gives access to the device's data: choose a long one that is hard to guess.</p>
<h3>Traccar Client (Android, iOS)</h3>
<p>Open <em>Settings</em>. <em>Server URL</em>: <code>$HOST/v1/ingest/traccar?publishableKey=$PUBLISHABLE&amp;userId=jane</code>. <em>Device identifier</em>: the deviceId; the app suggests eight digits, use a longer one. On the first screen, enable <em>Continuous tracking</em>; <em>Send location</em> sends one position immediately, and the status page shows the server's response.</p>
<h3>OsmAnd, GPSLogger, and other apps that open a URL</h3>
<p>OsmAnd: <em>Plugins → Trip recording → Settings → Online tracking</em>. GPSLogger: <em>Logging details → Log to custom URL</em>. The URL, with the app's own placeholders for the values:</p>
<pre tabindex="0" role="group" aria-label="example">$HOST/v1/ingest/traccar?publishableKey=$PUBLISHABLE&amp;speedUnit=ms&amp;id=jane-8c1f0a55&amp;lat={0}&amp;lon={1}&amp;timestamp={2}&amp;accuracy={3}&amp;altitude={4}&amp;speed={5}&amp;bearing={6}      (OsmAnd)
$HOST/v1/ingest/traccar?publishableKey=$PUBLISHABLE&amp;speedUnit=ms&amp;id=jane-8c1f0a55&amp;lat=%LAT&amp;lon=%LON&amp;timestamp=%TIMESTAMP&amp;accuracy=%ACC&amp;altitude=%ALT&amp;speed=%SPD&amp;bearing=%DIR   (GPSLogger)</pre>
<h3>OwnTracks (Android, iOS)</h3>
<p><em>Preferences → Connection</em>. <em>Mode</em>: HTTP. <em>URL</em>: <code>$HOST/v1/ingest/owntracks</code>. <em>Identification</em>: <em>Username</em> is the userId, <em>Password</em> is the key, <em>Device ID</em> distinguishes the user's devices: <code>jane</code> and <code>phone</code> become the deviceId <code>jane/phone</code>. Leave the encryption key empty. Entering or leaving a region of the app is tracked as a position at that time; events come from the project's geofences.</p>
<p>On a server for a family or a team, where every phone may read all data, use a secret key as the password: regions created in the app (Android: <em>Regions</em>) then become geofences with the tag <code>owntracks</code>, and with <code>?friends=true</code> at the end of the URL the app shows the locations of the others.</p>
<h3>Overland (iOS, Android)</h3>
<p><em>Settings → Receiver Endpoint</em>: <code>$HOST/v1/ingest/overland?userId=jane</code>. <em>Device ID</em>: the deviceId. <em>Access Token</em>: the key. Points are sent in batches; on the first screen, <em>Queued</em> drops to 0 when the server has accepted them.</p>`,
  OSRM: peerChapter(
    "osrm",
    "osrm-clients",
    `The API of OSRM 5 (docs/http.md of osrm-backend). An unknown parameter or value is an error. Ignored: <code>hints</code>, <code>generate_hints</code>, <code>snapping</code>. Rejected: <code>annotations=nodes</code>, and <code>tile</code>. <code>exclude</code> is a preference.`,
  ),
  Nominatim: peerChapter(
    "nominatim",
    "nominatim-clients",
    `The API of Nominatim 4. Unknown parameters are ignored, as there. Rejected: <code>polygon_kml</code>, <code>polygon_svg</code>, <code>polygon_text</code>, <code>json_callback</code>.`,
  ),
  Photon: peerChapter(
    "photon",
    "photon-clients",
    `The API of Photon. Unknown parameters are ignored, as there. Rejected: <code>include</code>, <code>exclude</code>, <code>query_string_filter</code>, <code>geometry=true</code>.`,
  ),
  Mapbox: peerChapter(
    "mapbox",
    "mapbox-navigation",
    `Directions v5, Matrix v1, Map Matching v5, Optimization v1 and Isochrone v1 of Mapbox. An unknown parameter is an error. <code>access_token</code> may be <code>pk.eyJ1IjoiZ3JhdGljdWxlIn0.</code> followed by the key. Without a route, the status is 200 and <code>code</code> has the reason, as there.`,
  ),
  VROOM: peerChapter(
    "vroom",
    "vroom-clients",
    `The API of vroom-express 0.12 (docs/API.md of VROOM 1.14). Parts of a problem that the solver does not support are errors. <code>code</code> is 0; 2 for an invalid problem, 3 without roads, 1 for an internal error, with <code>error</code>.`,
  ),
  "Route jobs": `
<p>For work that is too long for one request: traces of up to 5,000 points, fleets of up to 500 jobs and 50 vehicles. A job runs in the background and reports its progress; its result is stored for a day. This example matches a GPX file to roads and returns GPX:</p>
<pre tabindex="0" role="group" aria-label="example">jq -Rs '{gpx: ., format: "gpx", tidy: true}' &lt; tour.gpx | curl -X POST $HOST/v1/route/match/jobs -H "Authorization: $SECRET" -H "Content-Type: application/json" -d @-
curl $HOST/v1/route/jobs/$ID -H "Authorization: $SECRET"
curl $HOST/v1/route/jobs/$ID/result -H "Authorization: $SECRET" -o matched.gpx</pre>
`,
  Routing: `
<p>Routes by car, truck, bike and on foot, over the roads the operator has imported. Public transit is not supported: it needs timetable data and a different search. Run OpenTripPlanner, MOTIS or Valhalla with GTFS files for it; its stops can be geofences or beacons here.</p>
<h3>No route</h3>
<p>A location without a road is not an error: the status is 200, and the result is empty. This applies to every location of a request, and to every reason: no road within 5 km of a location, roads that do not connect the locations, no imported roads around them, roads that were imported separately, or roads that are temporarily unavailable. Each endpoint has its own form of an empty result:</p>
<div class="scroll" tabindex="0" role="group" aria-label="table"><table><thead><tr><th>Endpoint</th><th>Result without a route</th></tr></thead><tbody>
<tr><td>Directions</td><td class="text"><code>routes</code> is <code>[]</code>, and <code>unavailable</code> has the reason</td></tr>
<tr><td>Optimize</td><td class="text">no <code>route</code>, and <code>unavailable</code> has the reason; a fleet lists the task in <code>unassigned</code></td></tr>
<tr><td>Distance</td><td class="text">no key for the mode in <code>routes</code>; <code>unavailable</code> is a list of <code>{mode, message}</code>, because one request may have several modes. This is the one exception to the text of the other endpoints</td></tr>
<tr><td>Matrix</td><td class="text">the cell has no <code>distance</code> and no <code>duration</code>, and <code>reason</code> says why; with <code>estimates=true</code>, both are estimates, with <code>estimated: true</code></td></tr>
<tr><td>Match</td><td class="text">the point is not in <code>matchedPath</code></td></tr>
<tr><td>Isochrone</td><td class="text"><code>features</code> is <code>[]</code></td></tr>
</tbody></table></div>
<p>The header <code>x-graticule-left-out</code> contains <code>roads</code> if roads could not be read, and <code>roads-between-imports</code> if they were imported separately. If the only routes lead through areas to avoid, the reason says so.</p>
<h3>Areas to avoid</h3>
<p>Distance, matrix, directions, optimize, fleets and isochrones accept <code>avoidPolygons</code>, GeoJSON of up to 10 polygons and 1,000 positions, and <code>avoidGeofences</code>, up to 20 geofences: <code>closed-zones</code> means all with that tag, <code>closed-zones:market</code> only one. A road that enters an area is not used, from junction to junction; a road on which a route starts or ends can be left by the short way. If there are only such roads, the response says so, and never has a route through the area:</p>
<pre tabindex="0" role="group" aria-label="example">curl -G $HOST/v1/route/distance -H "Authorization: $PUBLISHABLE" -d modes=car -d origin=40.7039,-73.9867 -d destination=40.7128,-74.006 \\
  --data-urlencode 'avoidPolygons={"type":"Polygon","coordinates":[[[-74,40.70],[-73.99,40.70],[-73.99,40.71],[-74,40.70]]]}'</pre>
<h3>A fleet</h3>
<p><code>POST /v1/route/optimize</code> accepts VROOM input, so VROOM clients only need a new URL. This example has two vans, a parcel, a piano that needs skill 1, and a pickup with delivery:</p>
<pre tabindex="0" role="group" aria-label="example">curl -X POST $HOST/v1/route/optimize -H "Authorization: $PUBLISHABLE" -H "Content-Type: application/json" -d '{
  "vehicles": [
    {"id": 1, "start": [-73.99, 40.70], "end": [-73.99, 40.70], "capacity": [4], "skills": [1], "time_window": [28800, 61200],
     "breaks": [{"id": 1, "time_windows": [[43200, 46800]], "service": 1800}]},
    {"id": 2, "start": [-73.99, 40.70], "capacity": [4], "costs": {"fixed": 3600}}],
  "jobs": [
    {"id": 1, "location": [-73.98, 40.71], "delivery": [1], "service": 300},
    {"id": 2, "location": [-73.97, 40.72], "delivery": [3], "service": 1800, "skills": [1], "time_windows": [[32400, 36000]]}],
  "shipments": [
    {"amount": [1], "pickup": {"id": 1, "location": [-73.96, 40.70]}, "delivery": {"id": 1, "location": [-73.98, 40.73]}}],
  "options": {"g": true}}'</pre>
<ul>
<li>Positions are <code>[longitude, latitude]</code>, times are seconds on any common clock, such as since midnight.</li>
<li>The plan minimizes driving time, unless <code>costs</code> are set; with <code>costs.fixed</code> above 0, a vehicle is not used if others can do its work. If not all tasks fit, those with a higher <code>priority</code> are planned first.</li>
<li><code>matrices</code> with your own durations replace the roads; every location is then a row, <code>location_index</code>, <code>start_index</code>, <code>end_index</code>.</li>
<li>Not as in VROOM: at most 20 vehicles and 200 jobs and shipments; a vehicle without <code>capacity</code> has no limit; <code>steps</code> of a vehicle and <code>service_per_type</code> are ignored.</li>
</ul>`,
  SDK: sdkPathsText(),
  Webhooks: `
<p>A webhook posts the events of its environment, test or live, to your URL as they happen. The endpoints of this chapter are specific to Graticule; existing Radar receivers check the headers <code>X-Radar-…</code>.</p>
<h3>Message format</h3>
<p>A POST with a JSON body: <code>{"event": {…}, "user": {…}}</code>, or with <code>delivery: "multiple"</code> <code>{"events": […], "user": {…}}</code> with up to five events of one user. Events and users have exactly the form of <code>GET /v1/events/:id</code> and <code>GET /v1/users/:id</code>; the user is in its state when the message was created.</p>
<h3>Delivery guarantees</h3>
<ul>
<li>At least once: an event that a track has returned is stored until a receiver acknowledges it or its message becomes a dead letter, even if machines stop in between. It is stored before it is sent.</li>
<li>Stable ids: when sent again, an event has the same <code>_id</code>, and a message the same <code>webhook-id</code> and body. Ignore duplicates.</li>
<li>No order: up to six messages are sent in parallel. Sort by <code>createdAt</code> if order matters.</li>
<li>Any 2xx status within 15 seconds acknowledges a message; the response body is ignored. Respond first, process later. Redirects are not followed and are failures; 410 disables the webhook.</li>
</ul>
<h3>Retries</h3>
<p>${scheduleText()} Each delay is randomly extended by up to a fifth, and is never shorter than <code>Retry-After</code> (a day at most). A message that fails ${SCHEDULE.length} times becomes a dead letter, is stored for 30 days, and can be replayed alone or with others of a time range. Up to 50,000 messages wait per webhook; more become dead letters immediately.</p>
<h3>Verify signatures</h3>
<p>The headers of Standard Webhooks sign id, time and body together: <code>webhook-id</code>, <code>webhook-timestamp</code> (seconds) and <code>webhook-signature</code>. Only they prove that a message is intact and recent. Verify them on the raw bytes, and reject messages older than five minutes:</p>
<pre tabindex="0" role="group" aria-label="example">import { createHmac, timingSafeEqual } from "node:crypto";

function isGenuine(headers, rawBody, secret) {
  if (Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"])) &gt; 300) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = \`\${headers["webhook-id"]}.\${headers["webhook-timestamp"]}.\${rawBody}\`;
  const own = Buffer.from("v1," + createHmac("sha256", key).update(signed).digest("base64"));
  return headers["webhook-signature"].split(" ").some((one) =&gt; {
    const theirs = Buffer.from(one);
    return theirs.length === own.length &amp;&amp; timingSafeEqual(theirs, own);
  });
}</pre>
<p>Receivers written for the older scheme still work: <code>X-Radar-Signature</code> is the hex HMAC-SHA1 of <code>X-Radar-Signing-Id</code>, with the complete secret as key.</p>
<div class="scroll" tabindex="0" role="group" aria-label="table"><table><thead><tr><th>Header</th><th>Covers</th><th>Proves</th></tr></thead><tbody>
<tr><td><code>webhook-signature</code></td><td class="text">the message's id, the time of sending and every byte of the body</td><td class="text">sender, content and time: detects a message that was changed or replayed later</td></tr>
<tr><td><code>X-Radar-Signature</code></td><td class="text">the random string in <code>X-Radar-Signing-Id</code>, neither body nor time</td><td class="text">that the sender once knew the secret. Anyone who has seen such a pair can send any body with it: verify the other header if you can</td></tr>
</tbody></table></div>
<h3>Allowed URLs</h3>
<p>Messages are sent to https URLs with a public name, port 443 or 1024 and above; never to IP addresses, to private or special-use names, to names that encode an IP address (<code>10-0-0-1.nip.io</code>), or with a password in the URL. The URL is checked when the webhook is created and at each delivery. <code>npm run dev</code> allows http and localhost.</p>`,
};

function scheduleText(): string {
  const [, ...waits] = SCHEDULE.map((seconds) =>
    seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`,
  );
  return `Immediately, then ${waits.slice(0, -1).join(", ")} and ${waits.at(-1)} after the previous attempt: ${SCHEDULE.length} attempts in about three days.`;
}
