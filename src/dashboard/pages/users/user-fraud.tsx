import { ShieldCheck } from "lucide";
import type { setFraudFlags } from "../../../worker/http/users/fraud.ts";
import { type Answer, useChange, useForget } from "../../api/hooks.ts";
import { useMay } from "../../api/session-context.ts";
import { useAddress } from "../../base/router.tsx";
import { Switch } from "../../forms/fields.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Empty, Failure } from "../../parts/states.tsx";
import { Pill, Time } from "../../parts/values/format.tsx";
import { type Column, Table } from "../../table/table.tsx";
import type { User } from "./user-list.tsx";

const CHECKS = [
  ["mocked", "lastMockedAt", "Mocked", "the OS reports a mock location"],
  ["jumped", "lastJumpedAt", "Jumped", "an impossible distance in the elapsed time"],
  ["compromised", "lastCompromisedAt", "Compromised", "a rooted or jailbroken device, or a modified app"],
  ["inaccurate", "lastInaccurateAt", "Inaccurate", "less accurate than the settings allow"],
  ["proxy", "lastProxyAt", "Proxy", "the IP address belongs to a proxy or VPN"],
  ["sharing", "lastSharingAt", "Sharing", "the screen is shared or remote-controlled"],
] as const;

type Fraud = NonNullable<User["fraud"]>;

const columnsOf = (fraud: Fraud): readonly Column<(typeof CHECKS)[number]>[] => [
  { name: "Check", width: "120px", cell: ([, , title]) => title },
  {
    ...{ name: "Now", width: "104px", line: "aside" },
    cell: ([check]) => (fraud[check] ? <Pill tone="bad">Failed</Pill> : <Pill tone="good">Passed</Pill>),
  },
  { name: "Description", cell: ([, , , about]) => about },
  {
    ...{ name: "Last failed", width: "128px", isNamed: true },
    cell: ([, last]) => <Time at={fraud[last] ?? undefined} />,
  },
];

export function UserFraud({ user, path }: { user: User; path: string }) {
  const { to } = useAddress();
  const mayWrite = useMay("write");
  const forget = useForget();
  const change = useChange((api, flags: { bypassed?: boolean; blocked?: boolean }) =>
    api.patch<Answer<typeof setFraudFlags>>(`${path}/fraud`, flags),
  );
  const { fraud } = user;
  if (!fraud) {
    return (
      <Empty icon={ShieldCheck} title="Fraud checks are disabled">
        <a href={`${to("settings")}?section=tracking`}>Enable them in the settings</a>
      </Empty>
    );
  }
  const set = async (flags: { bypassed?: boolean; blocked?: boolean }) => {
    if (!(await change.run(flags)).ok) return;
    forget("/v1/users");
    toast("Saved. Takes effect with the next update");
  };
  return (
    <div class="stack">
      <div class="row">
        <Pill tone={fraud.passed ? "good" : "bad"}>{fraud.passed ? "Passed" : "Failed"}</Pill>
        {fraud.verified && <Pill tone="good">Verified</Pill>}
      </div>
      {change.problem && <Failure problem={change.problem} />}
      <div class="cards">
        <Switch
          label="Allow"
          hint="This user passes all checks."
          value={fraud.bypassed}
          disabled={!mayWrite || change.busy}
          onChange={(bypassed) => void set({ bypassed })}
        />
        <Switch
          label="Block"
          hint="Updates return the last known state and generate no events."
          value={fraud.blocked}
          disabled={!mayWrite || change.busy}
          onChange={(blocked) => void set({ blocked })}
        />
      </div>
      <Table label="Checks" inPage rows={CHECKS} rowKey={([check]) => check} columns={columnsOf(fraud)} />
    </div>
  );
}
