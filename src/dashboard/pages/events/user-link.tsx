import { useMemo } from "preact/hooks";
import { useAddress } from "../../base/router.tsx";
import type { NamedUser } from "./event-words.ts";
import { useUserNames } from "./use-names.ts";

/** The user of an event or a trip, as the Users page calls them. */
export function UserLink({ user }: { user: NamedUser }) {
  const { to } = useAddress();
  const users = useMemo(() => [user], [user]);
  const nameOf = useUserNames(users);
  return <a href={to("users", user._id)}>{nameOf(user)}</a>;
}
