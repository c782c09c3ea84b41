import { cellAt, type PackedCell } from "../geo/cells/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { distance, METRES_PER_DEGREE, RADIANS } from "../geo/distance.ts";
import { cellBox, meetsBox } from "./cell-box.ts";
import { ClearSquares } from "./clear-squares.ts";
import { landBorders, nearestOnEdge } from "./coast.ts";
import { crosses, GRID, normalLongitude, secondTurn, shorterWay } from "./crossing.ts";
import { REGION_RANKS, type Region } from "./region.ts";
import { type DecodedTile, decodeEdges, decodeTile, type TileEdges } from "./tile-format.ts";

const NONE: readonly Region[] = [];

/** Edges near one leaf, around its center [grid units]. */
interface LeafEdges {
  qx: number;
  qy: number;
  x1: Float64Array;
  y1: Float64Array;
  x2: Float64Array;
  y2: Float64Array;
  set: Int32Array;
}

/** Height of a band of latitude, by which the edges near a point are found [grid units]: a tenth of a degree. */
const BAND = GRID / 10;

/**
 * One decoded region tile. A point in a cell that is entirely within its regions costs one binary search; near a border
 * the few edges around it decide exactly. Equal results are the same array, so callers may cache by identity.
 */
export class RegionTile {
  readonly #bytes: Uint8Array;
  readonly #tile: DecodedTile;
  readonly #lists: (readonly Region[])[];
  readonly #borderLists = new Map<string, readonly Region[]>();
  readonly #near = new Map<number, LeafEdges>();
  readonly #bands = new Map<number, Int32Array>();
  #edges?: TileEdges;
  #squares?: ClearSquares;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#tile = decodeTile(bytes);
    this.#lists = this.#tile.sets.map((set) => (set.length ? set.map((i) => this.#tile.regions[i]) : NONE));
  }

  /** Its size in memory once its borders have been decoded [bytes], for a cache bounded by bytes. */
  get weight(): number {
    return this.#bytes.length * 14 + this.#tile.values.length * 40;
  }

  get regions(): readonly Region[] {
    return this.#tile.regions;
  }

  /**
   * All regions that contain the point, smaller ones first within a kind. `cell` is the point's own at resolution 12.
   */
  regionsAt(point: Coordinate, cell: PackedCell = cellAt(point)): readonly Region[] {
    const leaf = this.#leafOf(cell);
    if (leaf < 0) return NONE;
    const value = this.#tile.values[leaf];
    const set = value >> 1;
    return value % 2 === 0 ? this.#lists[set - 1] : this.#nearBorder(leaf, set - 1, point);
  }

  /**
   * Of all points of the tile with the same number the regions are the same; undefined for one that may be near a border.
   * @param cell the tile's own
   */
  squareOf(point: Coordinate, cell: PackedCell): number | undefined {
    this.#squares ??= new ClearSquares(this.#allEdges(), cellBox(cell));
    return this.#squares.of(point);
  }

  /**
   * Returns the region accepted by `wants` whose edge is nearest, if within `limit` [m]; of two along the same edge,
   * the smaller. Edges beyond the tile are not considered, so near the tile's border the result may be a farther region
   * or none.
   */
  nearest({ latitude, longitude }: Coordinate, limit: number, wants: (region: Region) => boolean): Region | undefined {
    const wanted = this.#tile.sets.map((set) => set.find((region) => wants(this.#tile.regions[region])) ?? -1);
    if (wanted.every((region) => region < 0)) return undefined;
    const { x, y, dx, dy, set } = this.#allEdges();
    const px = normalLongitude(longitude * GRID);
    const py = latitude * GRID;
    const ky = METRES_PER_DEGREE / GRID;
    const kx = ky * Math.cos(latitude * RADIANS);
    const reach = limit / ky;
    let best = limit;
    let found = -1;
    for (let band = Math.floor((py - reach) / BAND); band * BAND <= py + reach; band++) {
      for (const i of this.#edgesInBand(band)) {
        if (wanted[set[i]] < 0) continue;
        const east = shorterWay(normalLongitude(x[i]) - px);
        const metres = distanceToEdge(east * kx, (y[i] - py) * ky, dx[i] * kx, dy[i] * ky);
        if (metres < best) {
          best = metres;
          found = wanted[set[i]];
        }
      }
    }
    return found < 0 ? undefined : this.#tile.regions[found];
  }

  /**
   * Returns the distance from a point to the land border of the regions that `wants` accepts [m], as far as it is in the
   * tile, and the rank of its outline as an index of REGION_RANKS: 0 is the most detailed. Of several outlines of one
   * region, only the most detailed one is used. A coast is no border. Undefined if there is no border.
   */
  nearestBorder(point: Coordinate, wants: (region: Region) => boolean): { rank: number; distance: number } | undefined {
    const wanted = this.#tile.regions.filter(wants);
    if (wanted.length === 0) return undefined;
    const best = Math.min(...wanted.map(({ rank }) => REGION_RANKS.indexOf(rank)));
    const between = this.#bordersOfStates(wanted);
    // An extract of a town has the states on both sides of a border, but the countries only in the coarse outlines of the world base.
    const isBetween = between.includes(true) && REGION_RANKS[best] !== "import";
    const edges = this.#allEdges();
    const drawnBest = wanted.filter(({ rank }) => rank === REGION_RANKS[best]);
    const { counts, isBorder } = isBetween
      ? { counts: between, isBorder: () => true }
      : landBorders(this.#tile, edges, drawnBest, (at) => this.regionsAt(at));
    const { x, y, dx, dy, set } = edges;
    const px = normalLongitude(point.longitude * GRID);
    const py = point.latitude * GRID;
    const shrink = Math.cos(point.latitude * RADIANS);
    let least = Number.POSITIVE_INFINITY;
    let nearest = point;
    for (let i = 0; i < x.length; i++) {
      if (!counts[set[i]]) continue;
      const [east, north] = [shorterWay(normalLongitude(x[i]) - px), y[i] - py];
      const t = nearestOnEdge(east * shrink, north, dx[i] * shrink, dy[i]);
      const [toEast, toNorth] = [east + t * dx[i], north + t * dy[i]];
      const apart = Math.hypot(toEast * shrink, toNorth);
      if (apart >= least) continue;
      const there = { latitude: (py + toNorth) / GRID, longitude: (px + toEast) / GRID };
      if (!isBorder(set[i], there)) continue;
      least = apart;
      nearest = there;
    }
    if (least === Number.POSITIVE_INFINITY) return undefined;
    return { rank: isBetween ? REGION_RANKS.indexOf("import") : best, distance: distance(point, nearest) };
  }

  /** Which sets are of edges between an imported state of these countries and one of another country. */
  #bordersOfStates(countries: readonly Region[]): boolean[] {
    const codes = new Set(countries.filter(({ kind }) => kind === "country").map(({ code }) => code));
    return this.#tile.sets.map((set) => {
      const states = set
        .map((region) => this.#tile.regions[region])
        .filter(({ kind, rank }) => kind === "state" && rank === "import");
      return states.some(({ country }) => codes.has(country)) && states.some(({ country }) => !codes.has(country));
    });
  }

  #leafOf(cell: PackedCell): number {
    const lows = this.#tile.leafLows;
    let from = 0;
    let to = lows.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (lows[middle] <= cell) from = middle + 1;
      else to = middle;
    }
    return from > 0 && cell < this.#tile.leafHighs[from - 1] ? from - 1 : -1;
  }

  #nearBorder(leaf: number, centreSet: number, { latitude, longitude }: Coordinate): readonly Region[] {
    const { qx, qy, x1, y1, x2, y2, set } = this.#edgesNear(leaf);
    const px = shorterWay(normalLongitude(longitude * GRID) - qx);
    const py = latitude * GRID;
    let inside: Set<number> | undefined;
    for (let i = 0; i < x1.length; i++) {
      if (!crosses(x1[i], y1[i], x2[i], y2[i], qy, px, py)) continue;
      inside ??= new Set(this.#tile.sets[centreSet]);
      for (const region of this.#tile.sets[set[i]]) if (!inside.delete(region)) inside.add(region);
    }
    if (!inside) return this.#lists[centreSet];
    const sorted = [...inside].sort((a, b) => a - b);
    const name = sorted.join();
    let list = this.#borderLists.get(name);
    if (!list) {
      list = sorted.map((region) => this.#tile.regions[region]);
      this.#borderLists.set(name, list);
    }
    return list;
  }

  #edgesNear(leaf: number): LeafEdges {
    const known = this.#near.get(leaf);
    if (known) return known;
    const near = edgesAround(this.#allEdges(), this.#tile.leafCells[leaf]);
    this.#near.set(leaf, near);
    return near;
  }

  /** The numbers of the edges that reach a band of latitude. */
  #edgesInBand(band: number): Int32Array {
    let edges = this.#bands.get(band);
    if (!edges) {
      const { y, dy } = this.#allEdges();
      const [south, north] = [band * BAND, (band + 1) * BAND];
      const reaches = (i: number) => Math.min(y[i], y[i] + dy[i]) <= north && Math.max(y[i], y[i] + dy[i]) >= south;
      edges = Int32Array.from(Array.from(y.keys()).filter(reaches));
      this.#bands.set(band, edges);
    }
    return edges;
  }

  #allEdges(): TileEdges {
    this.#edges ??= decodeEdges(this.#bytes, this.#tile.chainsAt);
    return this.#edges;
  }
}

