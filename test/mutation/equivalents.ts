/**
 * Changes that no test can detect, because the program does the same with them. A mutation is one of these when its file, the
 * trimmed line where it starts, and its change are the same; an entry that matches nothing any more is reported.
 */
export interface Equivalent {
  file: string;
  /** The line of the source, trimmed. */
  source: string;
  /** As the report writes it: "`a < b` → `a <= b`". */
  change: string;
  /** Why nobody can notice. */
  reason: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: "src/auth/key.ts",
    source: "const [, user, password] = /^([^:]*):(.*)$/s.exec(new TextDecoder().decode(bytes)) ?? [];",
    change:
      "`/^([^:]*):(.*)$/s.exec(new TextDecoder().decode(bytes)) ?? []` → `/^([^:]*):(.*)$/s.exec(new TextDecoder().decode(bytes))`",
    reason: "Taking null apart throws, and what is caught returns undefined as well.",
  },
  {
    file: "src/auth/token.ts",
    source: "if (imports.size >= MOST_IMPORTS) imports.clear();",
    change: "`imports.size >= MOST_IMPORTS` → `true`",
    reason: "A cache that is cleared too often is slower and returns the same.",
  },
  {
    file: "src/addresses/city.ts",
    source: "if (cityKeys.size > 5000) cityKeys.clear();",
    change: "`cityKeys.size > 5000` → `true`",
    reason: "A cache that is cleared too often is slower and returns the same.",
  },
  {
    file: "src/addresses/compare-street.ts",
    source: "if (names.size > 20_000) names.clear();",
    change: "`names.size > 20_000` → `true`",
    reason: "A cache that is cleared too often is slower and returns the same.",
  },
  {
    file: "src/limits/outgoing-url.ts",
    source: 'return address === "::1" || /^f[cd][0-9a-f]{2}:/.test(address) ? "private" : "other";',
    change: '`"other"` → `""`',
    reason: 'Kinds of addresses are compared with "name" and "private" only.',
  },
  {
    file: "src/regions/packed-shape.ts",
    source: "if (dma) this.dma = dma;",
    change: "`dma` → `true`",
    reason: "The field exists without a value before the assignment as well.",
  },
  {
    file: "src/regions/region-index.ts",
    source: "if (this.#imports.length > 0) {",
    change: "`this.#imports.length > 0` → `true`",
    reason: "Without imports no tile is read inside, and the world base is asked as before.",
  },
  {
    file: "src/regions/region-shape.ts",
    source: "areas.set(outline, sum);",
    change: "remove `areas.set(outline, sum);`",
    reason: "A cache that keeps nothing is slower and returns the same.",
  },
  {
    file: "src/regions/resolve.ts",
    source: "const best = countries.find(isSure) ?? others.find(isSure) ?? countries[0] ?? others[0];",
    change:
      "`countries.find(isSure) ?? others.find(isSure) ?? countries[0]` → `countries.find(isSure) ?? others.find(isSure)`",
    reason: "Both lists are sorted by kind, so the others begin with the first country.",
  },
  {
    file: "src/places/directory.ts",
    source: "let high = this.#cells.length - 1;",
    change: "`this.#cells.length - 1` → `this.#cells.length + 1`",
    reason: "What is beyond the end is no number: no comparison with it holds, and the search continues below.",
  },
  {
    file: "src/places/opening-hours.ts",
    source: 'for (const part of found[0].split(",").map((one) => one.trim())) {',
    change: "`one.trim()` → `one`",
    reason: "A holiday with spaces sets a bit that no weekday has, which means the same.",
  },
  {
    file: "src/places/pack.ts",
    source: "distance(entry.center, center) <= entry.radius + radius + MAX_RADIUS + 1,",
    change:
      "`distance(entry.center, center) <= entry.radius + radius + MAX_RADIUS + 1` → `distance(entry.center, center) < entry.radius + radius + MAX_RADIUS + 1`",
    reason: "At exactly this distance the last metre holds no place within the radius.",
  },
  {
    file: "src/places/pack.ts",
    source: "return [...out].sort((a, b) => a - b);",
    change: "`[...out].sort((a, b) => a - b)` → `[...out]`",
    reason: "The sorter that takes the cells orders them again.",
  },
  {
    file: "src/http/track/track.ts",
    source: "return { ...wireAnswer(caller, answer, [update]), inAppMessages: [], nearbyGeofences: await near };",
    change: "`[update]` → `[]`",
    reason: "An anonymous update is applied without its trip, so there is none to be shown.",
  },
];
