import { KeyRound, LogOut } from "lucide";
import { useState } from "preact/hooks";
import type { getPasskeys } from "../../../worker/http/dashboard/passkeys.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { addPasskey } from "../../api/passkeys.ts";
import { useSession } from "../../api/session-context.ts";
import { Confirm, ConfirmButton } from "../../forms/confirm.tsx";
import { Field } from "../../forms/fields.tsx";
import { DialogForm } from "../../forms/form.tsx";
import { DONE, useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/values/format.tsx";
import { type Bulk, onePage, Table } from "../../table/table.tsx";

type Passkey = Answer<typeof getPasskeys>["passkeys"][number];

const PATH = "/dashboard/api/passkeys";

const BULK: Bulk<Passkey> = {
  noun: "passkey",
  nameOf: ({ name }) => name,
  role: "read",
  remove: (api, { _id }) => api.delete(`${PATH}/${encodeURIComponent(_id)}`),
  removes: "You can no longer sign in with them.",
  forgets: [PATH],
};

/** How the viewer comes in, and out. */
export function WaysIn() {
  return (
    <>
      <Passkeys />
      <SignOutEverywhere />
    </>
  );
}

function Passkeys() {
  const asked = useQuery<Answer<typeof getPasskeys>>(PATH);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  return (
    <section class="setting-group">
      <div class="row ends">
        <h2>Your passkeys</h2>
        <Button icon={KeyRound} onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      </div>
      <p class="muted">With a passkey you can sign in without a link.</p>
      <Table
        label="Passkeys"
        inPage
        rows={asked.data?.passkeys ?? []}
        bulk={BULK}
        pages={onePage(asked)}
        columns={[
          { name: "Name", cell: ({ name }) => name },
          { name: "Added", width: "120px", cell: ({ createdAt }) => <Time at={createdAt} />, isNamed: true },
          { name: "Last used", width: "120px", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />, isNamed: true },
          {
            name: "Change",
            width: "104px",
            right: true,
            cell: (passkey) => (
              <Button small danger onClick={() => setRemoving(passkey)}>
                Remove
              </Button>
            ),
          },
        ]}
        empty={<Empty icon={KeyRound} title="No passkeys yet" />}
      />
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title={`Remove ${removing.name}?`}
          action="Remove"
          send={(api) => api.delete(`${PATH}/${encodeURIComponent(removing._id)}`)}
          onClose={() => setRemoving(undefined)}
          forgets={[PATH]}
        >
          You can no longer sign in with it.
        </Confirm>
      )}
    </section>
  );
}

/** For members who lost a device or left a browser signed in. */
function SignOutEverywhere() {
  const { ended } = useSession();
  return (
    <section class="setting-group">
      <h2>Your sessions</h2>
      <p class="muted">
        Ends all your sessions, including this one, and revokes your unused sign-in links. Your passkeys stay.
      </p>
      <div>
        <ConfirmButton
          button={{ danger: true, icon: LogOut, children: "Sign out everywhere" }}
          title="Sign out everywhere?"
          action="Sign out everywhere"
          send={(api) => api.post("/dashboard/api/sign-out/everywhere")}
          onDone={ended}
        >
          All other browsers are signed out within 10 seconds, this one immediately.
        </ConfirmButton>
      </div>
    </section>
  );
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const form = useForm({
    saved: { name: "" },
    send: async (_, { name }) => {
      const failed = await addPasskey(name.trim() || "Passkey");
      return failed === undefined ? DONE : { faults: { name: failed } };
    },
    onDone: onClose,
    forgets: [PATH],
    said: "Passkey added",
  });
  return (
    <DialogForm of={form} title="Add a passkey" action="Continue in the browser" onClose={onClose}>
      <Field label="Name" hint="A name to recognize it" placeholder="Laptop" {...form.field("name")} autoFocus />
    </DialogForm>
  );
}
