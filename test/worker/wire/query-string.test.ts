import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryOf } from "../../../src/worker/http/serve/query-string.ts";

const bySpecification = (url: string) => [...new URL(url).searchParams];

describe("a query string", () => {
  it.each([
    "https://a.example/v1/x",
    "https://a.example/v1/x?",
    "https://a.example/v1/x?a=1&a=2&&b&=c&d==e=&metadata[k]=v",
    "https://a.example/v1/x?origin=41.1,-8.6&name=S%C3%A3o+Jo%C3%A3o%20%2B1&flag#part?no=1",
    "https://a.example/v1/x?bad=%zz&half=%C3&wrong=%FF%FE&bom=%EF%BB%BFa",
    "https://a.example/v1/x??%",
  ])("reads %s as the URL standard does", (url) => {
    expect(queryOf(url)).toEqual(bySpecification(url));
  });

  it("reads whatever else may stand in a URL as the URL standard does", () => {
    const piece = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom("%", "%4", "%C3%A3", "é", "😀", "+", "&", "="));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const { href } = new URL(`https://a.example/v1/x?${pieces.join("")}`);
        expect(queryOf(href)).toEqual(bySpecification(href));
      }),
      { numRuns: 200 },
    );
  });
});
