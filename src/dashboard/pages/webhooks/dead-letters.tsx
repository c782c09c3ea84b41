import { RotateCw } from "lucide";
import type { ComponentChildren, ComponentProps } from "preact";
import type { listWebhookDeadLetters, replayDeadLetters } from "../../../worker/http/webhooks/webhook-deliveries.ts";
import { type Answer, useChange, useForget, usePages } from "../../api/hooks.ts";
import { useRecords } from "../../api/records.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Empty, Failure, SkeletonLines } from "../../parts/states.tsx";
import { plural, Time } from "../../parts/values/format.tsx";
import { Request } from "./request.tsx";

type DeadLetter = Answer<typeof listWebhookDeadLetters>["deadLetters"][number];

/** Failed messages. Each, or all, can be replayed. */
export function DeadLetters({ path, enabled }: { path: string; enabled: boolean }) {
  const mayWrite = useMay("admin");
  const letters = usePages<DeadLetter>(`${path}/dead-letters`, { limit: 100 }, "deadLetters");
  const { records, problem, again } = useRecords(
    "events",
    letters.rows.map(({ _id }) => _id),
  );
  const { replay, run } = useReplay(path);
  const off = !mayWrite ? whyNot("admin") : enabled ? undefined : "Enable the webhook first.";
  if (letters.problem && letters.rows.length === 0) return <Failure problem={letters.problem} again={letters.again} />;
  if (letters.loading) return <SkeletonLines lines={6} />;
  if (letters.rows.length === 0)
    return (
      <Empty title="No dead letters">
        A message comes here after its last attempt: by default the tenth, 3 to 4 days after the first, or later if the
        receiver sends Retry-After. It comes immediately if the receiver returns 410, if the webhook is disabled, or if
        50,000 messages wait. It is kept for 30 days and can be replayed.
      </Empty>
    );
  return (
    <div class="stack tight">
      <div class="row ends">
        <span class="muted">
          {plural(letters.rows.length, "message")}
          {letters.hasMore && " and more"}
        </span>
        <Button icon={RotateCw} busy={replay.busy} disabled={off !== undefined} why={off} onClick={() => void run()}>
          Replay all
        </Button>
      </div>
      {replay.problem && <Failure problem={replay.problem} />}
      {problem && <Failure problem={problem} again={again} />}
      {letters.rows.map((letter) => (
        <Letter key={letter._id} of={letter} event={records.get(letter._id)}>
          <Button
            small
            icon={RotateCw}
            busy={replay.busy}
            disabled={off !== undefined}
            why={off}
            onClick={() => void run(letter._id)}
          >
            Replay this message
          </Button>
        </Letter>
      ))}
      {letters.hasMore && <Button onClick={letters.more}>Show more</Button>}
    </div>
  );
}

/** Replays one message, or all. */
function useReplay(path: string) {
  const forget = useForget();
  const replay = useChange((api, id: string | undefined) =>
    api.post<Answer<typeof replayDeadLetters>>(`${path}/dead-letters/${id ? `${encodeURIComponent(id)}/` : ""}replay`),
  );
  const run = async (id?: string) => {
    let [replayed, hasMore] = [0, true];
    // A call replays up to a thousand.
    while (hasMore) {
      const result = await replay.run(id);
      if (!result.ok) break;
      replayed += result.data.replayed;
      hasMore = result.meta.hasMore === true && result.data.replayed > 0;
    }
    forget(path);
    if (replayed > 0) toast(`${plural(replayed, "message")} will be retried`);
  };
  return { replay, run };
}

interface LetterProps {
  of: DeadLetter;
  event: ComponentProps<typeof Request>["event"];
  children: ComponentChildren;
}

function Letter({ of: letter, event, children }: LetterProps) {
  return (
    <details class="delivery">
      <summary>
        <span class="grow">{letter.events.map(({ type }) => type).join(", ")}</span>
        <span class="muted">{letter.reason}</span>
        <Time at={letter.diedAt} />
      </summary>
      <div class="stack tight delivery-body">
        <p>
          {plural(letter.attempts, "attempt", "attempts")}; last failure: {letter.reason}
        </p>
        <Request messageId={letter._id} event={event} />
        <div>{children}</div>
      </div>
    </details>
  );
}
