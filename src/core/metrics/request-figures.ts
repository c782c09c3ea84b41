import { bucketOf, Histogram } from "./histogram.ts";
import { type Recent, SlidingWindow } from "./sliding-window.ts";

/** Responses of one endpoint since the isolate started. */
export class EndpointFigures {
  readonly durations = new Histogram();
  /** Number of responses by status. */
  readonly statuses = new Map<number, number>();
  /** Created with the first response: it takes 4 KB, and most endpoints of a deployment are never called. */
  #window: SlidingWindow | undefined;

  note(status: number, durationMs: number, now: number): void {
    const bucket = bucketOf(durationMs);
    this.durations.observe(durationMs, bucket);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.#window ??= new SlidingWindow();
    this.#window.note(now, bucket, status);
  }

  /** The last five minutes. */
  recent(now: number): Recent | undefined {
    return this.#window?.recent(now);
  }

  get isUsed(): boolean {
    return this.statuses.size > 0;
  }
}

/**
 * Responses of all endpoints, by name: the names of the table in http/endpoints.ts, so their number is bounded, whatever callers
 * request.
 */
export class RequestFigures {
  /** Time of the first response [ms]; before a request, Workers have no clock. */
  since: number | undefined;
  readonly #endpoints = new Map<string, EndpointFigures>();

  /** The metrics of an endpoint; read once when its handler is created, not with each request. */
  of(endpoint: string): EndpointFigures {
    let figures = this.#endpoints.get(endpoint);
    if (!figures) {
      figures = new EndpointFigures();
      this.#endpoints.set(endpoint, figures);
    }
    return figures;
  }

  /** Endpoints with responses, by name. */
  used(): [endpoint: string, figures: EndpointFigures][] {
    return [...this.#endpoints].filter(([, { isUsed }]) => isUsed).sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
