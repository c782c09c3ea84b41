import { Calculator, Download } from "lucide";
import { useMemo, useState } from "preact/hooks";
import { CALL_CLASSES, classOf } from "../../core/costs/call-classes.ts";
import { costOf, EMPTY_MIX, MIX_ENDPOINTS, type Mix } from "../../core/costs/mix.ts";
import { PRICES } from "../../core/costs/prices.ts";
import { useQuery } from "../api/hooks.ts";
import { BareInput, BareSelect } from "../forms/bare.tsx";
import { Field } from "../forms/fields.tsx";
import { Button } from "../parts/button.tsx";
import { saveFile } from "../parts/files/save-file.ts";
import { PageHead } from "../parts/page-head.tsx";
import { Empty, Waiting } from "../parts/states.tsx";
import { EndpointName } from "../parts/values/code.tsx";
import { FigureCards } from "../parts/values/figure-cards.tsx";
import { count } from "../parts/values/format.tsx";
import { useMinute } from "../parts/values/now.ts";
import { numberColumn, Table } from "../table/table.tsx";
import { mixOf } from "./costs/mix-of.ts";
import { SPANS, type Stats, spanOf } from "./overview/figures.ts";
import "./overview.css";
import "./costs.css";

/** Below, the plan itself is most of the price of a call. */
const MIN_FOR_RATE = 100_000;
const MONTH = SPANS.filter(({ name }) => name === "30d").map((span) => ({ ...span, compares: false }))[0];

type TypedNumbers = Partial<Record<string, string>>;

const FIELDS = [
  ["users", "Stored users", undefined],
  ["events", "Events per month", undefined],
  ["geodataGB", "Geodata in R2", "GB"],
  ["logShare", "Share of logged requests", undefined],
] as const;

/** What a month of calls costs on Cloudflare: the project's own calls of 30 days, each of which can be changed. */
export default function Costs() {
  const now = useMinute();
  const query = useMemo(() => ({ ...spanOf(MONTH, now), kinds: "calls,users,events" }), [now]);
  const stats = useQuery<{ stats: Stats }>("/v1/stats", query, { keep: true });
  const [changes, setChanges] = useState<TypedNumbers>({});
  const [calls, setCalls] = useState<TypedNumbers>({});
  if (!stats.data) return <Waiting of={stats} lines={10} />;
  const real = mixOf(stats.data.stats);
  const mix = changedMix(real, changes, calls);
  const cost = costOf(mix);
  const isChanged = Object.keys(changes).length + Object.keys(calls).length > 0;
  const reset = () => {
    setChanges({});
    setCalls({});
  };
  const actions = (
    <>
      {isChanged && <Button onClick={reset}>Use the last 30 days</Button>}
      <Button icon={Download} onClick={() => saveMix(mix)}>
        Save the mix
      </Button>
    </>
  );
  return (
    <>
      <PageHead
        title="Costs"
        about="A month on Cloudflare's paid plan. Change any number to try another mix."
        actions={actions}
      />
      <Figures cost={cost} isChanged={isChanged} />
      <div class="cards costs-cards">
        <section class="card stack tight">
          <h2>Calls per month</h2>
          <Calls
            mix={mix}
            real={real}
            typed={calls}
            onChange={(name, value) => setCalls({ ...calls, [name]: value })}
          />
          <div class="costs-fields">
            {FIELDS.map(([name, label, unit]) => (
              <Field
                key={name}
                {...{ label, unit, type: "number", min: 0 }}
                value={changes[name] ?? String(mix[name])}
                onChange={(value: string) => setChanges({ ...changes, [name]: value })}
              />
            ))}
          </div>
        </section>
        <Bill cost={cost} />
      </div>
    </>
  );
}

const saveMix = (mix: Mix) =>
  saveFile(new Blob([JSON.stringify(mix, null, 2)], { type: "application/json" }), "mix.json");

