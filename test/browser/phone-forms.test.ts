import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SETTING_SECTIONS } from "../../src/dashboard/pages/settings/sections.ts";
import { eventually, get, type Json, makeWorld, post, put, type World } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import type { Driver } from "./driver.ts";
import { Person } from "./person.ts";

/** Every form that creates, edits or deletes, used once on a phone: no text is cut, and every button can be pressed with a finger. */

const DASHBOARD = resolve(import.meta.dirname, "../../src/dashboard");
const WIDTH = 390;

let world: World;
let person: Person;
let driver: Driver;

beforeAll(async () => {
  if (!CHROMIUM) return;
  world = await makeWorld({ settings: { tracking: { places: false } } });
  person = await Person.of(world);
  ({ driver } = person);
  await driver.look(WIDTH, "light");
});

afterAll(() => driver?.close());

/** What is above all else, as a viewer sees it. */
const TOP = `(document.querySelector("dialog[open]") ?? document.querySelector(".filters-body.open") ?? document.querySelector(".drawer") ?? document.body)`;

/** Presses a button, link or label with this text where it is; nothing may cover it. */
async function press(text: string, selector = "button, a, summary, label, [role=tab]"): Promise<void> {
  const find = `[...${TOP}.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.getClientRects().length > 0 && !one.disabled &&
    (one.innerText.trim().split("\\n")[0] === ${JSON.stringify(text)} || one.getAttribute("aria-label") === ${JSON.stringify(text)}))`;
  await driver.waitFor(find);
  // Notices leave by themselves, or are dismissed.
  await driver.eval("for (const one of document.querySelectorAll('.toast [aria-label=Dismiss]')) one.click()");
  const look = () =>
    driver.eval<{ x: number; y: number; over: string }>(`(async () => { const one = ${find};
    one.scrollIntoView({ block: "center" });
    let box;
    // What is still being laid out moves away under the finger.
    for (let before = ""; ; ) { box = one.getBoundingClientRect(); const now = box.x + " " + box.y; if (now === before) break; before = now; await new Promise((next) => setTimeout(next, 50)); }
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]; const over = document.elementFromPoint(x, y);
    return { x, y, over: one === over || one.contains(over) ? "" : over ? over.outerHTML.slice(0, 120) : "outside of the window" }; })()`);
  let at = await look();
  // A page that is still being drawn may cover it for a moment.
  for (let tries = 0; tries < 10 && at.over !== ""; tries++) {
    await new Promise((later) => setTimeout(later, 50));
    at = await look();
  }
  expect(at.over, `“${text}” is covered`).toBe("");
  await driver.clickAt(at.x, at.y);
}

