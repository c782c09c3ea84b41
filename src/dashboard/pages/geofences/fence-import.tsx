import { useEffect, useMemo, useState } from "preact/hooks";
import type { importGeofences, listGeofenceImports } from "../../../worker/http/geofences/geofence-imports.ts";
import { type Answer, type Problem, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { useQueryValue } from "../../base/router.tsx";
import { FileField } from "../../forms/fields.tsx";
import { type FenceFile, MAX_BYTES, readFenceFile } from "../../map/fences/fence-file.ts";
import { circleFeature, toCoordinate } from "../../map/layers/features.ts";
import { AreasLayer } from "../../map/layers/layers.tsx";
import { MapDetail } from "../../map/map-page.tsx";
import { boundsOf } from "../../map/position.ts";
import { Button } from "../../parts/button.tsx";
import { UploadProgress, useUpload } from "../../parts/files/upload.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note } from "../../parts/states.tsx";
import { bytes, plural, Time } from "../../parts/values/format.tsx";
import type { MapOfDetail } from "./fence.ts";
import { FailedRows, ImportReport, type ReportRow } from "./import-report.tsx";

type ImportAnswer = Answer<typeof importGeofences>;

interface PickedFile {
  name: string;
  text: string;
  file?: FenceFile;
  fault?: string;
}

const TYPES = { geojson: "application/geo+json", csv: "text/csv" } as const;

interface FenceImportProps {
  onClose: () => void;
  onView: (view: MapOfDetail | undefined) => void;
}

/**
 * Reads a file, shows it on the map, asks the server what would happen (dry run), and only then does it. The file stays
 * picked when the connection is lost.
 */
export function FenceImport({ onClose, onView }: FenceImportProps) {
  const forget = useForget();
  const [picked, setPicked] = useState<PickedFile>();
  const [answer, setAnswer] = useState<ImportAnswer>();
  const history = useQuery<Answer<typeof listGeofenceImports>>("/v1/imports/geofences", { limit: 20 });
  const sending = useUpload<ImportAnswer>(
    "/v1/imports/geofences",
    picked && { name: picked.name, content: picked.text, type: TYPES[picked.file?.format ?? "csv"] },
  );

  const pick = async (file: File | undefined) => {
    setAnswer(undefined);
    sending.clear();
    if (!file) return setPicked(undefined);
    setPicked(await readPicked(file));
  };
  const run = async (dryRun: boolean) => {
    if (!picked) return;
    const result = await sending.run(dryRun);
    if (!result.ok) return;
    setAnswer(result.data);
    history.again();
    if (dryRun) return;
    forget("/v1/geofences");
    const { created, updated } = result.data.import;
    toast(`${plural(created, "geofence")} created, ${updated} updated.`);
  };

  const view = useMemo(() => viewOf(picked?.file, answer?.rows), [picked, answer]);
  useEffect(() => {
    onView(view);
    return () => onView(undefined);
  }, [view, onView]);

  const isDone = answer !== undefined && !answer.import.dryRun;
  return (
    <MapDetail
      title="Import geofences"
      onClose={onClose}
      foot={picked?.file && !isDone ? <ImportButtons sending={sending} answer={answer} run={run} /> : undefined}
    >
      <FileField
        label="File"
        accept=".geojson,.json,.csv,text/csv,application/geo+json"
        onFile={(file) => void pick(file)}
        hint="GeoJSON with Polygons or with Points and a radius, or CSV with the columns of the export. Updates geofences whose tag and external id exist, creates the others."
      />
      {picked?.fault && <Failure problem={problemWith(picked.fault)} />}
      <UploadProgress of={sending} />
      {sending.problem && <Failure problem={sending.problem} again={() => void run(true)} />}
      {picked?.file && !answer && <Look file={picked.file} />}
      {answer && <ImportReport run={answer.import} rows={answer.rows} />}
      <h2>Import history</h2>
      <History imports={history.data?.imports} />
    </MapDetail>
  );
}

interface ImportButtonsProps {
  sending: { busy: boolean };
  answer: ImportAnswer | undefined;
  run: (dryRun: boolean) => Promise<void>;
}

function ImportButtons({ sending, answer, run }: ImportButtonsProps) {
  const mayWrite = useMay("write");
  const ready = answer?.import.dryRun === true ? answer.import.total - answer.import.failed : 0;
  return (
    <>
      <Button busy={sending.busy} needs="write" onClick={() => void run(true)}>
        Dry run
      </Button>
      <Button
        main
        busy={sending.busy}
        disabled={!mayWrite || ready === 0}
        why={mayWrite ? "Do a dry run first." : whyNot("write")}
        onClick={() => void run(false)}
      >
        Import{ready > 0 ? ` ${ready}` : ""}
      </Button>
    </>
  );
}

/** Each import so far; opened, with the rows that failed. */
function History({ imports }: { imports: Answer<typeof listGeofenceImports>["imports"] | undefined }) {
  const [open, setOpen] = useQueryValue("import");
  if (imports?.length === 0) return <p class="muted">None.</p>;
  return (
    <div>
      {imports?.map((one) => (
        <details
          key={one._id}
          class="past-import"
          open={one._id === open}
          onToggle={(event) => {
            if (event.currentTarget.open) setOpen(one._id);
            else if (one._id === open) setOpen("");
          }}
        >
          <summary>
            <span class="cut grow">{one.filename ?? "unnamed file"}</span>
            <span class="muted small">
              {one.created} new, {one.updated} changed{one.failed > 0 ? `, ${one.failed} failed` : ""} ·{" "}
              <Time at={one.createdAt} />
            </span>
          </summary>
          <p class="muted small">
            {plural(one.total, "row")}, {one.unchanged} unchanged.{" "}
            {one.ignored.length > 0 && `Ignored: ${one.ignored.join(", ")}.`}
          </p>
          {one.failures.length > 0 && <FailedRows rows={one.failures} />}
        </details>
      ))}
    </div>
  );
}

const problemWith = (message: string): Problem => ({ status: 400, message });

async function readPicked(file: File): Promise<PickedFile> {
  if (file.size > MAX_BYTES)
    return {
      name: file.name,
      text: "",
      fault: `The file has ${bytes(file.size)}. The limit is ${bytes(MAX_BYTES)}.`,
    };
  const text = await file.text();
  try {
    return { name: file.name, text, file: readFenceFile(file.name, text) };
  } catch (error) {
    return { name: file.name, text, fault: `${file.name}: ${(error as Error).message}` };
  }
}

/** Result of the local check of the file. */
function Look({ file: { rows } }: { file: FenceFile }) {
  const wrong = rows.filter(({ fault }) => fault !== undefined);
  return (
    <>
      <Note tone={wrong.length > 0 ? "warn" : "good"}>
        {plural(rows.length, "row")} read
        {wrong.length > 0 ? `; ${wrong.length} invalid, in red on the map.` : ", drawn on the map."} Nothing is imported
        yet.
      </Note>
      {wrong.length > 0 && (
        <ul class="faults">
          {wrong.slice(0, 100).map(({ row, name, fault }) => (
            <li key={row}>
              <span class="strong">
                Row {row}, {name}
              </span>{" "}
              {fault}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function viewOf(file: FenceFile | undefined, report: readonly ReportRow[] | undefined): MapOfDetail | undefined {
  if (!file) return undefined;
  const failed = new Set(report?.filter(({ status }) => status === "failed").map(({ row }) => row));
  const areas = file.rows.flatMap(({ row, name, geometry, fault }) => {
    if (!geometry) return [];
    const rings =
      geometry.type === "Polygon"
        ? geometry.coordinates
        : (circleFeature(toCoordinate(geometry.coordinates), 100).geometry.coordinates as number[][][]);
    return [{ rings, name, wrong: report ? failed.has(row) : fault !== undefined }];
  });
  const bounds = boundsOf(areas.flatMap(({ rings }) => rings[0]));
  return { layer: <AreasLayer source="import" areas={areas} />, bounds };
}
