/** Result of a check: ok, a note, or an error that needs a fix. */
export interface Finding {
  check: string;
  state: "ok" | "note" | "wrong";
  said: string;
  /** Suggested fix; set unless the state is ok. */
  todo?: string;
}

export const ok = (check: string, said: string): Finding => ({ check, state: "ok", said });
export const note = (check: string, said: string, todo: string): Finding => ({ check, state: "note", said, todo });
export const wrong = (check: string, said: string, todo: string): Finding => ({ check, state: "wrong", said, todo });
