import { useState } from "preact/hooks";
import type { importBeacons } from "../../../worker/http/beacons/beacon-imports.ts";
import { type Answer, useForget } from "../../api/hooks.ts";
import { FileField } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { UploadProgress, useUpload } from "../../parts/files/upload.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note } from "../../parts/states.tsx";
import { Code } from "../../parts/values/code.tsx";
import { plural } from "../../parts/values/numbers.ts";
import { ImportReport } from "./import-report.tsx";

type Report = Answer<typeof importBeacons>;

const EXAMPLE = `description,tag,externalId,type,uuid,major,minor,uid,instance,coordinates,enabled,metadata
Gate 1,gate,1,ibeacon,b9407f30-f5f8-466e-aff9-25556b57fe6d,100,1,,,"[13.3777,52.5163]",true,"{""floor"":0}"`;

const FORMAT = (
  <details>
    <summary>File format</summary>
    <div class="stack tight">
      <Code text={EXAMPLE} />
      <p class="muted small">
        A row whose tag and externalId exist updates that beacon; one without such a pair updates the beacon with the
        same identifiers; any other creates one. The same file again changes nothing.
      </p>
    </div>
  </details>
);

/** A CSV file is read, tried without writing, and only then imported. */
export function ImportBeacons({ onClose }: { onClose: () => void }) {
  const forget = useForget();
  const [file, setFile] = useState<File>();
  const [report, setReport] = useState<Report>();
  const send = useUpload<Report>("/v1/imports/beacons", file && { name: file.name, content: file, type: "text/csv" });
  const run = async (dryRun: boolean) => {
    const result = await send.run(dryRun);
    if (!result.ok) return;
    setReport(result.data);
    if (dryRun) return;
    forget("/v1/beacons");
    forget("/v1/imports/beacons");
    toast(`${result.data.import.created} created, ${result.data.import.updated} updated`);
  };
  const tried = report?.import;
  const changes = tried ? tried.created + tried.updated : 0;
  return (
    <Drawer title="Import beacons" onClose={onClose} wide>
      <FileField
        label="CSV file"
        accept=".csv,text/csv"
        hint="Up to 50,000 rows and 10 MB. The first row must contain the column names."
        onFile={(chosen) => {
          setFile(chosen);
          setReport(undefined);
          send.clear();
        }}
      />
      {FORMAT}
      <UploadProgress of={send} />
      {send.problem && <Failure problem={send.problem} />}
      <div class="row wrap">
        <Button
          main={!tried?.dryRun}
          disabled={!file}
          why="Choose a file first."
          busy={send.busy}
          onClick={() => void run(true)}
        >
          Dry run
        </Button>
        {tried?.dryRun && (
          <Button
            main
            disabled={changes === 0}
            why="The file contains no changes."
            busy={send.busy}
            onClick={() => void run(false)}
          >
            Import {changes} of {plural(tried.total, "row")}
          </Button>
        )}
      </div>
      {tried && !tried.dryRun && <Note tone="good">Imported. Failed rows are in the history.</Note>}
      {report && <ImportReport of={report.import} rows={report.rows} />}
    </Drawer>
  );
}
