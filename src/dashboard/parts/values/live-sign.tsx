import type { LiveState } from "../../api/live.ts";
import { Pill, type Tone } from "./format.tsx";

const WORDS: Record<LiveState, [Tone, string, string]> = {
  connecting: ["plain", "Connecting", "Connecting to the live feed"],
  open: ["good", "Connected", "Positions and events appear as they happen"],
  waiting: ["warn", "Reconnecting", "The connection was lost. The data may be outdated"],
  ended: ["bad", "Ended", "Your session has ended. Sign in again"],
};

export function LiveSign({ state }: { state: LiveState }) {
  const [tone, word, title] = WORDS[state];
  return (
    <Pill tone={tone} title={title}>
      {word}
    </Pill>
  );
}
