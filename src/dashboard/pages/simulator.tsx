import { Pause, Play, Square } from "lucide";
import { useCallback, useMemo, useState } from "preact/hooks";
import type { directions } from "../../worker/http/routes/directions.ts";
import { type Answer, type Problem, useApi, useQuery } from "../api/hooks.ts";
import { CLICK } from "../base/pointer.ts";
import { useAddress } from "../base/router.tsx";
import { Field, Select } from "../forms/fields.tsx";
import { MapSearch } from "../map/address-search.tsx";
import { MapView } from "../map/dashboard-map.tsx";
import { Draw, type Shape } from "../map/fences/draw.tsx";
import { useKeptDraft } from "../map/fences/keep-draft.ts";
import { type MapFence, toCoordinate } from "../map/layers/features.ts";
import { FencesLayer, LinesLayer, NumbersLayer, SignsLayer } from "../map/layers/layers.tsx";
import { MapPage } from "../map/map-page.tsx";
import { useWalker, type Walker } from "../map/movement/use-walker.ts";
import { countSteps, lengthOf } from "../map/movement/walk.ts";
import { hintsOf } from "../map/movement/walk-hints.ts";
import { boundsOf } from "../map/position.ts";
import { Button, Choice } from "../parts/button.tsx";
import { choices } from "../parts/choices.ts";
import { Failure, Note } from "../parts/states.tsx";
import { metres, minutes, plural } from "../parts/values/format.tsx";
import { EventStream } from "./live-map/event-stream.tsx";

const WAYS = choices({ road: "Along roads", line: "Freehand" });
const PACES = [
  ["1", "Real time"],
  ["10", "10 × faster"],
  ["60", "60 × faster"],
] as const;
const MODES = ["car", "truck", "foot", "bike"].map((mode) => [mode, mode] as const);

const FIRST = {
  way: "road" as "road" | "line",
  mode: "car",
  stops: [] as [number, number][],
  road: [] as number[][],
  drawn: [] as number[][],
  /** km/h */
  speed: "40",
  /** Seconds between updates. */
  interval: "10",
  /** Metres. */
  accuracy: "10",
  pace: "10",
  ...{ deviceId: "simulated-1", userId: "", trip: "" },
  /** Minutes at the end, meters beside the track, and the userId of a second device at its end. */
  ...{ stay: "0", detour: "0", meets: "" },
};
type Plan = typeof FIRST;

/** Moves a device along a track through the real `/v1/track`, and shows the generated events. */
export default function Simulator() {
  const { environment, project } = useAddress();
  const [plan, change] = useKeptDraft<Plan>(`simulator ${project}`, FIRST);
  const walker = useWalker();
  const { routeThrough, problem } = useRoute(change);
  const pairs = plan.way === "road" ? plan.road : plan.drawn;
  const click = ({ latitude, longitude }: { latitude: number; longitude: number }) => {
    if (plan.way === "road" && walker.state !== "walking" && plan.stops.length < 25)
      void routeThrough([...plan.stops, [longitude, latitude]], plan.mode);
  };
  if (environment === "live") {
    return (
      <div class="map-panel-body stack">
        <h1>Simulator</h1>
        <Note tone="warn">Simulated devices work only in Test. Switch to Test at the upper left.</Note>
      </div>
    );
  }
  const isBusy = walker.state === "walking" || walker.state === "paused";
  return (
    <MapPage
      title="Simulator"
      map={<SimulatorMap plan={plan} pairs={pairs} walker={walker} isBusy={isBusy} change={change} onClick={click} />}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="map-panel-body stack" tabIndex={0}>
        <div class="row wrap">
          <Choice label="Track" options={WAYS} value={plan.way} onChange={(way) => change({ way })} />
          {pairs.length > 0 && !isBusy && (
            <Button bare onClick={() => change(plan.way === "road" ? { stops: [], road: [] } : { drawn: [] })}>
              Clear track
            </Button>
          )}
        </div>
        {pairs.length < 2 && (
          <Note>
            {plan.way === "road"
              ? `${CLICK} two or more points on the map, or search for addresses. The track between them follows roads.`
              : `${CLICK} the corners of the track on the map. ${CLICK} the last corner again to finish.`}
          </Note>
        )}
        {problem && <Failure problem={problem} />}
        <PlanFields
          plan={plan}
          change={change}
          isBusy={isBusy}
          onMode={(mode) => void routeThrough(plan.stops, mode)}
        />
        <Walk plan={plan} pairs={pairs} walker={walker} isBusy={isBusy} />
        <WalkEvents walker={walker} meets={plan.meets} />
      </div>
    </MapPage>
  );
}

