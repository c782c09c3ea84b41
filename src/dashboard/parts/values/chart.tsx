import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useDark } from "../../base/theme.ts";
import { short } from "./format.tsx";
import { onUse } from "./on-use.ts";
import "uplot/dist/uPlot.min.css";
import "./chart.css";

export interface ChartProps {
  /** Label for screen readers; the numbers are also in the table below the chart. */
  label: string;
  /** When each step begins [ms]. */
  times: readonly number[];
  series: readonly { name: string; values: readonly number[]; isError?: boolean }[];
  height?: number;
  /** Bars for one series, lines for several. */
  bars?: boolean;
}

const COLOURS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-6", "--series-5"];
/** Lines also differ in their dashes. */
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [12, 4], [1, 2]];

/** [px] */
const DEFAULT_HEIGHT = 220;

/** Figures over time (uPlot, 23 KB; loaded where there is a chart). */
export default function Chart({ label, times, series, height = DEFAULT_HEIGHT, bars = false }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const dark = useDark();
  useEffect(() => {
    const element = box.current;
    if (!element || times.length === 0) return;
    return whenSeen(element, () => drawChart(element, { label, times, series, height, bars }));
    // The colors depend on the theme.
  }, [times, series, height, bars, dark]);
  return <div ref={box} class="chart" role="img" aria-label={label} style={{ minHeight: `${height + 24}px` }} />;
}

/** @returns removes the chart */
function drawChart(element: HTMLElement, { times, series, height = DEFAULT_HEIGHT, bars = false }: ChartProps) {
  const style = getComputedStyle(element);
  // Resolves light-dark() for the current theme: a canvas needs a plain color.
  const colour = (name: string) => {
    element.style.color = `var(${name})`;
    const { color } = style;
    element.style.color = "";
    return color;
  };
  const half = times.length > 1 ? (times[1] - times[0]) / 2000 : 0;
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font,
  };
  const chart = new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [8, 24, 0, 0],
      legend: { live: true },
      cursor: { drag: { x: false, y: false }, points: { size: 6 } },
      scales: {
        // Bars are centered on their step.
        x: { range: (_, min, max) => (bars ? [min - half, max + half] : [min, max]) },
        y: { range: (_, __, max) => [0, Math.max(max, 1) * 1.1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 64,
          size: 28,
          values: (_, ticks) => ticks.map((tick) => onAxis(tick, times)),
        },
        { ...axis, size: 48, values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? short(tick) : "")) },
      ],
      series: [
        { label: "Time", value: (_, seconds) => (seconds === null ? "" : timeText(seconds, times)) },
        ...series.map(({ name, isError }, i) => ({
          label: name,
          stroke: colour(isError ? "--bad" : COLOURS[i % COLOURS.length]),
          width: bars ? 0 : 1.5,
          dash: bars ? undefined : DASHES[i % DASHES.length],
          fill: bars ? colour(COLOURS[i % COLOURS.length]) : undefined,
          paths: bars ? uPlot.paths.bars?.({ size: [0.7, 32] }) : undefined,
          points: { show: false },
          value: (_: uPlot, value: number | null) => (value === null ? "" : short(value)),
        })),
      ],
    },
    [times.map((at) => at / 1000), ...series.map(({ values }) => [...values])],
    element,
  );
  const observer = new ResizeObserver(() => {
    if (element.clientWidth !== chart.width) chart.setSize({ width: element.clientWidth, height });
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}

const waiting: (() => void)[] = [];

/** Runs once the element is on the screen, one in a frame: several charts at once would hold the page up. */
function whenSeen(element: HTMLElement, draw: () => () => void): () => void {
  let remove: (() => void) | undefined;
  let isGone = false;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    waiting.push(() => {
      if (!isGone) remove = draw();
    });
    if (waiting.length === 1) requestAnimationFrame(drawNext);
  });
  observer.observe(element);
  return () => {
    isGone = true;
    observer.disconnect();
    remove?.();
  };
}

function drawNext(): void {
  const draw = waiting.shift();
  if (waiting.length > 0) requestAnimationFrame(drawNext);
  draw?.();
}

const font = "12px system-ui, sans-serif";
const dayOf = onUse(() => new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" }));
const hourOf = onUse(() => new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" }));

const shortDay = onUse(() => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }));
const shortHour = onUse(() => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }));

/** "18 Nov", or "14:00" where a day is all there is. */
function onAxis(seconds: number, times: readonly number[]): string {
  const isOneDay = (times.at(-1) ?? 0) - times[0] <= 25 * 3600_000;
  return (isOneDay ? shortHour() : shortDay()).format(seconds * 1000);
}

function timeText(seconds: number, times: readonly number[]): string {
  const isByDay = times.length > 1 && times[1] - times[0] > 12 * 3600_000;
  return (isByDay ? dayOf() : hourOf()).format(seconds * 1000);
}
