import { arcBetween } from "../graph/arcs.ts";
import type { Metric } from "../graph/modes.ts";
import { segmentsFrom } from "../graph/schedule.ts";
import type { Tile } from "../graph/tile.ts";
import { type LocalTime, minuteOf } from "../graph/traffic.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { TileView } from "../store/tile-view.ts";
import type { EndPoint } from "./end-points.ts";
import { hourlyArcs } from "./hourly-arcs.ts";
import type { OverlayWindow, TileMinutes } from "./overlay.ts";
import type { Path } from "./path.ts";
import type { OverlayPath } from "./search.ts";

/**
 * The conditional restrictions that a route meets. Searches begin with the best of all hours, which no hour is faster than. If
 * the path found meets something that is slower or closed when it gets there, the tile of that is considered at that minute
 * from then on, and the search is repeated. When nothing differs any more, the path is the best one: all others cost at least as
 * much as they did in the search. Each repetition adds a state of a tile, so it ends.
 */
export class RouteHours {
  readonly #departure: number;
  readonly #minutes = new Map<number, number[]>();

  constructor(departure: LocalTime) {
    this.#departure = minuteOf(departure);
  }

  /** For windows. */
  get minutes(): TileMinutes {
    return this.#minutes;
  }

  /** Returns whether a path must be unpacked for `agree`. `duration` [s]. */
  concern(window: OverlayWindow, { start, end, hops }: OverlayPath, duration: number): boolean {
    const { row, column } = window.numbering;
    const journey = { from: this.#departure, minutes: Math.ceil(duration / 60) };
    const segments = segmentsFrom(journey.from, journey.minutes);
    let last: TileView | undefined;
    let ofLast: ReturnType<typeof hourlyArcs>;
    const arcsOf = (view: TileView) => {
      if (view !== last) ofLast = hourlyArcs(view, window.metric, journey);
      last = view;
      return ofLast;
    };
    const isConsidered = ({ tile }: EndPoint) => this.#minutes.has(tile.index);
    if (isConsidered(start) || isConsidered(end)) return true;
    if (arcsOf(window.views[window.viewAt(start.tile.index)])?.edges[start.edge]) return true;
    return hops.some(({ from, to, level, place }) => {
      if (level > 0) {
        const { outs, hours } = window.clique(place);
        return hours !== undefined && (hours[row[level][from] * outs.length + column[level][to]] & segments) !== 0;
      }
      const view = window.views[place];
      if (this.#minutes.has(view.tile.index)) return true;
      const hourly = arcsOf(view);
      if (!hourly) return false;
      const edge = window.edgeIn(place, from, true);
      if (level === 0) return hourly.cells.has(view.tile.nodeCell[view.tile.headOf(edge)]);
      return hourly.arcs[arcBetween(view.arcs, edge, window.edgeIn(place, to, false))] === 1;
    });
  }

  /**
   * Returns whether every road and turn of a path costs what it does when it is reached. Otherwise their tiles have minutes now,
   * for a new window.
   */
  agree(store: RoadStore, metric: Metric, { edges, turns }: Path): boolean {
    let agrees = true;
    let known: { view: TileView; minute: number; actual: TileView } | undefined;
    const actualOf = (view: TileView, minute: number) => {
      if (known?.view === view && known.minute === minute) return known.actual;
      const actual = store.view(view.tile, { ...metric, minutes: [minute] });
      known = { view, minute, actual };
      return actual;
    };
    const add = ({ tile }: TileView, minute: number) => {
      agrees = false;
      const minutes = this.#minutes.get(tile.index);
      if (minutes) minutes.push(minute);
      else this.#minutes.set(tile.index, [minute]);
    };
    const [first] = edges;
    if (first.view.tile.hours && isHourly(first.view.tile, metric, first.edge)) {
      const { arcs } = actualOf(first.view, this.#departure);
      // Who is on a closed road may leave it.
      if (arcs.weight[first.edge] > first.view.arcs.weight[first.edge]) add(first.view, this.#departure);
    }
    let seconds = 0;
    turns.forEach(({ view, from, to, arc }, i) => {
      seconds += edges[i].duration;
      if (!view.tile.hours || !isHourlyTurn(view.tile, metric, from, to)) return;
      const minute = this.#departure + Math.floor(seconds / 60);
      if (view.tile.hours.isBestAt([minute])) return;
      const { arcs } = actualOf(view, minute);
      const own = arcBetween(arcs, from, to);
      const assumed = view.arcs.turnWeight[view.arcs.turn[arc]] + view.arcs.weight[to];
      if (own < 0 || arcs.turnWeight[arcs.turn[own]] + arcs.weight[to] > assumed) add(view, minute);
    });
    return agrees;
  }
}

/** Returns whether the cost of an edge depends on the hour. */
function isHourly(tile: Tile, { mode, variant }: Metric, edge: number): boolean {
  const profile = tile.profileOf(edge);
  return (variant ? variant.passage(profile, mode) : profile.passages[mode]).hours !== undefined;
}

/** The same of a turn with the edge that it leads to. Most depend on no hour, and a view of the tile at a minute is expensive. */
const isHourlyTurn = (tile: Tile, metric: Metric, from: number, to: number): boolean =>
  isHourly(tile, metric, from) || isHourly(tile, metric, to) || tile.hours?.isHourlyTurn(from, to) === true;

/** Repetitions for a path at most; each costs a search. */
export const MAX_HOURLY_SEARCHES = 100;
