import { HeartPulse } from "lucide";
import type { ComponentChildren } from "preact";
import type { getStatus } from "../../worker/http/dashboard/status.ts";
import type { Answer } from "../api/client.ts";
import { useQuery } from "../api/hooks.ts";
import { PageHead } from "../parts/page-head.tsx";
import { Empty, Failure, Note, Skeleton, SkeletonLines } from "../parts/states.tsx";
import { EndpointName } from "../parts/values/code.tsx";
import { ErrorCount } from "../parts/values/error-count.tsx";
import { Facts } from "../parts/values/facts.tsx";
import { bytes, count, milliseconds, Pill, percent, plural, Time, type Tone } from "../parts/values/format.tsx";
import { Table } from "../table/table.tsx";
import "./overview.css";
import "./status.css";

type Status = Answer<typeof getStatus>;

/** Deployment status: responses, queues, and data age. Updated every ten seconds. */
export default function StatusPage() {
  const asked = useQuery<Status>("/dashboard/api/status", {}, { every: 10_000, keep: true });
  const status = asked.data;
  return (
    <>
      <PageHead title="Status" about="All projects of this deployment." actions={status && <Verdict of={status} />} />
      {asked.problem && <Failure problem={asked.problem} again={asked.again} />}
      {status?.alerts && status.alerts.length > 0 && <Alerts of={status.alerts} />}
      {(status || !asked.problem) && (
        <>
          <Figures of={status} />
          <Endpoints of={status} />
          <div class="cards status-cards">
            <Card title="Queues">{status ? <Queues of={status} /> : <SkeletonLines />}</Card>
            <Card title="Geodata">{status ? <Geodata of={status} /> : <SkeletonLines />}</Card>
            <Card title="Storage">{status ? <Storage of={status} /> : <SkeletonLines />}</Card>
            <Card title="Archive">{status ? <Archive of={status} /> : <SkeletonLines />}</Card>
            <Card title="Memory">{status ? <Memory of={status} /> : <SkeletonLines />}</Card>
            <Card title="Version">{status ? <Version of={status} /> : <SkeletonLines />}</Card>
          </div>
        </>
      )}
    </>
  );
}

/** Thresholds above which a value is highlighted; alerts have separate limits. */
const SLOW_OUTBOX = 60;
const LOW_DISK_RATIO = 0.1;
const FULL_DATABASE_RATIO = 0.7;

/** Current problems as text. */
function troubles({ schema, outbox, requests, machine, storage, archive, alerts }: Status): string[] {
  return [
    schema === undefined && "The database does not respond",
    outbox !== undefined && outbox.oldest >= SLOW_OUTBOX && "Events wait for the database",
    requests.requests >= 20 && requests.errors / requests.requests > 0.05 && "Many requests fail",
    machine && machine.diskFreeBytes < LOW_DISK_RATIO * machine.diskSizeBytes && "Low disk space",
    storage?.some(isAlmostFull) && "A database is almost full",
    machine?.backup?.isLate && "Backups have stopped",
    archive && archive.failing > 0 && "Events are not being archived",
    alerts !== undefined && alerts.length > 0 && plural(alerts.length, "alert"),
  ].filter((one) => typeof one === "string");
}

type Database = NonNullable<Status["storage"]>[number];

const isAlmostFull = ({ bytes: used, limit }: Database) => limit !== undefined && used >= FULL_DATABASE_RATIO * limit;

function Verdict({ of }: { of: Status }) {
  const wrong = troubles(of);
  if (wrong.length === 0) return <Pill tone="good">All systems operational</Pill>;
  return wrong.map((one) => (
    <Pill key={one} tone="bad">
      {one}
    </Pill>
  ));
}

function Alerts({ of }: { of: NonNullable<Status["alerts"]> }) {
  return (
    <section class="status-alerts" aria-label="Alerts">
      {of.map(({ type, subject, project, live, since, message }) => (
        <Note key={`${type} ${subject} ${project} ${live}`} tone="warn">
          <strong>{type.slice("alert.".length).replaceAll("_", " ")}</strong>, project {project}{" "}
          {live ? "Live" : "Test"}, <Time at={since} />: {message}
        </Note>
      ))}
    </section>
  );
}

