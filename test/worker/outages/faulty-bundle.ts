import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSetup } from "../../../src/server/start/worker-bundle.ts";
import { buildWorker } from "../../bench/worker.ts";

/** What the Worker depends on, by the names of its bindings: GEODATA is two, the geodata of all and the files of projects. */
export interface Bindings {
  databases: string[];
  buckets: string[];
  objects: string[];
}

/** The path at which the wrapper sets what is down: `?down=DB,GEODATA:geodata`. */
export const CONTROL = "/__down";
export const GEODATA_PARTS = ["geodata", "files"] as const;

/** The Worker's bundle with a wrapper in front, whose bindings fail on demand in every part of the Worker. */
export async function faultyBundle(): Promise<{ folder: string; bindings: Bindings }> {
  const { folder: built } = await buildWorker();
  const folder = mkdtempSync(join(tmpdir(), "graticule-faulty-"));
  cpSync(built, folder, { recursive: true });
  const { options } = readSetup(folder);
  const namesOf = (kind: string) => Object.keys((options[kind] ?? {}) as object);
  const bindings = {
    databases: namesOf("d1Databases"),
    buckets: namesOf("r2Buckets"),
    objects: namesOf("durableObjects"),
  };
  const classes = Object.values(options.durableObjects as Record<string, { className: string }>);
  // The first file by name is where workerd begins.
  writeFileSync(join(folder, "faulty.js"), wrapper(bindings, [...new Set(classes.map(({ className }) => className))]));
  if (!readFileSync(join(folder, "index.js"), "utf8").includes("export")) throw new Error("the bundle is not a module");
  return { folder, bindings };
}

function wrapper(bindings: Bindings, classes: readonly string[]): string {
  return `import worker, * as all from "./index.js";
let down = new Set();
const lost = () => Promise.reject(Object.assign(new Error("Network connection lost."), { retryable: true }));
const methodsOf = (target, isDown, fail) =>
  new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given) => (isDown(name, given) ? fail(name) : value.apply(target, given));
    },
  });
const STATEMENT = { bind: () => STATEMENT };
for (const name of ["first", "run", "all", "raw"])
  STATEMENT[name] = () => Promise.reject(new Error("D1_ERROR: Network connection lost."));
const database = (target, binding) =>
  methodsOf(target, () => down.has(binding), (name) => (name === "prepare" ? STATEMENT : STATEMENT.all()));
const keyOf = (given) => (typeof given === "string" ? given : Array.isArray(given) ? given[0] : (given?.prefix ?? ""));
const partOf = (key) => (/^(builds\\/|live|learned\\/|maps\\/)/.test(key) ? "geodata" : "files");
const bucket = (target, binding) =>
  methodsOf(
    target,
    (_, [given]) => down.has(binding + ":" + partOf(keyOf(given))),
    (name) => Promise.reject(new Error(name + ": Unspecified error (0)")),
  );
const namespace = (target, binding) =>
  new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name);
      if (name === "jurisdiction") return (...given) => namespace(value.apply(target, given), binding);
      if (name !== "get" && name !== "getByName") return typeof value === "function" ? value.bind(target) : value;
      return (...given) => {
        const stub = value.apply(target, given);
        return new Proxy(stub, {
          get: (_, method) => {
            if (method === "id" || method === "name") return stub[method];
            return (...sent) => (down.has(binding) ? lost() : stub[method](...sent));
          },
        });
      };
    },
  });
let made = new WeakMap();
function faulty(env) {
  let own = made.get(env);
  if (own) return own;
  own = { ...env };
  for (const name of ${JSON.stringify(bindings.databases)}) own[name] = database(env[name], name);
  for (const name of ${JSON.stringify(bindings.buckets)}) own[name] = bucket(env[name], name);
  for (const name of ${JSON.stringify(bindings.objects)}) own[name] = namespace(env[name], name);
  made.set(env, own);
  return own;
}
export default {
  fetch(request, env, context) {
    const url = new URL(request.url);
    if (url.pathname !== "${CONTROL}") return worker.fetch(request, faulty(env), context);
    down = new Set(url.searchParams.get("down").split(","));
    // What is known of a bucket is kept by its object: the next request finds another one, of which nothing is known.
    made = new WeakMap();
    return new Response("set");
  },
  scheduled: (controller, env, context) => worker.scheduled(controller, faulty(env), context),
};
${classes
  .map(
    (name) => `export class ${name} extends all.${name} { constructor(context, env) { super(context, faulty(env)); } }`,
  )
  .join("\n")}
`;
}
