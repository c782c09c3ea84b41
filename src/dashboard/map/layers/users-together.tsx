import { X } from "lucide";
import { Button } from "../../parts/button.tsx";
import { plural, Time } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { UserState } from "../marks/state-mark.tsx";
import type { MapUser } from "./features.ts";

interface UsersTogetherProps {
  users: readonly MapUser[];
  onPick?: (id: string) => void;
  onClose: () => void;
}

/** The users at one place of the map, where their signs would cover each other. */
export function UsersTogether({ users, onPick, onClose }: UsersTogetherProps) {
  return (
    <section
      class="map-together"
      aria-label="Users at this place"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header class="row ends">
        <h2>{plural(users.length, "user")} at this place</h2>
        <Button small bare icon={X} label="Close the list" onClick={onClose} />
      </header>
      <ul class="picks">
        {users.map((user, i) => (
          <li key={user._id}>
            <button
              type="button"
              class="row"
              // The list opened by a click on the map, where nothing keeps the focus.
              ref={i === 0 ? focusOnce : undefined}
              onClick={() => {
                onClose();
                onPick?.(user._id);
              }}
            >
              <UserState user={user} word={false} />
              <span class="grow cut">{nameOfRecord(user)}</span>
              <span class="small muted">
                <Time at={user.updatedAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const focusOnce = (element: HTMLElement | null) => element?.focus({ preventScroll: true });
