import { Printer } from "lucide";
import type { listUserJourneys } from "../../../worker/http/insight/journeys.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress } from "../../base/router.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty, Failure, SkeletonLines } from "../../parts/states.tsx";
import { metres, minutes, plural, speed, Time } from "../../parts/values/format.tsx";
import { isSeen } from "../../parts/values/names.ts";
import { Table } from "../../table/table.tsx";

type Part = Answer<typeof listUserJourneys>["timeline"][number];

/** The stops and journeys of a day with their totals, also on paper. */
export function UserJourneys({ id, path, from, to }: { id: string; path: string; from: string; to: string }) {
  const address = useAddress();
  const { data, problem, again } = useQuery<Answer<typeof listUserJourneys>>(`${path}/journeys`, { from, to });
  if (problem) return <Failure problem={problem} again={again} />;
  if (!data) return <SkeletonLines lines={8} />;
  const { timeline, totals } = data;
  const { excesses, speeding } = totals;
  return (
    <>
      <div class="row small">
        <span class="grow">
          {plural(totals.journeys, "journey")}, {metres(totals.distance)} in {minutes(totals.moving)};{" "}
          {plural(totals.stops, "stop")}, {minutes(totals.standing)}
          {excesses > 0 && `; ${minutes(speeding)} over the limit`}
        </span>
        <a href={`${address.to("journeys")}?q=${encodeURIComponent(id)}`}>All days</a>
        <Button icon={Printer} label="Print" onClick={() => window.print()} />
      </div>
      <Table
        label="Stops and journeys"
        rows={timeline}
        rowKey={({ startedAt, type }) => `${type} ${startedAt}`}
        columns={[
          { name: "Time", width: "88px", cell: ({ startedAt }) => <Time at={startedAt} as="clock" />, line: "aside" },
          { name: "Entry", line: "title", cell: describe },
          { name: "Duration", width: "112px", right: true, cell: ({ duration }) => minutes(duration) },
        ]}
        empty={<Empty title="No stops or journeys on this day" />}
      />
    </>
  );
}

function describe({ type, address, geofences, places = [], distance = 0, topSpeed, gaps = [] }: Part) {
  if (type === "journey")
    return (
      <>
        Journey of {metres(distance)}
        {topSpeed !== undefined && <span class="muted">, up to {speed(topSpeed)}</span>}
        {gaps.length > 0 && <span class="muted">, {plural(gaps.length, "gap")}</span>}
      </>
    );
  const names = [
    ...geofences.map((one) => [one.description, one.externalId].find(isSeen) ?? ""),
    ...places.map(({ name }) => name),
  ];
  const there = names.filter((name) => name !== "").join(", ");
  return (
    <>
      {there || address?.formattedAddress || "Stop"}
      {there && address?.formattedAddress && <span class="muted">, {address.formattedAddress}</span>}
    </>
  );
}
