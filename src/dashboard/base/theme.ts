import { useEffect, useState } from "preact/hooks";

export type Theme = "system" | "light" | "dark";

const NAME = "graticule-theme";
const watchers = new Set<(theme: Theme) => void>();

function storedTheme(): Theme {
  const value = localStorage.getItem(NAME);
  return value === "light" || value === "dark" ? value : "system";
}

/** Puts the chosen theme on the document; CSS does the rest. */
export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    watchers.add(setTheme);
    return () => void watchers.delete(setTheme);
  }, []);
  return [
    theme,
    (next) => {
      localStorage.setItem(NAME, next);
      applyTheme(next);
      for (const watcher of watchers) watcher(next);
    },
  ];
}

/** Is it dark now? For what CSS cannot colour: a map, a chart. */
export function useDark(): boolean {
  const [theme] = useTheme();
  const [systemDark, setSystemDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => setSystemDark(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return theme === "system" ? systemDark : theme === "dark";
}