function Figures({ of }: { of?: Status }) {
  const { requests, outbox, queues, activeUsers: users } = of ?? {};
  const took = (value: number | undefined) => (value === undefined ? "–" : milliseconds(value * 1000));
  const figures: [title: string, value: string | undefined, about: string | undefined][] = [
    [
      "Requests",
      requests && `${count2(requests.perSecond)}/s`,
      requests && `${count(requests.requests)} in five minutes`,
    ],
    [
      "Errors",
      requests && count(requests.rejected + requests.errors),
      requests && `${count(requests.rejected)} client (4xx), ${count(requests.errors)} server (5xx)`,
    ],
    ["Response time", requests && took(requests.p95), requests && `95th percentile; median ${took(requests.p50)}`],
    ["Outbox", of && (outbox ? age(outbox.oldest) : "unknown"), of && "waiting for the database"],
    ["Webhooks", of && (queues ? plural(queues.waiting, "message") : "unknown"), of && "waiting for receivers"],
    [
      "Active users",
      of && (users ? count(users.hour) : "unknown"),
      users && `this hour; ${count(users.day)} today (UTC)`,
    ],
  ];
  return (
    <section class="figures" aria-label="Figures">
      {figures.map(([title, value, about]) => (
        <div key={title} class="card figure-card">
          <span class="muted">{title}</span>
          <span class="figure number">{value ?? <Skeleton width={72} height={28} />}</span>
          <span class="small muted">{about ?? <Skeleton width={96} height={12} />}</span>
        </div>
      ))}
    </section>
  );
}

function Endpoints({ of }: { of?: Status }) {
  const took = (value: number | undefined) => (value === undefined ? "–" : milliseconds(value * 1000));
  return (
    <section class="stack tight">
      <h2>By endpoint, the last five minutes</h2>
      <Table
        label="Requests by endpoint"
        inPage
        rows={of?.requests.endpoints ?? []}
        rowKey={({ endpoint }) => endpoint}
        columns={[
          {
            name: "Endpoint",
            cell: ({ endpoint }) => <EndpointName of={endpoint === "none" ? "no endpoint" : endpoint} />,
          },
          { name: "Requests", line: "detail", right: true, width: "88px", cell: ({ requests }) => count(requests) },
          {
            name: "4xx",
            line: "detail",
            right: true,
            width: "72px",
            cell: ({ rejected }) => count(rejected),
          },
          { name: "5xx", line: "detail", right: true, width: "72px", cell: ({ errors }) => <ErrorCount of={errors} /> },
          { name: "Median", right: true, width: "96px", cell: ({ p50 }) => took(p50), line: "detail" },
          { name: "95 %", line: "detail", right: true, width: "80px", cell: ({ p95 }) => took(p95) },
        ]}
        pages={of ? undefined : { hasMore: false, loading: true, more() {}, again() {} }}
        empty={<Empty icon={HeartPulse} title="No requests in five minutes" />}
      />
      <p class="small muted">
        Statistics of the responding isolate: on a self-hosted server, of the complete server; on Cloudflare, each
        isolate has its own. Analytics Engine has the data of all isolates.
      </p>
    </section>
  );
}

function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card stack tight">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Queues({ of: { outbox, queues, deadLetters } }: { of: Status }) {
  return (
    <Facts
      rows={[
        [
          "Oldest in the outbox",
          outbox ? <State tone={outbox.oldest >= SLOW_OUTBOX ? "bad" : "good"}>{age(outbox.oldest)}</State> : "unknown",
        ],
        ["Retrying devices", outbox && count(outbox.trackers)],
        ["Waiting messages", queues && count(queues.waiting)],
        ["Oldest waiting message", queues && age(queues.oldest)],
        ["In the longest queue", queues && count(queues.longest)],
        ["Queues without a response", queues && queues.unknown > 0 ? count(queues.unknown) : undefined],
        [
          "Dead letters",
          deadLetters === undefined ? "unknown" : deadLetters >= 10_000 ? "10,000 or more" : count(deadLetters),
        ],
      ]}
    />
  );
}

