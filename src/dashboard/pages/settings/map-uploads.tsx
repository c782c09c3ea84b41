import { Image, Palette, Upload } from "lucide";
import { useState } from "preact/hooks";
import type { listMapIcons, listMapStyles } from "../../../worker/http/maps/static-map-uploads.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress } from "../../base/router.tsx";
import { Confirm } from "../../forms/confirm.tsx";
import { Field, FileField } from "../../forms/fields.tsx";
import { DialogForm } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Empty, Note } from "../../parts/states.tsx";
import { bytes, Time } from "../../parts/values/format.tsx";
import { type Bulk, onePage, Table } from "../../table/table.tsx";

type Uploaded = Answer<typeof listMapIcons>["icons"][number];

/** Icons for markers and styles of maps: each environment has its own. */
export function MapUploads() {
  const { environment } = useAddress();
  const icons = useQuery<Answer<typeof listMapIcons>>("/v1/maps/icons");
  const styles = useQuery<Answer<typeof listMapStyles>>("/v1/maps/styles");
  return (
    <>
      <Note>
        Test and Live have separate icons and styles. These are the ones of {environment === "live" ? "Live" : "Test"}.
      </Note>
      <Uploads
        kind="icons"
        title="Marker icons"
        about="PNG, JPEG, WebP or SVG up to 256 KB; use it in maps as icon:<id>."
        accept="image/*"
        asked={icons}
        rows={icons.data?.icons}
      />
      <Uploads
        kind="styles"
        title="Map styles"
        about="A MapLibre style, version 8, for Protomaps tiles; use it in maps as style=<id>."
        accept=".json,application/json"
        asked={styles}
        rows={styles.data?.styles}
      />
    </>
  );
}

type Kind = "icons" | "styles";

const REMOVES = {
  icons: "Markers that use a deleted icon become default markers.",
  styles: "Maps that use a deleted style stop working.",
} as const;

const bulkOf = (kind: Kind): Bulk<Uploaded> => ({
  noun: kind === "icons" ? "icon" : "style",
  nameOf: ({ _id }) => _id,
  role: "admin",
  remove: (api, { _id }) => api.delete(`/v1/maps/${kind}/${encodeURIComponent(_id)}`),
  removes: REMOVES[kind],
  forgets: [`/v1/maps/${kind}`],
});
const BULK = { icons: bulkOf("icons"), styles: bulkOf("styles") };

interface UploadsProps {
  kind: Kind;
  title: string;
  about: string;
  accept: string;
  asked: ReturnType<typeof useQuery>;
  rows?: readonly Uploaded[];
}

function Uploads({ kind, title, about, accept, asked, rows = [] }: UploadsProps) {
  const path = `/v1/maps/${kind}`;
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Uploaded>();
  return (
    <section class="setting-group">
      <div class="row ends">
        <h2>{title}</h2>
        <Button icon={Upload} needs="admin" onClick={() => setAdding(true)}>
          Upload
        </Button>
      </div>
      <p class="muted">{about}</p>
      <Table
        label={title}
        inPage
        rows={rows}
        bulk={BULK[kind]}
        pages={onePage(asked)}
        columns={[
          { name: "Id", cell: ({ _id }) => <code>{_id}</code> },
          { name: "Size", width: "104px", right: true, cell: (one) => bytes(one.bytes) },
          { name: "Changed", width: "120px", cell: ({ updatedAt }) => <Time at={updatedAt} />, isNamed: true },
          {
            name: "Change",
            width: "104px",
            right: true,
            cell: (one) => (
              <Button small danger needs="admin" onClick={() => setRemoving(one)}>
                Delete
              </Button>
            ),
          },
        ]}
        empty={
          <Empty
            icon={kind === "icons" ? Image : Palette}
            title={kind === "icons" ? "No icons yet" : "No styles yet"}
          />
        }
      />
      {adding && <UploadDialog kind={kind} accept={accept} onClose={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title={`Delete ${removing._id}?`}
          name={removing._id}
          action="Delete"
          send={(api) => api.delete(`${path}/${encodeURIComponent(removing._id)}`)}
          onClose={() => setRemoving(undefined)}
          forgets={[path]}
          said={`${removing._id} deleted`}
        >
          {REMOVES[kind]}
        </Confirm>
      )}
    </section>
  );
}

function UploadDialog({ kind, accept, onClose }: { kind: Kind; accept: string; onClose: () => void }) {
  const [file, setFile] = useState<File>();
  const path = `/v1/maps/${kind}`;
  const form = useForm({
    saved: { id: "" },
    role: "admin",
    send: async (api, { id }) => {
      if (!file) return { faults: { file: "Choose a file first." } };
      const body = kind === "icons" ? JSON.stringify({ image: await asDataUrl(file) }) : await file.text();
      return api.request("PUT", `${path}/${encodeURIComponent(id.trim())}`, { body });
    },
    onDone: (_, { id }) => {
      toast(`${id.trim()} uploaded`);
      onClose();
    },
    forgets: [path],
  });
  return (
    <DialogForm
      of={form}
      title={kind === "icons" ? "Upload an icon" : "Upload a style"}
      action="Upload"
      onClose={onClose}
    >
      <Field
        label="Id"
        hint="Letters, digits, - and _. An existing id is replaced."
        {...form.field("id")}
        required
        autoFocus
      />
      <FileField label="File" accept={accept} onFile={setFile} param={["file", "image"]} />
    </DialogForm>
  );
}

function asDataUrl(file: File): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
}
