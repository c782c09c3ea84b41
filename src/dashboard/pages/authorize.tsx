import { useEffect, useState } from "preact/hooks";
import { hostOf, isPreregistered } from "../../core/auth/oauth/client.ts";
import { reaches } from "../../core/auth/role.ts";
import type { connectAgent, describeAgent } from "../../worker/http/dashboard/agents.ts";
import { type Answer, Api, type Body, type Problem } from "../api/client.ts";
import type { Session } from "../api/session.ts";
import { BASE, type Environment } from "../base/router.tsx";
import { Select } from "../forms/fields.tsx";
import { Button } from "../parts/button.tsx";
import { choices } from "../parts/choices.ts";
import { Logo } from "../parts/logo.tsx";
import { Empty, Failure, Note } from "../parts/states.tsx";
import "./sign-in.css";

type AgentRequest = NonNullable<Answer<typeof describeAgent>["request"]>;
type Decision = Pick<Body<typeof connectAgent>, "decision" | "project" | "environment" | "access">;

/** The parameters of the request: the server checks them. */
const parametersOf = (search: string) => Object.fromEntries(new URLSearchParams(search));

/** Leaves for the client. The server has checked that the URL is one of its own. */
const leaveFor = (url: string) => location.assign(url);

/** A member decides whether an agent may use the tools of a project (OAuth). */
export default function Authorize({ session }: { session: Session }) {
  const [asked, setAsked] = useState<AgentRequest>();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<URL>();
  useEffect(() => {
    const parameters = parametersOf(location.search);
    void new Api(undefined)
      .post<Answer<typeof describeAgent>>("/dashboard/api/agents/request", parameters)
      .then((result) => {
        if (!result.ok) setProblem(result.problem);
        else if (result.data.redirect === undefined) setAsked(result.data.request);
        // Anybody can publish a client and link to this page: it must not forward to them without a click (RFC 9700, 4.11.2).
        else if (isPreregistered(parameters.client_id)) leaveFor(result.data.redirect);
        else setRefused(new URL(result.data.redirect));
      });
  }, []);
  const decide = async (decision: Decision) => {
    setBusy(true);
    const body = { ...parametersOf(location.search), ...decision };
    const result = await new Api(undefined).post<Answer<typeof connectAgent>>("/dashboard/api/agents", body);
    if (result.ok) return leaveFor(result.data.redirect);
    setBusy(false);
    setProblem(result.problem);
  };
  return (
    <main class="sign-in">
      <section class="card stack">
        <div class="row">
          <Logo size={32} />
          <h1>Connect an agent</h1>
        </div>
        {problem && <Failure problem={problem} />}
        {asked && (
          <Consent asked={asked} session={session} busy={busy} onDecide={(decision) => void decide(decision)} />
        )}
        {refused && (
          <>
            <Note tone="warn">{refused.searchParams.get("error_description")}</Note>
            <p>
              Nothing was connected. The program that sent you here is not one that this server knows. It gets this
              error at <code>{refused.host || refused.protocol}</code> if you continue.
            </p>
            <div class="row">
              <Button onClick={() => leaveFor(refused.href)}>Continue</Button>
            </div>
          </>
        )}
        {!asked && problem && (
          <p class="muted">
            Nothing was connected. Start again in the program that sent you here, or{" "}
            <a href={`${BASE}/`}>go to the dashboard</a>.
          </p>
        )}
      </section>
    </main>
  );
}

const ACCESS = { read: "Read only", write: "Read and write" } as const;
const MEANING = {
  read: "It can search, route and draw maps, and read users, their locations, events and geofences.",
  write: "It can also create geofences, and simulate trips in Test.",
} as const;

function Consent({
  asked,
  session: { member, projects },
  busy,
  onDecide,
}: {
  asked: AgentRequest;
  session: Session;
  busy: boolean;
  onDecide: (decision: Decision) => void;
}) {
  const [project, setProject] = useState(projects[0]?._id ?? "");
  const [environment, setEnvironment] = useState<Environment>("test");
  const [wanted, setAccess] = useState<keyof typeof ACCESS>(asked.access);
  const own = projects.find(({ _id }) => _id === project);
  if (!own) return <Empty title="You are not a member of a project" />;
  const mayWrite = reaches(own.role, "write");
  const access = mayWrite ? wanted : "read";
  return (
    <>
      <AgentWords asked={asked} />
      <Select
        label="Project"
        value={project}
        onChange={setProject}
        options={projects.map(({ _id, name }) => [_id, name] as const)}
      />
      <Select
        label="Environment"
        value={environment}
        onChange={setEnvironment}
        options={choices({ test: "Test", live: "Live" })}
      />
      <Select
        label="Access"
        value={access}
        onChange={setAccess}
        hint={`${MEANING.read}${access === "write" ? ` ${MEANING.write}` : ""} Your own role (${own.role}) also limits it.`}
        options={(mayWrite ? (["read", "write"] as const) : (["read"] as const)).map(
          (one) => [one, ACCESS[one]] as const,
        )}
      />
      <div class="row">
        <Button main busy={busy} onClick={() => onDecide({ decision: "approve", project, environment, access })}>
          Allow
        </Button>
        <Button disabled={busy} onClick={() => onDecide({ decision: "deny" })}>
          Deny
        </Button>
      </div>
      <p class="muted small">Signed in as {member.email}. You can end the access in Settings, under Agents.</p>
    </>
  );
}

function AgentWords({ asked: { client, redirectHost, isLocal } }: { asked: AgentRequest }) {
  const host = hostOf({ id: client._id });
  return (
    <>
      <p>
        <strong>{client.name}</strong>{" "}
        {host === undefined ? (
          ""
        ) : (
          <>
            from <code>{host}</code>{" "}
          </>
        )}
        asks for access to your data. It returns to <code>{redirectHost}</code>.
      </p>
      {isLocal && (
        <Note tone="warn">
          Continue only if you started this program on this computer yourself: any program can use this name.
        </Note>
      )}
    </>
  );
}
