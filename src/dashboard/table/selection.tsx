import { useCallback, useState } from "preact/hooks";
import { BareCheck } from "../forms/bare.tsx";

/** The selected rows of a list. */
export interface Selection<Row> {
  /** Whether a list of two-line rows shows check boxes. */
  isOpen: boolean;
  rows: readonly Row[];
  ids: readonly string[];
  isAll: boolean;
  has(id: string): boolean;
  open(isOpen: boolean): void;
  set(id: string, isOn: boolean): void;
  setAll(isOn: boolean): void;
  /** The name of a row, for screen readers. */
  nameOf(row: Row): string;
}

const NONE: ReadonlySet<string> = new Set();

export function useSelection<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  nameOf: (row: Row) => string,
): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(NONE);
  const [isOpen, setOpen] = useState(false);
  // Rows that have left the list are not selected: no action may concern a row that is not shown.
  const selected = ids.size === 0 ? [] : rows.filter((row) => ids.has(rowKey(row)));
  const set = useCallback((id: string, isOn: boolean) => {
    setIds((before) => {
      const next = new Set(before);
      if (isOn) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  return {
    isOpen,
    rows: selected,
    ids: selected.map(rowKey),
    isAll: selected.length > 0 && selected.length === rows.length,
    has: (id) => ids.has(id),
    open(next) {
      setOpen(next);
      if (!next) setIds(NONE);
    },
    set,
    setAll: (isOn) => setIds(isOn ? new Set(rows.map(rowKey)) : NONE),
    nameOf,
  };
}

export function SelectBox<Row>({ of, row, id }: { of: Selection<Row>; row: Row; id: string }) {
  return <BareCheck label={`Select ${of.nameOf(row)}`} value={of.has(id)} onChange={(isOn) => of.set(id, isOn)} />;
}

/** Selects all loaded rows, or none. */
export function SelectAll<Row>({ of }: { of: Selection<Row> }) {
  const isSome = of.rows.length > 0 && !of.isAll;
  return <BareCheck label="Select all loaded rows" value={of.isAll} isMixed={isSome} onChange={of.setAll} />;
}
