import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Pages } from "../api/hooks.ts";
import { Failure, Skeleton } from "./states.tsx";
import "./table.css";

/**
 * Rows of one height, of which only those on the screen are drawn: a hundred thousand cost as much as fifty.
 *
 *   <Table label="Users" rows={users} rowKey={…} columns={[{name: "User", cell: (user) => …}]} hrefOf={…} />
 */

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ComponentChildren;
  /** Any CSS width; what is left is shared by the columns without one. */
  width?: string;
  /** Right-aligned, for numbers. */
  right?: boolean;
  /** Not on a phone. */
  wideOnly?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Where a row leads; the whole row can be clicked, its first cell holds the link. */
  hrefOf?: (row: Row) => string;
  isSelected?: (row: Row) => boolean;
  /** Shown if there are no rows and none are loading. */
  empty?: ComponentChildren;
  /** The list's pages: the next one is asked for before the end is reached. */
  pages?: Pick<Pages<Row>, "hasMore" | "loading" | "more" | "problem" | "again">;
  /** It takes its own height instead of filling and scrolling. */
  inPage?: boolean;
}

const ROW_HEIGHT = 36;
/** Rows drawn beyond the screen, and rows before the end at which the next page is asked for. */
const BEYOND = 12;
const AHEAD = 80;
const SKELETON_ROWS = 12;

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, hrefOf, isSelected, empty, pages, inPage = false } = props;
  const box = useRef<HTMLElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || inPage) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [inPage]);

  const first = inPage ? 0 : Math.max(0, Math.floor(top / ROW_HEIGHT) - BEYOND);
  const end = inPage ? rows.length : Math.min(rows.length, Math.ceil((top + height) / ROW_HEIGHT) + BEYOND);
  const isNearEnd = end + AHEAD >= rows.length;
  const more = pages?.more;
  useEffect(() => {
    if (isNearEnd && !inPage && rows.length > 0) more?.();
  });

  const loading = pages?.loading === true && rows.length === 0;
  const isEmpty = rows.length === 0 && !loading;
  if (isEmpty && pages?.problem) return <Failure problem={pages.problem} again={pages.again} />;
  if (isEmpty && empty !== undefined) return <>{empty}</>;
  const shown = rows.slice(first, end);
  return (
    <section ref={box} class={inPage ? "table in-page" : "table"} aria-label={label} {...focusable}>
      <table aria-rowcount={pages?.hasMore ? -1 : rows.length + 1} aria-busy={loading || undefined}>
        <colgroup>
          {columns.map(({ name, width, wideOnly }) => (
            <col key={name} class={colClass(width, wideOnly)} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
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
                  {columns.map(({ name, wideOnly }) => (
                    <td key={name} class={classOf(false, wideOnly)}>
                      <Skeleton width={`${50 + ((i * 13) % 40)}%`} />
                    </td>
                  ))}
                </tr>
              ))
            : shown.map((row, i) => (
                <Line
                  key={rowKey(row)}
                  index={first + i + 2}
                  row={row}
                  columns={columns}
                  href={hrefOf?.(row)}
                  selected={isSelected?.(row) ?? false}
                />
              ))}
          {end < rows.length && <Gap rows={rows.length - end} />}
        </tbody>
      </table>
      {rows.length > 0 && pages?.problem && <Failure problem={pages.problem} again={pages.more} />}
    </section>
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

function Line<Row>({
  row,
  columns,
  href,
  selected,
  index,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  href?: string;
  selected: boolean;
  index: number;
}) {
  return (
    <tr aria-rowindex={index} class={[href && "leads", selected && "selected"].filter(Boolean).join(" ") || undefined}>
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
