import { Api } from "./client.ts";

/**
 * Passkeys (WebAuthn). Options and responses use the JSON format of the browser's own functions
 * (parseCreationOptionsFromJSON, toJSON), so no library is needed.
 */

const UNABLE = "Passkeys require https or localhost.";

/** @returns what went wrong; undefined when signed in */
export const signInWithPasskey = () =>
  exchangeCredential<PublicKeyCredentialRequestOptionsJSON>(
    "/dashboard/api/sign-in/passkey",
    "No passkey was chosen.",
    (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );

/** @returns what went wrong; undefined when the passkey is registered */
export const addPasskey = (name: string) =>
  exchangeCredential<PublicKeyCredentialCreationOptionsJSON>(
    "/dashboard/api/passkeys",
    "No passkey was created.",
    (options) => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
    { name },
  );

/** Gets options, lets the browser make a credential for them, and sends it. */
async function exchangeCredential<Options>(
  path: string,
  none: string,
  request: (options: Options) => Promise<Credential | null>,
  more: object = {},
): Promise<string | undefined> {
  if (!hasPasskeys()) return UNABLE;
  const api = new Api(undefined);
  const asked = await api.post<{ options: Options }>(`${path}/options`);
  if (!asked.ok) return asked.problem.message;
  try {
    const credential = (await request(asked.data.options)) as PublicKeyCredential | null;
    if (!credential) return none;
    const done = await api.post(path, { ...more, credential: credential.toJSON() });
    return done.ok ? undefined : done.problem.message;
  } catch (error) {
    return reasonOf(error);
  }
}

function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

function reasonOf(error: unknown): string {
  const isRefusal = error instanceof DOMException && error.name === "NotAllowedError";
  return isRefusal ? "Canceled, or no matching passkey." : String(error);
}
