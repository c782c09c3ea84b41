import { useState } from "preact/hooks";
import { chainSlug } from "../../../places/chains.ts";
import { Field } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty, Failure, SkeletonLines } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAddress, useRouter } from "../../router.tsx";
import { usePlaceSettings } from "./place-settings.ts";

interface Mapped {
  slug: string;
  externalId?: string;
  entries: number;
}

const COLUMNS: readonly Column<Mapped>[] = [
  { name: "Chain", cell: ({ slug }) => slug },
  { name: "Your id", width: "112px", cell: ({ externalId }) => externalId ?? <span class="muted">–</span> },
  { name: "Metadata", width: "88px", right: true, cell: ({ entries }) => entries || <span class="muted">–</span> },
];

/** Chains the project has an id or metadata for. */
export function ChainList() {
  const { to } = useAddress();
  const { go } = useRouter();
  const { settings, problem, again } = usePlaceSettings();
  const [name, setName] = useState("");
  if (problem && !settings) return <Failure problem={problem} again={again} />;
  if (!settings) return <SkeletonLines />;
  const { chainMappings, chainMetadata } = settings;
  const rows = [...new Set([...Object.keys(chainMappings), ...Object.keys(chainMetadata)])]
    .sort()
    .map((slug): Mapped => {
      return { slug, externalId: chainMappings[slug], entries: Object.keys(chainMetadata[slug] ?? {}).length };
    });
  const open = (slug: string) => `${to("places", "chain", slug)}?show=chains`;
  return (
    <>
      <form
        class="map-tools row share-make"
        onSubmit={(event) => {
          event.preventDefault();
          if (chainSlug(name)) go(open(chainSlug(name)));
        }}
      >
        <div class="grow">
          <Field label="Chain" placeholder="Starbucks" value={name} onChange={setName} />
        </div>
        <Button type="submit" disabled={chainSlug(name) === ""}>
          Map chain
        </Button>
      </form>
      <Table
        label="Chains"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ slug }) => slug}
        hrefOf={({ slug }) => open(slug)}
        empty={
          <Empty title="No mapped chains yet">
            <p>Set your own id for a chain. Events include it as chain.externalId, and searches accept it.</p>
          </Empty>
        }
      />
    </>
  );
}
