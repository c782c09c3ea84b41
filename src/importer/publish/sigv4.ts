import { createHash, createHmac } from "node:crypto";

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export interface SignableRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: Uint8Array;
}

/**
 * The headers that sign a request to an S3 service: AWS Signature Version 4 with a hashed payload (AWS, "Create a signed
 * AWS API request"). The query of the URL must be sorted and encoded already; `URLSearchParams` of names and values
 * without blanks is. `now` in milliseconds since 1970.
 */
export function signedHeaders(request: SignableRequest, credentials: Credentials, now: number): Record<string, string> {
  const { method, url, body = new Uint8Array(0) } = request;
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const payload = sha256(body);
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    "x-amz-content-sha256": payload,
    "x-amz-date": time,
  };
  const names = Object.keys(headers)
    .map((name) => name.toLowerCase())
    .sort();
  const byLowerName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const canonical = [
    method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...names.map((name) => `${name}:${byLowerName.get(name)}`),
    "",
    names.join(";"),
    payload,
  ].join("\n");
  const scope = `${day}/${credentials.region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [credentials.region, "s3", "aws4_request"].reduce<Buffer>(
    hmac,
    hmac(Buffer.from(`AWS4${credentials.secretAccessKey}`), day),
  );
  const signature = hmac(key, toSign).toString("hex");
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return headers;
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** RFC 3986: everything but letters, digits and -._~ */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
