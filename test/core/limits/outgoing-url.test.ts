import { describe, expect, it } from "vitest";
import { readCapped } from "../../../src/core/limits/capped-body.ts";
import { checkOutgoingUrl } from "../../../src/core/limits/outgoing-url.ts";

const DEVELOPMENT = { allowPrivate: true };
const problemOf = (text: string, rules = {}) => checkOutgoingUrl(text, rules).problem;

describe("a customer's URL is called", () => {
  it.each([
    ["https://example.com/hooks", "https://example.com/hooks"],
    ["https://example.com", "https://example.com/"],
    ["HTTPS://Hooks.Example.COM/Path?a=b", "https://hooks.example.com/Path?a=b"],
    ["https://example.com:443/", "https://example.com/"],
    ["https://example.com:8443/x", "https://example.com:8443/x"],
    ["https://example.com:1024/", "https://example.com:1024/"],
    ["https://example.com./x", "https://example.com./x"],
    ["https://bücher.example.com/x", "https://xn--bcher-kva.example.com/x"],
    ["https://under_score.example.com/x", "https://under_score.example.com/x"],
    ["https://localhost.example.com/", "https://localhost.example.com/"],
    ["https://mylocal.com/", "https://mylocal.com/"],
    ["https://10.com/", "https://10.com/"],
    ["https://consul.com/", "https://consul.com/"],
    ["https://notvcap.me/", "https://notvcap.me/"],
    ["https://ec2-54-1-2-3.compute-1.amazonaws.com/", "https://ec2-54-1-2-3.compute-1.amazonaws.com/"],
    ["https://v1-10-2.example.com/", "https://v1-10-2.example.com/"],
    ["https://example.com/hooks#part", "https://example.com/hooks"],
  ])("%s as %s", (text, called) => {
    expect(checkOutgoingUrl(text).url?.href).toBe(called);
  });
});

