import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ImportError } from "../../common/import-error.ts";
import { systemReason } from "../../common/system-reason.ts";
import { fetchText, isUrl } from "../download.ts";

/** Of a list of 1,000 objects, the most that a bucket sends at a time. */
const MAX_LIST_CHARACTERS = 2_000_000;
/** Of a folder: Overture's largest theme has some hundred files. */
const MAX_FILES = 5_000;

/**
 * The Parquet files that words of the command line name: a file, a folder, a URL of a file, or a folder in a public bucket
 * (s3://bucket/prefix/, or its https URL with "/" at the end). In order of their names.
 *
 * @throws ImportError
 */
export async function parquetFiles(words: readonly string[], allowHttp = false): Promise<string[]> {
  const found: string[] = [];
  for (const word of words) {
    const url = word.startsWith("s3://") ? httpsOfS3(word) : word;
    if (!isUrl(url)) found.push(...(await filesBelow(resolve(url))));
    else if (new URL(url).pathname.endsWith("/")) found.push(...(await listBucket(url, allowHttp)));
    else found.push(url);
  }
  return [...new Set(found)];
}

/**
 * s3://bucket/key as its public https URL: no key is needed or sent. A name with a dot does not fit the certificate of bucket.s3.amazonaws.com, so it
 * becomes a part of the path.
 *
 * @throws ImportError
 */
export function httpsOfS3(url: string): string {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.*)$/.exec(url);
  if (!match) throw new ImportError(`${url} must have the form s3://bucket/key.`);
  const [, bucket, key] = match;
  const path = key.split("/").map(encodeURIComponent).join("/");
  return bucket.includes(".")
    ? `https://s3.amazonaws.com/${bucket}/${path}`
    : `https://${bucket}.s3.amazonaws.com/${path}`;
}

async function filesBelow(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new ImportError(`Cannot read ${path}: ${systemReason(error)}.`);
  });
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith(".parquet")).sort();
  if (names.length === 0) throw new ImportError(`${path} has no file that ends with .parquet.`);
  return names.map((name) => join(path, name));
}

/** The Parquet files of a folder of a bucket, by ListObjectsV2 of S3, without a signature. */
async function listBucket(folder: string, allowHttp: boolean): Promise<string[]> {
  const { origin, pathname } = new URL(folder);
  const inPath = /^https?:\/\/s3[.-]/.test(origin) ? /^\/([^/]+)/.exec(pathname) : null;
  const root = inPath ? `${origin}/${inPath[1]}/` : `${origin}/`;
  const prefix = decodeURIComponent(folder.slice(root.length).replace(/[?#].*$/, ""));
  const found: string[] = [];
  for (let token: string | undefined; ; ) {
    const query = new URLSearchParams({
      "list-type": "2",
      prefix,
      ...(token !== undefined && { "continuation-token": token }),
    });
    const text = await fetchText(`${root}?${query}`, allowHttp, MAX_LIST_CHARACTERS);
    if (!text.includes("<ListBucketResult")) throw new ImportError(`${folder} is not a folder of a public bucket.`);
    for (const key of valuesOf(text, "Key"))
      if (key.endsWith(".parquet"))
        found.push(root + key.split("/").map(encodeURIComponent).join("/").replaceAll("%3D", "="));
    token = valuesOf(text, "IsTruncated")[0] === "true" ? valuesOf(text, "NextContinuationToken")[0] : undefined;
    if (token === undefined || found.length > MAX_FILES) break;
  }
  if (found.length === 0) throw new ImportError(`${folder} has no file that ends with .parquet.`);
  if (found.length > MAX_FILES)
    throw new ImportError(`${folder} has more than ${MAX_FILES} files. Name a smaller folder.`);
  return found.sort();
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The texts of the elements of a name, which have no elements inside. */
function valuesOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text]) =>
    text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity]),
  );
}

/** The release that a path or URL is of: "2026-10-21.0". */
export function releaseIn(source: string): string | undefined {
  return /(?:^|[/=_-])(20\d\d-\d\d-\d\d(?:-[a-z]+)?\.\d+)(?=[/_.-]|$)/.exec(source)?.[1];
}
