import { useState } from "preact/hooks";
import type { createGeocodeJob } from "../../../worker/http/geocode/jobs.ts";
import { type Answer, type Api, useChange } from "../../api/hooks.ts";
import { FileField, Select } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useSubmit } from "../../forms/use-form.ts";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note } from "../../parts/states.tsx";
import { bytes } from "../../parts/values/format.tsx";

type Created = Answer<typeof createGeocodeJob>;
type Preview = NonNullable<Created["preview"]>;

const KINDS = [
  ["forward", "Addresses to coordinates"],
  ["reverse", "Coordinates to addresses"],
  ["validate", "Validate addresses (US, Canada)"],
] as const;
type Kind = (typeof KINDS)[number][0];

const MAX_BYTES = 20 * 1024 * 1024;
/** How much of a file shows its columns [bytes]. */
const BEGINNING = 32 * 1024;

/** Several columns as one choice of a list. */
const BETWEEN = "\n";

interface NewJobProps {
  onClose: () => void;
  onStarted: (id: string) => void;
  again: () => void;
}

interface CreationOptions extends Pick<NewJobProps, "onStarted" | "again"> {
  file: File | undefined;
  kind: Kind;
  columns: Record<string, string[]>;
}

/** Uploads the file. `sent`: the bytes that are sent, while they are. */
function useCreation({ file, kind, columns, onStarted, again }: CreationOptions) {
  const [sent, setSent] = useState<number>();
  const form = useSubmit<Created>({
    role: "write",
    send: async (api) => {
      if (!file) return { faults: { file: "Choose a file first." } };
      const result = await api.request<Created>("POST", "/v1/geocode/jobs", {
        body: file,
        type: "text/csv",
        query: { kind, columns: JSON.stringify(columns), filename: file.name },
        onSent: setSent,
      });
      setSent(undefined);
      return result;
    },
    onDone: ({ job }) => {
      if (!job || !file) return;
      toast(`Started ${file.name}`);
      again();
      onStarted(job._id);
    },
  });
  return { form, sent };
}

/** Creates a job: choose a file, then assign its columns. */
export function NewJob({ onClose, onStarted, again }: NewJobProps) {
  const [file, setFile] = useState<File>();
  const [kind, setKind] = useState<Kind>("forward");
  const [preview, setPreview] = useState<Preview>();
  const [columns, setColumns] = useState<Record<string, string[]>>({});
  const look = useChange((api, chosen: File, of: Kind) => previewFile(api, chosen, of));
  const { form, sent } = useCreation({ file, kind, columns, onStarted, again });
  const read = async (chosen: File | undefined, of: Kind) => {
    setFile(chosen);
    setKind(of);
    setPreview(undefined);
    form.clear();
    if (!chosen || chosen.size > MAX_BYTES) return;
    const result = await look.run(chosen, of);
    if (!result.ok) return;
    setPreview(result.data.preview);
    setColumns(result.data.preview?.columns ?? {});
  };
  const put = (field: string, choice: string) => {
    const { [field]: _, ...others } = columns;
    setColumns(choice === "" ? others : { ...others, [field]: choice.split(BETWEEN) });
  };
  const isLarge = file !== undefined && file.size > MAX_BYTES;
  return (
    <Drawer title="Geocode a file" onClose={onClose} wide>
      <Form of={form}>
        <FileField
          label="CSV file"
          param="file"
          accept=".csv,.tsv,text/csv"
          hint="Up to 100,000 rows and 20 MB. The first row must contain the column names. Separate columns with commas, semicolons or tabs."
          problem={isLarge ? `The file has ${bytes(file.size)}. The limit is 20 MB.` : undefined}
          onFile={(chosen) => void read(chosen, kind)}
        />
        <Select label="Operation" param="kind" options={KINDS} value={kind} onChange={(of) => void read(file, of)} />
        {look.problem && <Failure problem={look.problem} />}
        {preview && <Columns of={preview} columns={columns} put={put} />}
        {sent !== undefined && file && <progress aria-label="Upload progress" value={sent} max={file.size} />}
        <FormError />
        <div class="row wrap">
          <SaveButton
            disabled={!preview || Object.keys(columns).length === 0}
            why="Choose a file and assign its columns."
          >
            Start
          </SaveButton>
        </div>
      </Form>
    </Drawer>
  );
}

interface ColumnsProps {
  of: Preview;
  columns: Record<string, string[]>;
  put: (field: string, choice: string) => void;
}

/** Assigns columns to parameters. The column names determine the initial choice. */
function Columns({ of: { names, fields, columns: guess, rows }, columns, put }: ColumnsProps) {
  const example = (name: string) => rows[0]?.[names.indexOf(name)] ?? "";
  return (
    <>
      <h2>Columns</h2>
      {Object.keys(guess).length === 0 && (
        <Note tone="warn">The columns could not be recognized. Assign them here.</Note>
      )}
      {fields.map((field) => {
        const several = guess[field] && guess[field].length > 1 ? [guess[field].join(BETWEEN)] : [];
        const options = ["", ...several, ...names].map(
          (choice) => [choice, choice === "" ? "–" : choice.split(BETWEEN).join(", ")] as const,
        );
        const chosen = columns[field] ?? [];
        return (
          <Select
            key={field}
            label={field}
            options={options}
            value={chosen.join(BETWEEN)}
            hint={chosen.length > 0 ? `First row: ${chosen.map(example).join(", ") || "empty"}` : undefined}
            onChange={(choice) => put(field, choice)}
          />
        );
      })}
    </>
  );
}

/** Sends the first lines of the file, which the server reads in the same way as the complete file. */
async function previewFile(api: Api, file: File, kind: Kind) {
  const text = await file.slice(0, BEGINNING).text();
  const whole = file.size > BEGINNING ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  const query = { kind, dryRun: true };
  return api.request<Created>("POST", "/v1/geocode/jobs", { body: new Blob([whole]), type: "text/csv", query });
}
