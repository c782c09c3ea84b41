type Json = Record<string, unknown>;

/** Fields of an OpenAPI document whose values are data, in which `$ref` means nothing. */
export const DATA_FIELDS: ReadonlySet<string> = new Set(["default", "const", "enum", "example", "examples"]);

/** The document with the target in place of each reference. Fields next to a reference win. Targets are shared, not copied. */
export function dereferenced<T extends object>(document: T): T {
  const targets = new Map<string, unknown>();
  const targetOf = (ref: string): unknown => {
    if (!targets.has(ref)) {
      const parts = ref.replace(/^#\//, "").split("/");
      const target = parts.reduce((at: unknown, part) => (at as Json | undefined)?.[part], document);
      if (target === undefined) throw new Error(`${ref} is not in the document`);
      targets.set(ref, inlined(target));
    }
    return targets.get(ref);
  };
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, one]) => [key, DATA_FIELDS.has(key) ? one : inlined(one)]);
    const { $ref, ...own } = Object.fromEntries(entries) as Json;
    return typeof $ref === "string" ? { ...(targetOf($ref) as Json), ...own } : Object.fromEntries(entries);
  };
  return inlined(document) as T;
}
