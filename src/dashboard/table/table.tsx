import { type ComponentChildren, options } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Pages, QueryState } from "../api/hooks.ts";
import { Failure, Skeleton } from "../parts/states.tsx";
import { type Bulk, BulkBar } from "./bulk.tsx";
import type { Column } from "./columns.tsx";
import { LineList } from "./line-list.tsx";
import { SelectAll, SelectBox, type Selection, useSelection } from "./selection.tsx";
import "./table.css";

export type { Bulk } from "./bulk.tsx";
export { type Column, numberColumn } from "./columns.tsx";

/**
 * Rows of one height, of which only those on the screen are drawn: a hundred thousand cost as much as fifty. Where a list is
 * narrow, as on a phone, a row has two lines (line-list.tsx).
 *
 *   <Table label="Users" rows={users} rowKey={…} columns={[{name: "User", cell: (user) => …}]} hrefOf={…} />
 */
interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Default: those of `pages`. */
  rows?: readonly Row[];
  /** Default: the `_id` of a row. */
  rowKey?: (row: Row) => string;
  /** Where a row leads; the whole row can be clicked, its first cell holds the link. */
  hrefOf?: (row: Row) => string;
  isSelected?: (row: Row) => boolean;
  /** Shown if there are no rows and none are loading. */
  empty?: ComponentChildren;
  /** The list's pages: the next one is asked for before the end is reached. */
  pages?: PageState & { rows?: readonly Row[] };
  /** It takes its own height instead of filling and scrolling. */
  inPage?: boolean;
  /** Actions on several rows. */
  bulk?: Bulk<Row>;
}

type PageState = Omit<Pages<never>, "rows">;

/** The pages of a list that one request returns whole. A failed request is shown as such, and not as an empty list. */
export function onePage(asked: QueryState<unknown>): PageState {
  const { data, problem, again } = asked;
  return { hasMore: false, loading: data === undefined && !problem, problem, more() {}, again };
}

const ROW_HEIGHT = 36;
/** Rows drawn beyond the screen, and rows before the end at which the next page is asked for. */
const BEYOND = 12;
const AHEAD = 80;
const SKELETON_ROWS = 12;
/** Below this width of a list, columns would cut their text [px]. */
const MIN_COLUMNS_WIDTH = 560;

export function Table<Row>(props: TableProps<Row>) {
  const { label, empty, pages, rows = pages?.rows ?? [], rowKey = idOf, inPage = false, bulk } = props;
  const box = useRef<HTMLElement>(null);
  const drawn = useRef(0);
  const loading = pages?.loading === true && rows.length === 0;
  const isEmpty = rows.length === 0 && !loading;
  const { view, isNarrow } = useView(box, inPage, isEmpty);
  const selection = useSelection(rows, rowKey, bulk?.nameOf ?? rowKey);
  const more = pages?.more;
  useEffect(() => {
    if (drawn.current + AHEAD >= rows.length && !inPage && rows.length > 0) more?.();
  });
  if (isEmpty && pages?.problem) return <Failure problem={pages.problem} again={pages.again} />;
  if (isEmpty && empty !== undefined) return <>{empty}</>;
  const shared = {
    ...props,
    rows,
    rowKey,
    loading,
    view,
    selection: bulk && selection,
    onDrawn(end: number) {
      drawn.current = end;
    },
  };
  return (
    <>
      {bulk && !loading && <BulkBar bulk={bulk} selection={selection} isNarrow={isNarrow} />}
      <section
        ref={box}
        class={["table", inPage && "in-page", isNarrow && "of-lines"].filter(Boolean).join(" ")}
        aria-label={label}
        {...focusable}
      >
        {isNarrow ? <LineList {...shared} /> : <Grid {...shared} />}
        {rows.length > 0 && pages?.problem && <Failure problem={pages.problem} again={pages.more} />}
      </section>
    </>
  );
}

const idOf = (row: unknown) => (row as { _id: string })._id;

const ALL_ROWS = { top: 0, height: Number.POSITIVE_INFINITY };

