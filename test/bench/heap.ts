import { createServer } from "node:net";

/** A port nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** The heap of a Worker's isolate, looked at through its inspector (the Chrome DevTools protocol). */
export class HeapWatch {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: Record<string, number>) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: Record<string, number> };
      if (id === undefined) return;
      this.#waiting.get(id)?.(result ?? {});
      this.#waiting.delete(id);
    });
  }

  /** `port`: where the inspector listens; the first Worker there is watched. */
  static async open(port: number): Promise<HeapWatch> {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
    const socket = new WebSocket(targets[0].webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", () => reject(new Error("the inspector does not answer")), { once: true });
    });
    return new HeapWatch(socket);
  }

  #ask(method: string): Promise<Record<string, number>> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method }));
    });
  }

  /** What is in use once garbage is collected [bytes]: objects, and the buffers of arrays beside them. */
  async used(): Promise<{ objects: number; buffers: number }> {
    await this.#ask("HeapProfiler.enable");
    await this.#ask("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize = 0 } = await this.#ask("Runtime.getHeapUsage");
    return { objects: usedSize, buffers: backingStorageSize };
  }

  close(): void {
    this.#socket.close();
  }
}
