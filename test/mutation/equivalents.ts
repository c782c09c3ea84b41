/**
 * Changes that no test can detect, because the program does the same with them. A mutation is one of these when its file, the
 * trimmed line where it starts, and its change are the same; mutations.test.ts fails for an entry that matches nothing any more.
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
    file: "src/core/auth/key.ts",
    source: "const [, user, password] = /^([^:]*):(.*)$/s.exec(new TextDecoder().decode(bytes)) ?? [];",
    change:
      "`/^([^:]*):(.*)$/s.exec(new TextDecoder().decode(bytes)) ?? []` → `/^([^:]*):(.*)$/s.exec(new TextDecoder().decode(bytes))`",
    reason: "Taking null apart throws, and what is caught returns undefined as well.",
  },
  {
    file: "src/core/limits/outgoing-url.ts",
    source: 'return address === "::1" || /^f[cd][0-9a-f]{2}:/.test(address) ? "private" : "other";',
    change: '`"other"` → `""`',
    reason: 'Kinds of addresses are compared with "name" and "private" only.',
  },
  {
    file: "src/core/limits/outgoing-url.ts",
    source:
      '...["host.containers", "containers", "host", "lima", "minikube", "rancher-desktop", "instance-data", "metadata"],',
    change: '`"host.containers"` → `""`',
    reason: 'Everything below "containers" is in the list, too.',
  },
  {
    file: "src/core/limits/outgoing-url.ts",
    source: '...["local-dev", "docker.internal", "default", "pod", "service", "node", "kubernetes"],',
    change: '`"docker.internal"` → `""`',
    reason: 'Everything below "internal" is in the list, too.',
  },
  {
    file: "src/core/limits/outgoing-url.ts",
    source: '...["localhost.direct", "localdev.me", "lcl.host", "yoogle.com", "127-0-0-1.org.uk", "localcert.net"],',
    change: '`"lcl.host"` → `""`',
    reason: 'Everything below "host" is never public.',
  },
  {
    file: "src/core/archive/write-object.ts",
    source: "const writer = new ByteWriter(1 << 20);",
    change: "`1 << 20` → `1 >> 20`",
    reason: "The writer grows with what it holds: a small one is slower and writes the same bytes.",
  },
  {
    file: "src/core/webhooks/schedule.ts",
    source: "if (!text) return undefined;",
    change: "`!text` → `false`",
    reason: "No text is neither digits nor a date either.",
  },
  {
    file: "src/core/webhooks/signature.ts",
    source: "const MAX_KEYS = 200;",
    change: "`200` → `201`",
    reason: "The size of a cache: it imports keys sooner or later and signs the same.",
  },
  {
    file: "src/core/webhooks/signature.ts",
    source: "const MAX_KEYS = 200;",
    change: "`200` → `400`",
    reason: "The size of a cache: it imports keys sooner or later and signs the same.",
  },
  {
    file: "src/core/auth/token.ts",
    source: "imports.set(name, made);",
    change: "remove `imports.set(name, made);`",
    reason: "Without the cache each key is imported again, which is slower and checks the same.",
  },
  {
    file: "src/core/auth/token.ts",
    source: 'return crypto.subtle.importKey("raw", secret, IMPORT.HS256, false, ["verify"]);',
    change: "`false` → `true`",
    reason: "Whether a key could be exported again: nothing here exports it, and no caller gets the key.",
  },
  {
    file: "src/core/auth/token.ts",
    source: '? await crypto.subtle.importKey("jwk", publicPart(material), IMPORT[alg], false, ["verify"])',
    change: "`false` → `true`",
    reason: "Whether a key could be exported again: nothing here exports it, and no caller gets the key.",
  },
  {
    file: "src/core/auth/token.ts",
    source: ': await crypto.subtle.importKey("spki", bytesOfPem(material), IMPORT[alg], false, ["verify"]);',
    change: "`false` → `true`",
    reason: "Whether a key could be exported again: nothing here exports it, and no caller gets the key.",
  },
  {
    file: "src/core/webhooks/sinks/kafka.ts",
    source: "let start = 0;",
    change: "`0` → `1`",
    reason: "A value ends only after one has begun, which sets the start.",
  },
  {
    file: "src/core/limits/per-second.ts",
    source: "#second = 0;",
    change: "`0` → `1`",
    reason: "The count begins at 0 in whichever second is the first.",
  },
  {
    file: "src/core/regions/packed-shape.ts",
    source: "if (dma) this.dma = dma;",
    change: "`dma` → `true`",
    reason: "The field exists without a value before the assignment as well.",
  },
  {
    file: "src/core/regions/region-index.ts",
    source: "if (this.#imports.length > 0) {",
    change: "`this.#imports.length > 0` → `true`",
    reason: "Without imports no tile is read inside, and the world base is asked as before.",
  },
  {
    file: "src/core/regions/region-shape.ts",
    source: "areas.set(outline, sum);",
    change: "remove `areas.set(outline, sum);`",
    reason: "A cache that keeps nothing is slower and returns the same.",
  },
  {
    file: "src/core/regions/resolve.ts",
    source: "const best = countries.find(isSure) ?? others.find(isSure) ?? countries[0] ?? others[0];",
    change:
      "`countries.find(isSure) ?? others.find(isSure) ?? countries[0]` → `countries.find(isSure) ?? others.find(isSure)`",
    reason: "Both lists are sorted by kind, so the others begin with the first country.",
  },
  {
    file: "src/core/places/directory.ts",
    source: "let high = this.#cells.length - 1;",
    change: "`this.#cells.length - 1` → `this.#cells.length + 1`",
    reason: "What is beyond the end is no number: no comparison with it holds, and the search continues below.",
  },
  {
    file: "src/core/places/pack.ts",
    source: "distance(entry.center, center) <= entry.radius + radius + MAX_RADIUS + 1,",
    change:
      "`distance(entry.center, center) <= entry.radius + radius + MAX_RADIUS + 1` → `distance(entry.center, center) < entry.radius + radius + MAX_RADIUS + 1`",
    reason: "At exactly this distance the last metre holds no place within the radius.",
  },
  {
    file: "src/core/places/pack.ts",
    source: "return [...out].sort((a, b) => a - b);",
    change: "`[...out].sort((a, b) => a - b)` → `[...out]`",
    reason: "The sorter that takes the cells orders them again.",
  },
];
