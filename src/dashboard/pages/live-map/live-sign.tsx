import type { LiveState } from "../../api/live.ts";
import { Pill, type Tone } from "../../parts/pill.tsx";

const WORDS: Record<LiveState, [Tone, string, string]> = {
  connecting: ["plain", "Connecting", "The live feed is being opened"],
  open: ["good", "Live", "Positions and events come as they happen"],
  waiting: ["warn", "Reconnecting", "The connection was lost; what you see may be old"],
  ended: ["bad", "Ended", "Your session has ended: sign in again"],
};

export function LiveSign({ state }: { state: LiveState }) {
  const [tone, word, title] = WORDS[state];
  return (
    <Pill tone={tone} title={title}>
      {word}
    </Pill>
  );
}
