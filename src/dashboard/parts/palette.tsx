import type { IconNode } from "lucide";
import { ArrowRight, Search, UserRound } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { PAGES } from "../pages.tsx";
import { pathTo, useAddress, useRouter } from "../router.tsx";
import { Icon } from "./icon.tsx";
import "./palette.css";

interface Entry {
  icon: IconNode;
  text: string;
  about?: string;
  words: string;
  url: string;
}

/** Ctrl-K: pages by name, and whatever has an id. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { project, environment } = useAddress();
  const { go } = useRouter();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  const entries = entriesFor(typed, project, environment);
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
        else if (event.key === "Enter") open(entries[chosen]);
        else return;
        event.preventDefault();
      }}
    >
      <label class="row palette-input">
        <Icon of={Search} />
        <span class="unseen">Search pages, users, events</span>
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-entries"
          aria-activedescendant={entries.length > 0 ? `palette-${chosen}` : undefined}
          placeholder="A page, or a userId, deviceId, event id…"
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

function entriesFor(typed: string, project: string | undefined, environment: "test" | "live"): Entry[] {
  const query = typed.trim();
  const lower = query.toLowerCase();
  const to = (...parts: string[]) => pathTo({ project, environment }, ...parts);
  const pages = PAGES.filter(({ testOnly }) => !testOnly || environment === "test").map(
    ({ icon, title, path, words = "", group }): Entry => ({
      ...{ icon, text: title, about: group, url: to(path) },
      words: `${title} ${words}`.toLowerCase(),
    }),
  );
  const found = pages.filter(({ words }) => lower.split(/\s+/).every((word) => words.includes(word)));
  if (query === "") return found;
  return [
    ...found,
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
