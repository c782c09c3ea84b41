import { useDark } from "../../base/theme.ts";
import { useNow } from "../../parts/values/now.ts";
import { type SeenUser, STATE_LOOKS, stateOf, type UserMapState } from "./user-states.ts";
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

/** The state of a user now: without an update, a user becomes quiet. */
export function UserState({ user, word }: { user: SeenUser; word?: boolean }) {
  return <StateMark state={stateOf(user, useNow())} word={word} />;
}
