import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM } from "./chromium.ts";

/** A running Chromium that DevTools clients can connect to. */
export interface Chromium {
  /** WebSocket URL of the browser's DevTools protocol. */
  url: string;
  isRunning(): boolean;
  close(): Promise<void>;
}

/** @param drawsMaps whether pages have WebGL, in software */
export async function launchChromium(drawsMaps: boolean, more: readonly string[] = []): Promise<Chromium> {
  if (!CHROMIUM) throw new Error("there is no Chromium");
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const drawing = drawsMaps ? SOFTWARE_WEBGL : ["--disable-gpu"];
  const browser = spawn(CHROMIUM, [...FLAGS, ...drawing, ...more, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const isRunning = () => browser.exitCode === null && browser.signalCode === null;
  return {
    url: await devToolsUrl(browser),
    isRunning,
    async close() {
      const ended = new Promise((end) => browser.once("exit", end));
      // Signals the process group, because renderers are separate processes.
      if (isRunning() && browser.pid) {
        process.kill(-browser.pid, "SIGKILL");
        await ended;
      }
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function devToolsUrl(browser: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = "";
    browser.stderr?.on("data", (text) => {
      output = `${output}${text}`.slice(-4000);
      const [, url] = /DevTools listening on (ws:\/\/\S+)/.exec(output) ?? [];
      if (url) found(url);
    });
    browser.once("exit", (code) => failed(new Error(`Chromium ended with ${code}:\n${output}`)));
  });
}

/** The browsers that all test files of a run share: one with WebGL and one without, started when a test first needs it. */
export class SharedChromium {
  readonly #launched = new Map<boolean, Promise<Chromium>>();

  /** The DevTools URL of the browser with or without WebGL. Starts another browser if the last one has ended. */
  async url(drawsMaps: boolean): Promise<string> {
    const last = this.#launched.get(drawsMaps);
    if (last && (await last).isRunning()) return (await last).url;
    const next = this.#launched.get(drawsMaps) === last ? launchChromium(drawsMaps) : this.#launched.get(drawsMaps)!;
    this.#launched.set(drawsMaps, next);
    return (await next).url;
  }

  async close(): Promise<void> {
    for (const browser of this.#launched.values()) await (await browser).close();
  }
}

const SOFTWARE_WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Disables parts of a browser that tests do not need. */
const FLAGS = [
  ...["--headless", "--no-sandbox", "--remote-debugging-port=0", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps"],
  ...["--hide-scrollbars", "--disable-dev-shm-usage", "--force-device-scale-factor=1", "--window-size=1400,900"],
  // Test files use pages at the same time, so a page must run while another one is in front.
  ...["--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows"],
  "--disable-renderer-backgrounding",
];
