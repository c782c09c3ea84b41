import { type Pace, unpaced } from "../../geo/pace.ts";

/** What one question to the roads brings along beside its values. */
export interface Question {
  /** How its work gives way to others; units are microseconds, about. */
  pace: Pace;
  /** Called with the key of every object that cannot be read, once per question. */
  missed(key: string): void;
}

/** Never gives way, and reports nothing that was missing: for tests, tools and short questions. */
export const ownQuestion = (): Question => ({ pace: unpaced(), missed: () => undefined });
