import { useDark } from "../../base/theme.ts";
import { STATE_LOOKS, type UserMapState } from "../marks/user-states.ts";
import "./state-mark.css";

/** The map's dot of a state, with its label. */
export function StateMark({ state, word = true }: { state: UserMapState; word?: boolean }) {
  const dark = useDark();
  const look = STATE_LOOKS[state];
  return (
    <span class="state-mark" title={look.means}>
      <span class="dot" style={{ "--dot": dark ? look.dark : look.light }} />
      <span class={word ? "" : "unseen"}>{look.word}</span>
    </span>
  );
}
