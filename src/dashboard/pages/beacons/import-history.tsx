import { FileUp } from "lucide";
import type { listBeaconImports } from "../../../worker/http/beacons/beacon-imports.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress, useQueryValue } from "../../base/router.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { Empty } from "../../parts/states.tsx";
import { count, plural, Time } from "../../parts/values/format.tsx";
import { type Bulk, onePage, Table } from "../../table/table.tsx";
import { ImportReport } from "./import-report.tsx";

type Import = Answer<typeof listBeaconImports>["imports"][number];

const BULK: Bulk<Import> = { noun: "import", nameOf: ({ filename, _id }) => filename ?? _id };

/** The imports so far; of each, the rows that failed. */
export function ImportHistory() {
  const { to } = useAddress();
  const [open, setOpen] = useQueryValue("import");
  const list = useQuery<Answer<typeof listBeaconImports>>("/v1/imports/beacons");
  const imports = list.data?.imports ?? [];
  const opened = imports.find(({ _id }) => _id === open);
  return (
    <>
      <Table
        label="Imports"
        rows={imports}
        hrefOf={({ _id }) => `${to("beacons")}?tab=imports&import=${_id}`}
        isSelected={({ _id }) => _id === open}
        bulk={BULK}
        columns={[
          { name: "File", cell: ({ filename }) => filename ?? "Unnamed" },
          { name: "Rows", width: "88px", right: true, cell: ({ total }) => count(total) },
          { name: "Created", width: "88px", right: true, cell: ({ created }) => count(created), wideOnly: true },
          { name: "Updated", width: "88px", right: true, cell: ({ updated }) => count(updated), wideOnly: true },
          { name: "Unchanged", width: "104px", right: true, cell: ({ unchanged }) => count(unchanged), wideOnly: true },
          { name: "Failed", width: "88px", right: true, cell: ({ failed }) => count(failed) },
          { name: "When", width: "112px", cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        pages={onePage(list)}
        empty={<Empty icon={FileUp} title="Nothing has been imported yet" />}
      />
      {opened && (
        <Drawer title={opened.filename ?? "Import"} onClose={() => setOpen("")} wide>
          <p class="muted">
            <Time at={opened.createdAt} as="exact" />, {plural(opened.total, "row")}
          </p>
          <ImportReport of={opened} rows={opened.failures} />
        </Drawer>
      )}
    </>
  );
}
