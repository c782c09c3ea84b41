import { useCallback, useState } from "preact/hooks";

/**
 * Keeps a draft for the tab, so that input survives a lost connection, a reload or a wrong key. Call `forget` when it
 * is saved.
 */
export function useKeptDraft<T>(
  name: string,
  first: T,
): [T, (change: Partial<T>) => void, forget: () => void, kept: boolean] {
  const key = `graticule-draft ${name}`;
  const [draft, setDraft] = useState<T>(() => readDraft(key) ?? first);
  const [kept] = useState(() => JSON.stringify(draft) !== JSON.stringify(first));
  const change = useCallback(
    (part: Partial<T>) =>
      setDraft((before) => {
        const next = { ...before, ...part };
        storeDraft(key, next);
        return next;
      }),
    [key],
  );
  const forget = useCallback(() => sessionStorage.removeItem(key), [key]);
  return [draft, change, forget, kept];
}

function readDraft<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "") as T;
  } catch {
    return undefined;
  }
}

function storeDraft(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden store costs the copy, not the work.
  }
}
