import { distance } from "../../geo/distance.ts";
import type { SidedRule } from "../meeting.ts";
import { coarseCellsAround } from "./coarse-cells.ts";
import type { Fix } from "./judge-pair.ts";
import { type NumberedMessage, type Placed, type Placement, SAFE_METRES } from "./messages.ts";

/** A cell forgets devices that it has not heard of for two days, or is itself lost: each reports once an hour [ms]. */
const REPORTS_EVERY_MS = 3600_000;
/** Updates that wait for a cell; the oldest are dropped. */
const MAX_DUE = 200;
const MAX_SEEN = 32;

/** What a tracker stores of a user's meetings, together with the user's state. */
export interface StoredWatch {
  /** Cells that have the device, or may have it. */
  cells: readonly string[];
  /** Updates that a cell may not have. */
  due: readonly Fix[];
  /** Those that the user takes part in. */
  rules: readonly SidedRule[];
  /** Where the cells have the device, and how far it may move from there [m]; absent: not known. An object is evicted after ten seconds without a call, so this is stored, too. */
  placed?: { fix: Fix; safe: number } | undefined;
  /** Whom the user has met, by rule and person: since when, and the cell that reported it. */
  met: Readonly<Record<string, { cell: string; since: number }>>;
  /** By cell, the number of the last message. */
  seen: Readonly<Record<string, number>>;
}

const NOTHING: StoredWatch = { cells: [], due: [], rules: [], met: {}, seen: {} };

/** A report to the cells, and what `reported` needs. */
export interface Report {
  calls: readonly { cell: string; placement: Placement }[];
  updates: number;
  pulls: number;
}

/** A user's part in meetings: which of its updates its cells must know, and each meeting once. */
export class Watch {
  #stored: StoredWatch;
  #pulls = 0;

  constructor(stored: StoredWatch = NOTHING) {
    this.#stored = stored;
  }

  get stored(): StoredWatch {
    return this.#stored;
  }

  get isIdle(): boolean {
    const { cells, due, met } = this.#stored;
    return cells.length === 0 && due.length === 0 && Object.keys(met).length === 0;
  }

  get hasDue(): boolean {
    return this.#stored.due.length > 0;
  }

  /**
   * Notes an update.
   * @param rules those that the user takes part in
   * @returns whether the cells must know: then `stored` has changed
   */
  note(fix: Fix, rules: readonly SidedRule[]): boolean {
    if (rules.length === 0 && this.isIdle) return false;
    const { due, cells, placed, rules: before } = this.#stored;
    if (due.length === 0 && placed && JSON.stringify(before) === JSON.stringify(rules)) {
      if (distance(placed.fix, fix) < placed.safe && fix.at - placed.fix.at < REPORTS_EVERY_MS) return false;
    }
    this.#stored = {
      ...this.#stored,
      placed: undefined,
      due: [...due, fix].slice(-MAX_DUE),
      cells: [...new Set([...cells, ...cellsOf(fix, rules)])],
      rules,
      ...(rules.length === 0 && { met: {} }),
    };
    return true;
  }

  /** What the cells must know now; undefined: nothing. */
  report(user: Pick<Placement, "_id" | "deviceId" | "userId">): Report | undefined {
    const { due: fixes, cells, rules } = this.#stored;
    const last = fixes[fixes.length - 1];
    if (!last) return undefined;
    const near = new Set(cellsOf(last, rules));
    const calls = cells.map((cell) => ({
      cell,
      placement: { ...user, fixes, rules, ...(!near.has(cell) && { leaves: true }) },
    }));
    return { calls, updates: fixes.length, pulls: this.#pulls };
  }

  /** The cells have a report. */
  reported({ calls, updates, pulls }: Report, answers: readonly Placed[]): void {
    const { fixes } = calls[0].placement;
    const due = this.#stored.due.slice(updates);
    const later = new Set(due.flatMap((fix) => cellsOf(fix, this.#stored.rules)));
    const cells = calls.filter(({ cell }, i) => answers[i].stays || later.has(cell)).map(({ cell }) => cell);
    const isCurrent = due.length === 0 && pulls === this.#pulls;
    const safe = isCurrent ? Math.min(SAFE_METRES, ...answers.map((answer) => answer.safe)) : 0;
    const placed = safe > 0 ? { fix: fixes[updates - 1], safe } : undefined;
    this.#stored = { ...this.#stored, due, placed, cells: [...new Set([...cells, ...later])] };
  }

  /** A cell asks for the position: from now on it must know each update. @returns whether `stored` has changed */
  pull(): boolean {
    this.#pulls++;
    const { placed } = this.#stored;
    if (placed) this.#stored = { ...this.#stored, placed: undefined };
    return placed !== undefined;
  }

  /**
   * Receives a message of a cell.
   * @returns the user has a new event, with the time at which a meeting that ends began [ms]
   */
  receive({ cell, n, kind, rule, person, at }: NumberedMessage): { since?: number } | undefined {
    const { seen, met } = this.#stored;
    if (n <= (seen[cell] ?? 0)) return undefined;
    const newest = Object.entries({ ...seen, [cell]: n }).sort(([, a], [, b]) => b - a);
    const { [`${rule._id} ${person}`]: open, ...others } = met;
    const key = `${rule._id} ${person}`;
    const isMet = kind === "met";
    // Two cells at a border may both report a meeting; its end is that of the first.
    const concerns = isMet ? !open : open?.cell === cell;
    const next = isMet ? { ...met, [key]: { cell, since: at } } : others;
    this.#stored = { ...this.#stored, seen: Object.fromEntries(newest.slice(0, MAX_SEEN)), met: concerns ? next : met };
    if (!concerns || kind === "ended") return undefined;
    return isMet ? {} : { since: open.since };
  }
}

/** The cells that must have a device. */
function cellsOf(fix: Fix, rules: readonly SidedRule[]): string[] {
  if (rules.length === 0) return [];
  return coarseCellsAround(fix, Math.max(...rules.map(({ radius }) => radius)) + 2 * SAFE_METRES);
}
