import { type Pace, unpaced } from "../geo/pace.ts";

/** What one question to the roads brings along beside its values. */
export interface Question {
  /** How its work gives way to others; units are microseconds, about. */
  pace: Pace;
  /** Hears of every object that the question has to do without, once. */
  missed(key: string): void;
}

/** Never gives way, and tells nobody: for tests, tools and short questions. */
export const ownQuestion = (): Question => ({ pace: unpaced(), missed: () => undefined });
