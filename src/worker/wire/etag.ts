/**
 * Whether a caller already has what an ETag names: If-None-Match is a list of tags or "*"; weak ones, as proxies that compress make them, match too (RFC 9110,
 * 13.1.2).
 */
export function listsTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch === etag) return true;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
