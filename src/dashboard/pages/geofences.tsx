import { Pencil, Plus, Upload } from "lucide";
import { useMemo, useState } from "preact/hooks";
import type { getGeofenceById } from "../../worker/http/geofences/geofences.ts";
import { type Answer, type Pages, usePages, useQuery } from "../api/hooks.ts";
import { useAddress, useQueryValue, useRouter } from "../base/router.tsx";
import { FilterBar, ListFilter, SearchFilter } from "../forms/filters.tsx";
import { useTags } from "../forms/pick-options.ts";
import { viewOf } from "../map/clusters.ts";
import { MapView } from "../map/dashboard-map.tsx";
import { withEnabled } from "../map/fences/fence-draft.ts";
import { GoTo } from "../map/go-to.tsx";
import { FencesLayer, UsersLayer } from "../map/layers/layers.tsx";
import { MapPage } from "../map/map-page.tsx";
import { boundsOf } from "../map/position.ts";
import type { WireUser } from "../map/users/whereabouts.ts";
import { Button, LinkButton } from "../parts/button.tsx";
import { DownloadButton } from "../parts/files/downloads.tsx";
import { Empty } from "../parts/states.tsx";
import { Pill } from "../parts/values/format.tsx";
import { nameOfRecord } from "../parts/values/names.ts";
import { useNow } from "../parts/values/now.ts";
import { type Bulk, type Column, Table } from "../table/table.tsx";
import { type Fence, KIND_WORDS, type MapOfDetail } from "./geofences/fence.ts";
import { FenceDetail } from "./geofences/fence-detail.tsx";
import { FenceEditor } from "./geofences/fence-editor.tsx";
import { FenceImport } from "./geofences/fence-import.tsx";

const COLUMNS: readonly Column<Fence>[] = [
  { name: "Geofence", cell: nameOfRecord },
  { name: "State", cell: ({ enabled }) => !enabled && <Pill tone="plain">Disabled</Pill>, line: "detail" },
  { name: "Tag", cell: ({ tag, externalId }) => [tag, externalId].filter(Boolean).join(" / "), line: "detail" },
  { name: "Kind", cell: ({ type }) => KIND_WORDS[type], line: "aside" },
];

const FILTERS = ["q", "tag"] as const;

const BULK: Bulk<Fence> = {
  noun: "geofence",
  nameOf: nameOfRecord,
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
  const { mode, id } = modeOf(rest);
  const pages = usePages<Fence>("/v1/geofences", { limit: 1000, tag, search }, "geofences");
  const { chosen, problem, users } = useFence(id, pages.rows);
  /** What the editor or the import draws. */
  const [drawn, setDrawn] = useState<MapOfDetail>();

  const { others, fit } = useDrawnFences(pages.rows, chosen, id, mode === "edit");
  const open = (fence: string) => go(to("geofences", fence));
  const close = () => go(`${to("geofences")}${location.search}`);

  const layers = (
    <>
      <FencesLayer fences={others} selected={id} onPick={mode === "list" || mode === "one" ? open : undefined} />
      {id !== "" && <UsersLayer users={users} now={now} onPick={(user) => go(to("users", user))} />}
      {drawn?.layer}
      <GoTo bounds={mode === "import" ? drawn?.bounds : mode === "one" || mode === "edit" ? fit : undefined} />
    </>
  );
  const isEditor = mode === "new" || (mode === "edit" && chosen !== undefined);
  const edit = chosen && (
    <LinkButton icon={Pencil} href={to("geofences", id, "edit")}>
      Edit
    </LinkButton>
  );
  return (
    <MapPage
      title="Geofences"
      detailSheet={isEditor ? "half" : "full"}
      actions={<ListActions filter={{ tag, search }} />}
      detail={
        mode === "import" ? (
          <FenceImport onClose={close} onView={setDrawn} />
        ) : isEditor ? (
          <FenceEditor key={id} fence={chosen} onClose={close} onSaved={open} onView={setDrawn} />
        ) : (
          id && <FenceDetail fence={chosen} problem={problem} users={users} onClose={close} actions={edit} />
        )
      }
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

/** The mode of the page and its geofence, by the rest of the path. */
function modeOf([first = "", second = ""]: readonly string[]) {
  if (first === "new" || first === "import") return { mode: first, id: "" } as const;
  return { mode: second === "edit" ? "edit" : first ? "one" : "list", id: first } as const;
}

/** The fence of the address, and the users in it. */
function useFence(id: string, listed: readonly Fence[]) {
  const one = useQuery<Answer<typeof getGeofenceById>>(id ? `/v1/geofences/${id}` : undefined);
  const inside = useQuery<{ users: WireUser[] }>(
    id ? `/v1/geofences/${id}/users` : undefined,
    { limit: 1000 },
    { every: 15_000 },
  );
  const chosen = one.data?.geofence ?? listed.find(({ _id }) => _id === id);
  return { chosen, problem: one.problem, users: inside.data?.users ?? NOBODY };
}

/** The fences on the map, without the one that the editor draws, and the box that shows them or the chosen one. */
function useDrawnFences(listed: readonly Fence[], chosen: Fence | undefined, id: string, isEdited: boolean) {
  const others = useMemo(() => {
    const drawn = chosen && !listed.some(({ _id }) => _id === chosen._id) ? [...listed, chosen] : listed;
    return isEdited ? drawn.filter(({ _id }) => _id !== id) : drawn;
  }, [listed, chosen, id, isEdited]);
  const fit = useMemo(() => {
    const looked = id ? (chosen ? [chosen] : []) : listed;
    return (id ? boundsOf : viewOf)(looked.flatMap(({ geometry }) => geometry?.coordinates[0] ?? []));
  }, [id, chosen, listed]);
  return { others, fit };
}

function ListActions({ filter }: { filter: { tag: string; search: string } }) {
  const { to } = useAddress();
  const { go } = useRouter();
  return (
    <>
      <LinkButton bare icon={Upload} href={to("geofences", "import")} label="Import" />
      <ExportMenu filter={filter} />
      <Button main icon={Plus} needs="write" onClick={() => go(`${to("geofences", "new")}${location.search}`)}>
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
        <ListFilter name="tag" label="Tag" options={useTags("geofences")} />
      </FilterBar>
      <Table
        label="Geofences"
        columns={COLUMNS}
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
