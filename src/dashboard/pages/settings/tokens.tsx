import { Plus } from "lucide";
import { useState } from "preact/hooks";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/overlays/dialog.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Empty, Failure, SkeletonLines } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/values/time.tsx";
import type { Patch, Settings } from "./use-settings.tsx";

const PATH = "/v1/settings";
const ALGORITHMS = ["ES256", "RS256", "EdDSA", "HS256"] as const;
type Algorithm = (typeof ALGORITHMS)[number];

/** Keys that verify signed tokens, which prove the user of an app. */
export function Tokens() {
  const mayChange = useMay("admin");
  const forget = useForget();
  const asked = useQuery<Settings>(PATH);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string>();
  const change = useChange((api, tokens: Patch["tokens"]) => api.patch<Settings>(PATH, { tokens }));
  const put = async (tokens: Patch["tokens"], said: string) => {
    const result = await change.run(tokens);
    if (result.ok) {
      forget(PATH);
      toast(said);
    }
    return result.ok;
  };
  if (asked.problem && !asked.data) return <Failure problem={asked.problem} again={asked.again} />;
  if (!asked.data) return <SkeletonLines lines={8} />;
  const { required, keys } = asked.data.tokens;
  const rows = Object.entries(keys).map(([kid, key]) => ({ kid, ...key }));
  return (
    <section class="setting-group">
      <div class="row ends">
        <h2>Signed tokens</h2>
        <Button icon={Plus} disabled={!mayChange} why={whyNot("admin")} onClick={() => setAdding(true)}>
          Add a key
        </Button>
      </div>
      <p class="muted">
        Your server signs the user id in a JWT. Register its key here, so that no app can track as another user.
      </p>
      <Switch
        label="Require tokens"
        hint="for all requests that contain a user id"
        value={required}
        disabled={!mayChange || change.busy}
        problem={change.problem?.param === "tokens[required]" ? change.problem.message : undefined}
        onChange={(value) =>
          void put({ required: value }, value ? "Tokens are now required" : "Tokens are now optional")
        }
      />
      <Table
        label="Token keys"
        inPage
        rows={rows}
        rowKey={({ kid }) => kid}
        columns={[
          { name: "Key id (kid)", cell: ({ kid }) => <code>{kid}</code> },
          { name: "Algorithm", width: "120px", cell: ({ alg }) => alg },
          { name: "Added", width: "120px", cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
          {
            name: "Change",
            width: "104px",
            right: true,
            cell: ({ kid }) => (
              <Button small danger disabled={!mayChange} why={whyNot("admin")} onClick={() => setRemoving(kid)}>
                Remove
              </Button>
            ),
          },
        ]}
        empty={<Empty title="No keys yet">Without a key, apps can send any user id.</Empty>}
      />
      {adding && (
        <AddKey onClose={() => setAdding(false)} onAdd={put} problem={change.problem?.message} busy={change.busy} />
      )}
      {removing !== undefined && (
        <Confirm
          title={`Remove the key ${removing}?`}
          name={removing}
          action="Remove"
          busy={change.busy}
          problem={change.problem?.message}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            if (await put({ keys: { [removing]: null } }, `${removing} removed`)) setRemoving(undefined);
          }}
        >
          Its tokens are no longer valid.
        </Confirm>
      )}
    </section>
  );
}

function AddKey({
  onClose,
  onAdd,
  problem,
  busy,
}: {
  onClose: () => void;
  onAdd: (tokens: Patch["tokens"], said: string) => Promise<boolean>;
  problem?: string;
  busy: boolean;
}) {
  const [kid, setKid] = useState("");
  const [alg, setAlg] = useState<Algorithm>("ES256");
  const [material, setMaterial] = useState("");
  const isShared = alg === "HS256";
  return (
    <Dialog title="Add a token key" onClose={onClose}>
      <form
        class="stack"
        onSubmit={async (event) => {
          event.preventDefault();
          const key = isShared ? { alg, secret: material } : { alg, publicKey: material };
          if (await onAdd({ keys: { [kid.trim()]: key } }, `${kid.trim()} added`)) onClose();
        }}
      >
        <Field
          label="Key id (kid)"
          hint="The kid in the header of your tokens"
          value={kid}
          onChange={setKid}
          required
          autoFocus
        />
        <Select
          label="Algorithm"
          value={alg}
          onChange={setAlg}
          options={ALGORITHMS.map((one) => [one, one] as const)}
        />
        <Field
          label={isShared ? "Shared secret" : "Public key"}
          hint={isShared ? "At least 32 bytes. It is not shown again" : "PEM (BEGIN PUBLIC KEY) or JWK"}
          lines={6}
          mono
          value={material}
          onChange={setMaterial}
          problem={problem}
          required
        />
        <footer class="row dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" main busy={busy}>
            Add
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
