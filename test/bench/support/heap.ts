import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A port nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

const TRIES = 5;
const PATIENCE_MS = 10_000;
/** A collection is asked for, and the isolate woken so often, until it is done. */
const WAKE_MS = 100;
const COLLECT_MS = 60_000;

/** What is in use once garbage is collected [bytes]: objects, and the buffers of arrays beside them. */
export interface HeapUse {
  objects: number;
  buffers: number;
}

/**
 * The heap of a Worker's isolate, looked at through its inspector (the Chrome DevTools protocol). A session that ends is
 * opened again, which `reconnects` counts; an isolate that took the place of the one before is counted in `restarts`: what is
 * seen then began from nothing.
 */
export class HeapWatch {
  reconnects = 0;
  restarts = 0;
  readonly #port: number;
  readonly #wake: () => Promise<unknown>;
  #session: Session;
  #isolate: string;

  private constructor(port: number, wake: () => Promise<unknown>, session: Session, isolate: string) {
    this.#port = port;
    this.#wake = wake;
    this.#session = session;
    this.#isolate = isolate;
  }

  /** `port`: where the inspector listens; the first Worker there is watched. `wake` sends it any request. */
  static async open(port: number, wake: () => Promise<unknown>): Promise<HeapWatch> {
    const session = await Session.open(port);
    return new HeapWatch(port, wake, session, await isolateOf(session));
  }

  async used(): Promise<HeapUse> {
    try {
      return await this.#look();
    } catch (error) {
      if (!this.#session.ended) throw error;
      console.error(`The inspector's session ended: ${this.#session.ended}. Opening another.`);
      this.#session = await Session.open(this.#port);
      this.reconnects++;
      return this.#look();
    }
  }

  async #look(): Promise<HeapUse> {
    const isolate = await isolateOf(this.#session);
    if (isolate !== this.#isolate) {
      this.#isolate = isolate;
      this.restarts++;
    }
    await this.#collect();
    const { usedSize, backingStorageSize } = await this.#session.ask("Runtime.getHeapUsage");
    if (typeof usedSize !== "number" || typeof backingStorageSize !== "number")
      throw new Error("the inspector does not tell how large the heap is");
    return { objects: usedSize, buffers: backingStorageSize };
  }

  /**
   * V8 only queues the collection, and workerd looks at that queue after a turn of JavaScript: an isolate with nothing to do
   * would never answer. A request may come to its turn before the question does, so one is not always enough.
   */
  async #collect(): Promise<void> {
    let done = false;
    const collected = this.#session.ask("HeapProfiler.collectGarbage", COLLECT_MS).finally(() => {
      done = true;
    });
    const waking = async () => {
      while (!done) {
        await this.#wake();
        await Promise.race([collected, sleep(WAKE_MS)]);
      }
    };
    await Promise.all([collected, waking()]);
  }

  close(): void {
    this.#session.close();
  }
}

async function isolateOf(session: Session): Promise<string> {
  // What is sent before the inspector has found the isolate is lost: it is asked again.
  for (let tries = 1; ; tries++) {
    try {
      return String((await session.ask("Runtime.getIsolateId", PATIENCE_MS / TRIES)).id);
    } catch (error) {
      if (tries === TRIES || session.ended) throw error;
    }
  }
}

type Answer = Record<string, number | string>;

/** One connection to the inspector. */
class Session {
  /** Why it is over; undefined while it is not. */
  ended: string | undefined;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result, error } = JSON.parse(String(data)) as {
        id?: number;
        result?: Answer;
        error?: { message: string };
      };
      if (id === undefined) return;
      const asked = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) asked?.reject(new Error(`the inspector refuses: ${error.message}`));
      else asked?.resolve(result ?? {});
    });
    // An error is followed by a close.
    socket.addEventListener("close", ({ code, reason }) => this.#end(`closed with ${code} ${reason}`.trim()));
  }

  static async open(port: number): Promise<Session> {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
    const socket = new WebSocket(targets[0].webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", () => reject(new Error("the inspector does not answer")), { once: true });
    });
    return new Session(socket);
  }

  #end(why: string): void {
    this.ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(new Error(`the inspector's session ended: ${this.ended}`));
    this.#waiting.clear();
  }

  /** @throws when the session ends or the answer does not come in time */
  ask(method: string, patience = PATIENCE_MS): Promise<Answer> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`the inspector did not answer ${method} within ${patience / 1000} s`));
      }, patience);
      const settled = <T>(what: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer);
          what(value);
        };
      };
      this.#waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
      if (this.ended) this.#end(this.ended);
      else this.#socket.send(JSON.stringify({ id, method }));
    });
  }

  close(): void {
    this.#socket.close();
  }
}
