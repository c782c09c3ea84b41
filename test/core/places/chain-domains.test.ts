import { describe, expect, it } from "vitest";
import { ChainDomains, domainOf } from "../../../src/core/places/chain-domains.ts";

describe("a website's domain", () => {
  it.each([
    ["https://www.starbucks.com/store/42", "starbucks.com"],
    ["http://WWW2.Example.co.uk", "example.co.uk"],
    ["example.com/menu", "example.com"],
    ["https://example.com; https://other.com", "example.com"],
    ["https://www.facebook.com/cafe.null", undefined],
    ["https://m.facebook.com/cafe", undefined],
    ["call us", undefined],
    ["https://192.168.0.1/", undefined],
    ["https://localhost", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("of %s is %s", (text, domain) => {
    expect(domainOf(text)).toBe(domain);
  });
});

describe("a chain's domain", () => {
  const chain = { slug: "null-cafes", name: "Null Cafés" };
  const domain = (...websites: (string | Record<string, string>)[]) => {
    const domains = new ChainDomains();
    for (const one of websites) domains.add(chain, typeof one === "string" ? { website: one } : one);
    return domains.of(chain);
  };

  it("is the one that most of its places share", () => {
    expect(domain("https://null.example/1", "https://www.null.example/2", "https://cafe-by-the-sea.example")).toBe(
      "null.example",
    );
  });

  it("is not known from one place, or when they differ", () => {
    expect(domain("https://null.example")).toBeUndefined();
    expect(domain("https://a.example", "https://a.example", "https://b.example", "https://b.example")).toBeUndefined();
    expect(domain()).toBeUndefined();
  });

  it("is what the chain itself says, before what its places say", () => {
    const own = { "brand:website": "https://www.null-cafes.example" };
    expect(domain("https://null.example/1", "https://null.example/2", own)).toBe("null-cafes.example");
  });
});