function WalkEvents({ walker, meets }: { walker: Walker; meets: string }) {
  const { to } = useAddress();
  return (
    <>
      <h2>Events</h2>
      {walker.events.length > 0 ? (
        <EventStream events={walker.events} withUser={false} />
      ) : (
        <p class="muted">Events appear here as the device moves.</p>
      )}
      {meets && (
        <p class="muted">
          <a href={to("events")}>Events</a> lists its meetings: they need a <a href={to("meetings")}>rule</a>.
        </p>
      )}
    </>
  );
}

type ChangePlan = (part: Partial<Plan>) => void;

/** Computes the track along roads through the clicked stops. */
function useRoute(change: ChangePlan) {
  const api = useApi();
  const [problem, setProblem] = useState<Problem>();
  const routeThrough = useCallback(
    async (stops: [number, number][], mode: string) => {
      change({ stops, mode });
      setProblem(undefined);
      if (stops.length < 2) return change({ road: [] });
      const locations = stops.map(([longitude, latitude]) => `${latitude},${longitude}`).join("|");
      const query = { locations, mode, geometry: "linestring" };
      const result = await api.get<Answer<typeof directions>>("/v1/route/directions", query);
      if (!result.ok) return setProblem(result.problem);
      const { routes, unavailable } = result.data;
      const [route] = routes;
      if (!route) return setProblem({ status: 404, message: `${unavailable ?? "No route."} Draw the track by hand.` });
      change({ road: (route.geometry as { coordinates: number[][] }).coordinates });
    },
    [api, change],
  );
  return { routeThrough, problem };
}

interface SimulatorMapProps {
  plan: Plan;
  pairs: number[][];
  walker: Walker;
  isBusy: boolean;
  change: ChangePlan;
  onClick: (at: { latitude: number; longitude: number }) => void;
}

function SimulatorMap({ plan, pairs, walker, isBusy, change, onClick }: SimulatorMapProps) {
  const fences = useQuery<{ geofences: MapFence[] }>("/v1/geofences", { limit: 1000 });
  const draw = useCallback((shape: Shape) => shape.kind === "line" && change({ drawn: shape.pairs }), [change]);
  const drawnShape = useMemo(
    () => (plan.drawn.length > 1 ? ({ kind: "line", pairs: plan.drawn } as const) : undefined),
    [plan.drawn],
  );
  const fit = useMemo(
    () =>
      boundsOf(
        pairs.length > 1
          ? pairs
          : (fences.data?.geofences ?? []).flatMap(({ geometry }) => geometry?.coordinates[0] ?? []),
      ),
    [pairs, fences.data],
  );
  const here = useMemo(
    () =>
      walker.step
        ? [
            {
              id: "device",
              name: plan.deviceId,
              sign: walker.step.stopped ? "user-stopped" : "user-moving",
              location: walker.step.location,
            },
          ]
        : [],
    [walker.step, plan.deviceId],
  );
  const stops = useMemo(() => (plan.way === "road" ? plan.stops.map(toCoordinate) : []), [plan.way, plan.stops]);
  const lines = useMemo(() => [{ pairs, look: "route" as const }], [pairs]);

  return (
    <MapView label="Map of the simulated track" fit={fit} onClick={onClick}>
      <FencesLayer fences={fences.data?.geofences ?? []} />
      {plan.way === "line" && !isBusy ? (
        <Draw kind="line" shape={drawnShape} onChange={draw} />
      ) : (
        <LinesLayer source="simulated-way" lines={lines} />
      )}
      <NumbersLayer source="simulated-stops" points={stops} />
      <SignsLayer source="simulated-device" signs={here} />
      <MapSearch onPick={onClick} />
    </MapView>
  );
}

interface PlanFieldsProps {
  plan: Plan;
  change: ChangePlan;
  isBusy: boolean;
  onMode: (mode: string) => void;
}

