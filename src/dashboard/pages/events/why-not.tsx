import { useState } from "preact/hooks";
import { useChange } from "../../api/hooks.ts";
import { Field, FormProblem, problemOf } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { useQueryValues } from "../../router.tsx";
import { type Explained, Explanation } from "./explanation.tsx";

const FIELDS = ["userId", "deviceId", "geofence", "at"];

/** "Why no event?": explains the decisions for a user, a geofence and a time. The query is in the URL. */
export function WhyNot({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useQueryValues();
  const [user, setUser] = useState(query.get("whyUser") ?? query.get("user") ?? "");
  const [geofence, setGeofence] = useState(query.get("whyFence") ?? "");
  const [at, setAt] = useState(query.get("whyAt") ?? localNow());
  const ask = useChange((api) =>
    api.post<Explained>("/v1/explain", {
      userId: user.trim(),
      geofence: geofence.trim(),
      at: new Date(at).toISOString(),
    }),
  );
  const [answer, setAnswer] = useState<Explained>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setQuery({ whyUser: user.trim(), whyFence: geofence.trim(), whyAt: at });
    const result = await ask.run();
    setAnswer(result.ok ? result.data : undefined);
  };
  return (
    <Drawer title="Why no event?" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <Field
          label="User"
          hint="userId, deviceId or _id"
          value={user}
          onChange={setUser}
          problem={problemOf(ask.problem, "userId") ?? problemOf(ask.problem, "deviceId")}
          required
        />
        <Field
          label="Geofence"
          hint="_id, or tag/externalId"
          value={geofence}
          onChange={setGeofence}
          problem={problemOf(ask.problem, "geofence")}
          required
        />
        <Field
          label="Time"
          type="datetime-local"
          step={1}
          value={at}
          onChange={setAt}
          problem={problemOf(ask.problem, "at")}
          required
        />
        <FormProblem problem={ask.problem} fields={FIELDS} />
        <div>
          <Button type="submit" main busy={ask.busy}>
            Explain
          </Button>
        </div>
      </form>
      {answer && <Explanation of={answer.explanation} />}
    </Drawer>
  );
}

/** Now, as a field of a local time wants it. */
function localNow(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
