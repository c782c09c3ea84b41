import { Bluetooth, FileUp, Plus } from "lucide";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { listAllBeacons } from "../../worker/http/beacons/beacons.ts";
import { type Answer, usePages } from "../api/hooks.ts";
import { useQueryValue, useQueryValues, useRouter } from "../base/router.tsx";
import { FilterBar, SearchFilter } from "../forms/filters.tsx";
import { Button } from "../parts/button.tsx";
import { choices } from "../parts/choices.ts";
import { lazy } from "../parts/lazy.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";
import { useTabs } from "../parts/tabs.tsx";
import { EnabledPill, Time } from "../parts/values/format.tsx";
import { nameOfRecord } from "../parts/values/names.ts";
import { type Bulk, type Column, Table } from "../table/table.tsx";
import { BeaconDrawer, bodyOf, draftOf } from "./beacons/beacon-drawer.tsx";
import { ImportBeacons } from "./beacons/import-beacons.tsx";
import { ImportHistory } from "./beacons/import-history.tsx";

const PointMap = lazy(() => import("../map/layers/point-map.tsx"), "100%");

export type Beacon = Answer<typeof listAllBeacons>["beacons"][number];

/** Identifiers that devices receive: "uuid · major · minor" or "uid · instance". */
export const signalOf = ({ type, uuid, major, minor, uid, instance }: Beacon) =>
  (type === "ibeacon" ? [uuid, major, minor] : [uid, instance]).filter((part) => part !== undefined).join(" · ");

const COLUMNS: readonly Column<Beacon>[] = [
  { name: "Description", cell: nameOfRecord },
  { name: "Signal", cell: (beacon) => <code>{signalOf(beacon)}</code>, width: "32%", line: "none" },
  { name: "Type", width: "96px", cell: ({ type }) => (type === "ibeacon" ? "iBeacon" : "Eddystone") },
  { name: "Tag", width: "120px", cell: ({ tag }) => tag },
  { name: "External id", width: "120px", cell: ({ externalId }) => externalId, line: "detail" },
  { name: "State", width: "104px", cell: EnabledPill, line: "aside" },
  { name: "Updated", width: "112px", cell: ({ updatedAt }) => <Time at={updatedAt} />, line: "none" },
];

const FILTERS = ["tag", "externalId"] as const;

const BULK: Bulk<Beacon> = {
  noun: "beacon",
  nameOf: nameOfRecord,
  remove: (api, { _id }) => api.delete(`/v1/beacons/${_id}`),
  enable: (api, beacon, enabled) => api.put(`/v1/beacons/${beacon._id}`, bodyOf({ ...draftOf(beacon), enabled })),
  forgets: ["/v1/beacons"],
};

export default function Beacons() {
  const [tab, tabs] = useTabs("tab", choices({ list: "Beacons", map: "Map", imports: "Imports" }));
  const [open, setOpen] = useQueryValue("beacon");
  const actions = (
    <>
      <Button icon={FileUp} needs="write" onClick={() => setOpen("import", { push: true })}>
        Import CSV
      </Button>
      <Button main icon={Plus} needs="write" onClick={() => setOpen("new", { push: true })}>
        Add a beacon
      </Button>
    </>
  );
  const close = () => setOpen("");
  return (
    <>
      <PageHead title="Beacons" actions={actions} />
      {tabs}
      {tab === "imports" ? <ImportHistory /> : <List open={open} actions={actions} asMap={tab === "map"} />}
      {open === "import" && <ImportBeacons onClose={close} />}
      {open && open !== "import" && <BeaconDrawer key={open} id={open === "new" ? undefined : open} onClose={close} />}
    </>
  );
}

function List({ open, actions, asMap }: { open: string; actions: JSX.Element; asMap: boolean }) {
  const { path, go } = useRouter();
  const [query] = useQueryValues();
  const [tag, externalId] = [query.get("tag") ?? "", query.get("externalId") ?? ""];
  const pages = usePages<Beacon>("/v1/beacons", { limit: 200, tag, externalId }, "beacons");
  const points = useMemo(
    () =>
      pages.rows.map((beacon) => ({
        id: beacon._id,
        coordinates: beacon.geometry.coordinates,
        label: nameOfRecord(beacon),
        tone: beacon.enabled ? ("accent" as const) : ("plain" as const),
      })),
    [pages.rows],
  );
  const hrefOf = (id: string) => {
    const next = new URLSearchParams(query);
    next.set("beacon", id);
    return `${path}?${next}`;
  };
  const isFiltered = tag !== "" || externalId !== "";
  return (
    <>
      <FilterBar names={FILTERS}>
        <SearchFilter name="tag" label="Tag" />
        <SearchFilter name="externalId" label="External id" />
      </FilterBar>
      {asMap && pages.rows.length > 0 ? (
        <div class="fill card-map">
          <PointMap points={points} onPick={(id) => go(hrefOf(id))} />
        </div>
      ) : (
        <Table
          label="Beacons"
          columns={COLUMNS}
          hrefOf={({ _id }) => hrefOf(_id)}
          isSelected={({ _id }) => _id === open}
          pages={pages}
          bulk={BULK}
          empty={
            isFiltered ? (
              <Empty icon={Bluetooth} title="No matching beacons" />
            ) : (
              <Empty icon={Bluetooth} title="No beacons yet">
                <p>
                  Devices that range a beacon generate entry and exit events, even indoors. Add a beacon by hand, or
                  import a CSV file.
                </p>
                <div class="row wrap">{actions}</div>
              </Empty>
            )
          }
        />
      )}
    </>
  );
}
