/** An event of the DevTools protocol. */
export interface DevToolsEvent {
  method: string;
  params?: {
    exceptionDetails?: { exception?: { description?: string }; text: string };
    entry?: { level: string; text: string; url?: string };
  };
}

interface Pending {
  done: (value: never) => void;
  failed: (error: Error) => void;
}

/** A connection to a browser or a page through Chromium's DevTools protocol. */
export class DevTools {
  readonly #socket: WebSocket;
  readonly #onEvent: (event: DevToolsEvent) => void;
  readonly #pending = new Map<number, Pending>();
  #last = 0;

  private constructor(socket: WebSocket, onEvent: (event: DevToolsEvent) => void) {
    this.#socket = socket;
    this.#onEvent = onEvent;
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)));
    socket.onclose = () => this.#fail();
  }

  static async connect(url: string, onEvent: (event: DevToolsEvent) => void = () => {}): Promise<DevTools> {
    const socket = new WebSocket(url);
    await new Promise<void>((open, failed) => {
      socket.onopen = () => open();
      socket.onerror = () => failed(new Error(`Chromium does not accept a connection at ${url}`));
    });
    return new DevTools(socket, onEvent);
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error(`${method}: the page is closed`));
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, failed) => this.#pending.set(id, { done: done as never, failed }));
  }

  close(): void {
    this.#socket.close();
  }

  #receive(message: { id?: number; result?: never; error?: { message: string } } & DevToolsEvent): void {
    if (message.id === undefined) {
      this.#onEvent(message);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error) pending?.failed(new Error(message.error.message));
    else pending?.done(message.result as never);
  }

  #fail(): void {
    for (const { failed } of this.#pending.values()) failed(new Error("the page was closed"));
    this.#pending.clear();
  }
}
