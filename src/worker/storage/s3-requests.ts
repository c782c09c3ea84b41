import { fetchOwnService } from "../outgoing/outgoing.ts";
import { type S3Request as AnyS3Request, S3Signer } from "../outgoing/s3-signer.ts";

/** The location of an S3-compatible bucket, and its credentials. */
export interface S3Settings {
  /** "https://s3.eu-central-1.amazonaws.com": the bucket's name is appended as the first part of the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Timeouts of the service. */
export interface S3Patience {
  /** For one attempt, to the last byte [ms]. */
  patience?: number;
  /** For the first byte of a response, after a body was sent at `SLOWEST`, and for each further piece [ms]; `patience` if absent. */
  silence?: number;
  /** Pause before the second attempt [ms]; four times that before the third. */
  pause?: number;
  tries?: number;
  /** What the operator does if all attempts failed. */
  advice?: string;
}

export interface S3Request extends AnyS3Request {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Statuses that the caller handles, besides 2xx. */
  handles?: readonly number[];
}

/** A completely read response. */
export interface S3Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array<ArrayBuffer>;
  /** Earlier attempts of the request, which may have succeeded without a response. */
  triedBefore: number;
}

const TRIES = 3;
const ADVICE = "Is the service running?";
/** A request is waiting for a response that needs the object. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 100;
/** One of many requests at a time that sends more slowly is taken for a service that does not answer [bytes/ms]. */
const SLOWEST = 5;
/** Statuses of failures that a retry may resolve. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** The bucket doesn't work as expected. The message is for the operator: the problem, and the fix. */
export class StorageError extends Error {
  override name = "StorageError";
}

/**
 * Signed requests to one bucket, retried on temporary failures of the network or the service.
 */
export class S3Requests {
  /** Name of the bucket in messages. */
  readonly where: string;
  readonly #settings: S3Settings;
  readonly #signer: S3Signer;
  readonly #patience: number;
  readonly #silence: number | undefined;
  readonly #pause: number;
  readonly #tries: number;
  readonly #advice: string;

  constructor(
    settings: S3Settings,
    { patience = PATIENCE_MS, silence, pause = PAUSE_MS, tries = TRIES, advice = ADVICE }: S3Patience = {},
  ) {
    const { bucket, endpoint } = settings;
    this.#settings = settings;
    this.#signer = new S3Signer(settings);
    this.#patience = patience;
    this.#silence = silence;
    this.#pause = pause;
    this.#tries = tries;
    this.#advice = advice;
    this.where = `the bucket ${bucket} at ${URL.parse(endpoint)?.host ?? endpoint}`;
  }

  /**
   * Returns responses with 2xx and the statuses that the request handles.
   * @throws StorageError for anything else
   */
  async send(request: S3Request): Promise<S3Answer> {
    for (let before = 0; ; before++) {
      let failure: string;
      try {
        const answer = await this.#once(request, before);
        if (!PASSING.has(answer.status)) return this.#understood(answer, request);
        failure = `it returned ${answer.status}`;
      } catch (error) {
        if (error instanceof StorageError) throw error;
        failure = reasonOf(error, this.#silence ?? this.#patience);
      }
      if (before === this.#tries - 1)
        throw new StorageError(`${this.where} does not respond (${failure}), ${this.#tries} times. ${this.#advice}`);
      await new Promise((waited) => setTimeout(waited, this.#pause * 4 ** before));
    }
  }

  async #once(request: S3Request, triedBefore: number): Promise<S3Answer> {
    const { endpoint, bucket } = this.#settings;
    const signed = await this.#signer.sign(`${endpoint}/${bucket}`, request);
    const heard = new Listener(this.#silence, (request.body?.length ?? 0) / SLOWEST);
    let response: Response;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      response = await fetchOwnService(signed, this.#patience, heard.ending);
      bytes = await heard.read(response);
    } finally {
      heard.stop();
    }
    const length = response.headers.get("content-length");
    // A connection that ends early is not an error on every platform.
    const isCut = request.method !== "HEAD" && length !== null && bytes.length < Number(length);
    if (isCut && !response.headers.has("content-encoding")) throw new Error("the response was cut off");
    return { status: response.status, headers: response.headers, bytes, triedBefore };
  }

  #understood(answer: S3Answer, { method, key, handles = [] }: S3Request): S3Answer {
    const { status } = answer;
    const isHandled = handles.includes(status);
    const code = codeOf(answer.bytes);
    const why = code ? ` (${code})` : "";
    if (code === "NoSuchBucket" || (status === 404 && !key && !isHandled))
      throw new StorageError(
        `There is no ${this.where.replace(/^the /, "")}. Create it (for R2: npx wrangler r2 bucket create NAME), or name another one (GEODATA_BUCKET is the server's).`,
      );
    if (code === "RequestTimeTooSkewed")
      throw new StorageError(`${this.where} reports that this machine's clock is wrong. Set it (NTP).`);
    if (code === "AuthorizationHeaderMalformed" || status === 301 || status === 307)
      throw new StorageError(
        `${this.where} is in another region, or at another address${why}. Set AWS_REGION, or AWS_ENDPOINT_URL.`,
      );
    if (status === 401 || status === 403)
      throw new StorageError(
        `${this.where} rejects these credentials${why} to ${method} ${key || "its list"}. They need to read, write, delete and list (for R2: "Object Read & Write"; without the right to list, Amazon S3 also rejects requests for missing objects).`,
      );
    if (status === 507)
      throw new StorageError(`${this.where} is full${why}. Free up space; acknowledged data is not lost.`);
    if (!isHandled && (status < 200 || status > 299))
      throw new StorageError(`${this.where} returned ${status}${why} for ${method} ${key || "its list"}.`);
    return answer;
  }
}

/** Ends a request whose service says nothing any more. */
class Listener {
  readonly #silence: number | undefined;
  readonly #control = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param more time that sending may take [ms] */
  constructor(silence: number | undefined, more: number) {
    this.#silence = silence;
    this.#wait(more);
  }

  get ending(): AbortSignal | undefined {
    return this.#silence === undefined ? undefined : this.#control.signal;
  }

  async read(response: Response): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#silence === undefined || !response.body) return new Uint8Array(await response.arrayBuffer());
    this.#wait();
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, out) => {
        this.#wait();
        out.enqueue(piece);
      },
    });
    return new Uint8Array(await new Response(response.body.pipeThrough(heard)).arrayBuffer());
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(more = 0): void {
    this.stop();
    if (this.#silence === undefined) return;
    this.#timer = setTimeout(() => this.#control.abort(new DOMException("", "TimeoutError")), this.#silence + more);
  }
}

/** What Node.js says of a connection; workerd has only a text. */
const NO_CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "its name cannot be looked up now",
  ECONNRESET: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
};

function reasonOf(error: unknown, patience: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `nothing within ${patience / 1000} s`;
  const { code, message } = (error.cause instanceof Error ? error.cause : error) as Error & { code?: string };
  return NO_CONNECTION[code ?? ""] ?? message;
}

/** "AccessDenied", from the body of an error response; HEAD has none. */
function codeOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0 || bytes.length > 10_000) return undefined;
  const text = new TextDecoder().decode(bytes);
  return text.includes("<Error>") ? /<Code>(\w+)<\/Code>/.exec(text)?.[1] : undefined;
}
