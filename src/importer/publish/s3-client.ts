import { setTimeout as sleep } from "node:timers/promises";
import { type S3Request, S3Signer } from "../../worker/outgoing/s3-signer.ts";
import type { S3Settings as S3Service } from "../../worker/storage/s3-requests.ts";
import { readXml, type XmlElement } from "../../worker/storage/s3-xml.ts";
import { ImportError } from "../common/import-error.ts";

export interface S3Settings extends S3Service {
  /** Pause before the first new try [milliseconds]; doubles with each. */
  retryAfter?: number;
}

/** @throws ImportError if the response is not XML */
export async function readXmlOf(response: Response): Promise<XmlElement> {
  const text = await response.text();
  try {
    return readXml(text);
  } catch (error) {
    throw new ImportError((error as Error).message);
  }
}

/** @throws ImportError when the service returns something else */
export function expectStatus(response: Response, status: number, where: string, what: string): void {
  if (response.status === status) return;
  if (response.status === 404)
    throw new ImportError(
      `There is no bucket as ${where}. Make it (for R2: npx wrangler r2 bucket create NAME), or name another.`,
    );
  if (response.status === 301 || response.status === 307 || response.status === 400)
    throw new ImportError(
      `${where} seems to be in another region or at another address (it answers ${response.status}). Set AWS_REGION, or AWS_ENDPOINT_URL.`,
    );
  throw new ImportError(`${where} did not ${what}: it answers ${response.status}.`);
}

const TRIES = 5;
/** A failure that may be gone on the next try. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** Signed requests to one bucket, retried when the network or the service fails for a moment. */
export class S3Client {
  readonly settings: S3Settings;
  /** For sentences. */
  readonly where: string;
  readonly #signer: S3Signer;

  constructor(settings: S3Settings) {
    this.settings = settings;
    this.where = `the bucket ${settings.bucket}`;
    this.#signer = new S3Signer(settings);
  }

  /** Returns any status that another try would not change, but for 403. @throws ImportError */
  async send(request: S3Request): Promise<Response> {
    const { bucket, retryAfter = 500 } = this.settings;
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.#once(request);
        if (response.status === 403) {
          throw new ImportError(
            `The bucket ${bucket} rejects these credentials. They need to read, write, delete and list in it (R2 → Manage API tokens: "Object Read & Write").`,
          );
        }
        if (!PASSING.has(response.status)) return response;
        throw new Error(`it answers ${response.status}`);
      } catch (error) {
        if (error instanceof ImportError) throw error;
        if (attempt === TRIES) {
          const { cause, message } = error as Error;
          throw new ImportError(
            `The bucket ${bucket} cannot be reached (${cause instanceof Error ? cause.message : message}). Run the command again: what is there already is not sent again.`,
          );
        }
        await sleep(retryAfter * 2 ** (attempt - 1));
      }
    }
  }

  async #once(request: S3Request): Promise<Response> {
    const { endpoint, bucket } = this.settings;
    const signed = await this.#signer.sign(`${endpoint}/${bucket}`, request);
    const response = await fetch(signed);
    // A body that breaks off half-way is retried, too.
    const bytes = await response.arrayBuffer();
    return new Response(response.status === 204 || response.status === 304 ? null : bytes, {
      status: response.status,
      headers: response.headers,
    });
  }
}
