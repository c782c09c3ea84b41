import { AwsClient } from "aws4fetch";

interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export interface S3Request {
  method: string;
  /** Of the object; empty for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

/** SHA-256 of an empty body. */
const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * Signs requests to S3-compatible services (AWS Signature Version 4, by `aws4fetch` 1.0.20, MIT, no dependencies, 11 KB). Sending, retries and
 * messages are the callers': a webhook, a server and an import need different ones.
 */
export class S3Signer {
  readonly #client: AwsClient;

  constructor(credentials: S3Credentials) {
    this.#client = new AwsClient({ ...credentials, service: "s3", retries: 0 });
  }

  /**
   * Without the checksum the library would sign "UNSIGNED-PAYLOAD", and the service could not detect a body that was corrupted in transit.
   * @param bucketUrl "https://s3.eu-central-1.amazonaws.com/name", without a slash at its end
   */
  async sign(bucketUrl: string, { method, key = "", query = {}, headers, body }: S3Request): Promise<Request> {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const url = new URL(`${bucketUrl}${path && `/${path}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const checksum = body ? await sha256Of(body) : EMPTY_SHA256;
    return this.#client.sign(url.href, { method, headers: { ...headers, "x-amz-content-sha256": checksum }, body });
  }
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