/** The part of the list on the screen, and whether the list is too narrow for columns. */
function useView(box: { current: HTMLElement | null }, inPage: boolean, isEmpty: boolean) {
  const [view, setView] = useState(inPage ? ALL_ROWS : { top: 0, height: 800 });
  const [isNarrow, setNarrow] = useState(() => innerWidth < MIN_COLUMNS_WIDTH);
  // An empty list has no box, so the box of its first rows is another one.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setView(inPage ? ALL_ROWS : { top: element.scrollTop, height: element.clientHeight });
    const measure = () => {
      setNarrow(element.clientWidth < MIN_COLUMNS_WIDTH);
      look();
    };
    measure();
    // On paper, all rows are drawn, in columns, before the event ends.
    const print = () =>
      drawNow(() => {
        setView(ALL_ROWS);
        setNarrow(false);
      });
    addEventListener("beforeprint", print);
    addEventListener("afterprint", measure);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", measure);
      element.removeEventListener("scroll", look);
    };
  }, [box, inPage, isEmpty]);
  return { view, isNarrow };
}

/** Makes a change, and draws what follows from it before this returns. */
function drawNow(change: () => void): void {
  const { debounceRendering } = options;
  options.debounceRendering = (render) => render();
  change();
  options.debounceRendering = debounceRendering;
}

interface GridProps<Row> extends TableProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  loading: boolean;
  view: { top: number; height: number };
  selection?: Selection<Row>;
  onDrawn: (end: number) => void;
}

function Grid<Row>(props: GridProps<Row>) {
  const { columns, rows, rowKey, hrefOf, isSelected, pages, inPage = false, loading, view, selection, onDrawn } = props;
  const first = inPage ? 0 : Math.max(0, Math.floor(view.top / ROW_HEIGHT) - BEYOND);
  const end = inPage ? rows.length : Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_HEIGHT) + BEYOND);
  onDrawn(end);
  return (
    <table aria-rowcount={pages?.hasMore ? -1 : rows.length + 1} aria-busy={loading || undefined}>
      <colgroup>
        {selection && <col style={{ width: "40px" }} />}
        {columns.map(({ name, width, wideOnly }) => (
          <col key={name} class={colClass(width, wideOnly)} style={{ width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {selection && (
            <th scope="col" class="select">
              <SelectAll of={selection} />
            </th>
          )}
          {columns.map(({ name, right, wideOnly }) => (
            <th key={name} scope="col" class={classOf(right, wideOnly)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {first > 0 && <Gap rows={first} />}
        {loading
          ? Array.from({ length: SKELETON_ROWS }, (_, i) => (
              <tr key={i}>
                {selection && <td />}
                {columns.map(({ name, wideOnly }) => (
                  <td key={name} class={classOf(false, wideOnly)}>
                    <Skeleton width={`${50 + ((i * 13) % 40)}%`} />
                  </td>
                ))}
              </tr>
            ))
          : rows
              .slice(first, end)
              .map((row, i) => (
                <Line
                  key={rowKey(row)}
                  id={rowKey(row)}
                  index={first + i + 2}
                  row={row}
                  columns={columns}
                  href={hrefOf?.(row)}
                  selected={isSelected?.(row) ?? false}
                  selection={selection}
                />
              ))}
        {end < rows.length && <Gap rows={rows.length - end} />}
      </tbody>
    </table>
  );
}

/** Scrollable areas must be reachable by keyboard. */
const focusable = { tabIndex: 0 };

const classOf = (right = false, wideOnly = false) =>
  [right && "right", wideOnly && "wide-only"].filter(Boolean).join(" ") || undefined;

/** A share of the width is for wide windows; on a phone what is left is shared evenly. */
const colClass = (width = "", wideOnly = false) =>
  [width.endsWith("%") && "share", wideOnly && "wide-only"].filter(Boolean).join(" ") || undefined;

/** The height of rows that are not drawn. A cell over all columns would give width to columns that a phone hides. */
function Gap({ rows }: { rows: number }) {
  return (
    <tr class="gap">
      <td style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}

interface LineProps<Row> {
  id: string;
  row: Row;
  columns: readonly Column<Row>[];
  href?: string;
  selected: boolean;
  selection?: Selection<Row>;
  index: number;
}

function Line<Row>({ id, row, columns, href, selected, selection, index }: LineProps<Row>) {
  return (
    <tr aria-rowindex={index} class={[href && "leads", selected && "selected"].filter(Boolean).join(" ") || undefined}>
      {selection && (
        <td class="select">
          <SelectBox of={selection} row={row} id={id} />
        </td>
      )}
      {columns.map(({ name, cell, right, wideOnly }, i) => (
        <td key={name} class={classOf(right, wideOnly)}>
          {i === 0 && href ? (
            <a class="row-link cut" href={href} aria-current={selected || undefined}>
              {cell(row)}
            </a>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
