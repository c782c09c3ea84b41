import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { listsTag } from "../../worker/wire/etag.ts";

/** Types of what Vite and the guides build (the image has no package that knows more). */
export const TYPES: Record<string, string> = {
  // Files of the guides, such as a Caddyfile and services of systemd.
  ...Object.fromEntries(["", ".service", ".timer", ".txt", ".yml"].map((end) => [end, "text/plain; charset=utf-8"])),
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};
const UNKNOWN_TYPE = "application/octet-stream";

/**
 * Serves the files of a folder as the binding of `[assets]` does on Cloudflare with `html_handling` and
 * `not_found_handling` "none": 200 with type and ETag, 304 if the caller has it, 404. Miniflare's own Workers for this are three more
 * isolates, 8 MB. The files are listed at the first request, so no path leads out of the folder. They must not change after it.
 */
export function filesService(folder: string): (request: Request) => Promise<Response> {
  let listed: Map<string, { path: string; etag?: string }> | undefined;
  return async (request) => {
    listed ??= filesBelow(folder);
    const file = listed.get(decoded(new URL(request.url).pathname));
    if (!file) return new Response("Not Found", { status: 404 });
    const known = request.headers.get("if-none-match");
    if (file.etag && listsTag(known, file.etag))
      return new Response(null, { status: 304, headers: { etag: file.etag } });
    const bytes = await readFile(file.path);
    file.etag ??= `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
    const { etag } = file;
    if (listsTag(known, etag)) return new Response(null, { status: 304, headers: { etag } });
    return new Response(bytes, { headers: { etag, "content-type": TYPES[extname(file.path)] ?? UNKNOWN_TYPE } });
  };
}

function filesBelow(folder: string) {
  const found = new Map<string, { path: string; etag?: string }>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      found.set(`/${path.slice(folder.length + 1).replaceAll(sep, "/")}`, { path });
    }
  return found;
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
