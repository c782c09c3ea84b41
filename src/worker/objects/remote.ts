/**
 * Some methods of a Durable Object as they are called from outside: each returns a promise. The platform's own stub
 * types cannot express tuples and read-only lists; what is passed and returned are plain values, so nothing else
 * changes.
 */
export type Remote<T, Name extends keyof T> = {
  [K in Name]: T[K] extends (...parameters: infer P) => infer R ? (...parameters: P) => Promise<Awaited<R>> : never;
};

/** The object of a name, by the methods that callers use: the only place where a stub gets its type. */
export function remoteObject<T>(namespace: DurableObjectNamespace, name: string): T {
  return namespace.get(namespace.idFromName(name)) as T;
}
