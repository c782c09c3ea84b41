import { SCHEDULE } from "../../webhooks/schedule.ts";
import { sdkPathsText } from "./sdk-paths.ts";

/** Chapters before all others, without endpoints. */
export const OPENING_CHAPTERS: readonly string[] = ["What each key may learn"];

/** The text of a chapter before its endpoints, as HTML. */
export const CHAPTER_TEXTS: Readonly<Record<string, string>> = {
  "Batch geocoding": `
<p>Many addresses or positions with one call; keys are secret ones. Up to 1,000 rows are answered at once, a CSV file of up to 100,000 rows is a job in the background:</p>
<pre tabindex="0" role="region" aria-label="example">curl -X POST …/v1/geocode/batch -H "Authorization: prj_test_sk_…" -H "Content-Type: application/json" \\
  -d '{"rows": [{"id": "a7", "query": "20 Jay St, Brooklyn"}, {"kind": "reverse", "coordinates": "40.7,-74"}]}'

curl -X POST "…/v1/geocode/jobs?filename=customers.csv" -H "Authorization: prj_test_sk_…" -H "Content-Type: text/csv" --data-binary @customers.csv
curl …/v1/geocode/jobs/JOB -H "Authorization: prj_test_sk_…"
curl …/v1/geocode/jobs/JOB/result -H "Authorization: prj_test_sk_…" > result.csv</pre>
<p>Each row is answered for itself: one that is wrong says why and stops no other. In the dashboard the page Batch does the same with a file that is dropped there.</p>`,
  Dashboard: `
<p>What the dashboard at <code>/dashboard</code> has of its own. No API key opens it: a member signs in with a link that opens once, with a passkey, or through Cloudflare Access, and has a session, in a cookie that no script reads. With it the dashboard calls all other endpoints of this page, too; there the session stands for the secret key of the environment, as far as the member's role reaches.</p>
<ul>
<li>A session counts for pages of this very origin only (<code>Sec-Fetch-Site: same-origin</code>, or a fitting <code>Origin</code>), and never beside an API key.</li>
<li>It names the project and the environment in two headers, <code>x-graticule-project: 1</code> and <code>x-graticule-environment: test</code> or <code>live</code>; a GET may have them in the query instead, as <code>project</code> and <code>environment</code>, for sockets, images and links. What is about the member alone needs neither.</li>
<li>Roles: <code>read</code> looks; <code>write</code> also changes geofences, beacons, users, trips and events; <code>admin</code> also settings, webhooks, keys, styles and members; <code>owner</code> also owners, quota, limits, and whether the project is disabled. In <a href="/openapi.json">the document</a> <code>x-role</code> says which one an endpoint needs. A role too low is answered 403, with the one that is needed.</li>
<li>Geodata serves all projects of the deployment. Only operators change it, whatever their role: <code>npm run project -- operator add EMAIL</code>.</li>
<li>A changed role, a removed member and an ended session count at once on the machine that made the change, and within ten seconds everywhere. While the database does not answer, so do not sessions: 503.</li>
<li>Calls with a session count neither as usage nor against the quota; each member has the limits of an endpoint to themselves. Every change stands in the audit log.</li>
</ul>`,
  "What each key may learn": `
<p>A publishable key stands in every copy of an app: whoever has the app has the key. So it proves nothing about who calls. What a caller may learn of a user follows from what else it shows:</p>
<div class="scroll" tabindex="0" role="region" aria-label="table"><table><thead><tr><th>Who shows</th><th>may learn of a user</th></tr></thead><tbody>
<tr><td class="text">a publishable key and a <code>userId</code></td><td class="text">what it sent itself, and ids. No location, no <code>deviceId</code>, no metadata, no trip of that user</td></tr>
<tr><td class="text">a publishable key and a <code>deviceId</code></td><td class="text">the record of that device (with the userId it names), its events, and the trip it names in <code>tripOptions</code>. Nothing of other devices of the same user</td></tr>
<tr><td class="text">a publishable key and a trip's <code>externalId</code></td><td class="text">nothing, and it changes nothing: the response is 404, as for a trip that does not exist</td></tr>
<tr><td class="text">the same, from the IP address that the trip's device was last seen at</td><td class="text">the trip's status, ETA and own fields (destination, times, metadata); not its user or device. It may change and end the trip: SDKs send nothing but the externalId. Before the trip begins, the address that created it counts as well</td></tr>
<tr><td class="text">a publishable key, a trip's <code>externalId</code> and the <code>deviceId</code> of its device</td><td class="text">the whole trip, which it may change and end</td></tr>
<tr><td class="text">a signed token that names the user</td><td class="text">as with the deviceId, and the trips of that user. Endpoints of secret keys stay closed</td></tr>
<tr><td class="text">a secret key</td><td class="text">everything of its environment</td></tr>
</tbody></table></div>
<p>The <code>deviceId</code> is what a device proves itself with: the SDKs make it of 122 random bits. Treat it as a password of the device: do not make one out of a name or number, do not write it into logs or URLs, and hand it to no other app.</p>
<p>Geofences, beacons and places are the project's, not a user's: any key is shown those near a point, with their metadata. For whom a geofence is (<code>userIds</code>, <code>ip</code>) only secret keys are told. Keep personal data out of the metadata and descriptions of geofences.</p>
<p>What a key alone cannot keep: who knows a userId may log conversions for it, make a trip for it, or begin a trip that waits for it; and who knows an event's id may verify the event. Where that matters, require tokens.</p>
<h3>Signed tokens</h3>
<p>A token is a JWT that your server signs when a user has logged in; the app sends it in place of the key: <code>Authorization: Bearer eyJ…</code> (radar-sdk-js from 5.1: <code>Radar.initialize({ authToken })</code>). Register the key that checks it, with a secret key:</p>
<pre tabindex="0" role="region" aria-label="example">curl -X PATCH …/v1/settings -H "Authorization: prj_test_sk_…" -H "Content-Type: application/json" \\
  -d '{"tokens": {"keys": {"2026-11": {"alg": "ES256", "publicKey": "-----BEGIN PUBLIC KEY-----\\n…"}}}}'</pre>
<ul>
<li>Algorithms: RS256 (2048 bits and more), ES256, EdDSA (Ed25519) with a <code>publicKey</code> as PEM or JWK; HS256 with a <code>secret</code> of 32 bytes and more. A token must be signed with the algorithm of the key it names. Up to ten keys; <code>null</code> takes one away. Keys and secrets are not shown again.</li>
<li>Header: <code>kid</code>, the name of the key; not needed while there is one key.</li>
<li>Claims: <code>userId</code> or <code>sub</code>, the user; <code>exp</code>, needed; <code>nbf</code> and <code>iat</code> are checked if they are there, all with a minute of leeway; <code>deviceId</code>, if the token is for one device; <code>aud</code>, the publishable key (one of several is fine), which says project and environment. A client that can send a header may name the key in <code>X-Radar-Publishable-Key</code> instead.</li>
<li>A call with a token is about the token's user: a body without <code>userId</code> gets it, one with another is refused with 403. Trips and events of others are not found (404).</li>
<li><code>"tokens": {"required": true}</code>: whatever names a user, or a trip or event of one, needs a token; without it 401. Calls that name nobody, and secret keys, go on as before.</li>
</ul>
<p>A token that is expired, forged, too long (4,096 characters) or signed by an unknown key answers 401 and says why. A change of the registered keys counts everywhere within ten seconds.</p>`,
  "Other apps": `
<p>Phones and trackers can report here without any SDK: with apps from the stores that were made for a server of one's own. Each position becomes an update at the device's own time, as with <code>POST /v1/track/replay</code>: it moves the user, makes events and stands in the history; what an app kept while it had no network comes in the right order. <code>$HOST</code> is where this server is reached, by https beyond your own network; <code>$KEY</code> is a publishable key.</p>
<p>The name that a device is given in the app is its <code>deviceId</code>, and with it goes what a device may learn of itself: choose a long one that nobody guesses.</p>
<h3>Traccar Client (Android, iOS)</h3>
<p>Open <em>Settings</em>. <em>Server URL</em>: <code>$HOST/v1/ingest/traccar?publishableKey=$KEY&amp;userId=jane</code>. <em>Device identifier</em>: the deviceId; the app proposes eight digits, make it longer. Back on the first screen, switch <em>Continuous tracking</em> on; <em>Send location</em> sends one position at once, and the status page says what the server answered.</p>
<h3>OsmAnd, GPSLogger, and what else opens an address</h3>
<p>OsmAnd: <em>Plugins → Trip recording → Settings → Online tracking</em>. GPSLogger: <em>Logging details → Log to custom URL</em>. The address, with the app's own placeholders for the values:</p>
<pre tabindex="0" role="region" aria-label="example">$HOST/v1/ingest/traccar?publishableKey=$KEY&amp;speedUnit=ms&amp;id=jane-8c1f0a55&amp;lat={0}&amp;lon={1}&amp;timestamp={2}&amp;accuracy={3}&amp;altitude={4}&amp;speed={5}&amp;bearing={6}      (OsmAnd)
$HOST/v1/ingest/traccar?publishableKey=$KEY&amp;speedUnit=ms&amp;id=jane-8c1f0a55&amp;lat=%LAT&amp;lon=%LON&amp;timestamp=%TIMESTAMP&amp;accuracy=%ACC&amp;altitude=%ALT&amp;speed=%SPD&amp;bearing=%DIR   (GPSLogger)</pre>
<h3>OwnTracks (Android, iOS)</h3>
<p><em>Preferences → Connection</em>. <em>Mode</em>: HTTP. <em>URL</em>: <code>$HOST/v1/ingest/owntracks</code>. <em>Identification</em>: <em>Username</em> is the userId, <em>Password</em> is the key, <em>Device ID</em> tells the user's devices apart: <code>jane</code> and <code>phone</code> become the deviceId <code>jane/phone</code>. Leave the encryption key empty. Coming into and leaving a region of the app counts as a position there and then; the events are those of the project's geofences.</p>
<p>On a server for a family or a team, whose phones may know everything, use a secret key as the password: then regions made in the app (Android: <em>Regions</em>) become geofences with the tag <code>owntracks</code>, and with <code>?friends=true</code> behind the URL the app shows where the others are.</p>
<h3>Overland (iOS, Android)</h3>
<p><em>Settings → Receiver Endpoint</em>: <code>$HOST/v1/ingest/overland?userId=jane</code>. <em>Device ID</em>: the deviceId. <em>Access Token</em>: the key. Points are sent in batches; on the first screen, <em>Queued</em> goes down to 0 when the server has taken them.</p>`,
  "Route jobs": `
<p>What takes longer than a request may: traces of up to 5,000 points, fleets of up to 500 jobs and 50 vehicles. A job is worked on in the background and says how far it is; its result is kept for a day. A GPX file in, the roads it was driven on out, as GPX:</p>
<pre tabindex="0" role="region" aria-label="example">jq -Rs '{gpx: ., format: "gpx", tidy: true}' &lt; tour.gpx | curl -X POST $HOST/v1/route/match/jobs -H "Authorization: $SECRET_KEY" -H "Content-Type: application/json" -d @-
curl $HOST/v1/route/jobs/$ID -H "Authorization: $SECRET_KEY"
curl $HOST/v1/route/jobs/$ID/result -H "Authorization: $SECRET_KEY" -o matched.gpx</pre>
`,
  Routing: `
<p>By car, truck, bike and on foot, over the roads the operator has imported. Public transit is left out: timetables are another kind of data with another kind of search. Beside this server, OpenTripPlanner, MOTIS or Valhalla answer it from GTFS files, and their stops can be geofences or beacons here.</p>
<h3>No route</h3>
<p>A location without a road is not an error: the status is 200, and the result is empty. This applies to every location of a request, and to every reason: no road within 5 km of a location, roads that do not connect the locations, no imported roads around them, roads that were imported separately, or roads that cannot be read at present. Each endpoint has its own form of an empty result:</p>
<div class="scroll" tabindex="0" role="region" aria-label="table"><table><thead><tr><th>Endpoint</th><th>Result without a route</th></tr></thead><tbody>
<tr><td>Directions</td><td class="text"><code>routes</code> is <code>[]</code>, and <code>unavailable</code> has the reason</td></tr>
<tr><td>Optimize</td><td class="text">no <code>route</code>, and <code>unavailable</code> has the reason; a fleet lists the task in <code>unassigned</code></td></tr>
<tr><td>Distance</td><td class="text">no key for the mode in <code>routes</code>; <code>unavailable</code> is a list of <code>{mode, message}</code>, because one request may have several modes. This is the one exception to the text of the other endpoints</td></tr>
<tr><td>Matrix</td><td class="text">the cell has an estimate and <code>estimated: true</code></td></tr>
<tr><td>Match</td><td class="text">the point is not in <code>matchedPath</code></td></tr>
<tr><td>Isochrone</td><td class="text"><code>features</code> is <code>[]</code></td></tr>
</tbody></table></div>
<p>The header <code>x-graticule-left-out</code> has <code>roads</code> where roads could not be read, and <code>roads-between-imports</code> where they were imported separately. Where the only routes lead through areas to be avoided, the reason says so.</p>
<h3>Areas to keep out of</h3>
<p>Distance, matrix, directions, optimize, fleets and isochrones take <code>avoidPolygons</code>, GeoJSON of up to 10 polygons and 1,000 positions, and <code>avoidGeofences</code>, names of up to 20 geofences: <code>closed-zones</code> means all with that tag, <code>closed-zones:market</code> one. A road that enters an area is not used, from junction to junction; one that a way begins or ends on may be left the short way. Where only such roads lead, the answer says that, and is never a way through:</p>
<pre tabindex="0" role="region" aria-label="example">curl -G $HOST/v1/route/distance -H "Authorization: $KEY" -d modes=car -d origin=40.7039,-73.9867 -d destination=40.7128,-74.006 \\
  --data-urlencode 'avoidPolygons={"type":"Polygon","coordinates":[[[-74,40.70],[-73.99,40.70],[-73.99,40.71],[-74,40.70]]]}'</pre>
<h3>A fleet</h3>
<p><code>POST /v1/route/optimize</code> takes the input of VROOM, so what writes that needs only another address. Two vans, a parcel, a piano that needs skill 1, and something to be fetched and brought:</p>
<pre tabindex="0" role="region" aria-label="example">curl -X POST $HOST/v1/route/optimize -H "Authorization: $KEY" -H "Content-Type: application/json" -d '{
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
<li>Positions are <code>[longitude, latitude]</code>, times seconds on any clock, the same for all: since midnight, say.</li>
<li>Least cost means least driving, unless <code>costs</code> say otherwise; <code>costs.fixed</code> above 0 keeps vehicles at home where others can take over. What cannot all be done is chosen by <code>priority</code> first.</li>
<li><code>matrices</code> with your own durations take the place of the roads; then every place is a row, <code>location_index</code>, <code>start_index</code>, <code>end_index</code>.</li>
<li>Not as in VROOM: at most 20 vehicles and 200 jobs and shipments; a vehicle without <code>capacity</code> carries anything; <code>steps</code> of a vehicle and <code>service_per_type</code> are ignored.</li>
</ul>`,
  SDK: sdkPathsText(),
  Webhooks: `
<p>A webhook posts the events of its environment, test or live, to a URL of yours as they happen. The endpoints of this chapter are ours; the headers <code>X-Radar-…</code> are those existing receivers check.</p>
<h3>What arrives</h3>
<p>A POST with a JSON body: <code>{"event": {…}, "user": {…}}</code>, or with <code>delivery: "multiple"</code> <code>{"events": […], "user": {…}}</code> with up to five events of one user. Events and users have exactly the form of <code>GET /v1/events/:id</code> and <code>GET /v1/users/:id</code>; the user is as it was when the message was made.</p>
<h3>What is promised</h3>
<ul>
<li>At least once: an event that a track has answered is kept until a receiver has acknowledged it or its message has become a dead letter, also when machines stop in between. It is stored before it is sent.</li>
<li>One id: an event has the same <code>_id</code> however often it comes, and a message the same <code>webhook-id</code> and body. Ignore what you have seen.</li>
<li>No order: messages travel six at a time. Sort by <code>createdAt</code> where it matters.</li>
<li>Any 2xx acknowledges, within 15 seconds and whatever follows the head of the answer. Answer first, work later. Redirects are not followed and count as failures; 410 switches the webhook off.</li>
</ul>
<h3>When it is tried again</h3>
<p>${scheduleText()} After a failure it is tried again, each time up to a fifth later by chance, and never sooner than <code>Retry-After</code> asks (a day at most). What fails ${SCHEDULE.length} times becomes a dead letter, is kept for 30 days, and can be replayed by itself or with all of a time. Up to 50,000 messages wait per webhook; more become dead letters at once.</p>
<h3>How to know that it is ours</h3>
<p>The headers of Standard Webhooks sign id, time and body together: <code>webhook-id</code>, <code>webhook-timestamp</code> (seconds) and <code>webhook-signature</code>. They alone prove that a message is whole and new. Check them on the bytes as they came, and refuse what is older than five minutes:</p>
<pre tabindex="0" role="region" aria-label="example">import { createHmac, timingSafeEqual } from "node:crypto";

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
<p>Receivers written for the older scheme go on working: <code>X-Radar-Signature</code> is the hex HMAC-SHA1 of <code>X-Radar-Signing-Id</code>, with the whole secret as key.</p>
<div class="scroll" tabindex="0" role="region" aria-label="table"><table><thead><tr><th>Header</th><th>covers</th><th>so it proves</th></tr></thead><tbody>
<tr><td><code>webhook-signature</code></td><td class="text">the message's id, the time of sending and every byte of the body</td><td class="text">who sends, what, and when: a message that was changed or is sent again later is found out</td></tr>
<tr><td><code>X-Radar-Signature</code></td><td class="text">the random text in <code>X-Radar-Signing-Id</code>, neither body nor time</td><td class="text">that the sender knew the secret once. Whoever has seen one such pair may put any body beside it: check the other one where you can</td></tr>
</tbody></table></div>
<h3>Where it may go</h3>
<p>To https URLs with a public name, port 443 or 1024 and above; never to IP addresses, to private or special-use names, to names that stand for an address (<code>10-0-0-1.nip.io</code>), or with a password in the URL. The URL is checked when the webhook is made and again at each sending. <code>npm run dev</code> allows http and this machine.</p>`,
};

function scheduleText(): string {
  const [, ...waits] = SCHEDULE.map((seconds) =>
    seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`,
  );
  return `At once, then ${waits.slice(0, -1).join(", ")} and ${waits.at(-1)} after the try before: ${SCHEDULE.length} tries in about three days.`;
}
