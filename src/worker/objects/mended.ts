import type { Env } from "../platform/env.ts";

/** How workerd reports any failure of its own, such as that of an object whose file is damaged. */
const INTERNAL = /^internal error/;

/** Objects that are being replaced; calls of these wait. */
const underWay = new Map<string, Promise<boolean>>();

interface Damageable<T> {
  /** As in wrangler.toml. */
  className: string;
  id(): string;
  /** A new object fills itself. */
  open(): T;
}

/**
 * An object whose damaged file is set aside by `npm start` (src/server/state/set-aside.ts), after which the call is repeated. Elsewhere the
 * platform stores objects.
 */
export function mended<T extends object>(env: Env, damageable: Damageable<T>): T {
  const { MACHINE } = env;
  if (!MACHINE) return damageable.open();
  const { className, id, open } = damageable;
  const begin = async () => {
    const answer = await MACHINE.fetch(`http://machine/damaged/${className}/${id()}`, { method: "POST" });
    return (await answer.json<{ isSetAside?: boolean }>()).isSetAside === true;
  };
  const mend = () => {
    const key = id();
    const known = underWay.get(key);
    if (known) return known;
    const work = begin().finally(() => underWay.delete(key));
    underWay.set(key, work);
    return work;
  };
  type Methods = Record<PropertyKey, (...given: unknown[]) => Promise<unknown>>;
  const call = (method: PropertyKey, given: unknown[]) => (open() as Methods)[method](...given);
  return new Proxy(Object.create(null) as T, {
    get(_, method) {
      if (method === "then") return undefined;
      return async (...given: unknown[]) => {
        if (underWay.size > 0) await underWay.get(id())?.catch(() => undefined);
        try {
          return await call(method, given);
        } catch (error) {
          if (!(error instanceof Error && INTERNAL.test(error.message)) || !(await mend())) throw error;
          return call(method, given);
        }
      };
    },
  });
}
