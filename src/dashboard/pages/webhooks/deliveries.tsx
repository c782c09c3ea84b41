import type { webhookDeliveries } from "../../../worker/http/webhooks/webhook-deliveries.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useRecords } from "../../api/records.ts";
import { useQueryValue } from "../../base/router.tsx";
import { Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Empty, Failure, SkeletonLines } from "../../parts/states.tsx";
import { Code } from "../../parts/values/code.tsx";
import { milliseconds, Pill, plural, Time } from "../../parts/values/format.tsx";
import { typeWords } from "../../parts/values/type-words.ts";
import { statesOf } from "./attempts.ts";
import { Request } from "./request.tsx";
import "./deliveries.css";

type Delivery = Answer<typeof webhookDeliveries>["deliveries"][number];

/** The latest attempts: the request, and the response of the receiver. */
export function Deliveries({ path }: { path: string }) {
  const [only, setOnly] = useQueryValue("only", "all");
  const log = useQuery<Answer<typeof webhookDeliveries>>(`${path}/deliveries`, { limit: 100 }, { every: 5_000 });
  const deliveries = log.data?.deliveries ?? NONE;
  const { records, problem, again } = useRecords(
    "events",
    deliveries.map(({ messageId }) => messageId),
  );
  if (log.problem && !log.data) return <Failure problem={log.problem} again={log.again} />;
  if (!log.data) return <SkeletonLines lines={8} />;
  const { waiting } = log.data;
  const states = statesOf(deliveries, waiting);
  const shown = deliveries
    .map((delivery, i) => ({ delivery, state: states[i] }))
    .filter(({ delivery: { outcome } }) => only === "all" || outcome === "retrying" || outcome === "dead");
  return (
    <div class="stack tight">
      <div class="row ends wrap">
        <Choice
          label="Which"
          options={choices({ all: "All", failed: "Failed" })}
          value={only as "all" | "failed"}
          onChange={setOnly}
        />
        <span class="muted">{waiting === 0 ? "No messages waiting" : `${plural(waiting, "message")} waiting`}</span>
      </div>
      {log.problem && <Failure problem={log.problem} again={log.again} />}
      {problem && <Failure problem={problem} again={again} />}
      {shown.length === 0 && <Empty title={only === "all" ? "No deliveries yet" : "No failed deliveries"} />}
      {shown.map(({ delivery, state: [word, tone] }) => (
        <details key={`${delivery.messageId} ${delivery.attempt} ${delivery.createdAt}`} class="delivery">
          <summary>
            <Pill tone={tone}>{word}</Pill>
            <span class="grow">{delivery.eventTypes.map(typeWords).join(", ")}</span>
            <span class="muted number">
              {delivery.status ?? "no response"} · {milliseconds(delivery.durationMs)}
            </span>
            <Time at={delivery.createdAt} />
          </summary>
          <div class="stack tight delivery-body">
            <p class="muted">
              Message <code>{delivery.messageId}</code>, attempt {delivery.attempt}
            </p>
            <Request
              messageId={delivery.messageId}
              sentAt={delivery.createdAt}
              event={records.get(delivery.messageId)}
            />
            <h3>Response</h3>
            {delivery.error && <p class="field-problem">{delivery.error}</p>}
            <Code
              text={delivery.response ?? (delivery.status ? `${delivery.status}` : "The receiver did not respond.")}
              wrap
            />
          </div>
        </details>
      ))}
    </div>
  );
}

const NONE: readonly Delivery[] = [];
