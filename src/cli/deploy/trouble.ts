/** What an operator can do about what Cloudflare answers, by its words and numbers; undefined for what is not known here. */
const KNOWN: readonly [pattern: RegExp, sentence: string][] = [
  [
    /not authenticated|wrangler login|CLOUDFLARE_API_TOKEN environment variable|\[code: 9106\]/i,
    "Nobody is signed in at Cloudflare. Once: npx wrangler login. Where no browser is: CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID in the environment.",
  ],
  [
    /\[code: 10042\]|enable R2/i,
    "R2 is not enabled in this account. Enable it once in the dashboard under R2 (a payment method is asked for, 10 GB are free), and deploy again.",
  ],
  [
    /\[code: 10004\]|\[code: 10073\]|bucket .*already exists/i,
    "The bucket's name is taken. Put another bucket_name into wrangler.toml, and deploy again: it goes on where it was.",
  ],
  [
    /\[code: 7502\]|database .*already exists/i,
    "The database's name is taken. Put another database_name into wrangler.toml, and deploy again: it goes on where it was.",
  ],
  [
    /\[code: 10000\]|\[code: 10023\]|Authentication error|not authorized|permission|\b403\b/i,
    "This sign-in may not do that. A token needs, for the account: Workers Scripts Edit, D1 Edit, Workers R2 Storage Edit, and for a custom domain, of its zone: Workers Routes Edit. Mend it under My Profile → API Tokens, or sign in anew (npx wrangler login), and deploy again.",
  ],
  [
    /workers\.dev subdomain|\[code: 10063\]/i,
    "This account has no workers.dev subdomain yet. Open Workers & Pages in the dashboard once, and deploy again.",
  ],
];

/** @param said what wrangler wrote as it failed */
export function deployTrouble(said: string): string | undefined {
  return KNOWN.find(([pattern]) => pattern.test(said))?.[1];
}
