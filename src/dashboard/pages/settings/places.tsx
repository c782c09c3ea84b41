import { Plus, X } from "lucide";
import { Field } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { fromLines, type Settings, SettingsSection, toLines } from "./use-settings.tsx";

interface Mapping {
  slug: string;
  externalId: string;
  /** JSON */
  metadata: string;
}

interface Draft {
  mappings: Mapping[];
  chains: string;
  categories: string;
  nearby: string;
  /** Previously mapped slugs, to detect removed ones. */
  before: string[];
}

function read({ chainMappings, chainMetadata, placeFilters, nearbyChains }: Settings): Draft {
  const slugs = [...new Set([...Object.keys(chainMappings), ...Object.keys(chainMetadata)])].sort();
  return {
    mappings: slugs.map((slug) => ({
      slug,
      externalId: chainMappings[slug] ?? "",
      metadata: chainMetadata[slug] ? JSON.stringify(chainMetadata[slug]) : "",
    })),
    chains: toLines(placeFilters.chain),
    categories: toLines(placeFilters.category),
    nearby: toLines(nearbyChains),
    before: slugs,
  };
}

/** null removes a mapping or a metadata entry (RFC 7396); metadata is replaced as one value. */
function write({ mappings, chains, categories, nearby, before }: Draft) {
  const named = mappings.filter(({ slug }) => slug.trim() !== "");
  const gone = before
    .filter((slug) => !named.some((one) => one.slug.trim() === slug))
    .map((slug) => [slug, null] as const);
  const own = <T,>(value: (mapping: Mapping) => T) =>
    Object.fromEntries([...gone, ...named.map((one) => [one.slug.trim(), value(one)] as const)]);
  return {
    chainMappings: own(({ externalId }) => (externalId.trim() === "" ? null : externalId.trim())),
    chainMetadata: own(({ metadata }) => (metadata.trim() === "" ? null : parsed(metadata))),
    placeFilters: { chain: fromLines(chains), category: fromLines(categories) },
    nearbyChains: fromLines(nearby),
  };
}

/** Invalid JSON is sent as is, so that the server reports the error. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function Places() {
  return (
    <SettingsSection read={read} write={write}>
      {({ draft, set, field, locked }) => (
        <>
          <section class="setting-group">
            <h2>Chain mappings</h2>
            <p class="muted">
              A chain's external id and metadata are included in all its places and events. Find slugs on the Places
              page.
            </p>
            {draft.mappings.map((mapping, i) => {
              const change = (part: Partial<Mapping>) =>
                set({ mappings: draft.mappings.map((one, j) => (i === j ? { ...one, ...part } : one)) });
              return (
                <div key={i} class="mapping">
                  <Field
                    label="Chain"
                    value={mapping.slug}
                    placeholder="starbucks"
                    onChange={(slug) => change({ slug })}
                  />
                  <Field
                    label="External id"
                    param={`chainMappings[${mapping.slug.trim()}]`}
                    value={mapping.externalId}
                    onChange={(externalId) => change({ externalId })}
                  />
                  <Field
                    label="Metadata"
                    param={`chainMetadata[${mapping.slug.trim()}]`}
                    value={mapping.metadata}
                    placeholder='{"tier": "gold"}'
                    mono
                    onChange={(metadata) => change({ metadata })}
                  />
                  <Button
                    bare
                    icon={X}
                    label={`Remove ${mapping.slug || "this row"}`}
                    disabled={locked !== undefined}
                    onClick={() => set({ mappings: draft.mappings.filter((_, j) => i !== j) })}
                  />
                </div>
              );
            })}
            <div>
              <Button
                icon={Plus}
                disabled={locked !== undefined}
                onClick={() => set({ mappings: [...draft.mappings, { slug: "", externalId: "", metadata: "" }] })}
              >
                Add a chain
              </Button>
            </div>
          </section>
          <section class="setting-group">
            <h2>Place filters</h2>
            <div class="form-grid">
              <Field
                label="Only these chains"
                hint="One slug per line. Empty: all."
                lines={5}
                {...field("chains", "placeFilters[chain]")}
              />
              <Field
                label="Only these categories"
                hint="One slug per line. Empty: all."
                lines={5}
                {...field("categories", "placeFilters[category]")}
              />
              <Field
                label="Nearby chains"
                hint="Users who arrive near these chains generate events."
                lines={5}
                {...field("nearby", "nearbyChains")}
              />
            </div>
          </section>
        </>
      )}
    </SettingsSection>
  );
}
