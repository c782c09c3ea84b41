const WORDS: Readonly<Record<"location" | "eta" | "destination" | "route", string>> = {
  location: "position",
  eta: "ETA",
  destination: "destination",
  route: "route so far",
};

/** What a link shows, and until when, as a person reads it: "position, ETA, until 2026-12-01 11:28 UTC". */
export function shareWords(show: readonly (keyof typeof WORDS)[], expiresAt: number): string {
  const until = new Date(expiresAt).toISOString().slice(0, 16).replace("T", " ");
  return `${show.map((field) => WORDS[field]).join(", ")}, until ${until} UTC`;
}
