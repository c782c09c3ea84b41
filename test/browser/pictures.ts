import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCommand } from "../../src/server/base/command.ts";
import { anyPort, startDev } from "../server/commands/dev-process.ts";
import { Driver } from "./driver.ts";

/**
 * `npm run pictures`: the pictures of the README, of `npm run dev -- --demo-data` as it starts from nothing. The machine needs
 * fonts for all scripts, or people's names are boxes (Debian: fonts-noto-core, fonts-noto-cjk).
 */

const PICTURES = resolve(import.meta.dirname, "../../docs/pictures");
const SIZE = { width: 1200, height: 720 };

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "graticule-pictures-"));
  const port = await anyPort();
  const dev = await startDev(folder, port, ["--demo-data"]);
  const driver = await Driver.start({ scale: 1, drawsMaps: true, isAlone: true });
  try {
    const base = `http://127.0.0.1:${port}`;
    const [, token] = /sign-in\?token=([0-9a-f]+)/.exec(dev.output()) ?? [];
    const answer = await fetch(`${base}/v1/events?types=user.entered_geofence&limit=1`, {
      headers: { authorization: dev.keys().testSecret },
    });
    const { events } = (await answer.json()) as { events: { _id: string }[] };
    mkdirSync(PICTURES, { recursive: true });
    await driver.look(SIZE.width, "light", SIZE.height);
    await driver.goto(`${base}/dashboard/#/sign-in?token=${token}`);
    await driver.text("Overview");

    const pages = `${base}/dashboard/1/test`;
    await driver.goto(`${pages}/map?`);
    await driver.mapDrawn();
    await driver.picture(join(PICTURES, "live-map.png"));
    await driver.goto(`${pages}/events?event=${events[0]._id}`);
    await driver.text("The position is");
    await driver.picture(join(PICTURES, "explain.png"));
    await driver.look(SIZE.width, "dark", SIZE.height);
    await driver.goto(`${pages}`);
    await driver.waitFor("document.querySelectorAll('canvas').length > 2");
    await driver.picture(join(PICTURES, "overview.png"));
    console.log(`three pictures in ${PICTURES}`);
  } finally {
    await driver.close();
    dev.process.kill("SIGINT");
    await dev.left;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

await runCommand(run);
