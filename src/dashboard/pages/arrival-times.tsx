import { ClockCheck } from "lucide";
import type { getEtaStats } from "../../worker/http/insight/eta-stats.ts";
import { type Answer, useQuery } from "../api/hooks.ts";
import { useAddress } from "../base/router.tsx";
import { lazy } from "../parts/lazy.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty, Failure, Note, Skeleton } from "../parts/states.tsx";
import { FigureCards } from "../parts/values/figure-cards.tsx";
import { count, Time } from "../parts/values/format.tsx";
import { type Column, numberColumn, Table } from "../table/table.tsx";
import { BiasByHour, signedPercent } from "./arrival-times/bias-by-hour.tsx";
import type { RoadsMapProps } from "./arrival-times/roads-map.tsx";
import "./overview.css";
import "./arrival-times.css";

type Eta = Answer<typeof getEtaStats>["eta"];
type Month = Eta["months"][number];
type Build = Eta["builds"][number];

const RoadsMap = lazy<RoadsMapProps>(() => import("./arrival-times/roads-map.tsx"), "100%");

const minuteText = (value: number) => (value < 10 ? value.toFixed(1) : count(value));
const percentText = (value: number) => `${count(value)} %`;
const beforeAndAfter = (before: string, after: string) => `${before} → ${after}`;

const MONTHS: readonly Column<Month>[] = [
  { name: "Month", cell: ({ month, mode, tooFew }) => `${month}, ${mode}${tooFew ? " (too few trips)" : ""}` },
  numberColumn("Trips", 80, ({ trips }) => count(trips)),
  {
    name: "Median error",
    right: true,
    width: "136px",
    cell: ({ profile, learned }) =>
      beforeAndAfter(percentText(profile.medianPercent), percentText(learned.medianPercent)),
  },
  numberColumn("Minutes", 112, ({ profile, learned }) =>
    beforeAndAfter(minuteText(profile.medianMinutes), minuteText(learned.medianMinutes)),
  ),
  numberColumn("Bias", 160, ({ profile, learned }) =>
    beforeAndAfter(signedPercent(profile.biasPercent), signedPercent(learned.biasPercent)),
  ),
  numberColumn("Within 2 min", 136, ({ profile, learned }) =>
    beforeAndAfter(percentText(profile.within2Minutes), percentText(learned.within2Minutes)),
  ),
  numberColumn("Within 10 %", 136, ({ profile, learned }) =>
    beforeAndAfter(percentText(profile.within10Percent), percentText(learned.within10Percent)),
  ),
];

const BUILDS: readonly Column<Build>[] = [
  { name: "Build", cell: ({ name }) => name },
  { name: "Learned", right: true, width: "104px", cell: ({ learnedAt }) => <Time at={learnedAt} /> },
  numberColumn("Road segments", 120, ({ segments }) => count(segments)),
  numberColumn("Windows", 88, ({ windows }) => count(windows)),
  numberColumn("Weeks", 72, ({ weeks }) => count(weeks)),
  numberColumn("Devices per road", 136, ({ minimumDevices }) => `≥ ${minimumDevices}`),
  numberColumn("Perhaps closed", 120, ({ quietRoads }) => count(quietRoads)),
];

/** How well arrival times are predicted, before and after learning from the project's devices. */
export default function ArrivalTimes() {
  const asked = useQuery<Answer<typeof getEtaStats>>("/v1/stats/eta", { roads: true });
  const eta = asked.data?.eta;
  return (
    <>
      <PageHead
        title="Arrival times"
        about="Errors of predictions for drives of live devices: by the speeds of the map alone → with learned speeds. A drive is compared before it is learned from."
      />
      {asked.problem && <Failure problem={asked.problem} again={asked.again} />}
      {!eta && !asked.problem && <Skeleton height={120} />}
      {eta && <Report eta={eta} />}
    </>
  );
}

function Report({ eta }: { eta: Eta }) {
  const { environment } = useAddress();
  const latest = eta.months.find(({ tooFew }) => !tooFew);
  return (
    <>
      <Notes eta={eta} isTest={environment === "test"} />
      {latest && <Figures of={latest} />}
      {eta.months.length > 0 && (
        <section class="stack tight">
          <h2>By month</h2>
          <Table
            label="Errors by month"
            inPage
            rows={eta.months}
            rowKey={({ month, mode }) => `${month} ${mode}`}
            columns={MONTHS}
            empty={<Empty title="No trips" />}
          />
        </section>
      )}
      {latest && <BiasByHour of={latest} />}
      {eta.builds.length > 0 && (
        <section class="stack tight">
          <h2>Learned speeds</h2>
          <Table
            label="Learned speeds by build"
            inPage
            rows={eta.builds}
            rowKey={({ name }) => name}
            columns={BUILDS}
            empty={<Empty title="No builds" />}
          />
        </section>
      )}
      {eta.roads && eta.roads.features.length > 0 && (
        <section class="stack tight" aria-label="Roads">
          <h2>Learned speed as a share of the map's</h2>
          <div class="arrival-map">
            <RoadsMap roads={eta.roads} />
          </div>
          <Legend isClosed={eta.roads.features.some(({ properties }) => "quiet" in properties)} />
        </section>
      )}
    </>
  );
}

/** The colors of the map. */
function Legend({ isClosed }: { isClosed: boolean }) {
  return (
    <div class="arrival-legend small muted">
      <span>40 % or slower</span>
      <span class="arrival-scale" />
      <span>as the map</span>
      <span class="arrival-scale faster" />
      <span>110 % or faster</span>
      {isClosed && (
        <>
          <span class="arrival-dashes" />
          <span>perhaps closed</span>
        </>
      )}
    </div>
  );
}

function Notes({ eta, isTest }: { eta: Eta; isTest: boolean }) {
  const { to } = useAddress();
  if (!eta.enabled) {
    return (
      <Empty icon={ClockCheck} title="Learning is disabled">
        <p>
          <a href={`${to("settings")}?section=learning`}>Enable it in the settings</a> to compare arrival times with
          real drives, and to learn the speeds of roads.
        </p>
      </Empty>
    );
  }
  return (
    <>
      {isTest && <Note>Only live devices are compared and learned from.</Note>}
      {!eta.months.some(({ tooFew }) => !tooFew) && (
        <Note>Too little data for conclusions yet. Drives of a day are compared from 06:00 UTC on the next day.</Note>
      )}
      {eta.growing.map(({ mode, beforePercent, nowPercent }) => (
        <Note key={mode} tone="warn">
          The median error of {mode} grew from {percentText(beforePercent)} to {percentText(nowPercent)} in a month.
        </Note>
      ))}
    </>
  );
}

function Figures({ of }: { of: Month }) {
  const { profile, learned, trips, month, mode } = of;
  return (
    <FigureCards
      figures={[
        ["Median error", percentText(learned.medianPercent), `${percentText(profile.medianPercent)} by the map alone`],
        [
          "Median error, minutes",
          minuteText(learned.medianMinutes),
          `${minuteText(profile.medianMinutes)} by the map alone`,
        ],
        ["Bias", signedPercent(learned.biasPercent), `${signedPercent(profile.biasPercent)} by the map alone`],
        [
          "Within 10 %",
          percentText(learned.within10Percent),
          `${percentText(profile.within10Percent)} by the map alone`,
        ],
        ["Trips", count(trips), `${mode}, ${month}`],
      ]}
    />
  );
}
