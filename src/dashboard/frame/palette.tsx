import type { IconNode } from "lucide";
import { ArrowRight, BookOpen, Code, Hexagon, Search, Settings, UserRound } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../api/hooks.ts";
import { pathTo, useAddress, useRouter } from "../base/router.tsx";
import { entriesOf, type Reference, type Searched, search } from "../docs/search.ts";
import { SETTING_SECTIONS } from "../pages/settings/sections.ts";
import { Icon } from "../parts/icon.tsx";
import { isSeen, nameOfRecord } from "../parts/values/names.ts";
import { ACTIONS } from "./page-words.ts";
import { PAGES } from "./pages.tsx";
import "./palette.css";

interface Entry {
  icon: IconNode;
  text: string;
  about?: string;
  url: string;
}

/** Ctrl-K: pages, settings, users, geofences, guides and endpoints by words, and whatever has an id. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { project, environment } = useAddress();
  const { go } = useRouter();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  const found = useFound(typed.trim());
  const documentation = useDocumentation(typed.trim() !== "");
  const entries = entriesFor(typed, found, documentation, project, environment);
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    // The documentation is another document.
    if (entry.url.startsWith("/docs")) location.assign(entry.url);
    else go(entry.url);
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
        <span class="unseen">Search pages, settings, users, geofences, guides and endpoints</span>
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-entries"
          aria-activedescendant={entries.length > 0 ? `palette-${chosen}` : undefined}
          placeholder="Page, setting, user, guide, endpoint or id…"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
        />
      </label>
      <Entries entries={entries} chosen={chosen} onChoose={setChosen} onOpen={open} />
    </dialog>
  );
}

interface EntriesProps {
  entries: readonly Entry[];
  chosen: number;
  onChoose: (i: number) => void;
  onOpen: (entry: Entry) => void;
}

function Entries({ entries, chosen, onChoose, onOpen }: EntriesProps) {
  return (
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
          onClick={() => onOpen(entry)}
          onMouseMove={() => onChoose(i)}
        >
          <Icon of={entry.icon} />
          <span>{entry.text}</span>
          {entry.about && <span class="muted small">{entry.about}</span>}
        </div>
      ))}
    </div>
  );
}

interface FoundRecords {
  users: readonly { _id: string; userId?: string; deviceId?: string; description?: string }[];
  geofences: readonly { _id: string; description: string; tag?: string; externalId?: string }[];
}

/** Delay after the last keystroke before a search [ms], and results per kind. */
const TYPING_MS = 200;
const MAX_COUNT = 5;
/** Results in guides and the reference. */
const MAX_DOCS = 10;

/** Users and geofences that are called so, by the search of their lists. */
function useFound(typed: string): FoundRecords {
  const [search, setSearch] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const asks = search !== "";
  const query = { search, limit: MAX_COUNT };
  const users = useQuery<Pick<FoundRecords, "users">>(asks ? "/v1/users" : undefined, query);
  const geofences = useQuery<Pick<FoundRecords, "geofences">>(asks ? "/v1/geofences" : undefined, query);
  return { users: users.data?.users ?? [], geofences: geofences.data?.geofences ?? [] };
}

/** Guides and endpoints, loaded when a search first needs them. */
let documentation: Promise<readonly Searched[]> | undefined;

async function loadDocumentation(): Promise<readonly Searched[]> {
  const read = async <T,>(path: string, none: T): Promise<T> => {
    try {
      const response = await fetch(path, { credentials: "omit" });
      return response.ok ? ((await response.json()) as T) : none;
    } catch {
      return none;
    }
  };
  const [guides, reference] = await Promise.all([
    read<Searched[]>("/docs/files/search.json", []),
    read<Reference>("/openapi.json", { paths: {} }),
  ]);
  // Without a connection, the next search loads them again.
  if (guides.length === 0) documentation = undefined;
  return [...guides, ...entriesOf(reference)];
}

function useDocumentation(isNeeded: boolean): readonly Searched[] {
  const [entries, setEntries] = useState<readonly Searched[]>([]);
  useEffect(() => {
    if (!isNeeded) return;
    documentation ??= loadDocumentation();
    void documentation.then(setEntries);
  }, [isNeeded]);
  return entries;
}

/** Pages and settings of the dashboard, by their titles and other words for them. */
function placesOf(project: string | undefined, environment: "test" | "live"): (Entry & Searched)[] {
  const to = (...parts: string[]) => pathTo({ project, environment }, ...parts);
  return [
    ...PAGES.filter(({ testOnly }) => !testOnly || environment === "test").map(
      ({ icon, title, path, words = "", group }) => ({
        ...{ icon, text: words, about: group, url: to(path) },
        ...{ title, page: title, href: "" },
      }),
    ),
    ...ACTIONS.map(({ title, page, path, query, words }) => ({
      ...{ icon: ArrowRight, text: words, about: page, url: `${to(path)}?${query}` },
      ...{ title, page: title, href: "" },
    })),
    ...SETTING_SECTIONS.map(({ name, title, words }) => ({
      ...{ icon: Settings, text: words, about: "Settings", url: `${to("settings")}?section=${name}` },
      ...{ title, page: "Settings", href: "" },
    })),
  ];
}

function entriesFor(
  typed: string,
  { users, geofences }: FoundRecords,
  documentation: readonly Searched[],
  project: string | undefined,
  environment: "test" | "live",
): Entry[] {
  const query = typed.trim();
  const to = (...parts: string[]) => pathTo({ project, environment }, ...parts);
  const places = placesOf(project, environment);
  const named = (place: Entry & Searched): Entry => ({ ...place, text: place.title });
  if (query === "") return places.filter(({ about }) => about !== "Settings").map(named);
  return [
    ...search(places, query).map(named),
    ...users.map(
      ({ _id, userId, deviceId, description }): Entry => ({
        icon: UserRound,
        text: nameOfRecord({ _id, userId, deviceId, description }),
        url: to("users", _id),
        about: ["User", isSeen(description) ? (userId ?? deviceId) : deviceId].filter(Boolean).join(" · "),
      }),
    ),
    ...geofences.map(
      ({ _id, description, tag, externalId }): Entry => ({
        icon: Hexagon,
        text: nameOfRecord({ _id, description, externalId }),
        url: to("geofences", _id),
        about: ["Geofence", [tag, externalId].filter(Boolean).join(" / ")].filter(Boolean).join(" · "),
      }),
    ),
    ...search(documentation, query)
      .slice(0, MAX_DOCS)
      .map(
        ({ title, page, href }): Entry => ({
          icon: page === "API reference" ? Code : BookOpen,
          text: title,
          about: page === title ? "Guide" : page,
          url: href,
        }),
      ),
    // A sentence is no id.
    ...(/\s/.test(query)
      ? []
      : [
          { icon: UserRound, text: query, about: "Open the user with this id", url: to("users", query) },
          {
            icon: ArrowRight,
            text: query,
            about: "Open the event with this id",
            url: `${to("events")}?event=${encodeURIComponent(query)}`,
          },
        ]),
  ];
}
