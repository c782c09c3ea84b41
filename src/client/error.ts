/** An error of the API, or of the way to it (status 0). */
export class GraticuleError extends Error {
  override readonly name = "GraticuleError";
  /** HTTP status; 0: there was no response. */
  readonly status: number;
  /** The invalid parameter. */
  readonly param: string | undefined;
  readonly type: string | undefined;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** When to try again [s]. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    details: {
      status: number;
      param?: string;
      type?: string;
      requestId?: string;
      retryAfter?: number;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.param = details.param;
    this.type = details.type;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }

  /** The error in a response. */
  static async of(response: Response): Promise<GraticuleError> {
    const { status, headers } = response;
    const meta = ((await response.json().catch(() => undefined)) as { meta?: Record<string, string> } | undefined)
      ?.meta;
    return new GraticuleError(meta?.message ?? `The server returned ${status}.`, {
      status,
      param: meta?.param,
      type: meta?.type,
      requestId: headers.get("x-request-id") ?? undefined,
      retryAfter: retryAfterOf(response),
    });
  }
}

/** Retry-After in seconds, also from a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
