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

/**
 * The browsers of a test run: one for each process of tests that needs one, with or without WebGL. A process runs one file at a
 * time, so a file has its browser for itself, and the next file of the process uses it again.
 */
export class SharedChromium {
  readonly #launched = new Map<string, Promise<Chromium>>();

  /** The DevTools URL of a process's browser. Starts another browser if the last one has ended. */
  async url(pid: number, drawsMaps: boolean): Promise<string> {
    const name = `${pid} ${drawsMaps}`;
    const last = await this.#launched.get(name);
    if (last?.isRunning()) return last.url;
    const next = launchChromium(drawsMaps);
    this.#launched.set(name, next);
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
  // A page must run while another page of its test is in front.
  ...["--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows"],
  ...["--disable-renderer-backgrounding", "--disable-back-forward-cache"],
  "--disable-features=SpareRendererForSitePerProcess,Translate,MediaRouter,OptimizationHints",
];
