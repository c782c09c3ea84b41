import { describe, expect, it } from "vitest";
import { hashKey } from "../../../src/core/auth/key.ts";
import { isSignedWith, readSignedUrl } from "../../../src/core/auth/signed-url.ts";
import { readDuration, signMapAddress } from "../../../src/server/base/sign-url.ts";

const KEY = "prj_test_sk_0123456789abcdef0123456789abcdef01234567";
const ADDRESS = "/maps/static?width=600&height=400&markers=color%3Ared%7C48.99%2C-111.2";

describe("npm run sign", () => {
  it("signs as the guide's test vector says", async () => {
    const { url, expiresAt } = await signMapAddress(KEY, ADDRESS, 3600, (1_790_000_000 - 3600) * 1000);
    expect(url).toBe(
      `${ADDRESS}&expires=1790000000&keyId=17d26817a375963f&signature=e1Ts_isKHclWAMpatF2QxBuTVUs0GSoUOrvWHIZBmVc`,
    );
    expect(expiresAt).toBe("2026-09-21T14:13:20.000Z");
  });

  it("keeps the host, leaves out a key that stands in the address, and signs what was signed anew", async () => {
    const { url } = await signMapAddress(KEY, `https://maps.example.com${ADDRESS}&publishableKey=prj_x`, 60, 0);
    expect(url).toMatch(/^https:\/\/maps\.example\.com\/maps\/static\?/);
    expect(url).not.toContain("publishableKey");
    const again = await signMapAddress(KEY, url, 60, 0);
    expect(again.url).toBe(url);
    const read = readSignedUrl(url);
    expect(read && (await isSignedWith(await hashKey(KEY), read))).toBe(true);
  });

  it("refuses other keys, other addresses and times that are none", async () => {
    await expect(signMapAddress(KEY.replace("sk", "pk"), ADDRESS, 60, 0)).rejects.toThrow(
      "Signing requires a secret key",
    );
    await expect(signMapAddress(KEY, "/v1/users", 60, 0)).rejects.toThrow("URL of a static map");
    expect(["90s", "30m", "12h", "7d"].map(readDuration)).toEqual([90, 1800, 43_200, 604_800]);
    for (const text of ["", "5", "0s", "367d", "1w", "-1h"]) expect(() => readDuration(text)).toThrow("--for");
  });
});
