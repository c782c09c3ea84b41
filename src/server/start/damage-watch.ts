import { brokenDatabases, remedyOf } from "../state/integrity.ts";
import { tellDamaged } from "../state/mend.ts";

/** Minimum time between log messages about damage [ms]. */
const LOG_INTERVAL = 60_000;
/** How long an answer about the databases is believed [ms]: to find out, they are read. */
const BELIEVED_MS = 10_000;

const DAMAGE = /SQLITE_(CORRUPT|NOTADB)/;

/** What workerd and the Worker say of damaged files while a server runs: a line for the operator, at most one a minute. */
export class DamageWatch {
  readonly #state: string;
  readonly #now: () => number;
  #heardAt = Number.NEGATIVE_INFINITY;
  #toldAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #saidAt = Number.NEGATIVE_INFINITY;
  #isOfDatabase = false;

  constructor(state: string, now = () => performance.now()) {
    this.#state = state;
    this.#now = now;
  }

  /** @returns whether a line of the log is workerd's stack about a damaged file, in place of which a sentence is logged */
  hears(message: string): boolean {
    if (!DAMAGE.test(message) || !message.includes("workerd/")) return false;
    this.#heardAt = this.#now();
    if (this.#heardAt - this.#toldAt > LOG_INTERVAL) {
      this.#toldAt = this.#heardAt;
      tellDamaged({
        damage: `workerd cannot read a file of ${this.#state} (${DAMAGE.exec(message)?.[0]})`,
        todo: `A line that names it follows, if it is needed now. Else: npm run doctor -- --persist-to ${this.#state}`,
      });
    }
    return process.env.GRATICULE_DEBUG === undefined;
  }

  /** Whether a database is damaged; which one is logged. */
  isOfDatabase(): boolean {
    const now = this.#now();
    if (now - this.#lookedAt < BELIEVED_MS) return this.#isOfDatabase;
    const found = brokenDatabases(this.#state, now - this.#heardAt < LOG_INTERVAL);
    this.#lookedAt = this.#now();
    this.#isOfDatabase = found.length > 0;
    if (this.#isOfDatabase && now - this.#saidAt > LOG_INTERVAL) {
      this.#saidAt = now;
      for (const { path, damage, holds } of found)
        tellDamaged({ file: path, damage, holds, todo: remedyOf(path, damage) });
    }
    return this.#isOfDatabase;
  }
}
