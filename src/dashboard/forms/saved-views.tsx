import { Bookmark, Trash2 } from "lucide";
import { useRef, useState } from "preact/hooks";
import { readStored, writeStored } from "../api/stored.ts";
import { useAddress, useQueryValues } from "../base/router.tsx";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { CopyButton } from "../parts/values/code.tsx";
import { BareInput } from "./bare.tsx";
import { changesOf, MAX_NAME_LETTERS, readViews, type View, viewQuery, withView } from "./views.ts";

/** Saves the filters of a list under a name, and shows them again. */
export function SavedViews({ names }: { names: readonly string[] }) {
  const { project, page } = useAddress();
  const [query, setQuery] = useQueryValues();
  const key = `graticule-views ${project} ${page}`;
  const [views, setViews] = useState(() => readViews(readStored(key)));
  const [name, setName] = useState("");
  const menu = useRef<HTMLDetailsElement>(null);
  const now = viewQuery(query, names);
  if (views.length === 0 && now === "") return null;
  const keep = (next: View[]) => {
    setViews(next);
    writeStored(key, JSON.stringify(next));
  };
  const show = (view: View) => {
    setQuery(changesOf(view, names), true);
    if (menu.current) menu.current.open = false;
  };
  const save = () => {
    keep(withView(views, { name: name.trim(), query: now }));
    setName("");
  };
  return (
    <details ref={menu} class="views" onToggle={({ currentTarget }) => keepInView(currentTarget)}>
      <summary class="button">
        <Icon of={Bookmark} /> Views
      </summary>
      <div class="stack tight">
        {views.length > 0 && (
          <ViewList
            views={views}
            now={now}
            onShow={show}
            onDelete={(view) => keep(views.filter((one) => one !== view))}
          />
        )}
        {now !== "" && (
          <>
            <div class="row">
              <BareInput
                label="Name of the view"
                placeholder="Name of this view"
                value={name}
                onChange={(typed) => setName(typed.slice(0, MAX_NAME_LETTERS))}
                onEnter={() => name.trim() !== "" && save()}
              />
              <Button disabled={name.trim() === ""} why="Enter a name." onClick={save}>
                Save
              </Button>
            </div>
            <p class="row small muted">
              <span class="grow">Saved in this browser. Share the link:</span>
              <CopyButton text={location.href} label="Copy the link" />
            </p>
          </>
        )}
      </div>
    </details>
  );
}

interface ViewListProps {
  views: readonly View[];
  /** The filters of the page. */
  now: string;
  onShow: (view: View) => void;
  onDelete: (view: View) => void;
}

function ViewList({ views, now, onShow, onDelete }: ViewListProps) {
  return (
    <ul>
      {views.map((view) => (
        <li key={view.name} class="row">
          <button type="button" class="link grow" aria-pressed={view.query === now} onClick={() => onShow(view)}>
            {view.name}
          </button>
          <Button small bare icon={Trash2} label={`Delete the view ${view.name}`} onClick={() => onDelete(view)} />
        </li>
      ))}
    </ul>
  );
}

/** The menu is below its button: from the button's left edge on, unless the window ends there. */
function keepInView(menu: HTMLElement): void {
  menu.classList.toggle("at-end", menu.getBoundingClientRect().left + MENU_WIDTH > innerWidth);
}

/** [px] */
const MENU_WIDTH = 280;
