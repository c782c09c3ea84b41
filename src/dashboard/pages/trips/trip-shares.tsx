import { Link } from "lucide";
import { useState } from "preact/hooks";
import type { Result } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Select } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note } from "../../parts/states.tsx";
import { Code } from "../../parts/values/code.tsx";
import { Pill } from "../../parts/values/pill.tsx";
import { Time } from "../../parts/values/time.tsx";

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
const SHOWN = [
  ["location", "Position"],
  ["eta", "ETA"],
  ["destination", "Destination"],
  ["route", "Route so far"],
] as const;

/** Links by which anyone can watch the trip until they expire; each says only what was ticked. */
export function TripShares({ trip, isOpen }: { trip: string; isOpen: boolean }) {
  const path = `/v1/trips/${trip}/shares`;
  const mayWrite = useMay("write");
  const shares = useQuery<{ shares: Share[] }>(path);
  const [length, setLength] = useState<(typeof LENGTHS)[number][0]>("120");
  const [show, setShow] = useState<readonly string[]>(["location", "eta", "destination"]);
  const [made, setMade] = useState<string>();
  const making = useChange((api, body: unknown): Promise<Result<{ share: { url: string } }>> => api.post(path, body));
  const revoking = useChange((api, id: string) => api.delete(`/v1/shares/${id}`));

  const make = async () => {
    const result = await making.run({ minutes: Number(length), show });
    if (!result.ok) return;
    setMade(result.data.share.url);
    shares.again();
  };
  const revoke = async (id: string) => {
    const result = await revoking.run(id);
    if (!result.ok) return;
    setMade(undefined);
    shares.again();
    toast("Link revoked");
  };
  const toggle = (part: string) => setShow(show.includes(part) ? show.filter((one) => one !== part) : [...show, part]);
  return (
    <section class="stack tight" aria-label="Share links">
      <h2>Share links</h2>
      {isOpen ? (
        <>
          <fieldset class="plain row wrap">
            <legend class="hint">Shared data</legend>
            {SHOWN.map(([part, word]) => (
              <label key={part} class="chip">
                <input type="checkbox" checked={show.includes(part)} onChange={() => toggle(part)} /> {word}
              </label>
            ))}
          </fieldset>
          <div class="row share-make">
            <Select label="Expires after" options={LENGTHS} value={length} onChange={setLength} />
            <Button
              icon={Link}
              busy={making.busy}
              disabled={!mayWrite || show.length === 0}
              why={mayWrite ? "Choose the shared data." : whyNot("write")}
              onClick={() => void make()}
            >
              Create link
            </Button>
          </div>
        </>
      ) : (
        <p class="muted">The trip has ended, so it can no longer be shared.</p>
      )}
      {making.problem && <Failure problem={making.problem} />}
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
                {show.join(", ")} · {state === "expired" ? "since" : "until"} <Time at={expiresAt} as="exact" />
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
