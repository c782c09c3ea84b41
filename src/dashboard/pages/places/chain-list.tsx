import { chainSlug } from "../../../core/places/chains.ts";
import { useAddress, useRouter } from "../../base/router.tsx";
import { Field } from "../../forms/fields.tsx";
import { Form, SaveButton } from "../../forms/form.tsx";
import { DONE, useForm } from "../../forms/use-form.ts";
import { Empty, Failure, SkeletonLines } from "../../parts/states.tsx";
import { type Bulk, type Column, Table } from "../../table/table.tsx";
import { SETTINGS_PATH, usePlaceSettings } from "./place-settings.ts";

interface MappedChain {
  slug: string;
  externalId?: string;
  entries: number;
}

const COLUMNS: readonly Column<MappedChain>[] = [
  { name: "Chain", cell: ({ slug }) => slug },
  { name: "Your id", width: "112px", cell: ({ externalId }) => externalId ?? <span class="muted">–</span> },
  { name: "Metadata", width: "88px", right: true, cell: ({ entries }) => entries || <span class="muted">–</span> },
];

/** One request: each would write the mappings that it has read. */
const BULK: Bulk<MappedChain> = {
  noun: "chain",
  nameOf: ({ slug }) => slug,
  role: "admin",
  removeAll: (api, rows) => {
    const none = Object.fromEntries(rows.map(({ slug }) => [slug, null]));
    return api.patch(SETTINGS_PATH, { chainMappings: none, chainMetadata: none });
  },
  removes: "Deletes your ids and metadata of these chains. Events no longer include them.",
  forgets: [SETTINGS_PATH, "/v1/search/places"],
};

/** Chains the project has an id or metadata for. */
export function ChainList() {
  const { to } = useAddress();
  const { go } = useRouter();
  const { settings, problem, again } = usePlaceSettings();
  const open = (slug: string) => `${to("places", "chain", slug)}?show=chains`;
  const form = useForm({
    saved: { name: "" },
    send: (_, { name }) => (chainSlug(name) ? DONE : { faults: { name: "Enter the name of a chain." } }),
    onDone: (_, { name }) => go(open(chainSlug(name))),
  });
  if (problem && !settings) return <Failure problem={problem} again={again} />;
  if (!settings) return <SkeletonLines />;
  const { chainMappings, chainMetadata } = settings;
  const rows = [...new Set([...Object.keys(chainMappings), ...Object.keys(chainMetadata)])]
    .sort()
    .map((slug): MappedChain => {
      return { slug, externalId: chainMappings[slug], entries: Object.keys(chainMetadata[slug] ?? {}).length };
    });
  return (
    <>
      <Form of={form} class="map-tools row share-make">
        <div class="grow">
          <Field label="Chain" placeholder="Starbucks" {...form.field("name")} />
        </div>
        <SaveButton plain disabled={chainSlug(form.draft.name) === ""}>
          Map chain
        </SaveButton>
      </Form>
      <Table
        label="Chains"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ slug }) => slug}
        hrefOf={({ slug }) => open(slug)}
        bulk={BULK}
        empty={
          <Empty title="No mapped chains yet">
            <p>Set your own id for a chain. Events include it as chain.externalId, and searches accept it.</p>
          </Empty>
        }
      />
    </>
  );
}
