import { type EdgeProfile, type Limited, type Passage, TRAVEL } from "../../../../core/routing/graph/modes.ts";
import { TRAFFIC_MODES } from "../../../../core/routing/graph/traffic.ts";
import { withLimits } from "./profile.ts";
import type { SpeedEntry, SpeedTable } from "./speed-file.ts";
import { changed } from "./way-profiles.ts";

/** One direction of a piece of road with the operator's speeds. */
interface PieceSpeeds {
  /** With the speeds that hold at all times. */
  profile: EdgeProfile;
  /** Speeds [0.1 km/h] in the windows, as `Traffic.rows` has them; undefined where the file has none. */
  row: number[] | undefined;
}

/** [0.1 km/h] */
const MAX_SPEED = 2500;

/** The speeds of a table, asked for piece by piece. Remembers which of them were used. */
export class OperatorSpeeds {
  readonly table: SpeedTable;
  readonly #used = new Set<SpeedEntry>();

  constructor(table: SpeedTable) {
    this.table = table;
  }

  /**
   * `nodes`: OSM ids along the piece in the direction of travel; `lengths` [m] between them. Where the file has no
   * speed the map's holds. A car travels as fast as the file says, a truck no faster than it would without.
   */
  apply(
    way: number,
    forward: boolean,
    nodes: readonly number[],
    lengths: readonly number[],
    profile: EdgeProfile,
    roadClass = "",
  ): PieceSpeeds {
    const { table } = this;
    const sides = table.ways.get(way);
    const ofWay = forward ? sides?.forward : sides?.backward;
    const entries = lengths.map((_, i) => table.segments.get(`${nodes[i]} ${nodes[i + 1]}`));
    if (!ofWay && entries.every((one) => !one)) return { profile, row: this.#byClass(profile, roadClass) };
    for (const one of [ofWay, ...entries]) if (one) this.#used.add(one);

    /** Speed over the whole piece in a bucket [0.1 km/h], 0 where the file has none. */
    const speedOf = ({ speed }: Passage, bucket: number, most: number): number => {
      const at = (i: number, b: number) => entries[i]?.speeds[b] || ofWay?.speeds[b] || 0;
      if (lengths.every((_, i) => at(i, bucket) === 0)) return 0;
      let length = 0;
      let time = 0;
      for (let i = 0; i < lengths.length; i++) {
        const kmh = at(i, bucket) || at(i, 0);
        length += lengths[i];
        time += lengths[i] / (kmh > 0 ? Math.min(kmh * 10, most) : speed);
      }
      return length > 0 ? Math.max(1, Math.min(65535, Math.round(length / time))) : 0;
    };
    const row: number[] = [];
    const passages = [...profile.passages];
    for (const mode of TRAFFIC_MODES) {
      const passage = profile.passages[mode];
      const flows = passage.speed > 0 && passage.travel === TRAVEL.normal;
      const most = mode === TRAFFIC_MODES[0] ? Number.POSITIVE_INFINITY : passage.speed;
      for (let bucket = 1; bucket <= table.windows.length; bucket++)
        row.push(flows ? speedOf(passage, bucket, most) : 0);
      const always = flows ? speedOf(passage, 0, most) : 0;
      if (always > 0) passages[mode] = changed(passage, { speed: always });
    }
    const sped = { ...profile, passages };
    const limited = profile.limited?.map((own, mode): Limited | undefined => {
      if (own?.open.travel !== TRAVEL.normal) return own;
      const always = speedOf(own.open, 0, mode === TRAFFIC_MODES[0] ? Number.POSITIVE_INFINITY : own.open.speed);
      return { ...own, open: always > 0 ? changed(own.open, { speed: always }) : own.open };
    });
    return {
      profile: limited ? withLimits(sped, limited) : sped,
      row: row.some((speed) => speed > 0) ? row : undefined,
    };
  }

  /** Speeds in the windows of a road of which the file has only the class. Its speed at other times remains. */
  #byClass({ passages }: EdgeProfile, roadClass: string): number[] | undefined {
    const factors = this.table.classes.get(roadClass);
    if (!factors) return undefined;
    const row = TRAFFIC_MODES.flatMap((mode) => {
      const { speed, travel } = passages[mode];
      const flows = speed > 0 && travel === TRAVEL.normal;
      const most = mode === TRAFFIC_MODES[0] ? MAX_SPEED : speed;
      return this.table.windows.map((_, w) => {
        const factor = factors[w + 1] || factors[0];
        return flows && factor > 0 ? Math.max(1, Math.min(most, Math.round(speed * factor))) : 0;
      });
    });
    return row.some((speed) => speed > 0) ? row : undefined;
  }

  /** Lines of the file whose road is not in the map, ascending; of several about one road the first. */
  unused(): number[] {
    const roads = [...this.table.segments.values()].map((entries) => [entries]);
    for (const { forward, backward } of this.table.ways.values()) {
      roads.push([forward, backward].filter((entries) => entries !== undefined));
    }
    const left = roads.filter((road) => !road.some((entries) => this.#used.has(entries)));
    return left.map((road) => Math.min(...road.map(({ line }) => line))).sort((a, b) => a - b);
  }
}
