import { RefreshCw, RotateCcw, Trash2 } from "lucide";
import { useEffect } from "preact/hooks";
import type { checkGeodata, getGeodata } from "../../../worker/http/dashboard/geodata.ts";
import { type Answer, useChange, useQuery } from "../../api/hooks.ts";
import { useIsOperator } from "../../api/session-context.ts";
import { ConfirmButton } from "../../forms/confirm.tsx";
import { MapDetail } from "../../map/map-page.tsx";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note, SkeletonLines } from "../../parts/states.tsx";
import { Id } from "../../parts/values/code.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { bytes, count, Pill, plural, Time } from "../../parts/values/format.tsx";

import "./build-detail.css";

type Build = Answer<typeof getGeodata>["builds"][number];
type HealthAnswer = Answer<typeof checkGeodata>;

/** One live build: its sources, its health, and rollback. */
export function BuildDetail({ build, again, onClose }: { build: Build; again: () => void; onClose: () => void }) {
  const isOperator = useIsOperator();
  const path = `/dashboard/api/geodata/${encodeURIComponent(build.name)}`;
  const { activate, rollBackNow, done, problem, busy } = useBuildChanges(path, again);
  return (
    <MapDetail
      title={build.name}
      onClose={onClose}
      foot={
        isOperator && (
          <>
            <ConfirmButton
              button={{ danger: true, icon: Trash2, children: "Remove" }}
              title="Remove this build?"
              name={build.name}
              action="Remove build"
              send={(api) => api.delete(path)}
              onDone={() => {
                onClose();
                done(`${build.name} is no longer live.`);
              }}
            >
              All projects of this deployment lose its roads, addresses, places and map within 10 seconds. To restore
              it, import it again.
            </ConfirmButton>
            <span class="grow" />
            <Button
              icon={RotateCcw}
              busy={busy}
              disabled={build.previous.length === 0}
              why="There is no previous build."
              onClick={() => void rollBackNow()}
            >
              Roll back
            </Button>
          </>
        )
      }
    >
      {problem && <Failure problem={problem} />}
      {!isOperator && <Note>All projects share the geodata. Only operators of the deployment can change it.</Note>}
      <BuildFacts build={build} />
      <h2>Health</h2>
      <Health name={build.name} id={build.id} />
      <h2>Sources</h2>
      {build.sources.map((source) => (
        <Source key={source.name} of={source} />
      ))}
      <h2>Previous builds</h2>
      <PreviousBuilds of={build.previous} busy={busy} onActivate={isOperator ? (id) => void activate(id) : undefined} />
    </MapDetail>
  );
}

/** Activates a previous build, or the last one before. */
function useBuildChanges(path: string, again: () => void) {
  const activation = useChange((api, id: string) => api.post(`${path}/activate`, { id }));
  const rollBack = useChange((api) => api.post(`${path}/roll-back`));
  const problem = activation.problem ?? rollBack.problem;
  const busy = activation.busy || rollBack.busy;
  const done = (said: string) => {
    toast(said);
    again();
  };
  const activate = async (id: string) => {
    if ((await activation.run(id)).ok) done(`${id} is live within 10 seconds.`);
  };
  const rollBackNow = async () => {
    if ((await rollBack.run()).ok) done("Rolled back. Takes effect within 10 seconds.");
  };
  return { activate, rollBackNow, done, problem, busy };
}

function BuildFacts({ build }: { build: Build }) {
  return (
    <Facts
      rows={[
        ["Imported", build.importedAt && <Time at={build.importedAt} as="exact" />],
        ["Live since", build.liveSince && <Time at={build.liveSince} as="exact" />],
        ["Data as of", build.dataDate && <Time at={build.dataDate} as="exact" />],
        ["Size", bytes(build.bytes)],
        ["Layers", build.layers.join(", ")],
        ["Build", <Id key="id">{build.id}</Id>],
      ]}
    />
  );
}

function Source({ of }: { of: Build["sources"][number] }) {
  const { name, url, licence, licenceUrl, attribution, date, edition } = of;
  return (
    <div>
      <p class="strong">
        {url ? (
          <a href={url} target="_blank" rel="noopener">
            {name}
          </a>
        ) : (
          name
        )}
      </p>
      <p class="muted small">
        {[attribution, edition].filter(Boolean).map((words) => `${words} · `)}
        {licenceUrl ? (
          <a href={licenceUrl} target="_blank" rel="noopener">
            {licence}
          </a>
        ) : (
          licence
        )}
        {date && (
          <>
            {" · as of "}
            <Time at={date} />
          </>
        )}
      </p>
    </div>
  );
}

interface PreviousBuildsProps {
  of: Build["previous"];
  busy: boolean;
  onActivate?: (id: string) => void;
}

function PreviousBuilds({ of, busy, onActivate }: PreviousBuildsProps) {
  if (of.length === 0) return <p class="muted">No previous builds.</p>;
  return (
    <ul class="picks">
      {of.map(({ id, importedAt, bytes: size }) => (
        <li key={id} class="import-line">
          <span>
            <code>{id}</code>{" "}
            <span class="muted small">
              <Time at={importedAt} /> · {bytes(size)}
            </span>
          </span>
          {onActivate && (
            <Button small busy={busy} onClick={() => onActivate(id)}>
              Activate
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

const STATES = { whole: ["good", "Intact"], damaged: ["bad", "Damaged"], unreadable: ["bad", "Unreadable"] } as const;

/** Whether all published objects are present and intact. Checked when a build is opened, and on request. */
function Health({ name, id }: { name: string; id: string }) {
  const asked = useQuery<HealthAnswer>(`/dashboard/api/geodata/${encodeURIComponent(name)}/health`);
  const { data, problem, loading, again } = asked;
  // Reset the state of the previous build.
  useEffect(() => {
    if (data && data.id !== id) again();
  }, [data, id, again]);
  if (problem) return <Failure problem={problem} again={again} />;
  if (data?.id !== id) {
    return (
      <div class="health">
        <SkeletonLines lines={3} />
      </div>
    );
  }
  const [tone, word] = STATES[data.state];
  return (
    <div class="health stack tight">
      <div class="row">
        <Pill tone={tone}>{word}</Pill>
        <Button small bare icon={RefreshCw} label="Check again" busy={loading} onClick={again} />
      </div>
      <span class="small">{healthSentence(data)}</span>
      {data.examples.length > 0 && <span class="small mono">{data.examples.slice(0, 5).join(", ")}</span>}
    </div>
  );
}

function healthSentence({
  state,
  objects = 0,
  compared = 0,
  read = 0,
  missing = 0,
  damaged = 0,
  id,
}: HealthAnswer): string {
  const all =
    compared < objects ? `The first ${count(compared)} of ${plural(objects, "object")}` : plural(objects, "object");
  if (state === "whole") return `${all}: all present with the expected size. ${count(read)} compared byte by byte.`;
  if (state === "damaged")
    return `${plural(missing, "object")} missing, ${count(damaged)} damaged, of ${count(objects)}. Roll back or re-import; npm run geodata -- verify ${id} compares every byte.`;
  return "The build manifest cannot be read. Requests may still work; re-import to be safe.";
}
