import { useState } from "preact/hooks";
import { useQueryValues } from "../../base/router.tsx";
import { Field } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useIds } from "../../forms/pick-options.ts";
import { useForm } from "../../forms/use-form.ts";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { type Explained, Explanation } from "./explanation.tsx";

/** "Why no event?": explains the decisions for a user, a geofence and a time. The query is in the URL. */
export function WhyNot({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useQueryValues();
  const [answer, setAnswer] = useState<Explained>();
  const ids = useIds();
  const form = useForm({
    saved: {
      user: query.get("whyUser") ?? query.get("user") ?? "",
      geofence: query.get("whyFence") ?? "",
      at: query.get("whyAt") ?? localNow(),
    },
    send: (api, { user, geofence, at }) => {
      setQuery({ whyUser: user.trim(), whyFence: geofence.trim(), whyAt: at });
      setAnswer(undefined);
      return api.post<Explained>("/v1/explain", {
        userId: user.trim(),
        geofence: geofence.trim(),
        at: new Date(at).toISOString(),
      });
    },
    onDone: setAnswer,
  });
  return (
    <Drawer title="Why no event?" onClose={onClose}>
      <Form of={form}>
        <Field
          label="User"
          hint="userId, deviceId or _id"
          {...form.field("user")}
          param={["userId", "deviceId"]}
          list={ids.users}
          required
        />
        <Field label="Geofence" hint="_id, or tag/externalId" {...form.field("geofence")} list={ids.fences} required />
        <Field label="Time" type="datetime-local" step={1} {...form.field("at")} required />
        <FormError />
        <div>
          <SaveButton>Explain</SaveButton>
        </div>
      </Form>
      {answer && <Explanation of={answer.explanation} />}
    </Drawer>
  );
}

/** The current local time, in the format of the field. */
function localNow(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
