import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { Skeleton } from "../parts/states.tsx";
import { type Column, linePartsOf } from "./columns.tsx";
import { RowHeights } from "./row-heights.ts";
import { SelectBox, type Selection } from "./selection.tsx";

/** Height of a row of two lines, before it was measured [px]: a longer name takes more lines. */
const DEFAULT_LINE_HEIGHT = 57;
/** Rows drawn beyond the screen. */
const BEYOND = 8;
const SKELETON_ROWS = 8;
/** What a cell shows that has no value: a narrow row omits it with its name. */
const NOTHING: ReadonlySet<ComponentChildren> = new Set([undefined, null, false, "", "–"]);

interface LineListProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  hrefOf?: (row: Row) => string;
  isSelected?: (row: Row) => boolean;
  selection?: Selection<Row>;
  loading: boolean;
  view: { top: number; height: number };
  /** Called with the index of the last drawn row. */
  onDrawn: (end: number) => void;
}

/** Rows of two lines, as lists are shown where there is no space for columns. Text wraps, so that nothing is cut. */
export function LineList<Row>(props: LineListProps<Row>) {
  const { columns, rows, rowKey, loading, view, onDrawn } = props;
  const parts = useMemo(() => linePartsOf(columns), [columns]);
  const list = useRef<HTMLUListElement>(null);
  const heights = useHeights(rows, rowKey, list);
  const first = Math.max(0, heights.indexAt(view.top) - BEYOND);
  const end = Math.min(rows.length, heights.indexAt(view.top + view.height) + 1 + BEYOND);
  onDrawn(end);
  if (loading) {
    return (
      <ul class="lines" aria-busy="true">
        {Array.from({ length: SKELETON_ROWS }, (_, i) => (
          <li key={i} class="line">
            <div class="line-title">
              <Skeleton width={`${40 + ((i * 13) % 30)}%`} />
            </div>
            <div class="line-detail">
              <Skeleton width={`${50 + ((i * 17) % 30)}%`} height={12} />
            </div>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul ref={list} class="lines">
      {first > 0 && <li class="gap" aria-hidden="true" style={{ height: `${heights.top(first)}px` }} />}
      {rows.slice(first, end).map((row, i) => (
        <Line key={rowKey(row)} {...props} row={row} index={first + i} parts={parts} />
      ))}
      {end < rows.length && (
        <li class="gap" aria-hidden="true" style={{ height: `${heights.total - heights.top(end)}px` }} />
      )}
    </ul>
  );
}

/** The measured heights of the rows on the screen, and the usual one of the others. */
function useHeights<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  list: RefObject<HTMLUListElement | null>,
): RowHeights {
  const heights = useRef<RowHeights>(undefined);
  heights.current ??= new RowHeights(DEFAULT_LINE_HEIGHT);
  const [, again] = useReducer((count: number) => count + 1, 0);
  const before = useRef<string>(undefined);
  const first = rows.length > 0 ? rowKey(rows[0]) : undefined;
  // A new row in front moves all others.
  if (before.current !== first) heights.current.clear();
  before.current = first;
  heights.current.resize(rows.length);
  useLayoutEffect(() => {
    let isChanged = false;
    for (const item of list.current?.querySelectorAll<HTMLElement>("li[data-index]") ?? [])
      if (heights.current?.set(Number(item.dataset.index), item.offsetHeight)) isChanged = true;
    if (isChanged) again(0);
  });
  return heights.current;
}

interface LineProps<Row> extends LineListProps<Row> {
  row: Row;
  index: number;
  parts: ReturnType<typeof linePartsOf<Row>>;
}

function Line<Row>({ row, index, parts, rowKey, hrefOf, isSelected, selection }: LineProps<Row>) {
  const href = hrefOf?.(row);
  const selected = isSelected?.(row) ?? false;
  const title = joinCells(parts.title, row);
  const details = parts.detail
    .map((column) => ({ column, shown: (column.short ?? column.cell)(row) }))
    .filter(({ shown }) => !NOTHING.has(shown));
  return (
    <li
      data-index={index}
      class={["line", href && "leads", selected && "selected", selection?.isOpen && "selecting"]
        .filter(Boolean)
        .join(" ")}
    >
      {selection?.isOpen && <SelectBox of={selection} row={row} id={rowKey(row)} />}
      <div class="line-title">
        {href ? (
          <a class="row-link" href={href} aria-current={selected || undefined}>
            {title}
          </a>
        ) : (
          title
        )}
      </div>
      <div class="line-aside">
        {parts.aside.map((column) => (
          <span key={column.name}>{column.cell(row)}</span>
        ))}
      </div>
      {details.length > 0 && (
        <div class="line-detail">
          {details.map(({ column, shown }) => (
            <span key={column.name}>
              {(column.isNamed ?? column.right) && <span class="muted">{column.name} </span>}
              {shown}
            </span>
          ))}
        </div>
      )}
    </li>
  );
}

const joinCells = <Row,>(columns: readonly Column<Row>[], row: Row): ComponentChildren =>
  columns.flatMap((column, i) => (i === 0 ? [column.cell(row)] : [" ", column.cell(row)]));
