import { MAX_WEEKS } from "./week-tile.ts";
import { weekOfDay } from "./weeks.ts";

/**
 * Objects of learning in the bucket:
 *
 *     learning/states/<scope>                   how far collecting is, and whether it may be merged
 *     learning/<scope>/report.json              eta-report.ts
 *     learning/<scope>/live.json                live-speeds.ts
 *     learning/<scope>/<week>/<device>.<user>   contribution.ts; names are hashes
 *     learned/builds/<name>.json                build-summary.ts
 *     learned/<week>/<tile>                     week-tile.ts, from all projects
 *     learned/residual                          residual.ts, of all projects
 *     learned/<week>/inputs.json                what the tiles of the week were merged from
 */
export const LEARNING_PREFIX = "learning/";
export const LEARNED_PREFIX = "learned/";
export const STATES_PREFIX = `${LEARNING_PREFIX}states/`;

export const stateKey = (scope: number): string => `${STATES_PREFIX}${scope}`;

export const scopePrefix = (scope: number): string => `${LEARNING_PREFIX}${scope}/`;

export const reportKey = (scope: number): string => `${scopePrefix(scope)}report.json`;

export const liveKey = (scope: number): string => `${scopePrefix(scope)}live.json`;

export const weekPrefix = (scope: number, week: number): string => `${scopePrefix(scope)}${week}/`;

/** Hash of a device in a scope: 48 bits as hexadecimal digits, which do not reveal the id. */
export interface UserName {
  device: string;
  user: string;
}

const DIGITS = 12;

export async function nameOfUser(scope: number, deviceId: string, userId: string): Promise<UserName> {
  return { device: await digest(`device ${scope} ${deviceId}`), user: await digest(`user ${scope} ${userId}`) };
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, DIGITS);
}

export const contributionKey = (scope: number, week: number, { device, user }: UserName): string =>
  `${weekPrefix(scope, week)}${device}.${user}`;

/** All objects that a user may have, up to the week `latest`. */
export const contributionKeys = (scope: number, latest: number, name: UserName): string[] =>
  Array.from({ length: MAX_WEEKS + 1 }, (_, ago) => contributionKey(scope, latest - ago, name));

export interface ContributionName {
  scope: number;
  week: number;
  /** The hash as a number. */
  device: number;
}

export function parseContributionKey(key: string): ContributionName | undefined {
  const [, scope, week, device] = /^learning\/(\d+)\/(\d+)\/([0-9a-f]{12})\.[0-9a-f]{12}$/.exec(key) ?? [];
  return device === undefined
    ? undefined
    : { scope: Number(scope), week: Number(week), device: Number.parseInt(device, 16) };
}

/** How far collecting is. */
export interface LearningState {
  version: 1;
  /** The last day that is complete (days since 1970), and the position in the day after it: a time, and a user with it. */
  day: number;
  after: number;
  afterId?: string;
  /** The first week that may have objects. */
  oldest: number;
  /** The project disabled learning: what is left is not merged, and the next hourly run deletes it. */
  disabled?: true;
  /** An edge is used with at least so many devices. */
  minimumDevices: number;
}

export function parseState(text: string): LearningState | undefined {
  try {
    const state = JSON.parse(text) as LearningState;
    return state.version === 1 &&
      Number.isInteger(state.day) &&
      Number.isInteger(state.oldest) &&
      Number.isInteger(state.minimumDevices)
      ? state
      : undefined;
  } catch {
    return undefined;
  }
}

export const newState = (day: number, minimumDevices: number): LearningState => ({
  ...{ version: 1, day, after: 0, oldest: weekOfDay(day), minimumDevices },
});

export const tileKey = (week: number, tile: string): string => `${LEARNED_PREFIX}${week}/${tile}`;

export const inputsKey = (week: number): string => `${LEARNED_PREFIX}${week}/inputs.json`;

export const RESIDUAL_KEY = `${LEARNED_PREFIX}residual`;

export const SUMMARIES_PREFIX = `${LEARNED_PREFIX}builds/`;

export const summaryKey = (name: string): string => `${SUMMARIES_PREFIX}${name}.json`;
