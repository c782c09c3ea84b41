import { distance } from "../../geo/distance.ts";
import type { SidedRule } from "../meeting.ts";
import { coveringCells } from "./coarse-cells.ts";
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
  /** It is the user's last one that a cell may not have: who moves with another writes no other. */
  isLastDue?: boolean;
  /** Those that the user takes part in. */
  rules: readonly SidedRule[];
  /** Its name, as the cells know it. */
  userId?: string | undefined;
  /** Where the cells have the device, and how far it may move from there [m]; absent: not known. An object is evicted after ten seconds without a call, so this is stored, too. */
  placed?: { fix: Fix; safe: number } | undefined;
  /** Whom the user has met, by rule and person: since when, and the cell whose report of the end counts. */
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
  /** Of the updates that are due, the first may have reached these cells before. */
  #repeated: number;
  #reached: readonly string[];
  #written: string;

  /** @param last the user's last update, as far as it is known */
  constructor(stored: StoredWatch = NOTHING, last?: Fix) {
    const { isLastDue, ...others } = stored;
    this.#stored = isLastDue && last ? { ...others, due: [last] } : others;
    this.#repeated = this.#stored.due.length;
    this.#reached = stored.cells;
    this.#written = textOf(stored);
  }

  get stored(): StoredWatch {
    return this.#stored;
  }

  /**
   * What must be written, if that is not what has been written.
   * @param isExact with the due update itself: a later one does not count
   */
  toWrite(isExact = false): StoredWatch | undefined {
    const { due } = this.#stored;
    const next = due.length === 1 && !isExact ? { ...this.#stored, due: [], isLastDue: true } : this.#stored;
    const text = textOf(next);
    if (text === this.#written) return undefined;
    this.#written = text;
    return next;
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
   * @param userId its name now
   * @returns whether the cells must know: then `stored` has changed
   */
  note(fix: Fix, rules: readonly SidedRule[], userId: string | undefined): boolean {
    if (rules.length === 0 && this.isIdle) return false;
    const { due, cells, placed, rules: before } = this.#stored;
    const isSame = JSON.stringify(before) === JSON.stringify(rules);
    if (due.length === 0 && placed && isSame && userId === this.#stored.userId) {
      if (distance(placed.fix, fix) < placed.safe && fix.at - placed.fix.at < REPORTS_EVERY_MS) return false;
    }
    // Rules judge no update that came before them.
    const first = Math.max(due.length + 1 - MAX_DUE, isSame ? 0 : this.#repeated);
    this.#repeated = Math.max(0, this.#repeated - first);
    this.#stored = {
      ...this.#stored,
      placed: undefined,
      due: [...due, fix].slice(first),
      cells: [...new Set([...cells, ...coveringCells(fix, rules)])],
      rules,
      userId,
      ...(rules.length === 0 && { met: {} }),
    };
    return true;
  }

  /** What the cells must know now; undefined: nothing. */
  report(user: Pick<Placement, "_id" | "deviceId" | "userId">): Report | undefined {
    const { due: fixes, cells, rules } = this.#stored;
    const last = fixes[fixes.length - 1];
    if (!last) return undefined;
    const near = new Set(coveringCells(last, rules));
    const repeated = this.#repeated;
    const calls = cells.map((cell) => {
      const old = repeated > 0 && (this.#reached.includes(cell) ? { repeated } : { fixes: fixes.slice(repeated) });
      return { cell, placement: { ...user, fixes, rules, ...old, ...(!near.has(cell) && { leaves: true }) } };
    });
    return { calls, updates: fixes.length, pulls: this.#pulls };
  }

  /**
   * The cells have a report.
   * @returns whether that must be written now; otherwise a tracker that restarts sends its last update again
   */
  reported({ calls, updates, pulls }: Report, answers: readonly Placed[]): boolean {
    const fix = calls[0].placement.fixes.at(-1) as Fix;
    const due = this.#stored.due.slice(updates);
    const reached = new Set(calls.map(({ cell }) => cell));
    const joined = this.#stored.cells.filter((cell) => !reached.has(cell));
    const later = new Set([...due.flatMap((fix) => coveringCells(fix, this.#stored.rules)), ...joined]);
    const cells = calls.filter(({ cell }, i) => answers[i].stays || later.has(cell)).map(({ cell }) => cell);
    const isCurrent = due.length === 0 && pulls === this.#pulls;
    const safe = isCurrent ? Math.min(SAFE_METRES, ...answers.map((answer) => answer.safe)) : 0;
    const placed = safe > 0 ? { fix, safe } : undefined;
    const before = this.#stored.cells;
    this.#stored = { ...this.#stored, due, placed, cells: [...new Set([...cells, ...later])] };
    this.#repeated = 0;
    return updates > 1 || placed !== undefined || before.length !== this.#stored.cells.length;
  }

  /** A cell asks for the position: from now on it must know each update. @returns whether `stored` has changed */
  pull(): boolean {
    this.#pulls++;
    const { placed } = this.#stored;
    if (placed) this.#stored = { ...this.#stored, placed: undefined };
    return placed !== undefined;
  }

  /** The cell whose report of the end counts, of a meeting that goes on. */
  cellOf(rule: string, person: string): string | undefined {
    return this.#stored.met[`${rule} ${person}`]?.cell;
  }

  /**
   * Takes part in a cell that compares another device of this user, from where it is.
   * @returns whether that cell must know the position
   */
  join(cell: string, fix: Fix): boolean {
    const { cells, due } = this.#stored;
    if (cells.includes(cell)) return false;
    // What is due may be on its way, without this cell.
    this.#stored = { ...this.#stored, cells: [...cells, cell], placed: undefined, due: [...due, due.at(-1) ?? fix] };
    // Otherwise its own cells have this update: no cell compares it with users who have moved since.
    if (due.length === 0) [this.#repeated, this.#reached] = [1, this.#stored.cells];
    return true;
  }

  /**
   * Receives a message of a cell.
   * @returns the user has a new event, with the time at which a meeting that ends began [ms]
   */
  receive({ cell, n, kind, rule, person, was, at, from, joins }: NumberedMessage): { since?: number } | undefined {
    const { seen, met } = this.#stored;
    if (n <= (seen[cell] ?? 0)) return undefined;
    const newest = Object.entries({ ...seen, [cell]: n }).sort(([, a], [, b]) => b - a);
    const key = `${rule._id} ${person}`;
    const { [key]: open, ...others } = renamed(met, was === undefined ? key : `${rule._id} ${was}`, key);
    const isMet = kind === "met";
    // Two cells at a border may both report a meeting; its end is that of the first, or of the cell that took it over.
    const begins = was === undefined && joins === undefined && (!open || open.cell === from);
    const concerns = isMet ? begins : open?.cell === cell;
    const next = isMet ? { ...others, [key]: { cell, since: open?.since ?? at } } : others;
    this.#stored = {
      ...this.#stored,
      seen: Object.fromEntries(newest.slice(0, MAX_SEEN)),
      met: concerns ? next : open ? { ...others, [key]: open } : others,
    };
    if (!concerns || kind === "ended" || (isMet && open)) return undefined;
    return isMet || !open ? {} : { since: open.since };
  }
}

function renamed(met: StoredWatch["met"], before: string, after: string): StoredWatch["met"] {
  const { [before]: open, ...others } = met;
  return open ? { [after]: open, ...others } : met;
}

const textOf = ({ due, isLastDue, cells, placed, rules, userId, met, seen }: StoredWatch) =>
  JSON.stringify([due, isLastDue ?? false, cells, placed, rules, userId, met, seen]);
