import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DevTools } from "./dev-tools.ts";
import { launchChromium } from "./launch.ts";
import { WEBGL_STUB } from "./webgl-stub.ts";

/**
 * A page of Chromium that a test controls through the DevTools protocol, with real keys, clicks and screenshots. A test file opens one;
 * all files of a process share the browser. Each look at a page sets width and theme again.
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

/** How a page is opened. */
export interface DriverOptions {
  /** Pixels of the screen per pixel of CSS. */
  scale?: number;
  /** More flags for Chromium, which then starts for this driver alone. */
  flags?: readonly string[];
  /** Whether maps have a real WebGL context, or one that draws nothing. */
  drawsMaps?: boolean;
  /** Whether Chromium starts for this driver alone. */
  isAlone?: boolean;
}

export class Driver {
  readonly #page: DevTools;
  readonly #browser: DevTools;
  readonly #context: string;
  readonly #end: () => Promise<void>;
  readonly #scale: number;
  #theme: Theme = "light";
  /** Errors of the page since they were last read. */
  readonly #errors: string[];

  private constructor(
    opened: { page: DevTools; browser: DevTools; context: string; errors: string[] },
    end: () => Promise<void>,
    scale: number,
  ) {
    this.#page = opened.page;
    this.#browser = opened.browser;
    this.#context = opened.context;
    this.#errors = opened.errors;
    this.#end = end;
    this.#scale = scale;
  }

  /** Opens a page with its own cookies, storage and cache. */
  static async start({
    scale = SCALE,
    flags = [],
    drawsMaps = DRAWS_MAPS,
    isAlone = flags.length > 0,
  }: DriverOptions = {}): Promise<Driver> {
    const own = isAlone ? await launchChromium(drawsMaps, flags) : undefined;
    const opened = await openPage(own?.url ?? (await sharedChromium(drawsMaps)));
    const driver = new Driver(opened, async () => own?.close(), scale);
    for (const domain of ["Page", "Runtime", "Log"]) await driver.send(`${domain}.enable`);
    // A page behind another one must behave as the one in front.
    await driver.send("Emulation.setFocusEmulationEnabled", { enabled: true });
    if (!drawsMaps) await driver.send("Page.addScriptToEvaluateOnNewDocument", { source: WEBGL_STUB });
    return driver;
  }

  async close(): Promise<void> {
    await this.#browser.send("Target.disposeBrowserContext", { browserContextId: this.#context });
    this.#page.close();
    this.#browser.close();
    await this.#end();
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    return this.#page.send(method, params);
  }

