/** What the requests of one caller may compute: it fills at a rate, and long requests may overdraw it. */
export interface WorkAccount {
  /** Work that is left, negative for debt [units of a pace, about a microsecond each]. */
  left: number;
  /** When `left` was correct [ms]. */
  at: number;
}

/** A full account allows the work of so many seconds at once. */
const BURST_SECONDS = 10;
const UNITS_PER_MS = 1000;

/** @param rate milliseconds of computing per second */
export function fullAccount(rate: number, now: number): WorkAccount {
  return { left: capacityOf(rate), at: now };
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

function fill(account: WorkAccount, rate: number, now: number): void {
  const elapsedMs = Math.max(0, now - account.at);
  account.left = Math.min(capacityOf(rate), account.left + elapsedMs * rate);
  account.at = now;
}

const capacityOf = (rate: number) => rate * UNITS_PER_MS * BURST_SECONDS;
