import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { InDebt, type Pace } from "../../../core/geo/pace.ts";
import { newParty, type Party } from "../../../core/geo/turns.ts";
import { addressGroup } from "../../../core/limits/address.ts";
import { COMPUTING, rateLimitOf } from "../../../core/limits/table.ts";
import { begin, charge, fullAccount, type WorkAccount } from "../../../core/limits/work-account.ts";
import type { Env } from "../../platform/env.ts";
import { type PartyAccount, requestPace } from "../../platform/pace.ts";
import type { Caller } from "./callers/identity.ts";
import type { Client } from "./connection.ts";
import { departureOf } from "./departure.ts";

/** Work of a request that is charged but never rejected: about five milliseconds [units]. */
const FREE_UNITS = 5_000;

interface Payer {
  party: Party;
  /** Absent for secret keys, which are on servers: they only take turns. */
  account?: WorkAccount;
}

const MAX_PAYERS = 10_000;
const payers = new BoundedMap<string, Payer>(MAX_PAYERS);

/** Who sent a request, as far as its work is charged. */
export interface Sender {
  /** Absent for open endpoints, such as maps of shared trips: their work is charged to the address. */
  caller: Caller | undefined;
  client: Client;
  /** By a URL that was signed with a secret key, which anyone may have. */
  isSigned: boolean;
}

/**
 * The pace of a request: its work takes turns with that of its caller's other requests, and ends when the client leaves. Publishable keys,
 * sessions, signed URLs and addresses may compute for some time per second. While they are in debt, a request that takes more than
 * some milliseconds is rejected.
 */
export function paceOf(sender: Sender, request: Request, env: Pick<Env, "CONNECTIONS">): Pace {
  return requestPace({ account: new SenderAccount(sender), hasLeft: departureOf(request, env) });
}

function nameOf({ caller, client, isSigned }: Sender): string {
  if (caller?.member) return `member ${caller.member.id}`;
  if (caller?.scope === undefined) return `address ${addressGroup(client.ip ?? "")}`;
  return `${caller.scope} ${isSigned ? "signed" : caller.secret ? "secret" : "publishable"}`;
}

/** Finds the payer when there is work to pay: most requests count none. */
class SenderAccount implements PartyAccount {
  readonly free = FREE_UNITS;
  readonly #sender: Sender;
  readonly #rate: number;
  #payer: Payer | undefined;

  constructor(sender: Sender) {
    this.#sender = sender;
    this.#rate = rateLimitOf(COMPUTING, sender.caller?.settings?.rateLimits);
  }

  get party(): Party {
    return this.#found().party;
  }

  charge(units: number): void {
    const { account } = this.#found();
    if (!account) return;
    const now = Date.now();
    charge(account, this.#rate, units, now);
    if (account.open.has(this)) account.open.set(this, now);
  }

  open(): void {
    const { account } = this.#found();
    const waitMs = account ? begin(account, this.#rate, this, Date.now()) : 0;
    if (waitMs > 0) throw new InDebt(this.#rate, waitMs);
  }

  close(): void {
    this.#payer?.account?.open.delete(this);
  }

  #found(): Payer {
    this.#payer ??= payerOf(this.#sender, this.#rate);
    return this.#payer;
  }
}

function payerOf(sender: Sender, rate: number): Payer {
  const name = nameOf(sender);
  let payer = payers.get(name);
  if (!payer) {
    const isServer = sender.caller?.secret && !sender.isSigned && !sender.caller.member;
    payer = { party: newParty(), ...(!isServer && { account: fullAccount(rate, Date.now()) }) };
    payers.set(name, payer);
  }
  return payer;
}
