import { Link } from "lucide";
import { useState } from "preact/hooks";
import { type Result, useChange, useQuery } from "../../api/hooks.ts";
import { useMay } from "../../api/session-context.ts";
import { Check } from "../../forms/bare.tsx";
import { Select } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { choices, toggled } from "../../parts/choices.ts";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note } from "../../parts/states.tsx";
import { Code } from "../../parts/values/code.tsx";
import { Pill, Time } from "../../parts/values/format.tsx";

interface Share {
  _id: string;
  show: string[];
  expiresAt: string;
  state: "active" | "expired" | "revoked";
}

const LENGTHS = [
  ["30", "30 minutes"],
  ["120", "2 hours"],
  ["480", "8 hours"],
  ["1440", "A day"],
] as const;
type Length = (typeof LENGTHS)[number][0];
const SHOWN = choices({ location: "Position", eta: "ETA", destination: "Destination", route: "Route so far" });

/** Links with which anyone can watch the trip until they expire. Each shows only the selected data. */
export function TripShares({ trip, isOpen }: { trip: string; isOpen: boolean }) {
  const path = `/v1/trips/${trip}/shares`;
  const mayWrite = useMay("write");
  const shares = useQuery<{ shares: Share[] }>(path);
  const [made, setMade] = useState<string>();
  const revoking = useChange((api, id: string) => api.delete(`/v1/shares/${id}`));
  const revoke = async (id: string) => {
    const result = await revoking.run(id);
    if (!result.ok) return;
    setMade(undefined);
    shares.again();
    toast("Link revoked");
  };
  return (
    <section class="stack tight" aria-label="Share links">
      <h2>Share links</h2>
      {isOpen ? (
        <NewShare
          path={path}
          onMade={(url) => {
            setMade(url);
            shares.again();
          }}
        />
      ) : (
        <p class="muted">The trip has ended, so it can no longer be shared.</p>
      )}
      {revoking.problem && <Failure problem={revoking.problem} />}
      {made && (
        <Note tone="good">
          Copy it now. It is not shown again.
          <Code text={made} wrap label="Copy link" />
        </Note>
      )}
      <ul class="picks">
        {shares.data?.shares.map(({ _id, state, show, expiresAt }) => (
          <li key={_id} class="import-line">
            <span>
              <Pill tone={state === "active" ? "good" : "plain"}>{state}</Pill>{" "}
              <span class="small muted">
                {SHOWN.flatMap(([part, word]) => (show.includes(part) ? word : [])).join(", ")} ·{" "}
                {state === "expired" ? "since" : "until"} <Time at={expiresAt} as="exact" />
              </span>
            </span>
            {state === "active" && (
              <Button small danger disabled={!mayWrite} busy={revoking.busy} onClick={() => void revoke(_id)}>
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function NewShare({ path, onMade }: { path: string; onMade: (url: string) => void }) {
  const form = useForm({
    saved: { length: "120" as Length, show: ["location", "eta", "destination", "route"] as string[] },
    role: "write",
    send: (api, { length, show }): Promise<Result<{ share: { url: string } }>> =>
      api.post(path, { minutes: Number(length), show }),
    onDone: ({ share }) => onMade(share.url),
  });
  const { show } = form.draft;
  return (
    <Form of={form} class="stack tight">
      <fieldset class="plain row wrap">
        <legend class="hint">Shared data</legend>
        {SHOWN.map(([part, word]) => (
          <Check
            key={part}
            class="chip"
            value={show.includes(part)}
            onChange={(on) => form.set({ show: toggled(show, part, on) })}
          >
            {word}
          </Check>
        ))}
      </fieldset>
      <div class="row share-make">
        <Select label="Expires after" options={LENGTHS} {...form.field("length", "minutes")} />
        <SaveButton plain icon={Link} disabled={show.length === 0} why="Choose the shared data.">
          Create link
        </SaveButton>
      </div>
      <FormError />
    </Form>
  );
}
