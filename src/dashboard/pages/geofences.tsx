import { Pencil, Plus, Upload } from "lucide";
import { useMemo, useState } from "preact/hooks";
import type { getGeofenceById } from "../../worker/http/geofences/geofences.ts";
import type { Answer } from "../api/client.ts";
import { type Pages, usePages, useQuery } from "../api/hooks.ts";
import { useMay, whyNot } from "../api/session-context.ts";
import { useAddress, useQueryValue, useRouter } from "../base/router.tsx";
import { FilterBar, SearchFilter } from "../forms/filters.tsx";
import { viewOf } from "../map/clusters.ts";
import { MapView } from "../map/dashboard-map.tsx";
import { withEnabled } from "../map/fences/fence-draft.ts";
import { GoTo } from "../map/go-to.tsx";
import { FencesLayer, UsersLayer } from "../map/layers/layers.tsx";
import { MapPage } from "../map/map-page.tsx";
import { boundsOf } from "../map/position.ts";
import { useNow } from "../map/use-now.ts";
import type { WireUser } from "../map/users/whereabouts.ts";
import { Button, LinkButton } from "../parts/button.tsx";
import { DownloadButton } from "../parts/files/downloads.tsx";
import { Empty } from "../parts/states.tsx";
import { Pill } from "../parts/values/pill.tsx";
import type { Bulk } from "../table/bulk.tsx";
import { type Column, Table } from "../table/table.tsx";
import type { Fence } from "./geofences/fence.ts";
import { FenceDetail } from "./geofences/fence-detail.tsx";
import { FenceEditor } from "./geofences/fence-editor.tsx";
import { FenceImport, type ImportView } from "./geofences/fence-import.tsx";

const COLUMNS: readonly Column<Fence>[] = [
  {
    name: "Geofence",
    cell: ({ description }) => description,
  },
  { name: "State", cell: ({ enabled }) => !enabled && <Pill tone="plain">Disabled</Pill>, line: "detail" },
  { name: "Tag", cell: ({ tag, externalId }) => [tag, externalId].filter(Boolean).join(" / "), line: "detail" },
  { name: "Kind", cell: ({ type }) => type, line: "aside" },
];

const FILTERS = ["q", "tag"] as const;

const BULK: Bulk<Fence> = {
  noun: "geofence",
  nameOf: ({ description }) => description,
  remove: (api, { _id }) => api.delete(`/v1/geofences/${_id}`),
  enable: (api, fence, enabled) => api.put(`/v1/geofences/${fence._id}`, withEnabled(fence, enabled)),
  removes: "Users inside leave them with their next update. This cannot be undone.",
  forgets: ["/v1/geofences"],
};

