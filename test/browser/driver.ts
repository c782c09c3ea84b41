import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CHROMIUM } from "./chromium.ts";
import { WEBGL_STUB } from "./webgl-stub.ts";

/**
 * A Chromium that a test drives, through its DevTools protocol: real keys, real clicks, real pictures. One for a file of tests;
 * each look at a page sets width and theme anew.
 */

/** Pictures of every page, to be looked at; git ignores them. */
export const SHOTS = resolve(import.meta.dirname, "shots");
const AXE = resolve(import.meta.dirname, "../../node_modules/axe-core/axe.min.js");

export type Theme = "light" | "dark";
export const WIDTHS = { wide: 1400, phone: 390 } as const;

/** How each page is looked at: wide in the light and narrow in the dark; EVERY_LOOK=1 takes both themes at both widths. */
export const LOOKS: readonly (readonly [keyof typeof WIDTHS, readonly [Theme, ...Theme[]]])[] = process.env.EVERY_LOOK
  ? [
      ["wide", ["light", "dark"]],
      ["phone", ["light", "dark"]],
    ]
  : [
      ["wide", ["light"]],
      ["phone", ["dark"]],
    ];

/** How the n-th page of a list is looked at: one in three, wide in the light or narrow in the dark by turns; EVERY_LOOK=1 has all looked at in all ways. */
export const looksOf = (page: number) =>
  process.env.EVERY_LOOK ? LOOKS : page % 3 === 0 ? [LOOKS[(page / 3) % LOOKS.length]] : [];
/** What is walked through with every page alone (EVERY_LOOK=1): what it is made of is tried elsewhere as well. */
export const WALKS = Boolean(process.env.EVERY_LOOK);

/** A quarter of the pixels shows the same layout. */
const SCALE = process.env.EVERY_LOOK ? 1 : 0.5;

/** Maps are drawn at night; by day only by test/browser/interactive-map.test.ts. Shaders in software cost seconds per page. */
const DRAWS_MAPS = Boolean(process.env.EVERY_LOOK);

export interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: string[];
}

interface Pending {
  done: (value: never) => void;
  failed: (error: Error) => void;
}

export class Driver {
  readonly #socket: WebSocket;
  readonly #close: () => Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #theme: Theme = "light";
  /** What the page said went wrong since it was last asked. */
  readonly #errors: string[] = [];

  readonly #scale: number;

  private constructor(socket: WebSocket, close: () => Promise<void>, scale: number) {
    this.#socket = socket;
    this.#close = close;
    this.#scale = scale;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)));
  }

