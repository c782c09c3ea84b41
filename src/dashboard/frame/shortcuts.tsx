import { useEffect } from "preact/hooks";
import { pathTo, useAddress, useRouter } from "../base/router.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { PAGES } from "./pages.tsx";

/** "g" and then one of these opens a page. */
const GO: Readonly<Record<string, string>> = { o: "", m: "map", u: "users", t: "trips", e: "events", f: "geofences" };
GO satisfies Record<string, (typeof PAGES)[number]["path"]>;
/** Time between the two keys [ms]. */
const GO_WITHIN_MS = 1500;

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);
export const searchKeys = () => (isApple() ? "⌘K" : "Ctrl K");

/** Does the key belong to a field, or to what is above the page? */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof Element &&
  (target.closest("input, textarea, select, [contenteditable]") !== null ||
    document.querySelector("dialog[open]") !== null);

/** Keys that work on every page. */
export function useShortcuts(show: (what: "search" | "shortcuts") => void): void {
  const { project, environment } = useAddress();
  const { go } = useRouter();
  useEffect(() => {
    let goes = 0;
    const onKey = (event: KeyboardEvent) => {
      const isSearch = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isSearch && (event.ctrlKey || event.metaKey || event.altKey || isTyping(event))) return;
      const page = Date.now() - goes < GO_WITHIN_MS ? GO[event.key] : undefined;
      goes = event.key === "g" ? Date.now() : 0;
      if (page !== undefined) go(pathTo({ project, environment }, page));
      else if (isSearch || event.key === "/") show("search");
      else if (event.key === "?") show("shortcuts");
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [project, environment, go, show]);
}

const SHORTCUTS: () => readonly (readonly [keys: readonly string[], does: string])[] = () => [
  [[searchKeys(), "/"], "Search pages, settings, users, geofences and guides"],
  ...Object.entries(GO).map(
    ([key, path]) => [[`g ${key}`], PAGES.find((page) => page.path === path)?.title ?? ""] as const,
  ),
  [["Tab", "Shift Tab"], "Next and previous control"],
  [["Enter", "Space"], "Open, press, choose"],
  [["Esc"], "Close details, a dialog or the filters"],
  [["←", "→", "↑", "↓"], "Move a map, a slider, or between tabs"],
  [["+", "−"], "Zoom a map"],
  [["Ctrl Z"], "Undo the last step of a drawing"],
  [["?"], "This list"],
];

export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {SHORTCUTS().map(([keys, does]) => (
          <div key={does} class="row ends">
            <dt>{does}</dt>
            <dd class="row">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
