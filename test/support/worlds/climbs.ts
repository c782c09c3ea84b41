/** The sum of all climbs of at least `least`, by definition: no climb has a fall of `least` in it, and no fall such a climb [m]. */
export function climbsOf(heights: readonly number[], least: number): number {
  let list = heights.filter((height, i) => i === 0 || height !== heights[i - 1]);
  for (;;) {
    list = list.filter((height, i) => {
      const isEnd = i === 0 || i === list.length - 1;
      return isEnd || (height - list[i - 1]) * (list[i + 1] - height) < 0;
    });
    // The smallest step is no climb: its two ends go, or the one that is not an end of the line.
    let smallest = 1;
    for (let i = 2; i < list.length; i++)
      if (Math.abs(list[i] - list[i - 1]) < Math.abs(list[smallest] - list[smallest - 1])) smallest = i;
    if (list.length < 2 || Math.abs(list[smallest] - list[smallest - 1]) >= least) break;
    const drop =
      list.length === 2
        ? [0, 1]
        : smallest === 1
          ? [0]
          : smallest === list.length - 1
            ? [smallest]
            : [smallest - 1, smallest];
    list = list.filter((_, i) => !drop.includes(i));
  }
  return list.slice(1).reduce((sum, height, i) => sum + Math.max(0, height - list[i]), 0);
}