function PlanFields({ plan, change, isBusy, onMode }: PlanFieldsProps) {
  const field = (name: Exclude<keyof Plan, "way" | "stops" | "road" | "drawn" | "mode" | "pace">) => ({
    value: plan[name],
    onChange: (value: string) => change({ [name]: value }),
    disabled: isBusy,
  });
  return (
    <>
      <div class="form-grid two">
        {plan.way === "road" && (
          <Select label="Roads for" options={MODES} value={plan.mode} disabled={isBusy} onChange={onMode} />
        )}
        <Field label="Speed" type="number" min={1} unit="km/h" {...field("speed")} />
        <Field label="Update every" type="number" min={1} unit="s" {...field("interval")} />
        <Field label="Accuracy" type="number" min={1} unit="m" {...field("accuracy")} />
        <Field label="deviceId" mono {...field("deviceId")} />
        <Field label="userId" mono placeholder="none" {...field("userId")} />
        <Field label="Trip" mono placeholder="external id, or none" {...field("trip")} />
        <Field label="Stands at the end" type="number" min={0} unit="min" {...field("stay")} />
        <Field label="Leaves the track" type="number" min={0} unit="m" {...field("detour")} />
        <Field label="Meets at the end" mono placeholder="userId, or none" {...field("meets")} />
      </div>
      <Choice label="Pace" options={PACES} value={plan.pace as "1"} onChange={(pace) => change({ pace })} />
    </>
  );
}

/** The updates of the walk, its buttons, and its progress. */
function Walk({ plan, pairs, walker, isBusy }: { plan: Plan; pairs: number[][]; walker: Walker; isBusy: boolean }) {
  const { to } = useAddress();
  const line = useMemo(() => pairs.map(toCoordinate), [pairs]);
  const { speed, interval, accuracy, stay, detour } = plan;
  const options = {
    ...{ speed: Number(speed) / 3.6, interval: Number(interval), accuracy: Number(accuracy) },
    ...{ stay: (Number(stay) || 0) * 60, detour: Number(detour) || 0 },
  };
  const isSound = options.speed > 0 && options.interval > 0 && options.accuracy > 0 && plan.deviceId.trim() !== "";
  const updates = isSound && line.length > 1 ? countSteps(line, options) : 0;
  const run = {
    ...options,
    line,
    pace: Number(plan.pace),
    deviceId: plan.deviceId.trim(),
    userId: plan.userId.trim(),
    trip: plan.trip.trim(),
    meets: plan.meets.trim(),
  };
  const start = () => walker.start(run);
  const hints = updates > 0 && !isBusy ? hintsOf(run, walker.last, Date.now()) : [];
  const summary = `${metres(lengthOf(line))}, ${plural(updates, "update")}, ${minutes(((updates - 1) * options.interval) / 60)} of device time. Updates are sent at most once per second.`;
  const missing = isSound
    ? "Set a track first."
    : "Enter a device id, and numbers above 0 for speed, interval and accuracy.";
  return (
    <>
      <p class="muted small">{updates > 0 ? summary : missing}</p>
      {hints.map((hint) => (
        <Note key={hint} tone="warn">
          {hint}
        </Note>
      ))}
      <div class="row">
        {isBusy ? (
          <WalkControls walker={walker} />
        ) : (
          <Button main icon={Play} needs="write" disabled={updates === 0} why={missing} onClick={start}>
            Walk
          </Button>
        )}
        <span class="muted number" role="status">
          {walker.state !== "idle" &&
            `${walker.sent} of ${walker.total} sent${walker.state === "done" ? ", done" : ""}`}
        </span>
        <span class="grow" />
        {walker.user && <a href={to("users", walker.user._id)}>User</a>}
      </div>
      {walker.total > 0 && <progress aria-label="Updates sent" value={walker.sent} max={walker.total} />}
      {walker.problem && <Failure problem={walker.problem} again={walker.go} />}
    </>
  );
}

function WalkControls({ walker }: { walker: Walker }) {
  return (
    <>
      {walker.state === "walking" ? (
        <Button icon={Pause} onClick={walker.pause}>
          Pause
        </Button>
      ) : (
        <Button main icon={Play} onClick={walker.go}>
          Continue
        </Button>
      )}
      <Button icon={Square} onClick={walker.stop}>
        Stop
      </Button>
    </>
  );
}
