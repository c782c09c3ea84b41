import { Plus, X } from "lucide";
import { Field } from "../../forms/fields.tsx";
import type { DraftForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { PLACE_FILTERS } from "./field-groups.ts";
import { SettingGroups } from "./setting-fields.tsx";
import { readValues, type SettingValues, writeValues } from "./setting-values.ts";
import { type Settings, SettingsSection } from "./use-settings.tsx";

interface Mapping {
  slug: string;
  externalId: string;
  /** JSON */
  metadata: string;
}

interface Draft {
  mappings: Mapping[];
  values: SettingValues;
  /** Previously mapped slugs, to detect removed ones. */
  before: string[];
}

function read(settings: Settings): Draft {
  const { chainMappings, chainMetadata } = settings;
  const slugs = [...new Set([...Object.keys(chainMappings), ...Object.keys(chainMetadata)])].sort();
  return {
    mappings: slugs.map((slug) => ({
      slug,
      externalId: chainMappings[slug] ?? "",
      metadata: chainMetadata[slug] ? JSON.stringify(chainMetadata[slug]) : "",
    })),
    values: readValues(settings, PLACE_FILTERS),
    before: slugs,
  };
}

/** null removes a mapping or a metadata entry (RFC 7396); metadata is replaced as one value. */
function write({ mappings, values, before }: Draft) {
  const named = mappings.filter(({ slug }) => slug.trim() !== "");
  const gone = before
    .filter((slug) => !named.some((one) => one.slug.trim() === slug))
    .map((slug) => [slug, null] as const);
  const own = <T,>(value: (mapping: Mapping) => T) =>
    Object.fromEntries([...gone, ...named.map((one) => [one.slug.trim(), value(one)] as const)]);
  return {
    ...writeValues(values, PLACE_FILTERS),
    chainMappings: own(({ externalId }) => (externalId.trim() === "" ? null : externalId.trim())),
    chainMetadata: own(({ metadata }) => (metadata.trim() === "" ? null : parseMetadata(metadata))),
  };
}

/** Invalid JSON is sent as is, so that the server reports the error. */
function parseMetadata(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function Places() {
  return (
    <SettingsSection read={read} write={write}>
      {(form) => (
        <>
          <ChainMappings {...form} />
          <SettingGroups groups={PLACE_FILTERS} form={form} />
        </>
      )}
    </SettingsSection>
  );
}

function ChainMappings({ draft: { mappings }, set, locked }: DraftForm<Draft>) {
  const isLocked = locked !== undefined;
  const change = (i: number, part: Partial<Mapping>) =>
    set({ mappings: mappings.map((one, at) => (at === i ? { ...one, ...part } : one)) });
  return (
    <section class="setting-group">
      <h2>Chain mappings</h2>
      <p class="muted">
        A chain's external id and metadata are included in all its places and events. Find slugs on the Places page.
      </p>
      {mappings.map(({ slug, externalId, metadata }, i) => (
        <div key={i} class="mapping">
          <Field label="Chain" value={slug} placeholder="starbucks" onChange={(next) => change(i, { slug: next })} />
          <Field
            label="External id"
            param={`chainMappings[${slug.trim()}]`}
            value={externalId}
            onChange={(next) => change(i, { externalId: next })}
          />
          <Field
            label="Metadata"
            param={`chainMetadata[${slug.trim()}]`}
            value={metadata}
            placeholder='{"tier": "gold"}'
            mono
            onChange={(next) => change(i, { metadata: next })}
          />
          <Button
            bare
            icon={X}
            label={`Remove ${slug || "this row"}`}
            disabled={isLocked}
            onClick={() => set({ mappings: mappings.filter((_, at) => at !== i) })}
          />
        </div>
      ))}
      <div>
        <Button
          icon={Plus}
          disabled={isLocked}
          onClick={() => set({ mappings: [...mappings, { slug: "", externalId: "", metadata: "" }] })}
        >
          Add a chain
        </Button>
      </div>
    </section>
  );
}
