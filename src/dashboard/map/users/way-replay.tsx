import { Pause, Play } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Choice } from "../../parts/button.tsx";
import { exact, Time } from "../../parts/values/format.tsx";
import UserMap, { type UserMapProps } from "./user-map.tsx";
import "../movement/way-replay.css";

const SPEEDS = [
  ["60", "1 min/s"],
  ["600", "10 min/s"],
  ["3600", "1 h/s"],
] as const;
const MINUTE = 60_000;

/** A user's day, played: a slider of minutes under the map, and the map follows it at every frame. */
export function WayReplay(props: Omit<UserMapProps, "at">) {
  const { updates, onPick } = props;
  const start = updates.length > 0 ? Date.parse(updates[0].at) : 0;
  const end = updates.length > 0 ? Date.parse(updates[updates.length - 1].at) : 0;
  const player = usePlayer(start, end);
  const pick = (picked: number) => {
    player.seek(picked);
    onPick?.(picked);
  };
  return (
    <div class="replay">
      <div class="replay-map">
        <UserMap {...props} at={player.at} onPick={pick} />
      </div>
      <PlayerBar of={player} />
    </div>
  );
}

/** Play, a slider of minutes, the time, and the speed. */
export function PlayerBar({ of }: { of: ReturnType<typeof usePlayer> }) {
  const { start, end, at, seek, playing, play, speed, setSpeed } = of;
  return (
    <div class="replay-bar">
      <Button
        icon={playing ? Pause : Play}
        label={playing ? "Pause" : "Play"}
        disabled={start === end}
        onClick={play}
      />
      <input
        type="range"
        aria-label="Time"
        aria-valuetext={exact(at)}
        min={start}
        max={Math.max(end, start + 1)}
        step={MINUTE}
        value={at}
        onInput={(event) => seek(Math.min(end, Number(event.currentTarget.value)))}
      />
      <span class="replay-time">
        <Time at={at} as="exact" />
      </span>
      <Choice label="Speed" options={SPEEDS} value={speed} onChange={setSpeed} />
    </div>
  );
}

/** The time that is shown, which runs while the day is played. */
export function usePlayer(start: number, end: number) {
  const [at, setAt] = useState(end);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number][0]>("600");
  const time = useRef(at);
  time.current = at;
  // Another day begins at its end, standing
  useEffect(() => {
    setAt(end);
    setPlaying(false);
  }, [start, end]);

  useEffect(() => {
    if (!playing) return;
    let frame = 0;
    let before = performance.now();
    const step = (now: number) => {
      const next = Math.min(end, time.current + (now - before) * Number(speed));
      before = now;
      setAt(next);
      if (next >= end) setPlaying(false);
      else frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, end]);

  const play = () => {
    if (!playing && time.current >= end) setAt(start);
    setPlaying(!playing);
  };
  const seek = (to: number) => {
    setPlaying(false);
    setAt(to);
  };
  return { start, end, at, seek, playing, play, speed, setSpeed };
}
