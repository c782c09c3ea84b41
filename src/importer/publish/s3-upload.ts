import { createHash } from "node:crypto";
import { textIn, within, type XmlElement } from "../../worker/storage/s3-xml.ts";
import { type FileRange, partOf, RangeFiles } from "../common/file-range.ts";
import { ImportError } from "../common/import-error.ts";
import { expectStatus, readXmlOf, type S3Client } from "./s3-client.ts";

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
  const response = await client.send({
    method: "POST",
    key,
    query: { uploadId: id },
    body: new Uint8Array(Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`)),
  });
  // After a lost response, the second attempt requests an upload that is already complete.
  if (response.status === 404 && (await sizeOf(client, key)) === size) return;
  expectPart(client, response, `complete ${key}`);
  // S3 may answer 200 and still say in the body that it failed.
  if ((await readXmlOf(response)).name === "Error") {
    throw new ImportError(
      `${client.where} did not put ${key} together. Run the command again: what is there already is not sent again.`,
    );
  }
}

async function findUpload(client: S3Client, key: string): Promise<Upload | undefined> {
  const uploads = await client.send({ method: "GET", query: { uploads: "", prefix: key } });
  if (uploads.status !== 200) return undefined;
  const found = within(await readXmlOf(uploads), "Upload").find((one) => textIn(one, "Key") === key);
  if (!found) return undefined;
  const id = textIn(found, "UploadId");
  const parts = new Map<number, string>();
  // A page has at most a thousand parts.
  for (let page: XmlElement | undefined, from = ""; !page || textIn(page, "IsTruncated") === "true"; ) {
    const marker = from && { "part-number-marker": from };
    const response = await client.send({ method: "GET", key, query: { uploadId: id, ...(marker || {}) } });
    if (response.status !== 200) return undefined;
    page = await readXmlOf(response);
    for (const part of within(page, "Part")) parts.set(Number(textIn(part, "PartNumber")), textIn(part, "ETag"));
    const next = textIn(page, "NextPartNumberMarker");
    if (next === "" || next === from) break;
    from = next;
  }
  return { id, parts };
}

async function beginUpload(client: S3Client, key: string): Promise<Upload> {
  const response = await client.send({ method: "POST", key, query: { uploads: "" } });
  expectStatus(response, 200, client.where, `begin ${key}`);
  return { id: textIn(await readXmlOf(response), "UploadId"), parts: new Map() };
}

async function sendPart(
  client: S3Client,
  key: string,
  uploadId: string,
  number: number,
  body: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const response = await client.send({ method: "PUT", key, query: { partNumber: String(number), uploadId }, body });
  expectPart(client, response, `write part ${number} of ${key}`);
  return response.headers.get("etag") ?? "";
}

function expectPart(client: S3Client, response: Response, what: string): void {
  if (response.status === 404) {
    throw new UploadGone(`${client.where} did not ${what}: the upload is gone. Run the command again.`);
  }
  expectStatus(response, 200, client.where, what);
}

async function sizeOf(client: S3Client, key: string): Promise<number | undefined> {
  const response = await client.send({ method: "GET", query: { "list-type": "2", prefix: key, "max-keys": "1" } });
  if (response.status !== 200) return undefined;
  const [found] = within(await readXmlOf(response), "Contents");
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