function Figures({ cost: { total, usage }, isChanged }: { cost: ReturnType<typeof costOf>; isChanged: boolean }) {
  const rate = usage.requests >= MIN_FOR_RATE ? dollarText((total / usage.requests) * 1e6) : "–";
  return (
    <FigureCards
      figures={[
        ["A month", dollarText(total), `prices of ${PRICES.requests.read}`],
        ["Calls", count(usage.requests), isChanged ? "of your mix" : "in the last 30 days"],
        [
          "Per million calls",
          rate,
          rate === "–" ? `from ${count(MIN_FOR_RATE)} calls on` : `with the plan's ${dollarText(PRICES.plan.dollars)}`,
        ],
      ]}
    />
  );
}

function changedMix(real: Mix, changes: TypedNumbers, typed: TypedNumbers): Mix {
  const number = (text: string | undefined, usual: number) =>
    text === undefined ? usual : Math.max(0, Number(text) || 0);
  const calls = { ...real.calls };
  for (const [endpoint, text] of Object.entries(typed)) calls[endpoint] = number(text, 0);
  return {
    ...EMPTY_MIX,
    calls,
    users: number(changes.users, real.users),
    events: number(changes.events, real.events),
    geodataGB: number(changes.geodataGB, real.geodataGB),
    logShare: Math.min(1, number(changes.logShare, real.logShare)),
  };
}

interface CallsProps {
  mix: Mix;
  real: Mix;
  typed: TypedNumbers;
  onChange: (endpoint: string, value: string) => void;
}

function Calls({ mix, real, typed, onChange }: CallsProps) {
  const rows = Object.keys(mix.calls);
  const others = MIX_ENDPOINTS.filter((name) => !rows.includes(name));
  return (
    <>
      <Table
        label="Calls per month"
        inPage
        rows={rows}
        rowKey={(name) => name}
        columns={[
          { name: "Endpoint", cell: (name) => <EndpointName of={name} /> },
          numberColumn("CPU", 80, (name: string) => `${CALL_CLASSES[classOf(name)].cpu.toLocaleString("en-US")} ms`),
          {
            name: "Calls",
            width: "136px",
            cell: (name) => (
              <BareInput
                class="in-row"
                type="number"
                min={0}
                label={`Calls of ${name}`}
                value={typed[name] ?? String(real.calls[name] ?? 0)}
                onChange={(value) => onChange(name, value)}
              />
            ),
          },
        ]}
        empty={
          <Empty icon={Calculator} title="No calls in 30 days">
            Add an endpoint to see its cost.
          </Empty>
        }
      />
      <BareSelect
        label="Add an endpoint"
        value=""
        onChange={(name) => name !== "" && onChange(name, "1000000")}
        options={[["", "Add an endpoint…"], ...others.map((name) => [name, name] as const)]}
      />
    </>
  );
}

function Bill({ cost }: { cost: ReturnType<typeof costOf> }) {
  const rows = Object.entries(cost.items).map(([item, price]) => ({ item: item as keyof typeof PRICES, price }));
  return (
    <section class="card stack tight">
      <h2>Bill</h2>
      <Table
        label="Bill"
        inPage
        rows={rows}
        rowKey={({ item }) => item}
        columns={[
          {
            name: "Item",
            cell: ({ item }) => (item === "plan" ? "The plan" : `${amountText(cost.usage[item])} ${PRICES[item].unit}`),
          },
          { name: "Cost", right: true, width: "88px", cell: ({ price }) => dollarText(price) },
        ]}
      />
      <p class="small muted">
        Usage per call is measured by the benches <code>cost</code> and <code>call-costs</code>. Each item is above what
        the plan includes. A server of your own costs only its machine.
      </p>
    </section>
  );
}

const amountText = (value: number) =>
  value >= 0.05 && value < 10 && !Number.isInteger(value) ? value.toFixed(1) : count(value);
const dollarText = (value: number) => `$${value < 100 ? value.toFixed(2) : count(value)}`;
