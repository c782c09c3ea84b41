import { z } from "zod";
import { commonDatabase } from "../../db/databases.ts";
import {
  deletePasskey as deleteRow,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  type PasskeyRow,
} from "../../db/projects/passkeys.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { optionalText } from "../../wire/input/fields.ts";
import { mustBeOwnPage } from "../serve/callers/session.ts";
import { endpoint } from "../serve/endpoint.ts";
import { notePersonal } from "./personal-entry.ts";
import { CHAPTER } from "./shapes.ts";
import { beginSession } from "./sign-in.ts";
import { answeredChallenge, bytesOf, credentialBody, relyingParty, textOf, verified, webauthn } from "./webauthn.ts";

/** Passkeys: after the first link, members sign in with a device or a security key. */

/** How long a user may take to touch their key [ms]. */
const CHALLENGE_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;

const passkeyShape = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
});
const optionsShape = z.object({
  options: z
    .record(z.string(), z.unknown())
    .meta({ description: "for `navigator.credentials`, as JSON (WebAuthn Level 3)" }),
});

const wirePasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyRow) => ({
  _id: id,
  name,
  createdAt: wireDate(createdAt),
  ...(lastUsedAt !== null && { lastUsedAt: wireDate(lastUsedAt) }),
});

const personal = { level: "member", personal: true, chapter: CHAPTER } as const;
const open = { level: "open", rate: "address", chapter: CHAPTER } as const;

export const getPasskeys = endpoint({
  ...personal,
  name: "listPasskeys",
  method: "GET",
  path: "/dashboard/api/passkeys",
  summary: "Lists the passkeys of the signed-in member.",
  response: z.object({ passkeys: z.array(passkeyShape) }),
  async handle({ member, env }) {
    const { id, reach } = member!;
    return { passkeys: (await listPasskeys(commonDatabase(env), id, reach)).map(wirePasskey) };
  },
});

export const passkeyOptions = endpoint({
  ...personal,
  name: "passkeyOptions",
  method: "POST",
  path: "/dashboard/api/passkeys/options",
  summary: "Returns the browser options for creating a passkey for the signed-in member.",
  response: optionsShape,
  errors: [409],
  async handle({ member, env, request, now }) {
    const { id, email, reach } = member!;
    const { rpID } = relyingParty(request, env);
    const known = await listPasskeys(commonDatabase(env), id, reach);
    if (known.length >= MAX_PASSKEYS)
      throw new ApiError(409, `Conflict. A member has at most ${MAX_PASSKEYS} passkeys.`);
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: "Graticule",
      rpID,
      userName: email,
      userID: Uint8Array.from(new TextEncoder().encode(id)),
      attestationType: "none",
      excludeCredentials: known.map(({ id: credential, transports }) => ({
        id: credential,
        transports: JSON.parse(transports) as string[],
      })),
      // It is the only credential: it identifies the member, so user verification is required.
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    await insertChallenge(commonDatabase(env), options.challenge, id, now + CHALLENGE_MS);
    return { options: { ...options } };
  },
});

export const registerPasskey = endpoint({
  ...personal,
  name: "registerPasskey",
  method: "POST",
  path: "/dashboard/api/passkeys",
  summary: "Registers a passkey that the browser created.",
  body: z.object({ credential: credentialBody, name: optionalText(64) }),
  response: z.object({ passkey: passkeyShape }),
  errors: [409],
  async handle(call) {
    const { member, body, env, request, now } = call;
    const { id, reach } = member!;
    const { rpID, origin } = relyingParty(request, env);
    const challenge = await answeredChallenge(commonDatabase(env), body.credential, id, now);
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await verified(() =>
      verifyRegistrationResponse({
        response: body.credential as never,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
      }),
    );
    const { credential } = registrationInfo!;
    const row = {
      id: credential.id,
      member: id,
      project: reach,
      name: body.name ?? "Passkey",
      publicKey: textOf(credential.publicKey),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      createdAt: now,
      lastUsedAt: null,
    };
    if (!(await insertPasskey(commonDatabase(env), row)))
      throw new ApiError(409, "Conflict. The passkey is already registered.");
    await notePersonal(call, id, reach, "registerPasskey", `Passkey created, ${row.name}`);
    return { passkey: wirePasskey(row) };
  },
});

export const removePasskey = endpoint({
  ...personal,
  name: "removePasskey",
  method: "DELETE",
  path: "/dashboard/api/passkeys/:id",
  summary: "Removes a passkey of the signed-in member. Sessions started with it stay active.",
  errors: [404],
  async handle(call) {
    const { id, reach } = call.member!;
    if (!(await deleteRow(commonDatabase(call.env), id, reach, call.params.id))) throw notFound("Passkey");
    await notePersonal(call, id, reach, "removePasskey", "Took a passkey away");
    return {};
  },
});

export const passkeySignInOptions = endpoint({
  ...open,
  name: "passkeySignInOptions",
  method: "POST",
  path: "/dashboard/api/sign-in/passkey/options",
  summary: "Returns the browser options for signing in with a passkey.",
  response: optionsShape,
  errors: [403],
  async handle({ env, request, now }) {
    mustBeOwnPage(request, env);
    const { rpID } = relyingParty(request, env);
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
    await insertChallenge(commonDatabase(env), options.challenge, null, now + CHALLENGE_MS);
    return { options: { ...options } };
  },
});

export const passkeySignIn = endpoint({
  ...open,
  name: "passkeySignIn",
  method: "POST",
  path: "/dashboard/api/sign-in/passkey",
  summary: "Starts a session with a passkey.",
  body: z.object({ credential: credentialBody }),
  errors: [403],
  async handle(call) {
    const { body, env, request, now } = call;
    mustBeOwnPage(request, env);
    const { rpID, origin } = relyingParty(request, env);
    const challenge = await answeredChallenge(commonDatabase(env), body.credential, null, now);
    const row = await findPasskey(commonDatabase(env), body.credential.id);
    if (!row) throw new ApiError(401, "Unauthorized. Unknown passkey.");
    const { verifyAuthenticationResponse } = await webauthn();
    const { authenticationInfo } = await verified(() =>
      verifyAuthenticationResponse({
        response: body.credential as never,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        credential: { id: row.id, publicKey: bytesOf(row.publicKey), counter: row.counter },
      }),
    );
    if (!(await notePasskeyUse(commonDatabase(env), row, authenticationInfo.newCounter, now)))
      throw new ApiError(401, "Unauthorized. The passkey was used elsewhere at the same time. Try again.");
    return beginSession(call, row.member, row.project, "passkey");
  },
});
