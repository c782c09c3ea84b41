import { createHash } from "node:crypto";
import { newAuthenticator } from "../../../dashboard/authenticator.ts";
import { makeMember, makeSession, origin } from "../../../support/members.ts";
import { type Answer, call, eventually, get, makeWorld, post } from "../../../support/world.ts";

type Note = (name: string, answer: Answer) => Answer["body"];

/** Answers about agents: one is let in and disconnected, and its tokens are exchanged and revoked. */
async function noteAgents(
  note: Note,
  own: (method: string, path: string, json?: unknown) => Promise<Answer>,
  project: number,
): Promise<void> {
  const verifier = "v".repeat(43);
  const parameters = {
    ...{ client_id: "local", redirect_uri: "http://127.0.0.1:4711/callback", response_type: "code" },
    ...{ code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256" },
  };
  note("describeAgent", await own("POST", "agents/request", parameters));
  note("describeAgent", await own("POST", "agents/request", { ...parameters, response_type: "token" }));
  const approval = { decision: "approve", project: String(project), environment: "test", access: "read" };
  const { redirect } = note("connectAgent", await own("POST", "agents", { ...parameters, ...approval }));
  const { client_id, redirect_uri } = parameters;
  const code = new URL(redirect).searchParams.get("code") ?? "";
  const exchange = { grant_type: "authorization_code", client_id, redirect_uri, code, code_verifier: verifier };
  const tokens = note("oauthToken", await call("POST", "/oauth/token", { form: exchange }));
  const { agents } = note("listAgents", await own("GET", "agents"));
  note("disconnectAgent", await own("DELETE", `agents/${agents[0]._id}`));
  note("oauthRevoke", await call("POST", "/oauth/revoke", { form: { token: tokens.access_token } }));
}

/** Answers of what the dashboard has of its own, to an owner of a project. */
export async function noteDashboard(note: Note): Promise<void> {
  const world = await makeWorld({ quota: 100 });
  const { cookie } = await makeMember({ [world.id]: "owner" });
  // Passkeys need a host name, not an IP address.
  const host = origin().replace("127.0.0.1", "localhost");
  const own = async (method: string, path: string, json?: unknown): Promise<Answer> => {
    const response = await fetch(`${host}/dashboard/api/${path}`, {
      method,
      headers: {
        cookie,
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
        "x-graticule-project": String(world.id),
        "x-graticule-environment": "test",
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  note("getSession", await own("GET", "session"));
  const { member, link } = note(
    "addMember",
    await own("POST", "members", { email: `a${world.id}@example.com`, role: "read" }),
  );
  note("changeMember", await own("PATCH", `members/${member._id}`, { role: "write" }));
  note("changeMember", await own("PATCH", `members/${member._id}`, { role: "read" }));
  note("listMembers", await own("GET", "members"));
  const again = note("createMemberLink", await own("POST", `members/${member._id}/link`)).link as string;
  if (again === link) throw new Error("the same link twice");
  note("removeMember", await own("DELETE", `members/${member._id}`));

  await noteAgents(note, own, world.id);
  await get("/v1/config", world.keys.testSecret);
  const used = () => own("GET", "keys");
  note(
    "listKeys",
    await eventually(used, ({ body }) => body.keys.some((key: { lastUsedAt?: string }) => key.lastUsedAt)),
  );
  note("rotateKey", await own("POST", "keys/live_secret/rotate"));
  note("changeProject", await own("PATCH", "project", { name: "Vans", rateLimits: { track: 2 } }));
  note("getProject", await own("GET", "project"));
  note("listAuditEntries", await own("GET", "audit"));
  note("getStatus", await own("GET", "status"));
  const track = { deviceId: "named", description: "Ada", latitude: 52.5, longitude: 13.4, accuracy: 5 };
  const tracked = await post("/v1/track", world.keys.testSecret, track);
  const bought = await post("/v1/events", world.keys.testSecret, { name: "bought", deviceId: "named" });
  note("getRecords", await own("GET", `records?events=${bought.body.event._id}&users=${tracked.body.user._id}`));

  const key = newAuthenticator({ origin: host, rpID: "localhost", isVerified: true, counter: 0 });
  const { options } = note("passkeyOptions", await own("POST", "passkeys/options"));
  note("registerPasskey", await own("POST", "passkeys", { credential: key.create(options) }));
  const { options: question } = note("passkeySignInOptions", await own("POST", "sign-in/passkey/options"));
  // With the session of before, which ends by it: what follows is asked with another.
  const answered = await own("POST", "sign-in/passkey", { credential: key.get(question) });
  note("passkeySignIn", answered);
  const next = String(answered.headers.get("set-cookie")).split(";")[0];
  const withNext = (method: string, path: string) =>
    fetch(`${host}/dashboard/api/${path}`, { method, headers: { cookie: next, "sec-fetch-site": "same-origin" } }).then(
      async (response) => ({ status: response.status, headers: response.headers, body: await response.json() }),
    );
  note("listPasskeys", await withNext("GET", "passkeys"));
  note("removePasskey", await withNext("DELETE", `passkeys/${key.id}`));
  note("signOut", await withNext("POST", "sign-out"));
  const third = await makeSession((await makeMember({ [world.id]: "read" })).id);
  const everywhere = await fetch(`${host}/dashboard/api/sign-out/everywhere`, {
    method: "POST",
    headers: { cookie: third, "sec-fetch-site": "same-origin" },
  });
  note("signOutEverywhere", {
    status: everywhere.status,
    headers: everywhere.headers,
    body: await everywhere.json(),
  });
  const other = await makeMember({ [world.id]: "owner" });
  const made = await fetch(`${host}/dashboard/api/members/${other.id}/link`, {
    method: "POST",
    headers: {
      cookie: other.cookie,
      "sec-fetch-site": "same-origin",
      "x-graticule-project": String(world.id),
      "x-graticule-environment": "test",
    },
  }).then((response) => response.json() as Promise<{ link: string }>);
  note("signIn", await own("POST", "sign-in", { token: made.link.slice(-64) }));
}
