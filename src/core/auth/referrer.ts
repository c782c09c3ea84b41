/**
 * Pages that may show maps with a publishable key: an origin ("https://example.com"), or all subdomains of a domain
 * ("https://*.example.com", without example.com itself). Browsers send only the origin of a page to other sites.
 */
const PATTERN = /^https?:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/;

export const isReferrerPattern = (text: string): boolean => PATTERN.test(text);

/** @param referrer the header Referer, or Origin; "" if there is none */
export function isAllowedReferrer(patterns: readonly string[], referrer: string): boolean {
  if (!URL.canParse(referrer)) return false;
  const { protocol, host, origin } = new URL(referrer);
  return patterns.some((pattern) => {
    if (!pattern.includes("*")) return pattern === origin;
    const [scheme, domain] = pattern.split("//*");
    return scheme === protocol && host.endsWith(domain) && host.length > domain.length;
  });
}
