import { describe, expect, it } from "vitest";
import { mayGive, ROLES, reaches, usualRole } from "../../../src/core/auth/role.ts";

describe("a member's role", () => {
  it("includes the roles before it", () => {
    const table = ROLES.map((role) => ROLES.map((needed) => reaches(role, needed)));
    expect(table).toEqual([
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
      [true, true, true, true],
    ]);
  });

  it("must be write for everything but GET", () => {
    expect(["GET", "POST", "PUT", "DELETE"].map(usualRole)).toEqual(["read", "write", "write", "write"]);
  });

  it("of an admin gives and takes all roles but the owner's", () => {
    expect(mayGive("admin", undefined, "admin")).toBe(true);
    expect(mayGive("admin", "write", undefined)).toBe(true);
    expect(mayGive("admin", undefined, "owner")).toBe(false);
    expect(mayGive("admin", "owner", "read")).toBe(false);
    expect(mayGive("owner", "owner", undefined)).toBe(true);
    expect(mayGive("write", undefined, "read")).toBe(false);
  });
});
