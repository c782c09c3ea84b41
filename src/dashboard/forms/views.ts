/** A list's filters under a name. They are kept in this browser for a page of a project; a link shares them. */
export interface View {
  name: string;
  /** The filters as in the address: "type=user.entered_geofence&user=ada". */
  query: string;
}

/** Maximum number of views of a page, and of letters in a name. */
const MAX_VIEWS = 30;
export const MAX_NAME_LETTERS = 60;

/** Reads what is stored. Entries that are not views are skipped. */
export function readViews(stored: string | null): View[] {
  try {
    const views: unknown = JSON.parse(stored ?? "[]");
    if (!Array.isArray(views)) return [];
    return views.filter((view) => typeof view?.name === "string" && typeof view?.query === "string");
  } catch {
    return [];
  }
}

/** Adds a view, the newest last. A view of the same name is replaced, and the oldest above the maximum is dropped. */
export function withView(views: readonly View[], view: View): View[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-MAX_VIEWS);
}

/** The filters of an address, without anything else that is in it, such as an opened drawer. */
export function viewQuery(query: URLSearchParams, names: readonly string[]): string {
  return new URLSearchParams(
    names.flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  ).toString();
}

/** The changes of an address that show a view. */
export function changesOf(view: View, names: readonly string[]): Record<string, string> {
  const query = new URLSearchParams(view.query);
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]));
}
