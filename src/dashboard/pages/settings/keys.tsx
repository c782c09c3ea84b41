import { KeyRound } from "lucide";
import { useState } from "preact/hooks";
import type { getKeys, rotateKey } from "../../../worker/http/dashboard/keys.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { Confirm } from "../../forms/confirm.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Note } from "../../parts/states.tsx";
import { Code } from "../../parts/values/code.tsx";
import { Pill, Time } from "../../parts/values/format.tsx";
import { type Bulk, type Column, onePage, Table } from "../../table/table.tsx";

type Key = Answer<typeof getKeys>["keys"][number];

const PATH = "/dashboard/api/keys";
const nameOf = ({ live, secret }: Key) => `${live ? "Live" : "Test"} ${secret ? "secret" : "publishable"}`;

/** A project always has its four keys: they are rotated one at a time. */
const BULK: Bulk<Key> = { noun: "key", nameOf };

const columnsOf = (onRotate: (key: Key) => void): readonly Column<Key>[] => [
  { name: "Key", cell: (key) => <Pill tone={key.live ? "good" : "warn"}>{nameOf(key)}</Pill> },
  { name: "Ends with", width: "104px", cell: ({ hint }) => <code>…{hint}</code> },
  { name: "Created", width: "120px", cell: ({ createdAt }) => <Time at={createdAt} />, isNamed: true },
  {
    ...{ name: "Last used", width: "120px", isNamed: true },
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span class="muted">never</span>),
  },
  {
    ...{ name: "Change", width: "96px", right: true },
    cell: (key) => (
      <Button small needs="admin" onClick={() => onRotate(key)}>
        Rotate
      </Button>
    ),
  },
];

/** The four keys. Only hashes are stored, so a key is shown only once, at creation. */
export function Keys() {
  const asked = useQuery<Answer<typeof getKeys>>(PATH);
  const [asking, setAsking] = useState<Key>();
  const [made, setMade] = useState<{ name: string; key: string }>();
  const keys = asked.data?.keys ?? [];
  return (
    <section class="setting-group">
      <h2>Keys</h2>
      <p class="muted">
        Use publishable keys in apps and pages, and secret keys only on servers. A key is shown only once, at creation.
      </p>
      <Note>
        Where are the keys? The command that created the project printed all four; <code>npm run dev</code> also stores
        them in the file of <code>--keys-file</code> (by default <code>.dev.keys.json</code>). If a key is lost, rotate
        it: the new one is shown here. Examples expect the publishable key as <code>PUBLISHABLE</code> and the secret
        key as <code>SECRET</code>.
      </Note>
      <Table
        label="Keys"
        inPage
        rows={keys}
        rowKey={({ kind, hint }) => `${kind} ${hint}`}
        bulk={BULK}
        pages={onePage(asked)}
        columns={columnsOf(setAsking)}
      />
      {asking && (
        <Confirm
          title={`Rotate the ${nameOf(asking).toLowerCase()} key?`}
          name={asking.hint}
          action="Rotate"
          send={(api) => api.post<Answer<typeof rotateKey>>(`${PATH}/${asking.kind}/rotate`)}
          onClose={() => setAsking(undefined)}
          onDone={({ key }) => setMade({ name: nameOf(asking), key })}
          forgets={[PATH]}
        >
          Clients that use the key ending with <code>{asking.hint}</code> stop working within 10 seconds.
        </Confirm>
      )}
      {made && (
        <Dialog title={`The new ${made.name.toLowerCase()} key`} onClose={() => setMade(undefined)}>
          <p>It is shown only once.</p>
          <Code text={made.key} label="Copy the key" wrap />
          <footer class="row dialog-foot">
            <Button main icon={KeyRound} onClick={() => setMade(undefined)}>
              I have saved it
            </Button>
          </footer>
        </Dialog>
      )}
    </section>
  );
}
