import { useMemo } from "preact/hooks";
import { MapView } from "../dashboard-map.tsx";
import { GoTo } from "../go-to.tsx";
import { EMPTY, featureCollection, lineFeature, pointFeature } from "../layers/features.ts";
import { BELOW, casedLine, dotLayer, nameLayer } from "../layers/name-layer.ts";
import { useLayers } from "../layers/use-layers.ts";
import { Way, type WayUpdate } from "../movement/replay.ts";
import { boundsOf } from "../position.ts";
import { PlayerBar, usePlayer } from "./way-replay.tsx";

export interface ReplayedUser {
  id: string;
  name: string;
  /** Of the day, oldest first. */
  updates: readonly WayUpdate[];
}

/** Lines of the users in their order; then again from the first. */
const COLOURS = {
  light: ["#4250d0", "#0f766e", "#b3261e", "#8a5000", "#7a3db8", "#1d6fa5", "#5d6b1c", "#a3307d"],
  dark: ["#a3acff", "#4fd1c5", "#ff938a", "#f0b657", "#cf9dff", "#7cc7f5", "#c4d36b", "#f29ad2"],
} as const;

/** The ways of several users on one map, played by one clock. */
export default function UsersReplay({ users }: { users: readonly ReplayedUser[] }) {
  const ways = useMemo(
    () =>
      users.filter(({ updates }) => updates.length > 0).map(({ name, updates }) => ({ name, way: new Way(updates) })),
    [users],
  );
  const [start, end] = useMemo(
    () => [Math.min(...ways.map(({ way }) => way.start)), Math.max(...ways.map(({ way }) => way.end))],
    [ways],
  );
  const isEmpty = ways.length === 0;
  const player = usePlayer(isEmpty ? 0 : start, isEmpty ? 0 : end);
  const bounds = useMemo(() => boundsOf(ways.flatMap(({ way }) => way.line())), [ways]);
  return (
    <div class="replay">
      <div class="replay-map">
        <MapView label="Map of the tracks" fit={bounds} inAddress={false}>
          <WaysLayers ways={ways} at={player.at} />
          <GoTo bounds={bounds} />
        </MapView>
      </div>
      <PlayerBar of={player} />
    </div>
  );
}

function WaysLayers({ ways, at }: { ways: readonly { name: string; way: Way }[]; at: number }) {
  const lines = useMemo(() => featureCollection(ways.map(({ way }, i) => lineFeature(way.line(), { i }))), [ways]);
  const here = useMemo(
    () =>
      ways.length === 0
        ? EMPTY
        : featureCollection(
            ways.flatMap(({ name, way }, i) => {
              // Who has not set out yet is not on the map.
              const moment = at >= way.start ? way.at(at) : undefined;
              return moment ? [pointFeature(moment, { name, i })] : [];
            }),
          ),
    [ways, at],
  );
  const colourOf = (theme: "light" | "dark") => {
    const all = COLOURS[theme];
    return ["match", ["%", ["get", "i"], all.length], ...all.slice(1).flatMap((one, i) => [i + 1, one]), all[0]];
  };
  useLayers("ways", lines, ({ casing }, theme) =>
    casedLine(["ways-casing", "ways-line"], [6, 3], casing, colourOf(theme)),
  );
  useLayers("ways-here", here, (colours, theme) => [
    dotLayer("ways-here-dots", [8, 3], colourOf(theme), colours.casing),
    nameLayer("ways-here-names", colours, 0, { ...BELOW, "text-allow-overlap": true }),
  ]);
  return null;
}