function Geodata({ of: { geodata } }: { of: Status }) {
  if (!geodata) return <Note tone="warn">The bucket does not respond.</Note>;
  if (geodata.length === 0) return <Note>No geodata is imported.</Note>;
  return (
    <Facts
      rows={geodata.map(({ name, liveSince, dataDate }) => [
        name,
        dataDate ? (
          <>
            of <Time at={dataDate} />
          </>
        ) : (
          <>
            live <Time at={liveSince} />
          </>
        ),
      ])}
    />
  );
}

function Storage({ of: { storage } }: { of: Status }) {
  if (!storage) return <Note tone="warn">The database does not respond.</Note>;
  const rows = (database: Database, key: keyof NonNullable<Database["rows"]>) => {
    const some = database.rows?.[key];
    return some === undefined ? undefined : `about ${count(some)}`;
  };
  return storage.map((one) => (
    <Facts
      key={one.database}
      rows={[
        [
          one.database,
          <State key="size" tone={isAlmostFull(one) ? "bad" : "good"}>
            {one.limit === undefined ? bytes(one.bytes) : `${bytes(one.bytes)} of ${bytes(one.limit)}`}
          </State>,
        ],
        ["Users", rows(one, "users")],
        ["Events", rows(one, "events")],
        ["Trips", rows(one, "trips")],
        ["Locations of trips", rows(one, "tripLocations")],
      ]}
    />
  ));
}

function Archive({ of: { archive } }: { of: Status }) {
  if (!archive) return <Note>The first run starts within an hour.</Note>;
  const { at, failing, objects, events, bytes: size, oldestHot, waitingSince } = archive;
  return (
    <Facts
      rows={[
        ["Last run", <Time key="at" at={at} />],
        [
          "Result",
          failing === 0 ? (
            <State tone="good">succeeded</State>
          ) : (
            <State tone="bad">{failing === 1 ? "wrong" : `failed, ${count(failing)} in a row`}</State>
          ),
        ],
        ["Events in the archive", events === undefined ? "unknown" : count(events)],
        ["Objects in the bucket", objects !== undefined && count(objects)],
        ["Size in the bucket", size === undefined ? "unknown" : bytes(size)],
        ["Oldest event in the database", oldestHot && <Time at={oldestHot} />],
        ["Waiting to be archived", waitingSince && <Time at={waitingSince} />],
      ]}
    />
  );
}

function Memory({ of: { cache, machine } }: { of: Status }) {
  return (
    <Facts
      rows={[
        ["Geodata in memory", `${bytes(cache.bytes)} of ${bytes(cache.limit)}`],
        ...cache.layers.map(
          ({ layer, hits, misses }) =>
            [`Found: ${layer}`, `${percent(hits, hits + misses)} of ${count(hits + misses)}`] as const,
        ),
        ["Processes", machine && bytes(machine.memoryBytes)],
        [
          "Disk",
          machine && (
            <State tone={machine.diskFreeBytes < LOW_DISK_RATIO * machine.diskSizeBytes ? "bad" : "good"}>
              {bytes(machine.diskFreeBytes)} of {bytes(machine.diskSizeBytes)} free
            </State>
          ),
        ],
      ]}
    />
  );
}

function Version({ of: { version, schema, since } }: { of: Status }) {
  return (
    <Facts
      rows={[
        ["Graticule", version],
        ["Tables", schema?.replace(/\.sql$/, "") ?? "the database does not respond"],
        ["Running since", <Time key="since" at={since} />],
      ]}
    />
  );
}

function State({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <Pill tone={tone}>{children}</Pill>;
}

/** Seconds → "12 s", "5 min". */
function age(value: number): string {
  if (value < 1) return "0 s";
  return value < 120 ? `${count(value)} s` : value < 7200 ? `${count(value / 60)} min` : `${count(value / 3600)} h`;
}

const count2 = (value: number) => (value < 10 ? String(Math.round(value * 10) / 10) : count(value));