/** Geofences: /geofences/<id> shows one, …/<id>/edit and /geofences/new draw, …/import imports a file. */
export default function Geofences() {
  const { rest, to } = useAddress();
  const { go } = useRouter();
  const now = useNow();
  const [tag] = useQueryValue("tag");
  const [search] = useQueryValue("q");
  const [first = "", second = ""] = rest;
  const mode = first === "new" || first === "import" ? first : second === "edit" ? "edit" : first ? "one" : "list";
  const id = mode === "one" || mode === "edit" ? first : "";

  const pages = usePages<Fence>("/v1/geofences", { limit: 1000, tag, search }, "geofences", ({ createdAt }) => ({
    createdBefore: createdAt,
  }));
  const one = useQuery<Answer<typeof getGeofenceById>>(id ? `/v1/geofences/${id}` : undefined);
  const chosen = one.data?.geofence ?? pages.rows.find(({ _id }) => _id === id);
  const inside = useQuery<{ users: WireUser[] }>(
    id ? `/v1/geofences/${id}/users` : undefined,
    { limit: 1000 },
    { every: 15_000 },
  );
  const users = inside.data?.users ?? NOBODY;
  const [imported, setImported] = useState<ImportView>();

  const shown = pages.rows;
  const drawn = useMemo(
    () => (chosen && !shown.some(({ _id }) => _id === chosen._id) ? [...shown, chosen] : shown),
    [shown, chosen],
  );
  // While one is edited, it is drawn by the editor.
  const others = useMemo(() => (mode === "edit" ? drawn.filter(({ _id }) => _id !== id) : drawn), [drawn, mode, id]);
  const fit = useMemo(() => {
    const looked = id ? (chosen ? [chosen] : []) : pages.rows;
    return (id ? boundsOf : viewOf)(looked.flatMap(({ geometry }) => geometry?.coordinates[0] ?? []));
  }, [id, chosen, pages.rows]);
  const open = (fence: string) => go(to("geofences", fence));
  const close = () => go(`${to("geofences")}${location.search}`);

  const layers = (
    <>
      <FencesLayer fences={others} selected={id} onPick={mode === "list" || mode === "one" ? open : undefined} />
      {id !== "" && <UsersLayer users={users} now={now} onPick={(user) => go(to("users", user))} />}
      {mode === "import" && imported?.layer}
      <GoTo bounds={mode === "import" ? imported?.bounds : id ? fit : undefined} />
    </>
  );

  if (mode === "new" || (mode === "edit" && chosen)) {
    return (
      <FenceEditor
        key={id}
        fence={mode === "edit" ? chosen : undefined}
        layers={layers}
        fit={fit}
        onClose={close}
        onSaved={open}
      />
    );
  }
  const detail =
    mode === "import" ? (
      <FenceImport onClose={close} onView={setImported} />
    ) : id ? (
      <FenceDetail
        fence={chosen}
        problem={one.problem}
        users={users}
        onClose={close}
        actions={
          chosen && (
            <LinkButton icon={Pencil} href={to("geofences", id, "edit")}>
              Edit
            </LinkButton>
          )
        }
      />
    ) : undefined;
  return (
    <MapPage
      title="Geofences"
      actions={<ListActions filter={{ tag, search }} />}
      detail={detail}
      map={
        <MapView label="Map of geofences" fit={fit}>
          {layers}
        </MapView>
      }
    >
      <FenceList pages={pages} isSearch={search !== ""} />
    </MapPage>
  );
}

function ListActions({ filter }: { filter: { tag: string; search: string } }) {
  const { to } = useAddress();
  const { go } = useRouter();
  const mayWrite = useMay("write");
  return (
    <>
      <LinkButton bare icon={Upload} href={to("geofences", "import")} label="Import" />
      <ExportMenu filter={filter} />
      <Button
        main
        icon={Plus}
        disabled={!mayWrite}
        why={whyNot("write")}
        onClick={() => go(`${to("geofences", "new")}${location.search}`)}
      >
        New
      </Button>
    </>
  );
}

function FenceList({ pages, isSearch }: { pages: Pages<Fence>; isSearch: boolean }) {
  const { to } = useAddress();
  return (
    <>
      <FilterBar names={FILTERS}>
        <SearchFilter name="q" label="Name, tag or id" />
      </FilterBar>
      <Table
        label="Geofences"
        columns={COLUMNS}
        rows={pages.rows}
        rowKey={({ _id }) => _id}
        hrefOf={({ _id }) => to("geofences", _id)}
        pages={pages}
        bulk={BULK}
        empty={
          isSearch ? (
            <Empty title="Geofence not found" />
          ) : (
            <Empty icon={Plus} title="No geofences yet">
              <p>Draw one on the map, or import a GeoJSON or CSV file.</p>
              <LinkButton main href={to("geofences", "new")}>
                Draw a geofence
              </LinkButton>
            </Empty>
          )
        }
      />
    </>
  );
}

const NOBODY: readonly WireUser[] = [];

/** The same file comes back through the import and changes nothing. */
function ExportMenu({ filter }: { filter: { tag: string; search: string } }) {
  const path = "/v1/exports/geofences";
  return (
    <>
      <DownloadButton bare path={path} query={{ ...filter, format: "geojson" }} label="Export as GeoJSON" />
      <DownloadButton bare icon={false} path={path} query={{ ...filter, format: "csv" }} label="Export as CSV">
        CSV
      </DownloadButton>
    </>
  );
}
