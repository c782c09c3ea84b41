import { DurableObject } from "cloudflare:workers";
import { hasJurisdictions } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { residenceOf, residentEnv } from "../../platform/residence.ts";
import type { Piece, Place } from "./contents.ts";
import { type Neighbor, Residence, type ResidentClass } from "./residence.ts";

type Class<T> = new (context: DurableObjectState, env: Env) => T;

/** Ends work in progress as soon as its state allows; nothing is begun afterwards. */
interface Suspendable {
  suspend?(): Promise<void>;
}
type Methods = Record<string, (...parameters: unknown[]) => unknown>;
const methodsOf = (object: object | undefined) => object as Methods;

/** Maximum time for which a hand-over waits for calls in progress [ms]. Later ones fail at their first write, and are forwarded. */
const CALLS_MS = 25_000;

/** The environment of an object: restricted to its jurisdiction, so that it reaches only objects there. */
export function ownEnv(context: DurableObjectState, env: Env): Env {
  return hasJurisdictions(env) ? residentEnv(env, residenceOf(context.id).jurisdiction) : env;
}

/** An object with the state of an object of `Inner`, which is opened when the state is here. */
class Resident<T extends DurableObject<Env>> extends DurableObject<Env> {
  readonly #Inner: Class<T>;
  #inner: T | undefined;
  readonly #residence: Residence | undefined;
  #calls = 0;
  #leaving: Promise<void> | undefined;

  constructor(context: DurableObjectState, env: Env, Inner: Class<T>, of: ResidentClass) {
    super(context, ownEnv(context, env));
    this.#Inner = Inner;
    if (hasJurisdictions(env)) this.#residence = new Residence(context, this.env, of);
    else this.#inner = new Inner(context, this.env);
  }

  /** Called for each method of `Inner`. */
  static invoke(object: Resident<DurableObject<Env>>, name: string, parameters: unknown[]): unknown {
    if (!object.#residence) return methodsOf(object.#inner)[name](...parameters);
    return object.#call(object.#residence, name, parameters);
  }

  async #call(residence: Residence, name: string, parameters: unknown[]): Promise<unknown> {
    await this.#leaving?.catch(() => {});
    const other = residence.isHere ? undefined : await residence.elsewhere();
    if (other) return forward(residence, other, name, parameters);
    this.#calls++;
    try {
      return await methodsOf(await this.#open())[name](...parameters);
    } catch (error) {
      // The state was handed over during the call.
      const successor = residence.hasLeft ? await residence.elsewhere() : undefined;
      if (!successor) throw error;
      return forward(residence, successor, name, parameters);
    } finally {
      this.#calls--;
    }
  }

  async #open(): Promise<T> {
    if (this.#inner) return this.#inner;
    // After the state has been taken over: its constructor reads it.
    this.#inner = new this.#Inner(this.ctx, this.env);
    const opened = this.#inner;
    // What the constructor has begun to read is known afterwards.
    await this.ctx.blockConcurrencyWhile(async () => {});
    return opened;
  }

  /** Also of classes without alarms: an object that has left forgets its place later. */
  override async alarm(): Promise<void> {
    if (this.#residence && !this.#residence.isHere) await this.#residence.ring();
  }

  /** Makes sure that this object has its state, wherever it was. */
  async reside(): Promise<void> {
    await this.#residence?.elsewhere();
  }

  async surrender(to: string): Promise<void> {
    this.#leaving ??= this.#leave(to).finally(() => {
      this.#leaving = undefined;
      this.#inner = undefined;
    });
    await this.#leaving;
  }

  async #leave(to: string): Promise<void> {
    await (this.#inner as Suspendable | undefined)?.suspend?.();
    const until = Date.now() + CALLS_MS;
    while (this.#calls > 0 && Date.now() < until) await scheduler.wait(1);
    await this.#residence?.surrender(to);
  }

  piece(place: Place): Piece {
    return (this.#residence as Residence).piece(place);
  }

  async release(): Promise<void> {
    await this.#residence?.release();
  }
}

/**
 * A class of Durable Objects whose state belongs to a project, and moves with it to another jurisdiction. In a
 * deployment without jurisdictions, calls go directly to the object of `Inner`.
 */
export function resident<T extends DurableObject<Env>>(Inner: Class<T>, of: ResidentClass): Class<DurableObject<Env>> {
  class ResidentOf extends Resident<T> {
    constructor(context: DurableObjectState, env: Env) {
      super(context, env, Inner, of);
    }
  }
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Reflect.get(Inner, "prototype")))) {
    if (name === "constructor" || typeof value !== "function") continue;
    Object.defineProperty(ResidentOf.prototype, name, {
      value(this: ResidentOf, ...parameters: unknown[]) {
        return Resident.invoke(this, name, parameters);
      },
    });
  }
  return ResidentOf;
}

function forward(residence: Residence, other: Neighbor, name: string, parameters: unknown[]): unknown {
  return name === "alarm" ? residence.ring() : methodsOf(other)[name](...parameters);
}
