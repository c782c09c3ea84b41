/** What the requests of one caller may compute: it fills at a rate, and long requests may overdraw it. */
export interface WorkAccount {
  /** Work that is left, negative for debt [units of a pace, about a microsecond each]. */
  left: number;
  /** When `left` was correct [ms]. */
  at: number;
  /** Its long requests that have not ended, with the time of their last slice [ms]. */
  readonly open: Map<object, number>;
}

/** So many long requests of a caller compute at a time: they take turns, so each more only delays the others and takes memory. A page asks for a screen of 20 tiles at once. */
const MAX_OPEN = 32;
/** A request without a slice for so long has ended without saying so: the platform may end any [ms]. */
const GONE_MS = 10_000;
/** After so long, one of them has probably ended [ms]. */
const WAIT_OPEN_MS = 1000;

/** A full account allows the work of so many seconds at once. */
const BURST_SECONDS = 10;
const UNITS_PER_MS = 1000;

/** @param rate milliseconds of computing per second */
export function fullAccount(rate: number, now: number): WorkAccount {
  return { left: capacityOf(rate), at: now, open: new Map() };
}

/** Takes work that was done. A clock that steps back adds nothing. */
export function charge(account: WorkAccount, rate: number, units: number, now: number): void {
  fill(account, rate, now);
  account.left -= units;
}

/** How long until the account has no debt, if nothing else is charged [ms]; 0: it has none. */
export function debtMs(account: WorkAccount, rate: number, now: number): number {
  fill(account, rate, now);
  // A rest as small is an error of rounding.
  return account.left > -1e-6 ? 0 : Math.ceil(-account.left / rate);
}

/** Begins a long request. Returns how long to wait if it may not begin [ms]; 0: it has begun. */
export function begin(account: WorkAccount, rate: number, request: object, now: number): number {
  const waitMs = debtMs(account, rate, now);
  if (waitMs > 0) return waitMs;
  for (const [other, seenAt] of account.open) if (Math.abs(now - seenAt) > GONE_MS) account.open.delete(other);
  if (account.open.size >= MAX_OPEN) return WAIT_OPEN_MS;
  account.open.set(request, now);
  return 0;
}

function fill(account: WorkAccount, rate: number, now: number): void {
  const elapsedMs = Math.max(0, now - account.at);
  account.left = Math.min(capacityOf(rate), account.left + elapsedMs * rate);
  account.at = now;
}

const capacityOf = (rate: number) => rate * UNITS_PER_MS * BURST_SECONDS;
