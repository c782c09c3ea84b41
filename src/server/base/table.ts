/** Lines of cells as text in columns, under a heading if there is one. */
export function table(lines: string[][], heading?: string[]): string {
  const all = heading ? [heading, ...lines] : lines;
  const widths = all.reduce<number[]>((most, line) => line.map((cell, i) => Math.max(cell.length, most[i] ?? 0)), []);
  return all
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
