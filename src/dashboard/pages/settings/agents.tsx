import { Bot } from "lucide";
import { useState } from "preact/hooks";
import type { getAgents } from "../../../worker/http/dashboard/agents.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { Confirm } from "../../forms/confirm.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty, Failure } from "../../parts/states.tsx";
import { Pill, Time } from "../../parts/values/format.tsx";
import { Table } from "../../table/table.tsx";

type Agent = Answer<typeof getAgents>["agents"][number];

const PATH = "/dashboard/api/agents";

/** Agents that members have connected, of both environments. */
export function Agents() {
  const asked = useQuery<Answer<typeof getAgents>>(PATH);
  const [ending, setEnding] = useState<Agent>();
  return (
    <section class="setting-group">
      <h2>Agents</h2>
      <p class="muted">
        Programs that use the tools of <code>/mcp</code> for a member. <a href="/docs/agents">Connect one</a>. Admins
        see those of all members.
      </p>
      {asked.problem && <Failure problem={asked.problem} again={asked.again} />}
      <Table
        label="Agents"
        inPage
        rows={asked.data?.agents ?? []}
        pages={{ hasMore: false, loading: !asked.data && !asked.problem, more() {}, again: asked.again }}
        columns={[
          { name: "Name", cell: ({ name, client }) => <span title={client}>{name}</span> },
          { name: "Member", width: "28%", cell: ({ member }) => member.email, wideOnly: true },
          { name: "Access", width: "88px", cell: ({ access }) => access },
          {
            name: "Environment",
            width: "112px",
            cell: ({ live }) => <Pill tone={live ? "good" : "warn"}>{live ? "Live" : "Test"}</Pill>,
          },
          { name: "Last used", width: "104px", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />, wideOnly: true },
          {
            name: "Change",
            width: "124px",
            right: true,
            cell: (agent) => (
              <Button small danger onClick={() => setEnding(agent)}>
                Disconnect
              </Button>
            ),
          },
        ]}
        empty={<Empty icon={Bot} title="No agents yet" />}
      />
      {ending && (
        <Confirm
          title={`Disconnect ${ending.name}?`}
          action="Disconnect"
          send={(api) => api.delete(`${PATH}/${encodeURIComponent(ending._id)}`)}
          onClose={() => setEnding(undefined)}
          forgets={[PATH]}
          said="Agent disconnected"
        >
          It loses its access within 10 seconds. {ending.member.email} can connect it again.
        </Confirm>
      )}
    </section>
  );
}
