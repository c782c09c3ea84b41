/** Compares digests, so that timing does not leak the token. */
export async function isSameSecret(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const [one, other] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(one, other);
}
