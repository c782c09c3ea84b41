import { Database } from "lucide";
import { useMemo } from "preact/hooks";
import type { getGeodata } from "../../worker/http/dashboard/geodata.ts";
import { type Answer, useQuery } from "../api/hooks.ts";
import { useAddress, useRouter } from "../base/router.tsx";
import { MapView } from "../map/dashboard-map.tsx";
import { GoTo } from "../map/go-to.tsx";
import { AreasLayer } from "../map/layers/layers.tsx";
import { MapDetail, MapPage } from "../map/map-page.tsx";
import { type Bounds, boundsOf } from "../map/position.ts";
import { Empty, Failure, Note, Waiting } from "../parts/states.tsx";
import { Code } from "../parts/values/code.tsx";
import { bytes, Time } from "../parts/values/format.tsx";
import { type Bulk, type Column, onePage, Table } from "../table/table.tsx";
import { BuildDetail } from "./geodata/build-detail.tsx";

type Build = Answer<typeof getGeodata>["builds"][number];

const COLUMNS: readonly Column<Build>[] = [
  { name: "Build", cell: ({ name }) => name },
  { name: "Size", width: "88px", right: true, cell: ({ bytes: size }) => bytes(size) },
  { name: "Imported", width: "104px", right: true, cell: ({ importedAt }) => <Time at={importedAt} /> },
];

/** A build concerns all projects: it is removed by itself, after its name was typed. */
const BULK: Bulk<Build> = { noun: "build", nameOf: ({ name }) => name };

const IMPORTS = [
  ["An extract of OpenStreetMap", "npm run import -- https://download.geofabrik.de/europe/malta-latest.osm.pbf"],
  ["A fictional town with data for every feature", "npm run import -- --demo"],
  ["Import into a deployment", "npm run import -- malta-latest.osm.pbf --remote"],
] as const;

/** Live geodata builds, their age, and rollback. */
export default function Geodata() {
  const { rest, to } = useAddress();
  const { go } = useRouter();
  const name = rest[0] ?? "";
  const asked = useQuery<Answer<typeof getGeodata>>("/dashboard/api/geodata");
  const builds = asked.data?.builds ?? NONE;
  const build = builds.find((one) => one.name === name);
  const areas = useMemo(() => {
    const shown = name ? builds.filter((one) => one.name === name) : builds;
    return shown.flatMap(({ name, areas }) => areas.filter(isPart).map((box) => ({ name, rings: [ringOf(box)] })));
  }, [builds, name]);
  const bounds = useMemo(() => boundsOf(areas.flatMap(({ rings }) => rings[0])), [areas]);
  return (
    <MapPage
      title="Geodata"
      detail={
        name &&
        (build ? (
          <BuildDetail build={build} again={asked.again} onClose={() => go(to("geodata"))} />
        ) : (
          <MapDetail title={name} onClose={() => go(to("geodata"))}>
            {asked.problem || asked.loading ? <Waiting of={asked} lines={4} /> : <Note>Build not found.</Note>}
          </MapDetail>
        ))
      }
      map={
        <MapView label="Map of imported areas" fit={bounds}>
          <AreasLayer source="builds" areas={areas} />
          <GoTo bounds={bounds} />
        </MapView>
      }
    >
      {asked.problem && <Failure problem={asked.problem} again={asked.again} />}
      {!asked.problem && (
        <div class="geodata-list">
          <Table
            label="Live builds"
            columns={COLUMNS}
            rows={builds}
            rowKey={({ name }) => name}
            hrefOf={({ name }) => to("geodata", name)}
            bulk={BULK}
            pages={onePage(asked)}
            empty={<Empty icon={Database} title="Nothing has been imported yet." />}
          />
        </div>
      )}
      <ImportHelp />
    </MapPage>
  );
}

function ImportHelp() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div class="map-panel-body stack tight how-to" tabIndex={0}>
      <h2>How to import</h2>
      <p class="muted">Run imports on a machine with Node. A running Worker uses new builds within 10 seconds.</p>
      {IMPORTS.map(([what, command]) => (
        <div key={command}>
          <p class="small">{what}</p>
          <Code text={command} wrap />
        </div>
      ))}
    </div>
  );
}

const NONE: readonly Build[] = [];

/** World base data covers everything, so it has no useful bounds. */
const isPart = ([west, south, east, north]: Bounds) => east - west < 350 || north - south < 160;

function ringOf([west, south, east, north]: Bounds): number[][] {
  const right = east < west ? east + 360 : east;
  return [[west, south], [right, south], [right, north], [west, north], [west, south]]; // biome-ignore format: a box
}
