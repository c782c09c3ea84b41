import type { IconNode } from "lucide";
import { ArrowRight, Hexagon, Search, UserRound } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../../api/hooks.ts";
import { PAGES } from "../../pages.tsx";
import { pathTo, useAddress, useRouter } from "../../router.tsx";
import { Icon } from "../icon.tsx";
import "./palette.css";

interface Entry {
  icon: IconNode;
  text: string;
  about?: string;
  words: string;
  url: string;
}

/** Ctrl-K: pages, users and geofences by what they are called, and whatever has an id. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { project, environment } = useAddress();
  const { go } = useRouter();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  const found = useFound(typed.trim());
  const entries = entriesFor(typed, found, project, environment);
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    go(entry.url);
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown") setChosen(Math.min(chosen + 1, entries.length - 1));
        else if (event.key === "ArrowUp") setChosen(Math.max(chosen - 1, 0));
        else if (event.key === "Enter") open(entries[Math.min(chosen, entries.length - 1)]);
        else return;
        event.preventDefault();
      }}
    >
      <label class="row palette-input">
        <Icon of={Search} />
        <span class="unseen">Search pages, users, geofences, events</span>
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-entries"
          aria-activedescendant={entries.length > 0 ? `palette-${chosen}` : undefined}
          placeholder="Page, user, geofence or id…"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
        />
      </label>
      <div id="palette-entries" role="listbox" aria-label="Results" class="palette-entries">
        {entries.map((entry, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the dialog, where the focus stays
          <div
            key={entry.url}
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            class="palette-entry"
            onClick={() => open(entry)}
            onMouseMove={() => setChosen(i)}
          >
            <Icon of={entry.icon} />
            <span class="cut">{entry.text}</span>
            {entry.about && <span class="muted small">{entry.about}</span>}
          </div>
        ))}
      </div>
    </dialog>
  );
}

interface Found {
  users: readonly { _id: string; userId?: string; deviceId?: string; description?: string }[];
  geofences: readonly { _id: string; description: string; tag?: string; externalId?: string }[];
}

/** Delay after the last keystroke before a search [ms], and results per kind. */
const TYPING_MS = 200;
const MAX_COUNT = 5;

/** Users and geofences that are called so, by the search of their lists. */
function useFound(typed: string): Found {
  const [search, setSearch] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const asks = search !== "";
  const query = { search, limit: MAX_COUNT };
  const users = useQuery<Pick<Found, "users">>(asks ? "/v1/users" : undefined, query);
  const geofences = useQuery<Pick<Found, "geofences">>(asks ? "/v1/geofences" : undefined, query);
  return { users: users.data?.users ?? [], geofences: geofences.data?.geofences ?? [] };
}

function entriesFor(
  typed: string,
  { users, geofences }: Found,
  project: string | undefined,
  environment: "test" | "live",
): Entry[] {
  const query = typed.trim();
  const lower = query.toLowerCase();
  const to = (...parts: string[]) => pathTo({ project, environment }, ...parts);
  const pages = PAGES.filter(({ testOnly }) => !testOnly || environment === "test").map(
    ({ icon, title, path, words = "", group }): Entry => ({
      icon,
      text: title,
      about: group,
      url: to(path),
      words: `${title} ${words}`.toLowerCase(),
    }),
  );
  const found = pages.filter(({ words }) => lower.split(/\s+/).every((word) => words.includes(word)));
  if (query === "") return found;
  return [
    ...found,
    ...users.map(
      ({ _id, userId, deviceId, description }): Entry => ({
        icon: UserRound,
        text: description ?? userId ?? deviceId ?? _id,
        words: "",
        url: to("users", _id),
        about: ["User", description ? (userId ?? deviceId) : deviceId].filter(Boolean).join(" · "),
      }),
    ),
    ...geofences.map(
      ({ _id, description, tag, externalId }): Entry => ({
        icon: Hexagon,
        text: description,
        words: "",
        url: to("geofences", _id),
        about: ["Geofence", [tag, externalId].filter(Boolean).join(" / ")].filter(Boolean).join(" · "),
      }),
    ),
    ...[
      { icon: UserRound, text: query, about: "Open the user with this id", words: "", url: to("users", query) },
      {
        icon: ArrowRight,
        text: query,
        about: "Open the event with this id",
        words: "",
        url: `${to("events")}?event=${encodeURIComponent(query)}`,
      },
    ],
  ];
}
