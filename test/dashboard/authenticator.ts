import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** A passkey in software, as WebAuthn Level 3 describes one: ES256, attestation "none", with a counter. */
export interface Authenticator {
  id: string;
  /** Answers `navigator.credentials.create`. */
  create(options: Options, page?: Partial<Page>): Record<string, unknown>;
  /** Answers `navigator.credentials.get`. */
  get(options: Options, page?: Partial<Page>): Record<string, unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: options are read as a browser would read them
type Options = any;

/** Where the page is that asks, and what the person did. */
interface Page {
  origin: string;
  rpID: string;
  /** They showed that it is them: finger, face, PIN. */
  isVerified: boolean;
  /** Signatures so far. */
  counter: number;
}

const base64url = (bytes: Buffer | Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();

export function newAuthenticator(usual: Page): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let { counter } = usual;
  const base = { id: base64url(id), rawId: base64url(id), type: "public-key", clientExtensionResults: {} };

  return {
    id: base64url(id),
    create({ challenge }, page = {}) {
      const { origin, rpID, isVerified } = { ...usual, ...page };
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)]);
      const authData = authenticatorData(rpID, isVerified, counter, credential);
      // {"fmt": "none", "attStmt": {}, "authData": …}
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText("fmt"), cborText("none"), cborText("attStmt"), Buffer.from([0xa0])],
        ...[cborText("authData"), cborBytes(authData)],
      ]);
      const clientDataJSON = base64url(clientData("webauthn.create", challenge, origin));
      return {
        ...base,
        response: { clientDataJSON, attestationObject: base64url(attestationObject), transports: ["internal"] },
      };
    },
    get({ challenge }, page = {}) {
      const { origin, rpID, isVerified, counter: told } = { ...usual, counter: ++counter, ...page };
      const data = clientData("webauthn.get", challenge, origin);
      const authData = authenticatorData(rpID, isVerified, told);
      const signature = createSign("sha256")
        .update(Buffer.concat([authData, sha256(data)]))
        .sign(privateKey);
      const response = {
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
      };
      return { ...base, response };
    },
  };
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** Hash of the host, flags, counter, and the new credential where there is one (WebAuthn, 6.1). */
function authenticatorData(rpID: string, isVerified: boolean, counter: number, credential?: Buffer): Buffer {
  const [present, verified, attested] = [0x01, isVerified ? 0x04 : 0, credential ? 0x40 : 0];
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([
    sha256(rpID),
    Buffer.from([present | verified | attested]),
    count,
    credential ?? Buffer.alloc(0),
  ]);
}

/** {kty: EC2, alg: ES256, crv: P-256, x, y} (RFC 9053). */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: "jwk" });
  const point = (text: string | undefined) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(String(text), "base64url")]);
  return Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]), point(x), Buffer.from([0x22]), point(y)]);
}

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes]);
