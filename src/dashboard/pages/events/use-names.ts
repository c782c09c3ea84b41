import { useCallback, useMemo } from "preact/hooks";
import { useRecords } from "../../api/records.ts";
import { isSeen, nameOfRecord } from "../../parts/values/names.ts";
import type { NamedUser } from "./event-words.ts";

/**
 * What to call the users of events. An event has only the ids of its user; descriptions are read for all of them together, so that an
 * event names a user as the Users page does.
 */
export function useUserNames(users: readonly NamedUser[]): (user: NamedUser) => string {
  const ids = useMemo(() => users.filter(({ description }) => !isSeen(description)).map(({ _id }) => _id), [users]);
  const { records: known } = useRecords("users", ids);
  return useCallback(
    (user) =>
      nameOfRecord({
        ...user,
        description: isSeen(user.description) ? user.description : known.get(user._id)?.description,
      }),
    [known],
  );
}
