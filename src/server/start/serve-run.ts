import { readFileSync, rmSync } from "node:fs";
import { keepPrivate } from "../base/private-files.ts";
import { serve } from "./serve.ts";

// What continue-as-server.ts starts. The words after the file are the operator's, for those who list processes.
const [file] = process.argv.slice(2);
const serving = JSON.parse(readFileSync(file, "utf8"));
rmSync(file);
delete process.env.NODE_COMPILE_CACHE;
keepPrivate();
await serve(serving);
