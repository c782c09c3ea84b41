import { inject } from "vitest";
import type { Role } from "../../src/core/auth/role.ts";
import { makeMember, type Signed } from "../support/members.ts";
import type { World } from "../support/world.ts";
import { Driver } from "./driver.ts";

/** A member of a project at the dashboard: what they do with pages, as a person would. */
export class Person {
  readonly driver: Driver;
  readonly member: Signed;
  /** The project's Test: paths of pages follow. */
  readonly base: string;

  private constructor(driver: Driver, member: Signed, base: string) {
    this.driver = driver;
    this.member = member;
    this.base = base;
  }

  /** Starts a browser, signed in. `host`: the Worker's, or localhost where an address is not enough. */
  static async of(world: World, role: Role = "owner", host = inject("baseUrl")): Promise<Person> {
    const driver = await Driver.start();
    const member = await makeMember({ [world.id]: role });
    const person = new Person(driver, member, `${host}/dashboard/${world.id}/test`);
    await person.signIn();
    await driver.look(1400, "light");
    return person;
  }

  /** Signs in, with a page of nothing before: what the page before still had under way would be asked with another's session. */
  async signIn(cookie = this.member.cookie): Promise<void> {
    await this.driver.goto("about:blank");
    this.driver.errors();
    const [name, value] = cookie.split("=");
    await this.driver.send("Network.setCookie", { name, value, url: this.base, httpOnly: true });
  }

  /** Opens a page, and waits for a text that stands there when it is ready. */
  async open(path: string, ready: string): Promise<void> {
    await this.driver.visit(this.base + path);
    await this.driver.waitFor(`document.querySelector("main")?.textContent.includes(${JSON.stringify(ready)})`, 30_000);
  }

  /** Types into the field with this label. */
  async fill(label: string, text: string): Promise<void> {
    const find = `[...document.querySelectorAll("label")].find((one) => one.textContent === ${JSON.stringify(label)})`;
    await this.driver.waitFor(find);
    await this.driver.eval(`(() => { const field = document.getElementById(${find}.htmlFor); const of = Object.getPrototypeOf(field);
      Object.getOwnPropertyDescriptor(of, "value").set.call(field, ${JSON.stringify(text)});
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true })); })()`);
  }

  /** What the field with this label holds. */
  async filled(label: string): Promise<string> {
    const find = `[...document.querySelectorAll("label")].find((one) => one.textContent === ${JSON.stringify(label)})`;
    return this.driver.eval(`document.getElementById(${find}.htmlFor).value`);
  }

  /** Puts a file into the file field, as picking it would. */
  async pick(name: string, text: string): Promise<void> {
    await this.driver.waitFor("document.querySelector('input[type=file]')");
    await this.driver.eval(`(() => { const field = document.querySelector("input[type=file]"); const files = new DataTransfer();
      files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)})); field.files = files.files;
      field.dispatchEvent(new Event("change", { bubbles: true })); })()`);
  }

  /** Cuts the line, as a tunnel does, or mends it. */
  async offline(isOffline: boolean): Promise<void> {
    const conditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await this.driver.send("Network.enable");
    await this.driver.send("Network.emulateNetworkConditions", { offline: isOffline, ...conditions });
  }
}
