import { startBuilt } from "../bench/worker.ts";

/** A Worker in a process of its own, so that it can be killed with its parent: `serve.ts FOLDER STATE BINDINGS`. */
const [folder, state, bindings] = process.argv.slice(2);
const { url, pid } = await startBuilt({ folder }, state, JSON.parse(bindings));
console.log(JSON.stringify({ url, pid }));
