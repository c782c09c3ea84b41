import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { encodeLine } from "../../../core/geo/shapes/polyline.ts";
import type { track } from "../../../worker/http/track/track.ts";
import { type Answer, type Problem, useApi } from "../../api/hooks.ts";
import { countSteps, type WalkStep, walk } from "./walk.ts";
import { beginOf, type PlannedWalk, SHORTEST_MS } from "./walk-hints.ts";

type TrackAnswer = Answer<typeof track>;
type TrackEvent = TrackAnswer["events"][number];

interface WalkRun extends PlannedWalk {
  userId: string;
  /** The userId of another device that stands at the end of the line; "" = none. */
  meets: string;
}

export interface Walker {
  state: "idle" | "walking" | "paused" | "done";
  sent: number;
  total: number;
  step?: WalkStep;
  events: readonly TrackEvent[];
  user?: TrackAnswer["user"];
  /** The latest update of the device that walked last [ms]. */
  last?: { deviceId: string; at: number };
  problem?: Problem;
  start(run: WalkRun): void;
  pause(): void;
  go(): void;
  stop(): void;
}

/** Of the trip of a walk that leaves its line [m]. */
const ROUTE_TOLERANCE = 50;
/** The other device sends an update with every so many. */
const OTHER_EVERY = 5;
const otherOf = (run: WalkRun): WalkRun => ({ ...run, deviceId: `${run.deviceId}-other`, userId: run.meets, trip: "" });
const endOf = ({ line }: WalkRun) => ({ location: line[line.length - 1], speed: 0, course: 0, stopped: true });

/** Walks a device through `POST /v1/track`, as an app would: nothing is simulated but the position and the clock. */
export function useWalker(): Walker {
  const api = useApi();
  const [shown, setShown] = useState<Omit<Walker, "start" | "pause" | "go" | "stop">>({
    state: "idle",
    sent: 0,
    total: 0,
    events: [],
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const walking = useRef<{
    run: WalkRun;
    steps: Generator<WalkStep>;
    begins: number;
    next?: WalkStep;
    sent: number;
    isOver: boolean;
  }>(undefined);

  const tick = useCallback(async () => {
    const mine = walking.current;
    if (!mine || mine.isOver) return;
    const step = mine.next ?? mine.steps.next().value;
    if (!step) {
      setShown((now) => ({ ...now, state: "done" }));
      return;
    }
    mine.next = step;
    const { run, begins } = mine;
    const began = performance.now();
    // A meeting needs a fresh position of the other.
    if (run.meets && mine.sent++ % OTHER_EVERY === 0)
      await api.post<TrackAnswer>("/v1/track", bodyOf(otherOf(run), { ...step, ...endOf(run) }, begins));
    const result = await api.post<TrackAnswer>("/v1/track", bodyOf(run, step, begins));
    if (mine.isOver || walking.current !== mine) return;
    if (!result.ok) {
      // Keep the step: a retry sends it again, and track returns the same response.
      setShown((now) => ({ ...now, state: "paused", problem: result.problem }));
      return;
    }
    mine.next = undefined;
    const { user } = result.data;
    // One per update of a trip says nothing.
    const events = result.data.events.filter(({ type }) => type !== "user.updated_trip");
    const last = { deviceId: run.deviceId, at: begins + step.after * 1000 };
    setShown((now) => ({
      ...now,
      step,
      user,
      last,
      problem: undefined,
      sent: now.sent + 1,
      events: [...[...events].reverse(), ...now.events].slice(0, 200),
    }));
    // Measure from the response: a slow update is counted late, so the next would come too early.
    const pause = Math.max(SHORTEST_MS, (run.interval * 1000) / run.pace - (performance.now() - began));
    timer.current = setTimeout(() => void tick(), pause);
  }, [api]);

  const halt = useCallback(() => {
    clearTimeout(timer.current);
    if (walking.current) walking.current.isOver = true;
  }, []);
  useEffect(() => halt, [halt]);

  const start = useCallback(
    (run: WalkRun) => {
      halt();
      const total = countSteps(run.line, run);
      const begins = beginOf(run, Date.now());
      walking.current = { run, steps: walk(run.line, run), begins, sent: 0, isOver: false };
      setShown(({ last }) => ({ state: "walking", sent: 0, total, events: [], last }));
      void tick();
    },
    [halt, tick],
  );
  const pause = useCallback(() => {
    clearTimeout(timer.current);
    setShown((now) => ({ ...now, state: "paused" }));
  }, []);
  const go = useCallback(() => {
    setShown((now) => ({ ...now, state: "walking", problem: undefined }));
    void tick();
  }, [tick]);
  const stop = useCallback(() => {
    halt();
    setShown((now) => ({ ...now, state: "idle" }));
  }, [halt]);
  return { ...shown, start, pause, go, stop };
}

function bodyOf(
  { deviceId, userId, accuracy, trip, detour, line }: WalkRun,
  step: WalkStep,
  begins: number,
): Record<string, unknown> {
  const { location, speed, course, stopped, after } = step;
  return {
    deviceId,
    ...(userId && { userId }),
    description: "Simulated device",
    latitude: location.latitude,
    longitude: location.longitude,
    accuracy,
    speed,
    course,
    stopped,
    foreground: true,
    updatedAt: new Date(Math.min(Date.now(), begins + after * 1000)).toISOString(),
    ...(trip && {
      tripOptions: {
        externalId: trip,
        // What is left must be known, also without roads.
        ...(detour && { plannedRoute: encodeLine(line, 5), routeTolerance: ROUTE_TOLERANCE }),
      },
    }),
  };
}
