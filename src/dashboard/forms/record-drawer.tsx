import { Trash2 } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Role } from "../../core/auth/role.ts";
import { type Api, useQuery } from "../api/hooks.ts";
import { Button } from "../parts/button.tsx";
import { Drawer } from "../parts/overlays/drawer.tsx";
import { Waiting } from "../parts/states.tsx";
import { Confirm } from "./confirm.tsx";
import { Form, FormError, SaveButton } from "./form.tsx";
import { type DraftForm, type SubmitResult, useForm } from "./use-form.ts";

/** How records of a kind, such as beacons, are loaded, edited and deleted. */
export interface RecordKind<Saved, Draft> {
  /** The word for a record, and the key of its response: "beacon". */
  noun: string;
  /** The path of its list: "/v1/beacons". */
  path: string;
  nameOf(record: Saved): string;
  /** The word of the button that creates one: "Add". */
  create: string;
  draftOf(record: Saved): Draft;
  newDraft: Draft;
  /** Sends the draft of a record, or of a new one, whose `path` is undefined. */
  save(
    api: Api,
    draft: Draft,
    path: string | undefined,
    record: Saved | undefined,
  ): Promise<SubmitResult<unknown>> | SubmitResult<unknown>;
  /** The consequences of deleting. */
  removes: string;
  /** Paths of other responses that a change outdates. */
  forgets?: readonly string[];
}

export interface RecordDrawerProps {
  /** Undefined for a new record. */
  id: string | undefined;
  onClose: () => void;
}

interface RecordProps<Saved, Draft> extends RecordDrawerProps {
  of: RecordKind<Saved, Draft>;
  /** Shown above the form of a record. */
  head?: (record: Saved, path: string) => ComponentChildren;
  children: (form: DraftForm<Draft>, record: Saved | undefined) => ComponentChildren;
}

const titleCase = (noun: string) => noun[0].toUpperCase() + noun.slice(1);

/** The drawer of a record: loads it, edits it in a form, and deletes it after its name was typed. Without an id, it creates one. */
export function RecordDrawer<Saved extends { updatedAt: string }, Draft extends object>(
  props: RecordProps<Saved, Draft>,
) {
  const { of, id, onClose, head } = props;
  const path = id && `${of.path}/${encodeURIComponent(id)}`;
  const asked = useQuery<{ [noun: string]: Saved }>(path);
  const record = asked.data?.[of.noun];
  const title = record ? of.nameOf(record) : titleCase(of.noun);
  return (
    <Drawer title={id ? title : `${of.create} a ${of.noun}`} onClose={onClose}>
      {id && <Waiting of={asked} />}
      {record && path && head?.(record, path)}
      {(record || !id) && <RecordForm key={id} {...props} path={path} record={record} />}
    </Drawer>
  );
}

function RecordForm<Saved extends { updatedAt: string }, Draft extends object>({
  of,
  path,
  record,
  onClose,
  children,
}: RecordProps<Saved, Draft> & { path: string | undefined; record: Saved | undefined }) {
  const forgets = [of.path, ...(of.forgets ?? [])];
  const form = useForm<Draft, unknown>({
    saved: record ? of.draftOf(record) : of.newDraft,
    role: "write",
    isEdit: true,
    send: (api, draft) => of.save(api, draft, path, record),
    onDone: () => {
      if (!path) onClose();
    },
    forgets,
    said: path ? "Saved" : `${titleCase(of.noun)} created`,
  });
  // A newer record replaces what is shown, unless the viewer has changed it since.
  const latest = useRef(form);
  latest.current = form;
  const version = record?.updatedAt;
  const shown = useRef(version);
  useEffect(() => {
    if (!record || shown.current === version || !latest.current.isUnchanged) return;
    shown.current = version;
    latest.current.reset(of.draftOf(record));
  }, [version, record, of]);
  const name = record ? of.nameOf(record) : "";
  const removal = { path, name, title: `Delete ${name}?`, said: `${name} deleted` };
  return (
    <EditForm
      form={form}
      removal={path ? { ...removal, path, forgets, about: of.removes } : undefined}
      save={path ? "Save" : of.create}
      onClose={onClose}
    >
      {children(form, record)}
    </EditForm>
  );
}

interface Removal {
  path: string;
  title: string;
  /** The text that the viewer must type. */
  name: string;
  /** The consequences of deleting. */
  about: string;
  said: string;
  forgets: readonly string[];
}

interface EditFormProps<Draft extends object> {
  form: DraftForm<Draft>;
  /** How the record is deleted; undefined for a new one, whose form has a button to cancel. */
  removal: Removal | undefined;
  /** The role that changes require. */
  needs?: Role;
  save: string;
  /** Closes the drawer. */
  onClose: () => void;
  children: ComponentChildren;
}

/** The form of a record, with its buttons to save and to delete it. */
export function EditForm<Draft extends object>(props: EditFormProps<Draft>) {
  const { form, removal, needs = "write", save, onClose, children } = props;
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Form of={form}>
        {children}
        <FormError />
        <footer class="row ends wrap">
          {removal ? (
            <Button danger icon={Trash2} needs={needs} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
          <SaveButton>{save}</SaveButton>
        </footer>
      </Form>
      {removal && isDeleting && (
        <Confirm
          {...removal}
          action="Delete"
          send={(api) => api.delete(removal.path)}
          onClose={() => setDeleting(false)}
          onDone={onClose}
        >
          {removal.about}
        </Confirm>
      )}
    </>
  );
}
