import { Plus } from "lucide";
import { useState } from "preact/hooks";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay } from "../../api/session-context.ts";
import { Confirm } from "../../forms/confirm.tsx";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { DialogForm } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { sameWords } from "../../parts/choices.ts";
import { toast } from "../../parts/overlays/toast.tsx";
import { Empty, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/values/format.tsx";
import { type Bulk, type Column, Table } from "../../table/table.tsx";
import type { Settings } from "./use-settings.tsx";

const PATH = "/v1/settings";
const ALGORITHMS = ["ES256", "RS256", "EdDSA", "HS256"] as const;
type Algorithm = (typeof ALGORITHMS)[number];

/** One request: each would write the list of keys that it has read. */
const BULK: Bulk<{ kid: string }> = {
  noun: "key",
  nameOf: ({ kid }) => kid,
  role: "admin",
  removeAll: (api, rows) =>
    api.patch<Settings>(PATH, { tokens: { keys: Object.fromEntries(rows.map(({ kid }) => [kid, null])) } }),
  removes: "Their tokens are no longer valid.",
  forgets: [PATH],
};

type Key = { kid: string } & Settings["tokens"]["keys"][string];

const columnsOf = (onRemove: (kid: string) => void): readonly Column<Key>[] => [
  { name: "Key id (kid)", cell: ({ kid }) => <code>{kid}</code> },
  { name: "Algorithm", width: "120px", cell: ({ alg }) => alg },
  { name: "Added", width: "120px", cell: ({ createdAt }) => <Time at={createdAt} />, isNamed: true },
  {
    ...{ name: "Change", width: "104px", right: true },
    cell: ({ kid }) => (
      <Button small danger needs="admin" onClick={() => onRemove(kid)}>
        Remove
      </Button>
    ),
  },
];

/** Keys that verify signed tokens, which prove the user of an app. */
export function Tokens() {
  const mayChange = useMay("admin");
  const forget = useForget();
  const asked = useQuery<Settings>(PATH);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string>();
  const change = useChange((api, required: boolean) => api.patch<Settings>(PATH, { tokens: { required } }));
  const done = (said: string) => {
    forget(PATH);
    toast(said);
  };
  const require = async (value: boolean) => {
    if ((await change.run(value)).ok) done(value ? "Tokens are now required" : "Tokens are now optional");
  };
  if (!asked.data) return <Waiting of={asked} lines={8} />;
  const { required, keys } = asked.data.tokens;
  const rows = Object.entries(keys).map(([kid, key]) => ({ kid, ...key }));
  return (
    <section class="setting-group">
      <div class="row ends">
        <h2>Signed tokens</h2>
        <Button icon={Plus} needs="admin" onClick={() => setAdding(true)}>
          Add a key
        </Button>
      </div>
      <p class="muted">
        Your server signs the user id in a JWT. Register its key here, so that no app can track as another user.
      </p>
      <Switch
        label="Require tokens"
        hint="For all requests that contain a user id"
        value={required}
        disabled={!mayChange || change.busy}
        problem={change.problem?.message}
        onChange={(value) => void require(value)}
      />
      <Table
        label="Token keys"
        inPage
        rows={rows}
        rowKey={({ kid }) => kid}
        columns={columnsOf(setRemoving)}
        bulk={BULK}
        empty={<Empty title="No keys yet">Without a key, apps can send any user id.</Empty>}
      />
      {adding && (
        <AddKey
          onClose={() => setAdding(false)}
          onAdded={(said) => {
            done(said);
            setAdding(false);
          }}
        />
      )}
      {removing !== undefined && <RemoveKey kid={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  );
}

function RemoveKey({ kid, onClose }: { kid: string; onClose: () => void }) {
  return (
    <Confirm
      title={`Remove the key ${kid}?`}
      name={kid}
      action="Remove"
      send={(api) => api.patch<Settings>(PATH, { tokens: { keys: { [kid]: null } } })}
      onClose={onClose}
      forgets={[PATH]}
      said={`${kid} removed`}
    >
      Its tokens are no longer valid.
    </Confirm>
  );
}

function AddKey({ onClose, onAdded }: { onClose: () => void; onAdded: (said: string) => void }) {
  const form = useForm({
    saved: { kid: "", alg: "ES256" as Algorithm, material: "" },
    role: "admin",
    send: (api, { kid, alg, material }) => {
      const key = alg === "HS256" ? { alg, secret: material } : { alg, publicKey: material };
      return api.patch<Settings>(PATH, { tokens: { keys: { [kid.trim()]: key } } });
    },
    onDone: (_, { kid }) => onAdded(`${kid.trim()} added`),
  });
  const { kid, alg } = form.draft;
  const isShared = alg === "HS256";
  const path = `tokens[keys][${kid.trim()}]`;
  return (
    <DialogForm of={form} title="Add a token key" action="Add" onClose={onClose}>
      <Field
        label="Key id (kid)"
        hint="The kid in the header of your tokens"
        {...form.field("kid", "tokens[keys][kid]")}
        required
        autoFocus
      />
      <Select label="Algorithm" {...form.field("alg", `${path}[alg]`)} options={sameWords(ALGORITHMS)} />
      <Field
        label={isShared ? "Shared secret" : "Public key"}
        hint={isShared ? "At least 32 bytes. It is not shown again." : "PEM (BEGIN PUBLIC KEY) or JWK"}
        lines={6}
        mono
        {...form.field("material", `${path}[${isShared ? "secret" : "publicKey"}]`)}
        required
      />
    </DialogForm>
  );
}
