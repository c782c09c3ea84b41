/** Returns a suggested fix for a Cloudflare error, matched by its message and code; undefined if unknown. */
const KNOWN: readonly [pattern: RegExp, sentence: string][] = [
  [
    /not authenticated|wrangler login|CLOUDFLARE_API_TOKEN environment variable|\[code: 9106\]/i,
    "You are not signed in to Cloudflare. Run npx wrangler login once. Without a browser, set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID in the environment.",
  ],
  [
    /\[code: 10042\]|enable R2/i,
    "R2 is not enabled in this account. Enable it in the Cloudflare dashboard under R2 (requires a payment method; 10 GB are free), then redeploy.",
  ],
  [
    /\[code: 100328\]|CPU limits are not supported/i,
    "The free plan has no configurable CPU limit, and its 10 ms per request do not suffice for routes, isochrones and maps. Use the paid plan, or remove [limits] from wrangler.toml to try the rest.",
  ],
  [
    /\[code: 10004\]|\[code: 10073\]|bucket .*already exists/i,
    "The bucket's name is in use. Set another bucket_name in wrangler.toml, then redeploy to resume.",
  ],
  [
    /\[code: 7502\]|database .*already exists/i,
    "The database's name is in use. Set another database_name in wrangler.toml, then redeploy to resume.",
  ],
  [
    /\[code: 10000\]|\[code: 10023\]|Authentication error|not authorized|permission|\b403\b/i,
    "Permission denied. A token needs these account permissions: Workers Scripts Edit, D1 Edit, Workers R2 Storage Edit. A custom domain also needs the zone permission Workers Routes Edit. Change it under My Profile → API Tokens, or sign in again (npx wrangler login), then redeploy.",
  ],
  [
    /workers\.dev subdomain|\[code: 10063\]/i,
    "This account has no workers.dev subdomain yet. Open Workers & Pages in the Cloudflare dashboard once, then redeploy.",
  ],
];

/** @param said what wrangler wrote as it failed */
export function deployTrouble(said: string): string | undefined {
  return KNOWN.find(([pattern]) => pattern.test(said))?.[1];
}