const ADDRESSES = [
  ...["https://127.0.0.1/", "https://8.8.8.8/", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.1.1/"],
  ...[
    "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://0.0.0.0/",
    "https://255.255.255.255/",
  ],
  // The same addresses as decimal, hexadecimal, octal, short, with full-width digits and dots, percent-encoded, with a dot behind.
  ...[
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://0x7f.1/",
    "https://0/",
  ],
  ...["https://１２７.０.０.１/", "https://127。0。0。1/", "https://%31%32%37.0.0.1/", "https://127.0.0.1./"],
  ...[
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[fe80::1]/",
  ],
  ...[
    "https://[fd00:ec2::254]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2606:4700::1111]/",
    "https://[2002:7f00:1::]/",
  ],
];

describe("a customer's URL is not called", () => {
  it.each(ADDRESSES)("with an address for a host: %s", (text) => {
    expect(problemOf(text)).toBe("The host must be a name, not an IP address.");
  });

  it.each([
    ...[
      "https://localhost/",
      "https://localhost./",
      "https://LOCALHOST:8443/",
      "https://app.localhost/",
      "https://intranet/",
    ],
    ...[
      "https://metadata/",
      "https://metadata.google.internal/",
      "https://metadata.google.internal./",
      "https://a.internal/",
    ],
    ...[
      "https://printer.local/",
      "https://nas.lan/",
      "https://wiki.corp/",
      "https://router.home.arpa/",
      "https://x.home/",
    ],
    ...[
      "https://1.0.0.127.in-addr.arpa/",
      "https://abc.onion/",
      "https://a.test/",
      "https://a.example/",
      "https://a.invalid/",
    ],
    ...["https://LOCALHOST。/", "https://metadata.goog/", "https://ｌｏｃａｌｈｏｓｔ/", "https://printer.LOCAL./"],
    ...["https://kubernetes.default.svc/", "https://api.default.svc.cluster.local/", "https://x.y.svc/"],
    ...["https://consul.service.consul/", "https://vault.service.dc1.consul/", "https://marathon.mesos/"],
    ...["https://a.alt/", "https://host.docker.internal/", "https://ipv4only.arpa/", "https://x.service.arpa/"],
    ...["https://fritz.box/", "https://db.localdomain/", "https://a.mail/", "https://svc/"],
  ])("with a name that leads to no public host: %s", (text) => {
    expect(problemOf(text)).toBe("The host must be a public name.");
  });

  it.each([
    ...["https://127.0.0.1.nip.io/", "https://10-0-0-1.sslip.io/", "https://localtest.me/", "https://x.lvh.me/"],
    ...["https://vcap.me/", "https://api.vcap.me./", "https://7f000001.c0a80001.rbndr.us/", "https://NIP.IO/"],
    ...["https://make-1.2.3.4-rebind-127.0.0.1-rr.1u.ms/", "https://10-0-0-5.abc.plex.direct/"],
    // Of services nobody has told us of.
    ...["https://127-0-0-1.any.io/", "https://x.10.1.2.3.any.io/", "https://app-192-168-0-9.any.io/"],
    ...["https://169-254-169-254.any.io/", "https://v2.100.64.0.1.any.io/", "https://1-10-2-3-4.any.io/"],
  ])("with a name that stands for an address: %s", (text) => {
    expect(problemOf(text)).toBe("The host must be a name that does not stand for an address.");
  });

  it("when only the standard port is allowed, with any other", () => {
    expect(problemOf("https://example.com:8443/", { standardPort: true })).toBe("The port must be 443.");
    expect(problemOf("https://example.com:443/", { standardPort: true })).toBeUndefined();
  });

  it.each([
    ["http://example.com/", "Must begin with https://."],
    ["ftp://example.com/", "Must begin with https://."],
    ["file:///etc/passwd", "Must begin with https://."],
    ["data:text/plain,x", "Must begin with https://."],
    ["javascript:alert(1)", "Must begin with https://."],
    ["https://user@example.com/", "Must not contain a username or password."],
    ["https://user:secret@example.com/", "Must not contain a username or password."],
    ["https://example.com@127.0.0.1/", "Must not contain a username or password."],
    ["https://example.com:1023/", "The port must be 443, or 1024 and above."],
    ["https://example.com:22/", "The port must be 443, or 1024 and above."],
    ["https://example.com:80/", "The port must be 443, or 1024 and above."],
    ["https://example.com:0/", "The port must be 443, or 1024 and above."],
    ["https://exa\tmple.com/", "Must not contain spaces, backslashes or control characters."],
    ["https://example.com/\nx", "Must not contain spaces, backslashes or control characters."],
    ["https:\\\\127.0.0.1\\", "Must not contain spaces, backslashes or control characters."],
    ["https://example..com/", "The host is not a valid name."],
    ["https://example.com../", "The host is not a valid name."],
    [`https://${"abcdefgh.".repeat(28)}example.com/`, "The host is not a valid name."],
    ["https://-example.com/", "The host is not a valid name."],
    ["/hooks", "Must be an absolute URL such as https://example.com/hooks."],
    ["https://", "Must be an absolute URL such as https://example.com/hooks."],
    ["https://1.2.3.4.5/", "Must be an absolute URL such as https://example.com/hooks."],
    ["", "Must be an absolute URL such as https://example.com/hooks."],
    [`https://example.com/${"x".repeat(2048)}`, "Must have at most 2048 characters."],
  ])("%j: %s", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it.each([
    ...[
      "http://169.254.169.254/",
      "http://0.0.0.0/",
      "http://100.100.100.200/",
      "http://[fe80::1]/",
      "http://[::ffff:127.0.0.1]/",
    ],
    ...[
      "http://metadata.google.internal/",
      "http://8.8.8.8/",
      "http://user@localhost/",
      "http://printer.local/",
      "ws://localhost/",
    ],
  ])("in development either: %s", (text) => {
    expect(problemOf(text, DEVELOPMENT)).toBeDefined();
  });
});

it.each([
  ...[
    "http://localhost:3000/hook",
    "http://127.0.0.1:3000/hook",
    "http://[::1]:3000/",
    "http://192.168.1.20/",
    "http://10.1.2.3/",
  ],
  ...[
    "http://172.31.0.1:8080/",
    "http://app.localhost/",
    "http://[fd12::1]/",
    "https://localhost:8443/",
    "http://example.com/",
  ],
])("in development %s may be called", (text) => {
  expect(problemOf(text, DEVELOPMENT)).toBeUndefined();
});

describe("reading a body that may be endless", () => {
  const streamOf = (chunks: number, size: number, onCancel = () => {}) => {
    let left = chunks;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(size).fill(7));
        else controller.close();
      },
      cancel: onCancel,
    });
  };

  it("keeps what fits and says whether that is all", async () => {
    for (const [chunks, size, limit] of [
      [0, 0, 10],
      [1, 10, 10],
      [3, 4, 10],
      [5, 10, 49],
      [1, 100, 0],
    ]) {
      const { bytes, complete } = await readCapped(streamOf(chunks, size), limit);
      expect([bytes.length, complete]).toEqual([Math.min(limit, chunks * size), chunks * size <= limit]);
      expect(bytes.every((byte) => byte === 7)).toBe(true);
    }
    expect(await readCapped(null, 5)).toEqual({ bytes: new Uint8Array(0), complete: true });
  });

  it("lets go of the connection when it has enough", async () => {
    let cancelled = 0;
    const endless = streamOf(Number.POSITIVE_INFINITY, 1000, () => {
      cancelled++;
    });
    await readCapped(endless, 4096);
    await Promise.resolve();
    expect(cancelled).toBe(1);
  });
});
