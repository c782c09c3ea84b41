import { Api } from "./client.ts";

/**
 * Passkeys (WebAuthn). Options and responses use the JSON format of the browser's own functions
 * (parseCreationOptionsFromJSON, toJSON), so no library is needed.
 */

const UNABLE = "Passkeys require https or localhost.";

/** @returns what went wrong; undefined when signed in */
export async function signInWithPasskey(): Promise<string | undefined> {
  if (!hasPasskeys()) return UNABLE;
  const api = new Api(undefined);
  const asked = await api.post<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    "/dashboard/api/sign-in/passkey/options",
  );
  if (!asked.ok) return asked.problem.message;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.data.options);
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null;
    if (!credential) return "No passkey was chosen.";
    const done = await api.post("/dashboard/api/sign-in/passkey", { credential: credential.toJSON() });
    return done.ok ? undefined : done.problem.message;
  } catch (error) {
    return reasonOf(error);
  }
}

/** @returns what went wrong; undefined when the passkey is registered */
export async function addPasskey(name: string): Promise<string | undefined> {
  if (!hasPasskeys()) return UNABLE;
  const api = new Api(undefined);
  const asked = await api.post<{ options: PublicKeyCredentialCreationOptionsJSON }>("/dashboard/api/passkeys/options");
  if (!asked.ok) return asked.problem.message;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked.data.options);
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
    if (!credential) return "No passkey was created.";
    const done = await api.post("/dashboard/api/passkeys", { name, credential: credential.toJSON() });
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