  /**
   * @param scale pixels of the screen per pixel of CSS
   * @param flags more flags for Chromium
   * @param drawsMaps whether maps have a real WebGL context, or one that draws nothing
   */
  static async start({
    scale = SCALE,
    flags = [],
    drawsMaps = DRAWS_MAPS,
  }: {
    scale?: number;
    flags?: readonly string[];
    drawsMaps?: boolean;
  } = {}): Promise<Driver> {
    if (!CHROMIUM) throw new Error("there is no Chromium");
    const profile = mkdtempSync(join(tmpdir(), "chromium-"));
    const drawing = drawsMaps ? SOFTWARE_WEBGL : ["--disable-gpu"];
    const browser = spawn(CHROMIUM, [...FLAGS, ...drawing, ...flags, `--user-data-dir=${profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    const port = await new Promise<string>((found, failed) => {
      let said = "";
      browser.stderr.on("data", (text) => {
        said += text;
        const [, port] = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said) ?? [];
        if (port) found(port);
      });
      browser.once("exit", (code) => failed(new Error(`Chromium ended with ${code}:\n${said.slice(-2000)}`)));
    });
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const socket = new WebSocket(targets.find(({ type }) => type === "page")!.webSocketDebuggerUrl);
    await new Promise((open) => {
      socket.onopen = open;
    });
    const driver = new Driver(
      socket,
      async () => {
        const ended = new Promise((end) => browser.once("exit", end));
        socket.close();
        // The whole group: renderers are processes of their own.
        if (browser.exitCode === null && browser.pid) {
          process.kill(-browser.pid, "SIGKILL");
          await ended;
        }
        rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
      },
      scale,
    );
    for (const domain of ["Page", "Runtime", "Log"]) await driver.send(`${domain}.enable`);
    if (!drawsMaps) await driver.send("Page.addScriptToEvaluateOnNewDocument", { source: WEBGL_STUB });
    return driver;
  }

  close(): Promise<void> {
    return this.#close();
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, failed) => this.#pending.set(id, { done: done as never, failed }));
  }

  #take(message: {
    id?: number;
    method?: string;
    result?: never;
    error?: { message: string };
    params?: {
      exceptionDetails?: { exception?: { description?: string }; text: string };
      entry?: { level: string; text: string; url?: string };
    };
  }): void {
    if (message.id !== undefined) {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error) pending?.failed(new Error(message.error.message));
      else pending?.done(message.result as never);
      return;
    }
    const { exceptionDetails, entry } = message.params ?? {};
    if (message.method === "Runtime.exceptionThrown" && exceptionDetails)
      this.#errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    // A page that does not want to be left would hold everything up.
    if (message.method === "Page.javascriptDialogOpening") {
      this.#errors.push("the page asked whether to leave it");
      void this.send("Page.handleJavaScriptDialog", { accept: true });
    }
    // What the browser refused: the policy of the page above all.
    if (message.method === "Log.entryAdded" && entry?.level === "error")
      this.#errors.push(`${entry.text} ${entry.url ?? ""}`);
  }

  /** What went wrong on the page since the last time, exceptions and refusals of the browser. */
  errors(): string[] {
    return this.#errors.splice(0);
  }

  async look(width: number, theme: Theme, height = width < 600 ? 844 : 900): Promise<void> {
    this.#theme = theme;
    const phone = width < 600;
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: this.#scale,
      mobile: phone,
    });
    await this.send("Emulation.setEmulatedMedia", {
      features: [
        { name: "prefers-color-scheme", value: theme },
        { name: "prefers-reduced-motion", value: "reduce" },
      ],
    });
  }

  async goto(url: string): Promise<void> {
    await this.send("Page.navigate", { url });
    await this.waitFor("document.readyState === 'complete'");
  }

  async eval<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send<{
      result: { value: T };
      exceptionDetails?: { exception?: { description?: string }; text: string };
    }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails)
      throw new Error(`${expression}\n${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  /** Waits until an expression holds. @throws Error with what the page shows, when it does not in time */
  async waitFor(expression: string, forMs = 30_000): Promise<void> {
    const until = Date.now() + forMs;
    for (;;) {
      if (await this.eval<boolean>(`Boolean(${expression})`).catch(() => false)) return;
      if (Date.now() > until) {
        const shown = await this.eval<string>("document.body.innerText").catch(() => "");
        throw new Error(`not within ${forMs} ms: ${expression}\n${shown.slice(0, 800)}\n${this.#errors.join("\n")}`);
      }
      await new Promise((later) => setTimeout(later, 50));
    }
  }

  text(text: string, forMs?: number): Promise<void> {
    return this.waitFor(`document.body.innerText.includes(${JSON.stringify(text)})`, forMs);
  }

  /** Everything the map shows has been drawn, in the theme that was last asked for. */
  async mapDrawn(forMs = 30_000): Promise<void> {
    await this.waitFor(`document.querySelector('.map')?.dataset.drawn === ${JSON.stringify(this.#theme)}`, forMs);
  }

  /** Clicks the first element that fits and can be seen, or, with `text`, the first that reads so. */
  async click(selector: string, text?: string): Promise<void> {
    const find = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.getClientRects().length > 0 &&
      ${text === undefined ? "true" : `(one.innerText.trim() || one.getAttribute("aria-label")) === ${JSON.stringify(text)}`})`;
    await this.waitFor(find);
    // What is still being laid out moves away under the pointer: a click waits until it has stood still for a moment.
    const middle = () =>
      this.eval<[number, number]>(
        `(() => { const one = ${find}; one?.scrollIntoView({ block: "nearest" }); const box = one?.getBoundingClientRect();
          return box ? [box.x + box.width / 2, box.y + box.height / 2] : [-1, -1]; })()`,
      );
    let [x, y] = await middle();
    for (let tries = 0; tries < 100; tries++) {
      await new Promise((later) => setTimeout(later, 60));
      const [nowX, nowY] = await middle();
      const stands = nowX === x && nowY === y && x >= 0;
      [x, y] = [nowX, nowY];
      if (stands) break;
    }
    await this.clickAt(x, y);
  }

  async clickAt(x: number, y: number, clickCount = 1): Promise<void> {
    const at = { x, y, button: "left", clickCount };
    await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
    await this.send("Input.dispatchMouseEvent", { ...at, type: "mousePressed" });
    await this.send("Input.dispatchMouseEvent", { ...at, type: "mouseReleased" });
  }

  /** Puts the text into a field in place of what it holds. */
  async type(selector: string, text: string): Promise<void> {
    await this.waitFor(`document.querySelector(${JSON.stringify(selector)})`);
    await this.eval(
      `(() => { const one = document.querySelector(${JSON.stringify(selector)}); one.focus(); one.select?.(); })()`,
    );
    await this.send("Input.insertText", { text });
  }

  async press(key: string, modifiers = 0): Promise<void> {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const code = { Enter: 13, Escape: 27, Tab: 9, ArrowLeft: 37, ArrowRight: 39, ArrowUp: 38, ArrowDown: 40 }[key];
    const event = { key, text, modifiers, windowsVirtualKeyCode: code ?? key.toUpperCase().charCodeAt(0) };
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  async shot(name: string): Promise<void> {
    mkdirSync(SHOTS, { recursive: true });
    await this.picture(join(SHOTS, `${name}.png`));
  }

  /** What is seen now, as PNG. */
  async picture(path: string): Promise<void> {
    const { data } = await this.send<{ data: string }>("Page.captureScreenshot", { format: "png" });
    writeFileSync(path, Buffer.from(data, "base64"));
  }

  /** What axe-core finds that is serious or critical (WCAG 2.2 A and AA); by one rule alone where it is named. */
  async axe(rule?: string): Promise<Violation[]> {
    if (!(await this.eval("typeof axe === 'object'"))) await this.eval(readFileSync(AXE, "utf8"));
    const options = { resultTypes: ["violations"], ...(rule && { runOnly: [rule] }) };
    return this.eval<Violation[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html + " " + failureSummary) })))`);
  }
}

const SOFTWARE_WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Disables parts of a browser that tests do not need. */
const FLAGS = [
  ...["--headless", "--no-sandbox", "--remote-debugging-port=0", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps"],
  ...["--hide-scrollbars", "--disable-dev-shm-usage", "--force-device-scale-factor=1", "--window-size=1400,900"],
];
