import { SCHEDULE } from "../../webhooks/schedule.ts";

/** What a chapter of the reference tells before its endpoints, as HTML. */
export const CHAPTER_TEXTS: Readonly<Record<string, string>> = {
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
<p>Headers of Standard Webhooks sign the body: <code>webhook-id</code>, <code>webhook-timestamp</code> (seconds) and <code>webhook-signature</code>. Check them on the bytes as they came, and refuse what is older than five minutes:</p>
<pre>import { createHmac, timingSafeEqual } from "node:crypto";

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
<p>Receivers written for the older scheme go on working: <code>X-Radar-Signature</code> is the hex HMAC-SHA1 of <code>X-Radar-Signing-Id</code>, with the whole secret as key. It proves who sends, not what.</p>
<h3>Where it may go</h3>
<p>To https URLs with a public name, port 443 or 1024 and above; never to IP addresses, private names or with a password in the URL. <code>npm run dev</code> allows http and this machine.</p>`,
};

function scheduleText(): string {
  const [, ...waits] = SCHEDULE.map((seconds) =>
    seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`,
  );
  return `At once, then ${waits.slice(0, -1).join(", ")} and ${waits.at(-1)} after the try before: ${SCHEDULE.length} tries in about three days.`;
}
