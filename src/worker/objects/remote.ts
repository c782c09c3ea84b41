import type { Env } from "../platform/env.ts";
import type { Namespace } from "../platform/residence.ts";
import { mended } from "./mended.ts";

/**
 * Some methods of a Durable Object as they are called from outside: each returns a promise. The platform's own stub
 * types cannot express tuples and read-only lists; what is passed and returned are plain values, so nothing else
 * changes.
 */
export type Remote<T, Name extends keyof T> = {
  [K in Name]: T[K] extends (...parameters: infer P) => infer R ? (...parameters: P) => Promise<Awaited<R>> : never;
};

/** "DEVICE_TRACKER" → "DeviceTracker" */
const classOf = (namespace: string) =>
  namespace.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** The object of a name, by the methods that callers use: the only place where a stub gets its type. */
export function remoteObject<T extends object>(env: Env, binding: Namespace | "ALERT_WATCH", name: string): T {
  const idOf = () => env[binding].idFromName(name);
  const open = () => env[binding].get(idOf()) as T;
  return mended<T>(env, { className: classOf(binding), open, id: () => idOf().toString() });
}
