import type { getStatus } from "../../worker/http/dashboard/status.ts";
import type { Answer } from "../api/client.ts";
import { useQuery } from "../api/hooks.ts";
import { useIsOperator, useSession } from "../api/session-context.ts";
import { Note } from "../parts/states.tsx";
import { Time } from "../parts/values/format.tsx";

/** On every page, for operators: an operator without a webhook for alerts would not learn that backups have stopped. */
export function BackupBanner() {
  const { project } = useSession();
  // Requests of a member name their project, which is not known before the page has one.
  const path = useIsOperator() && project ? "/dashboard/api/status" : undefined;
  const { data } = useQuery<Answer<typeof getStatus>>(path, {}, { every: 60_000, keep: true });
  const backup = data?.machine?.backup;
  if (!backup?.isLate) return null;
  return (
    <Note tone="warn">
      Backups have stopped. {backup.at ? <Time at={backup.at} /> : "None"} is the newest. Search the log of the server
      for "what":"backup".
    </Note>
  );
}
