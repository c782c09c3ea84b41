import type { getEtaStats } from "../../../worker/http/insight/eta-stats.ts";
import type { Answer } from "../../api/client.ts";
import { Empty } from "../../parts/states.tsx";
import { count } from "../../parts/values/number.tsx";
import { Table } from "../../table/table.tsx";

type Month = Answer<typeof getEtaStats>["eta"]["months"][number];

interface Hour {
  hour: number;
  /** [%]; null where no drive began in this hour. */
  profile: number | null;
  learned: number | null;
}

export const signed = (value: number) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${count(Math.abs(value))} %`;

const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

/** Bars for each hour of the day, by the map and learned; the numbers are in a table below. */
export function BiasByHour({ of: { profile, learned, month, mode } }: { of: Month }) {
  const hours = profile.biasByHour.map(
    (bias, hour): Hour => ({ hour, profile: bias, learned: learned.biasByHour[hour] }),
  );
  const seen = hours.filter((row) => row.profile !== null);
  const values = hours.flatMap((row) => [row.profile ?? 0, row.learned ?? 0]);
  const most = Math.max(0, ...values);
  const least = Math.min(0, ...values);
  const range = Math.max(1, most - least);
  const percent = (value: number) => `${(100 * value) / range}%`;
  const bar = (name: string, value: number | null) =>
    value !== null && (
      <span class={name} style={{ top: percent(most - Math.max(0, value)), height: percent(Math.abs(value)) }} />
    );
  const cell = (value: number | null) => (value === null ? "–" : signed(value));
  return (
    <section class="stack tight">
      <h2>
        Bias by hour of the start, {mode}, {month}
      </h2>
      <div class="card stack tight">
        <div class="bias-chart" role="img" aria-label="Bias by hour: by the map, and learned">
          <span class="bias-axis small muted number">{signed(most)}</span>
          <span class="bias-axis least small muted number">{signed(least)}</span>
          {hours.map((row) => (
            <div
              key={row.hour}
              class="bias-hour"
              title={`${clock(row.hour)}: ${cell(row.profile)} → ${cell(row.learned)}`}
            >
              <div class="bias-bars">
                <span class="bias-zero" style={{ top: percent(most) }} />
                {bar("bias-map", row.profile)}
                {bar("bias-learned", row.learned)}
              </div>
              <span class="small muted number">{row.hour % 3 === 0 ? row.hour : ""}</span>
            </div>
          ))}
        </div>
        <div class="arrival-legend small muted">
          <span class="bias-map swatch" /> <span>by the map alone</span>
          <span class="bias-learned swatch" /> <span>with learned speeds</span>
        </div>
        <details>
          <summary>Numbers</summary>
          <Table
            label="Bias by hour"
            inPage
            rows={seen}
            rowKey={({ hour }) => String(hour)}
            columns={[
              { name: "Local hour", cell: ({ hour }) => clock(hour) },
              { name: "By the map", line: "detail", right: true, width: "112px", cell: (row) => cell(row.profile) },
              { name: "Learned", right: true, width: "112px", cell: (row) => cell(row.learned) },
            ]}
            empty={<Empty title="No trips" />}
          />
        </details>
      </div>
    </section>
  );
}
