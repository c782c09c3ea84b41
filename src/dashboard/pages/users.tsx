import { useMemo } from "preact/hooks";
import { useAddress, useQueryValue } from "../base/router.tsx";
import { ReplayTogether } from "./users/replay-together.tsx";
import { UserList } from "./users/user-list.tsx";
import { UserPage } from "./users/user-page.tsx";

/** /users is the list, ?replay=<id>,<id> the day of several; /users/<id> one of them, by _id, userId or deviceId. */
export default function Users() {
  const [id] = useAddress().rest;
  const [together] = useQueryValue("replay");
  const ids = useMemo(() => (together === "" ? [] : together.split(",")), [together]);
  if (id !== undefined) return <UserPage key={id} id={id} />;
  return ids.length > 0 ? <ReplayTogether ids={ids} /> : <UserList />;
}
