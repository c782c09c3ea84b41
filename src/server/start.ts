import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { ROOT } from "./base/wrangler.ts";

// Compiling what a start loads takes longer than running it. Where the folder cannot be written, it is compiled each time.
enableCompileCache(join(ROOT, "dist/compiled"));
await import("./start/command.ts");
