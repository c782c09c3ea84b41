import TABLE from "./sdk-paths.json" with { type: "json" };

/**
 * The endpoints that the SDKs call, according to their sources (2026-11: iOS 3.39, Android 3.34, JavaScript 5.2 with its plugin for maps; React Native 4.36 and Flutter
 * 3.23 call the two native ones). test/worker/http/reference/sdk-paths.test.ts checks that each is an endpoint here. `from`: the
 * functions that call it; `note`: differences from Radar.
 */
export const SDK_PATHS: readonly { method: string; path: string; from: string; note?: string }[] = TABLE;

/** The table as HTML, for the chapter of the reference page. */
export function sdkPathsText(): string {
  const rows = SDK_PATHS.map(
    ({ method, path, from, note = "" }) =>
      `<tr><td><code>${method} ${path}</code></td><td class="text">${from}</td><td class="text">${note}</td></tr>`,
  );
  return `
<p>The endpoints that the SDKs call, according to their sources (November 2026: iOS 3.39, Android 3.34, JavaScript 5.2 and its plugin for maps; React Native 4.36 and Flutter 3.23 call the native ones). Point an SDK here with its <code>host</code> option. In-app messages, notifications and their statistics are those of <a href="#chapter-campaigns">campaigns</a>.</p>
<div class="scroll" tabindex="0" role="group" aria-label="table"><table><thead><tr><th>Call</th><th>SDK method</th><th>Support</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>
<h3>Verified tracking</h3>
<p><code>trackVerified</code> and <code>getVerifiedLocationToken</code> of the native SDKs return a signed response: <code>token</code> is a JWT (ES256) with the keys of <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>. On your server:</p>
<pre tabindex="0" role="group" aria-label="example">import { createRemoteJWKSet, jwtVerify } from "jose";

const keys = createRemoteJWKSet(new URL("$HOST/.well-known/jwks.json"));
const { payload } = await jwtVerify(token, keys, { issuer: "$HOST", audience: "$PROJECT" });
if (!payload.live || !payload.passed) throw new Error(payload.failureReasons.join());</pre>
<div class="scroll" tabindex="0" role="group" aria-label="table"><table><thead><tr><th>Claim</th><th>Meaning</th></tr></thead><tbody>
<tr><td><code>iss</code>, <code>aud</code></td><td class="text">the called host, and the project's number, as in the dashboard's URLs</td></tr>
<tr><td><code>sub</code>, <code>jti</code></td><td class="text">the <code>_id</code> of the user, and the <code>_id</code> of the check, as in the response</td></tr>
<tr><td><code>iat</code>, <code>exp</code></td><td class="text">creation time, and expiry 20 minutes later: <code>expiresAt</code>, <code>expiresIn</code></td></tr>
<tr><td><code>live</code></td><td class="text">created with a live key: reject false in production</td></tr>
<tr><td><code>passed</code>, <code>failureReasons</code></td><td class="text">whether all checks passed, and the failed checks: <code>fraud_mocked</code>, <code>fraud_jumped</code>, <code>fraud_compromised</code>, <code>fraud_inaccurate</code>, <code>fraud_proxy</code>, <code>fraud_sharing</code>, <code>fraud_blocked</code>; <code>country_not_allowed</code> (blocked by the project), <code>country_not_expected</code>, <code>country_unknown</code>, <code>state_not_expected</code>, <code>state_unknown</code></td></tr>
<tr><td><code>transactionId</code>, <code>reason</code>, <code>expectedCountryCode</code>, <code>expectedStateCode</code></td><td class="text">as the app sent them</td></tr>
<tr><td><code>user</code>, <code>events</code></td><td class="text">as in the response</td></tr>
</tbody></table></div>
<p>The token proves what this server received and computed, and that it was not changed since; it does not verify what the app reports about its device.</p>`;
}
