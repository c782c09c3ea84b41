import { createHmac, type KeyObject, sign as signWith } from "node:crypto";

/** Signs tokens as a project's server would. */
export function signToken(
  claims: Record<string, unknown>,
  key: KeyObject | string,
  { alg, kid, ...header }: { alg: string; kid?: string; [field: string]: unknown },
): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg, typ: "JWT", ...(kid && { kid }), ...header })}.${encode(claims)}`;
  return `${signed}.${signatureOf(signed, key, alg).toString("base64url")}`;
}

function signatureOf(text: string, key: KeyObject | string, alg: string): Buffer {
  const bytes = Buffer.from(text);
  if (typeof key === "string") return createHmac("sha256", key).update(bytes).digest();
  if (alg === "ES256") return signWith("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  return signWith(alg === "EdDSA" ? null : "sha256", bytes, key);
}
