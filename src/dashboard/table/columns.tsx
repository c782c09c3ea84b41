import type { ComponentChildren } from "preact";

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ComponentChildren;
  /** Any CSS width; what is left is shared by the columns without one. */
  width?: string;
  /** Right-aligned, for numbers. */
  right?: boolean;
  /** Hidden where a table in a page is narrow. */
  wideOnly?: boolean;
  /**
   * Where it is shown if the list is too narrow for columns: in the first line, at its end, in the second line, or not at all.
   * Default: the first column is the title, the last one the aside if no other is, the others are details.
   */
  line?: "title" | "aside" | "detail" | "none";
  /** A shorter form for the second line. */
  short?: (row: Row) => ComponentChildren;
  /** Whether the second line shows the name of the column before the value. Default: for numbers. */
  isNamed?: boolean;
}

/** A column of numbers, which a narrow list shows in the second line of a row. */
export const numberColumn = <Row,>(name: string, width: number, cell: Column<Row>["cell"]): Column<Row> => ({
  ...{ name, cell, width: `${width}px`, right: true, line: "detail" },
});

interface LineParts<Row> {
  title: readonly Column<Row>[];
  aside: readonly Column<Row>[];
  detail: readonly Column<Row>[];
}

/** Where each column of a table is shown if rows have two lines. */
export function linePartsOf<Row>(columns: readonly Column<Row>[]): LineParts<Row> {
  const hasAside = columns.some(({ line }) => line === "aside");
  const last = hasAside ? -1 : columns.findLastIndex(({ line }) => line === undefined);
  const placed = columns.map((column, i) => ({
    column,
    line: column.line ?? (i === 0 ? "title" : i === last ? "aside" : "detail"),
  }));
  const of = (part: string) => placed.filter(({ line }) => line === part).map(({ column }) => column);
  return { title: of("title"), aside: of("aside"), detail: of("detail") };
}