  /** Stores files that the page downloads in a folder. */
  async downloadTo(folder: string): Promise<void> {
    const to = { behavior: "allow", downloadPath: folder, browserContextId: this.#context };
    await this.#browser.send("Browser.setDownloadBehavior", to);
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

  /**
   * Shows a page of the dashboard as a link in it does: without loading its code again, but with nothing of the page before, neither on the
   * screen nor in its cache. The first page, and every page with EVERY_LOOK=1, is loaded.
   */
  async visit(url: string): Promise<void> {
    const isOpen = `location.origin === ${JSON.stringify(new URL(url).origin)} && location.pathname.startsWith("/dashboard/") &&
      document.querySelector(".environments") !== null`;
    if (WALKS || !(await this.eval<boolean>(isOpen))) return this.goto(url);
    const go = (to: string) =>
      this.eval(
        `(() => { history.pushState(null, "", ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent("popstate")); })()`,
      );
    await this.eval("for (const one of document.querySelectorAll('.toast [aria-label=Dismiss]')) one.click()");
    await go("/dashboard/none");
    await this.text("Project not found");
    await go(url);
    await this.waitFor("document.querySelector('main h1')");
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

  /** Stores a screenshot below SHOTS. By day nothing looks at them, and each costs as much as a small page. */
  async shot(name: string): Promise<void> {
    if (!process.env.EVERY_LOOK && !process.env.SHOTS) return;
    mkdirSync(SHOTS, { recursive: true });
    await this.picture(join(SHOTS, `${name}.png`));
  }

  /** What is seen now, as PNG. */
  async picture(path: string): Promise<void> {
    const { data } = await this.send<{ data: string }>("Page.captureScreenshot", { format: "png" });
    writeFileSync(path, Buffer.from(data, "base64"));
  }

  /** What axe-core finds, of any impact; by one rule alone where it is named, and in one part of the page. */
  async axe(rule?: string, within?: string): Promise<Violation[]> {
    if (!(await this.eval("typeof axe === 'object'"))) await this.eval(readFileSync(AXE, "utf8"));
    const options = { resultTypes: ["violations"], ...(rule && { runOnly: [rule] }) };
    return this.eval<
      Violation[]
    >(`axe.run(${within ? JSON.stringify(within) : "document"}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html + " " + failureSummary) })))`);
  }

  /** Texts that an edge of the window or of a box cuts, of all text nodes and placeholders that match. */
  cutText(pattern = ".*"): Promise<string[]> {
    return this.eval<string[]>(`(${CUT_TEXT})(new RegExp(${JSON.stringify(pattern)}))`);
  }
}

/**
 * Runs in the page. A text is cut if it reaches beyond a box that hides or scrolls sideways, or one that hides what is below it. Boxes that
 * scroll down, texts for screen readers, and names on a map do not count.
 */
const CUT_TEXT = `(pattern) => {
  const cut = new Set();
  const isHiding = (overflow) => overflow === "hidden" || overflow === "clip";
  const leaves = (rect, from) => {
    if (rect.left < -1 || rect.right > innerWidth + 1) return true;
    let scrolls = false;
    for (let box = from; box; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box);
      const area = box.getBoundingClientRect();
      if (overflowX !== "visible" && (rect.left < area.left - 1 || rect.right > area.right + 1)) return true;
      // What a box above it scrolls to is not cut.
      if (!scrolls && isHiding(overflowY) && (rect.top < area.top - 2 || rect.bottom > area.bottom + 2)) return true;
      scrolls ||= overflowY === "auto" || overflowY === "scroll";
      if (position === "fixed") return false;
    }
    return false;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim();
    const parent = node.parentElement;
    if (!text || !pattern.test(text) || parent.closest(".unseen, .skip, .maplibregl-map, option, datalist, script, style")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true })) continue;
    range.selectNodeContents(node);
    if ([...range.getClientRects()].some((rect) => rect.width >= 1 && leaves(rect, parent))) cut.add(text.slice(0, 80));
  }
  const canvas = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input[placeholder]")) {
    if (!pattern.test(field.placeholder) || !field.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(field);
    canvas.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (canvas.measureText(field.placeholder).width > room + 1) cut.add(field.placeholder);
  }
  return [...cut];
}`;

/** The browser that the test files of this process share. */
async function sharedChromium(drawsMaps: boolean): Promise<string> {
  // Only a test run has one; `npm run pictures` starts its own.
  const { control } = await import("../support/world.ts");
  return control("chromium", { pid: process.pid, drawsMaps });
}

/** Opens a page in a new context of a browser. The context ends with the connection to the browser. */
async function openPage(url: string) {
  const browser = await DevTools.connect(url);
  const { browserContextId: context } = await browser.send<{ browserContextId: string }>(
    "Target.createBrowserContext",
    { disposeOnDetach: true },
  );
  const { targetId } = await browser.send<{ targetId: string }>("Target.createTarget", {
    url: "about:blank",
    browserContextId: context,
  });
  const errors: string[] = [];
  const page = await DevTools.connect(new URL(`/devtools/page/${targetId}`, url).href, (event) => {
    const { exceptionDetails, entry } = event.params ?? {};
    if (event.method === "Runtime.exceptionThrown" && exceptionDetails)
      errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    // A page that asks whether to leave it would wait forever.
    if (event.method === "Page.javascriptDialogOpening") {
      errors.push("the page asked whether to leave it");
      void page.send("Page.handleJavaScriptDialog", { accept: true });
    }
    // What the browser rejects, mostly because of the page's policy.
    if (event.method === "Log.entryAdded" && entry?.level === "error") errors.push(`${entry.text} ${entry.url ?? ""}`);
  });
  return { page, browser, context, errors };
}
