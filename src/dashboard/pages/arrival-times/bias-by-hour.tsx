import type { getEtaStats } from "../../../worker/http/insight/eta-stats.ts";
import type { Answer } from "../../api/client.ts";
import { Empty } from "../../parts/states.tsx";
import { count } from "../../parts/values/format.tsx";
import { type Column, numberColumn, Table } from "../../table/table.tsx";

type Month = Answer<typeof getEtaStats>["eta"]["months"][number];

interface Hour {
  hour: number;
  /** [%]; null where no drive began in this hour. */
  profile: number | null;
  learned: number | null;
}

export function signedPercent(value: number): string {
  const text = count(Math.abs(value));
  return `${text === "0" ? "" : value > 0 ? "+" : "−"}${text} %`;
}

const hourText = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

const percentText = (value: number | null) => (value === null ? "–" : signedPercent(value));

const COLUMNS: readonly Column<Hour>[] = [
  { name: "Local hour", cell: ({ hour }) => hourText(hour) },
  numberColumn("By the map", 112, ({ profile }) => percentText(profile)),
  { name: "Learned", right: true, width: "112px", cell: ({ learned }) => percentText(learned) },
];

/** Bars for each hour of the day, by the map and learned; the numbers are in a table below. */
export function BiasByHour({ of: { profile, learned, month, mode } }: { of: Month }) {
  const hours = profile.biasByHour.map(
    (bias, hour): Hour => ({ hour, profile: bias, learned: learned.biasByHour[hour] }),
  );
  return (
    <section class="stack tight">
      <h2>
        Bias by hour of the start, {mode}, {month}
      </h2>
      <div class="card stack tight">
        <BiasChart hours={hours} />
        <div class="arrival-legend small muted">
          <span class="bias-map swatch" /> <span>by the map alone</span>
          <span class="bias-learned swatch" /> <span>with learned speeds</span>
        </div>
        <details>
          <summary>Numbers</summary>
          <Table
            label="Bias by hour"
            inPage
            rows={hours.filter((row) => row.profile !== null)}
            rowKey={({ hour }) => String(hour)}
            columns={COLUMNS}
            empty={<Empty title="No trips" />}
          />
        </details>
      </div>
    </section>
  );
}

function BiasChart({ hours }: { hours: readonly Hour[] }) {
  const values = hours.flatMap(({ profile, learned }) => [profile ?? 0, learned ?? 0]);
  const most = Math.max(0, ...values);
  const least = Math.min(0, ...values);
  const range = Math.max(1, most - least);
  const share = (value: number) => `${(100 * value) / range}%`;
  const bar = (name: string, value: number | null) =>
    value !== null && (
      <span class={name} style={{ top: share(most - Math.max(0, value)), height: share(Math.abs(value)) }} />
    );
  return (
    <div class="bias-chart" role="img" aria-label="Bias by hour: by the map, and learned">
      <span class="bias-axis small muted number">{signedPercent(most)}</span>
      <span class="bias-axis least small muted number">{signedPercent(least)}</span>
      {hours.map(({ hour, profile, learned }) => (
        <div
          key={hour}
          class="bias-hour"
          title={`${hourText(hour)}: ${percentText(profile)} → ${percentText(learned)}`}
        >
          <div class="bias-bars">
            <span class="bias-zero" style={{ top: share(most) }} />
            {bar("bias-map", profile)}
            {bar("bias-learned", learned)}
          </div>
          <span class="small muted number">{hour % 3 === 0 ? hour : ""}</span>
        </div>
      ))}
    </div>
  );
}
