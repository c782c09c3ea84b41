import { bucketOf, Histogram } from "./histogram.ts";
import { type Recent, SlidingWindow } from "./sliding-window.ts";

/** What one endpoint has answered since the isolate began. */
export class EndpointFigures {
  readonly durations = new Histogram();
  /** Answers by their status. */
  readonly statuses = new Map<number, number>();
  /** Made with the first answer: it weighs 4 KB, and most endpoints of a deployment are never called. */
  #window: SlidingWindow | undefined;

  note(status: number, durationMs: number, now: number): void {
    const bucket = bucketOf(durationMs);
    this.durations.observe(durationMs, bucket);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.#window ??= new SlidingWindow();
    this.#window.note(now, bucket, status >= 500);
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
 * What all endpoints have answered, by their names: those of the table in app.ts, so there are as many as there are
 * endpoints, whatever callers ask for.
 */
export class RequestFigures {
  /** When the first answer was given [ms]; before a request, Workers know no time. */
  since: number | undefined;
  readonly #endpoints = new Map<string, EndpointFigures>();

  /** The figures of an endpoint; taken once when its handler is made, not with each request. */
  of(endpoint: string): EndpointFigures {
    let figures = this.#endpoints.get(endpoint);
    if (!figures) {
      figures = new EndpointFigures();
      this.#endpoints.set(endpoint, figures);
    }
    return figures;
  }

  /** Those that have answered, by name. */
  used(): [endpoint: string, figures: EndpointFigures][] {
    return [...this.#endpoints].filter(([, { isUsed }]) => isUsed).sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
