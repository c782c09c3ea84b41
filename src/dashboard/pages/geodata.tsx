import { Database, RotateCcw, Trash2 } from "lucide";
import { useMemo, useState } from "preact/hooks";
import { useChange, useQuery } from "../api/hooks.ts";
import { useMay, whyNot } from "../api/session-context.ts";
import { MapView } from "../map/dashboard-map.tsx";
import { GoTo } from "../map/go-to.tsx";
import { AreasLayer } from "../map/layers.tsx";
import { Facts, MapDetail, MapPage } from "../map/map-page.tsx";
import { type Bounds, boundsOf } from "../map/position.ts";
import { Button } from "../parts/button.tsx";
import { Code, Id } from "../parts/code.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { bytes } from "../parts/number.tsx";
import { Empty, Failure, Note, SkeletonLines } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { toast } from "../parts/toast.tsx";
import { useAddress, useRouter } from "../router.tsx";

interface Build {
  name: string;
  id: string;
  layers: string[];
  areas: Bounds[];
  sources: { name: string; url?: string; licence?: string; attribution?: string }[];
  importedAt?: string;
  bytes?: number;
  previous: { id: string; importedAt?: string; bytes?: number }[];
}

const COLUMNS: readonly Column<Build>[] = [
  { name: "Build", cell: ({ name }) => name },
  { name: "Size", width: "88px", right: true, cell: ({ bytes: size }) => bytes(size) },
  { name: "Imported", width: "104px", right: true, cell: ({ importedAt }) => <Time at={importedAt} /> },
];

const IMPORTS = [
  ["An extract of OpenStreetMap", "npm run import -- https://download.geofabrik.de/europe/malta-latest.osm.pbf"],
  ["A made-up town, to try everything with", "npm run import -- --demo"],
  ["The same into a deployment", "npm run import -- malta-latest.osm.pbf --remote"],
] as const;

/** What the platform knows of the world: live builds, how old they are, and the way back. */
export default function Geodata() {
  const { rest, to } = useAddress();
  const { go } = useRouter();
  const name = rest[0] ?? "";
  const asked = useQuery<{ builds: Build[] }>("/dashboard/api/geodata");
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
            {asked.problem ? (
              <Failure problem={asked.problem} again={asked.again} />
            ) : asked.loading ? (
              <SkeletonLines />
            ) : (
              <Note>There is no such build now.</Note>
            )}
          </MapDetail>
        ))
      }
      map={
        <MapView label="Map of what is imported" fit={bounds}>
          <AreasLayer source="builds" areas={areas} />
          <GoTo bounds={bounds} />
        </MapView>
      }
    >
      {asked.problem && <Failure problem={asked.problem} again={asked.again} />}
      <div class="geodata-list">
        <Table
          label="Live builds"
          columns={COLUMNS}
          rows={builds}
          rowKey={({ name }) => name}
          hrefOf={({ name }) => to("geodata", name)}
          pages={{ hasMore: false, loading: asked.loading, more: nothing, again: asked.again }}
          empty={<Empty icon={Database} title="Nothing is imported yet." />}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="map-panel-body stack tight how-to" tabIndex={0}>
        <h2>How to import</h2>
        <p class="muted">
          Builds are made on a machine with Node, next to the data; a running Worker takes them up within ten seconds.
        </p>
        {IMPORTS.map(([what, command]) => (
          <div key={command}>
            <p class="small">{what}</p>
            <Code text={command} wrap />
          </div>
        ))}
      </div>
    </MapPage>
  );
}

const NONE: readonly Build[] = [];
const nothing = () => {};

/** The base of the world lies everywhere; a box around it says nothing. */
const isPart = ([west, south, east, north]: Bounds) => east - west < 350 || north - south < 160;

function ringOf([west, south, east, north]: Bounds): number[][] {
  const right = east < west ? east + 360 : east;
  return [[west, south], [right, south], [right, north], [west, north], [west, south]]; // biome-ignore format: a box
}

function BuildDetail({ build, again, onClose }: { build: Build; again: () => void; onClose: () => void }) {
  const mayAdmin = useMay("admin");
  const [removing, setRemoving] = useState(false);
  const path = `/dashboard/api/geodata/${encodeURIComponent(build.name)}`;
  const activation = useChange((api, id: string) => api.post(`${path}/activate`, { id }));
  const rollBack = useChange((api) => api.post(`${path}/roll-back`));
  const removal = useChange((api) => api.delete(path));
  const busy = activation.busy || rollBack.busy || removal.busy;
  const problem = activation.problem ?? rollBack.problem;
  const done = (said: string) => {
    toast(said);
    again();
  };
  return (
    <MapDetail
      title={build.name}
      onClose={onClose}
      foot={
        <>
          <Button danger icon={Trash2} disabled={!mayAdmin} why={whyNot("admin")} onClick={() => setRemoving(true)}>
            Remove
          </Button>
          <span class="grow" />
          <Button
            icon={RotateCcw}
            busy={busy}
            disabled={!mayAdmin || build.previous.length === 0}
            why={mayAdmin ? "There is no build before this one." : whyNot("admin")}
            onClick={async () => {
              const result = await rollBack.run();
              if (result.ok) done("The build before is live within ten seconds.");
            }}
          >
            Roll back
          </Button>
        </>
      }
    >
      {problem && <Failure problem={problem} />}
      <Facts
        facts={[
          ["Imported", build.importedAt && <Time at={build.importedAt} as="exact" />],
          ["Size", bytes(build.bytes)],
          ["Layers", build.layers.join(", ")],
          ["Build", <Id key="id">{build.id}</Id>],
        ]}
      />
      <h2>Sources</h2>
      {build.sources.map(({ name, url, licence, attribution }) => (
        <div key={name}>
          <p class="strong">
            {url ? (
              <a href={url} target="_blank" rel="noopener">
                {name}
              </a>
            ) : (
              name
            )}
          </p>
          <p class="muted small">{[attribution, licence].filter(Boolean).join(" · ")}</p>
        </div>
      ))}
      <h2>Builds before</h2>
      {build.previous.length === 0 && <p class="muted">None is kept.</p>}
      <ul class="picks">
        {build.previous.map(({ id, importedAt, bytes: size }) => (
          <li key={id} class="import-line">
            <span>
              <code>{id}</code>{" "}
              <span class="muted small">
                <Time at={importedAt} /> · {bytes(size)}
              </span>
            </span>
            <Button
              small
              busy={busy}
              disabled={!mayAdmin}
              why={whyNot("admin")}
              onClick={async () => {
                const result = await activation.run(id);
                if (result.ok) done(`${id} is live within ten seconds.`);
              }}
            >
              Activate
            </Button>
          </li>
        ))}
      </ul>
      {removing && (
        <Confirm
          title="Remove this build?"
          name={build.name}
          action="Remove build"
          busy={removal.busy}
          problem={removal.problem?.message}
          onConfirm={async () => {
            const result = await removal.run();
            if (!result.ok) return;
            setRemoving(false);
            onClose();
            done(`${build.name} is no longer live.`);
          }}
          onClose={() => setRemoving(false)}
        >
          All projects of this deployment lose its roads, addresses, places and map within ten seconds. To have it
          again, import it again.
        </Confirm>
      )}
    </MapDetail>
  );
}
