import { useAddress } from "../base/router.tsx";
import { UserList } from "./users/user-list.tsx";
import { UserPage } from "./users/user-page.tsx";

/** /users is the list; /users/<id> one of them, by _id, userId or deviceId. */
export default function Users() {
  const [id] = useAddress().rest;
  return id === undefined ? <UserList /> : <UserPage key={id} id={id} />;
}