/** Distance from the origin to the edge that starts at (x, y) and goes (dx, dy). */
function distanceToEdge(x: number, y: number, dx: number, dy: number): number {
  const t = nearestOnEdge(x, y, dx, dy);
  return Math.hypot(x + t * dx, y + t * dy);
}

/** The edges that meet the box [grid units] around a cell and all its descendants, relative to the cell's center. */
function edgesAround(edges: TileEdges, cell: PackedCell): LeafEdges {
  const box = cellBox(cell);
  const rows: number[] = [];
  for (let i = 0; i < edges.x.length; i++) {
    const y1 = edges.y[i];
    const y2 = y1 + edges.dy[i];
    if (y1 < box.south ? y2 < box.south : y1 > box.north && y2 > box.north) continue;
    const x1 = shorterWay(normalLongitude(edges.x[i]) - box.x);
    const x2 = x1 + edges.dx[i];
    const again = secondTurn(x1, x2);
    for (const turn of again === 0 ? [0] : [0, again]) {
      if (meetsBox(box, x1 + turn, y1, x2 + turn, y2)) rows.push(x1 + turn, y1, x2 + turn, y2, edges.set[i]);
    }
  }
  const column = (at: number) => Float64Array.from({ length: rows.length / 5 }, (_, i) => rows[i * 5 + at]);
  return {
    qx: box.x,
    qy: box.y,
    x1: column(0),
    y1: column(1),
    x2: column(2),
    y2: column(3),
    set: Int32Array.from(column(4)),
  };
}