/** The page as it is: whole, and without an edge that cuts a word. */
async function whole(): Promise<void> {
  expect(await driver.cutText()).toEqual([]);
  expect(await driver.eval("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
}

const open = async (path: string) => {
  await driver.visit(`${person.base}${path}`);
  await driver.waitFor("document.querySelector('main h1, main .map') && !document.querySelector('main .skeleton')");
};

async function fill(fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    const find = `[...${TOP}.querySelectorAll("label")].find((one) => one.textContent === ${JSON.stringify(label)})`;
    await driver.waitFor(find);
    await driver.eval(`(() => { const field = document.getElementById(${find}.htmlFor);
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, ${JSON.stringify(text)});
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true })); })()`);
  }
}

/** Confirms a deletion, for which a name may have to be typed. */
async function confirm(action: string, name?: string): Promise<void> {
  await driver.waitFor("document.querySelector('dialog[open]')");
  await whole();
  if (name !== undefined) await fill({ [`Type ${name} to confirm`]: name });
  await press(action);
}

const toast = (text: string) =>
  driver.waitFor(`document.querySelector(".toasts")?.innerText.includes(${JSON.stringify(text)})`);

/** Records with a drawer: what is typed to create one, what is changed, and what deletes it. */
interface Kind {
  page: string;
  create: string;
  submit: string;
  fields: Record<string, string>;
  edit: Record<string, string>;
  name: string;
}
const KINDS: Record<string, Kind> = {
  beacon: {
    ...{ page: "beacons", create: "Add a beacon", submit: "Add", name: "Gate 9" },
    fields: {
      ...{ Description: "Gate 9", UUID: "b9407f30-f5f8-466e-aff9-25556b57fe6d", Major: "1", Minor: "2" },
      Position: "52.5163, 13.3777",
    },
    edit: { Tag: "gate" },
  },
  campaign: {
    ...{ page: "campaigns", create: "Create a campaign", submit: "Create", name: "Welcome" },
    fields: { Name: "Welcome", Title: "Welcome", Text: "Coffee is on us." },
    edit: { Text: "Tea is on us." },
  },
  segment: {
    ...{ page: "segments", create: "Create a segment", submit: "Create", name: "Regulars" },
    fields: { Name: "Regulars", "External id": "regulars", Tag: "store" },
    edit: { Visits: "3" },
  },
  meeting: {
    ...{ page: "meetings", create: "Create a meeting", submit: "Create", name: "Couriers" },
    fields: { Name: "Couriers" },
    edit: { Name: "Couriers" },
  },
};

describe.skipIf(!CHROMIUM)("on a phone", { timeout: 90_000, ...AGAIN }, () => {
  it("each kind of record with a form is tried here", () => {
    const sources = globSync("pages/**/*.tsx", { cwd: DASHBOARD }).map((path) =>
      readFileSync(resolve(DASHBOARD, path), "utf8"),
    );
    const kinds = sources.flatMap((text) => [...text.matchAll(/: RecordKind<[^>]*> = \{\s*noun: "(\w+)"/g)]);
    expect(kinds.map(([, noun]) => noun).sort()).toEqual(Object.keys(KINDS).sort());
  });

  it.each(Object.entries(KINDS))("a %s is created, changed and deleted", async (noun, kind) => {
    const { page, create, submit, fields, edit, name } = kind;
    await open(`/${page}`);
    await whole();
    await press(create);
    await fill(fields);
    await whole();
    await press(submit);
    await toast("created");
    await press(name, "a");
    await driver.waitFor("document.querySelector('.drawer form')");
    await whole();
    await fill(edit);
    if (noun !== "meeting") {
      await press("Save");
      await toast("Saved");
    }
    await press("Delete");
    await confirm("Delete", name);
    await toast(`${name} deleted`);
    await driver.waitFor("!document.querySelector('.drawer, dialog[open]')");
    expect(driver.errors()).toEqual([]);
  });

  it("a webhook is created, changed and deleted", async () => {
    await open("/webhooks");
    await press("Add a webhook");
    await fill({ URL: "https://hooks.example.com/graticule", Description: "The warehouse" });
    await whole();
    await press("Add");
    await press("I have saved it");
    await press("Setup");
    await whole();
    await fill({ Description: "Another" });
    await press("Save");
    await toast("Saved");
    await press("Secret");
    await press("Rotate the secret");
    await confirm("Rotate");
    await driver.text("The new secret");
    await whole();
    await press("Close");
    await press("Setup");
    await press("Delete");
    await confirm("Delete", "hooks.example.com");
    await toast("Webhook deleted");
  });

  it("a geofence is created, changed, imported and deleted", async () => {
    await open("/geofences?at=52.5163,13.3777,14");
    await press("New");
    await fill({ Center: "52.5163, 13.3777", Description: "Yard", Tag: "yard", "External id": "1" });
    await press("Custom rules");
    await whole();
    await press("Create geofence");
    await toast("Geofence created");
    await press("Edit");
    await fill({ Radius: "150" });
    await press("Save");
    await toast("Geofence saved");
    await driver.waitFor("document.querySelector('.facts')");
    await whole();
    await press("Delete");
    await confirm("Delete geofence", "Yard");
    await toast("Yard deleted");
    await press("Import", "a, button");
    const feature = {
      ...{ type: "Feature", geometry: { type: "Point", coordinates: [13.3777, 52.5163] } },
      properties: { tag: "yard", externalId: "2", description: "Imported yard", radius: 100 },
    };
    await person.pick("yards.geojson", JSON.stringify({ type: "FeatureCollection", features: [feature] }));
    await press("Dry run");
    await press("Import 1");
    await driver.text("1 new");
    await whole();
  });

  it("beacons are imported", async () => {
    await open("/beacons");
    await press("Import CSV");
    const row = `Gate 7,gate,7,ibeacon,b9407f30-f5f8-466e-aff9-25556b57fe6d,7,7,"[13.3777,52.5163]",true`;
    await person.pick("gates.csv", `description,tag,externalId,type,uuid,major,minor,coordinates,enabled\n${row}`);
    await press("Dry run");
    await press("Import 1 of 1 row");
    await toast("1 created, 0 updated");
    await whole();
  });

  it("a chain is mapped", async () => {
    await open("/places?show=chains");
    await fill({ Chain: "Starbucks" });
    await press("Map chain");
    await fill({ "Your id": "sbx" });
    await whole();
    await press("Save");
    await toast("starbucks saved");
  });

  it("a file is geocoded, and its job deleted", async () => {
    await open("/batch");
    await press("Geocode a file");
    await person.pick("customers.csv", "address\nBerlin\n");
    await driver.text("First row: Berlin");
    await whole();
    await press("Start");
    await driver.text("Finished");
    await whole();
    await press("Delete");
    await toast("Job and result deleted");
  });

  it("a user is put into a segment, its trip shared, completed and deleted, and the user deleted", async () => {
    const { testSecret: secret, testPublishable } = world.keys;
    const center = [13.3777, 52.5163];
    await put("/v1/geofences/store/1", secret, {
      description: "Store",
      type: "circle",
      coordinates: center,
      radius: 99,
    });
    const goal = { destinationGeofenceTag: "store", destinationGeofenceExternalId: "1" };
    const { body } = await post("/v1/trips", secret, { externalId: "order-1", userId: "ada", mode: "car", ...goal });
    const there = { userId: "ada", deviceId: "phone", latitude: 52.5163, longitude: 13.3777, accuracy: 8 };
    await post("/v1/track", testPublishable, { ...there, foreground: true, tripOptions: { externalId: "order-1" } });
    await eventually(
      () => get("/v1/events", secret),
      ({ body }) => body.events.some(({ type }: Json) => type === "user.entered_geofence"),
    );
    await open(`/trips/${body.trip._id}`);
    await driver.text("Arrived");
    await press("Create link");
    await driver.text("Copy it now");
    await whole();
    await press("Revoke");
    await toast("Link revoked");
    await press("Complete");
    await driver.text("completed");
    await press("Delete");
    await confirm("Delete trip", "order-1");
    await toast("order-1 deleted");

    await open("/events?types=user.entered_geofence");
    await press("entered geofence Store", "a");
    await driver.text("Explanation");
    await whole();
    await press("Delete");
    await confirm("Delete");
    await toast("Event deleted");

    await open("/events");
    await press("Why no event?");
    await fill({ User: "ada", Geofence: "store/1" });
    await press("Explain");
    await driver.waitFor("document.querySelector('.drawer .verdict')");
    await whole();

    await open("/users/ada?tab=details");
    await fill({ "Add to segment": "Night owls" });
    await press("Add");
    await toast("Added to Night owls");
    await press("Remove");
    await toast("Removed from Night owls");
    await whole();
    await press("Delete");
    await confirm("Delete permanently", "ada");
    await toast("deleted");
  });

  it("a view of a list is saved, and deleted", async () => {
    await open("/users?seen=7d");
    await press("Filters");
    await press("Views");
    await driver.eval(
      `(() => { const field = document.querySelector("[aria-label='Name of the view']"); field.focus(); })()`,
    );
    await driver.send("Input.insertText", { text: "This week" });
    await whole();
    await press("Save");
    await press("Delete the view This week");
    await press("Show results");
  });

  it("a member, a signed token's key and an icon are added and removed", async () => {
    await open("/settings?section=members");
    await press("Add a member");
    await fill({ Email: "grace@example.com" });
    await whole();
    await press("Add and create link");
    await driver.text("A link for grace@example.com");
    await whole();
    await press("Close");
    await press("Remove grace@example.com");
    await confirm("Remove", "grace@example.com");
    await toast("grace@example.com removed");

    await open("/settings?section=tokens");
    await press("Add a key");
    await fill({ "Key id (kid)": "k1", Algorithm: "HS256" });
    await fill({ "Shared secret": "x".repeat(44) });
    await whole();
    await press("Add");
    await toast("k1 added");
    await press("Remove");
    await confirm("Remove", "k1");
    await toast("k1 removed");

    await open("/settings?section=maps");
    await press("Upload");
    await fill({ Id: "logo" });
    await person.pick(
      "logo.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
    );
    await whole();
    await press("Upload");
    await toast("logo uploaded");
    await press("Delete");
    await confirm("Delete", "logo");
    await toast("logo deleted");
  });

  it("each section of the settings is whole, and a changed switch or number is saved", async () => {
    let saved = 0;
    for (const { name } of SETTING_SECTIONS) {
      await open(`/settings?section=${name}`);
      await whole();
      const isForm = await driver.eval<boolean>("document.querySelector('.save-bar') !== null");
      if (!isForm) continue;
      const changed = await driver.eval<boolean>(`(() => {
        const box = document.querySelector("main form input[type=checkbox]");
        if (box) { box.click(); return true; }
        const field = document.querySelector("main form input[type=number], main form textarea");
        if (!field) return false;
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, field.type === "number" ? "30" : "");
        field.dispatchEvent(new Event("input", { bubbles: true })); return true; })()`);
      if (!changed || (await driver.eval("document.querySelector('.save-bar button[type=submit]').disabled"))) continue;
      await press("Save");
      await toast("Saved.");
      saved++;
    }
    expect(saved).toBeGreaterThanOrEqual(3);
    await open("/settings?section=tracking-options");
    await press("Add a situation");
    await whole();
    await press("Save");
    await toast("Saved.");
    await open("/settings?section=project");
    await fill({ Name: "Renamed" });
    await press("Rename");
    await whole();
    await open("/settings?section=keys");
    await press("Rotate");
    await whole();
    await press("Cancel");
  });
});
