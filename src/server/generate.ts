import { writeClientFiles } from "./make/client-files.ts";

/** `npm run generate`. */
await writeClientFiles();
