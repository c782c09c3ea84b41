import { createHash } from "node:crypto";
import { textIn, within, type XmlElement } from "../../worker/storage/s3-xml.ts";
import { type FileRange, partOf, RangeFiles } from "../common/file-range.ts";
import { ImportError } from "../common/import-error.ts";
import type { S3Client } from "./s3-client.ts";

const PARALLEL_PARTS = 4;
/** More parts no upload may have; a larger object gets larger ones. */
const MAX_PARTS = 10_000;

export interface PartSizes {
  /** Bytes of a part, but for the last. */
  partSize: number;
  /** Of an upload. */
  mostParts?: number;
}

interface Upload {
  id: string;
  /** ETags of the parts that exist. */
  parts: Map<number, string>;
}

/** Of a service that does not list uploads, or has none: everything is sent. */
const NOT_LISTED = [400, 404, 405, 501];

/** The service has thrown the upload away: unfinished ones are kept for a week. */
class UploadGone extends ImportError {}

/**
 * Brings a file into the bucket part by part, four at a time, so that memory holds four parts. Goes on with an upload of the same
 * key that an interrupted import left: parts whose MD5 is that of the file are not sent again.
 */
export async function uploadInParts(
  client: S3Client,
  key: string,
  range: FileRange,
  { partSize, mostParts = MAX_PARTS }: PartSizes,
  done: (bytes: number) => void,
): Promise<void> {
  const size = Math.max(partSize, Math.ceil(range.length / mostParts));
  const reported = new Set<number>();
  const once = (number: number, bytes: number) => {
    if (!reported.has(number)) done(bytes);
    reported.add(number);
  };
  const left = await findUpload(client, key);
  try {
    await upload(client, key, range, size, left ?? (await beginUpload(client, key)), once);
  } catch (error) {
    if (!(error instanceof UploadGone)) throw error;
    await upload(client, key, range, size, await beginUpload(client, key), once);
  }
}

async function upload(
  client: S3Client,
  key: string,
  range: FileRange,
  size: number,
  { id, parts }: Upload,
  done: (number: number, bytes: number) => void,
): Promise<void> {
  const etags: string[] = [];
  await inParallel(Math.ceil(range.length / size), PARALLEL_PARTS, async (number, files) => {
    const part = await files.read(partOf(range, (number - 1) * size, size));
    const md5 = createHash("md5").update(part).digest("hex");
    const there = parts.get(number);
    etags[number] = there?.includes(md5) ? there : await sendPart(client, key, id, number, part);
    done(number, part.length);
  });
  await complete(client, key, id, etags, range.length);
}

async function complete(client: S3Client, key: string, id: string, etags: string[], size: number): Promise<void> {
  const parts = etags.map((etag, number) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
  const completed = await client.sendForXml({
    method: "POST",
    key,
    handles: [404],
    query: { uploadId: id },
    body: new Uint8Array(Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`)),
  });
  // After a lost response, the second attempt requests an upload that is already complete.
  if (!completed && (await sizeOf(client, key)) === size) return;
  if (!completed) throw gone(client, `complete ${key}`);
  // S3 may answer 200 and still say in the body that it failed.
  if (completed.name === "Error") {
    throw new ImportError(
      `${client.where} did not put ${key} together. Run the command again: what is there already is not sent again.`,
    );
  }
}

async function findUpload(client: S3Client, key: string): Promise<Upload | undefined> {
  const uploads = await client.sendForXml({ method: "GET", query: { uploads: "", prefix: key }, handles: NOT_LISTED });
  const found = uploads && within(uploads, "Upload").find((one) => textIn(one, "Key") === key);
  if (!found) return undefined;
  const id = textIn(found, "UploadId");
  const parts = new Map<number, string>();
  // A page has at most a thousand parts.
  for (let page: XmlElement | undefined, from = ""; !page || textIn(page, "IsTruncated") === "true"; ) {
    const marker = from && { "part-number-marker": from };
    const query = { uploadId: id, ...(marker || {}) };
    page = await client.sendForXml({ method: "GET", key, query, handles: NOT_LISTED });
    if (!page) return undefined;
    for (const part of within(page, "Part")) parts.set(Number(textIn(part, "PartNumber")), textIn(part, "ETag"));
    const next = textIn(page, "NextPartNumberMarker");
    if (next === "" || next === from) break;
    from = next;
  }
  return { id, parts };
}

async function beginUpload(client: S3Client, key: string): Promise<Upload> {
  const begun = await client.sendForXml({ method: "POST", key, query: { uploads: "" } });
  return { id: begun ? textIn(begun, "UploadId") : "", parts: new Map() };
}

async function sendPart(
  client: S3Client,
  key: string,
  uploadId: string,
  number: number,
  body: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const query = { partNumber: String(number), uploadId };
  const { status, headers } = await client.send({ method: "PUT", key, query, body, handles: [404] });
  if (status === 404) throw gone(client, `write part ${number} of ${key}`);
  return headers.get("etag") ?? "";
}

const gone = ({ where }: S3Client, what: string) =>
  new UploadGone(`${where} did not ${what}: the upload is gone. Run the command again.`);

async function sizeOf(client: S3Client, key: string): Promise<number | undefined> {
  const page = await client.sendForXml({ method: "GET", query: { "list-type": "2", prefix: key, "max-keys": "1" } });
  const [found] = page ? within(page, "Contents") : [];
  return found && textIn(found, "Key") === key ? Number(textIn(found, "Size")) : undefined;
}

/** Runs 1 … count, some at a time. After a failure none begins, and those in progress are waited for. */
async function inParallel(
  count: number,
  width: number,
  run: (number: number, files: RangeFiles) => Promise<void>,
): Promise<void> {
  let next = 1;
  const work = async () => {
    const files = new RangeFiles();
    try {
      while (next <= count) await run(next++, files);
    } catch (error) {
      next = Number.POSITIVE_INFINITY;
      throw error;
    } finally {
      await files.close();
    }
  };
  const results = await Promise.allSettled(Array.from({ length: width }, work));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
