import { HOT_DAYS, WRITERS } from "../../limits/capacity.ts";

/** One large project, and how it is run. Rates are those of its busiest second, unless a field says a day. */
export const LARGE_PROJECT = {
  users: 10_000_000,
  activePerDay: 2_000_000,
  /** Users in motion in the busiest second, how often each sends an update [s], and for how long an active user is in motion a day [h]. */
  movingAtOnce: 1_000_000,
  secondsBetweenUpdates: 20,
  hoursMovingPerDay: 2,
  /** Share of the users who leave for good each month. */
  leavingPerMonth: 0.02,
  geofences: 500_000,
  geofenceChangesPerDay: 10,
  searchesPerSecond: 5_000,
  userSearchShare: 0.2,
  geofenceSearchShare: 0.4,
  /** Share of geofence searches that an isolate answers from what it has read before. */
  geofenceCacheShare: 0.9,
  campaigns: 20,
  /** Share of events for which a campaign with limits asks whether it may send. */
  campaignEventShare: 0.2,
  /** 1: some campaign with limits is shown by the phone itself, so that what other devices got is compared. */
  phoneCampaigns: 0,
  eventsPerActiveUser: 5,
  /** Days that events are kept in all, and that they stay in D1; days that updates are kept. */
  eventDays: 365,
  hotDays: HOT_DAYS as number,
  updateDays: 7,
  webhooks: 1,
  /** Share of the users in rules about meetings, and of all users who are in the busiest cell of 250 km². */
  meetingShare: 0.05,
  busiestCellShare: 0.01,
  /** 1: roads are learned from this project. */
  learning: 0,
  /** Isolates that answer requests. Cloudflare does not document how many there are. */
  isolates: 1_000,
  /** DATABASE_WRITERS, and databases with the project's rows: today one. */
  writers: WRITERS.usual as number,
  databases: 1,
  geodataGB: 100,
  logShare: 0.2,
};

export type ScaleProject = Readonly<typeof LARGE_PROJECT>;

type Field = keyof ScaleProject;
/** Fields that are a share of something, or yes and no. */
const SHARES = new Set<string>(
  Object.keys(LARGE_PROJECT).filter((field) => field.endsWith("Share") || field.endsWith("PerMonth")),
);
const [SWITCHES, AT_LEAST_ONE] = [
  new Set<string>(["phoneCampaigns", "learning"]),
  new Set<string>(["users", "secondsBetweenUpdates", "isolates", "writers", "databases"]),
];

/**
 * Reads the file of `npm run cost -- --scale`. Absent fields are those of LARGE_PROJECT, sizes among them in proportion to `users`.
 * @throws Error with the field and its rule
 */
export function readScale(text: string): ScaleProject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("The file is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error('The file must be an object such as {"users": 10000000}.');
  const given: Partial<Record<Field, number>> = {};
  for (const [name, number] of Object.entries(value)) {
    if (!(name in LARGE_PROJECT))
      throw new Error(`${name}: Unknown field. Fields: ${Object.keys(LARGE_PROJECT).join(", ")}.`);
    given[name as Field] = checked(name, number);
  }
  return consistent({ ...times(LARGE_PROJECT, (given.users ?? LARGE_PROJECT.users) / LARGE_PROJECT.users), ...given });
}

function checked(name: string, given: unknown): number {
  const least = AT_LEAST_ONE.has(name) ? 1 : 0;
  const most = SHARES.has(name) || SWITCHES.has(name) ? 1 : name === "writers" ? WRITERS.most : 1e15;
  if (typeof given !== "number" || !(given >= least && given <= most))
    throw new Error(`${name}: Must be a number from ${least} to ${most}.`);
  return given;
}

function consistent(project: ScaleProject): ScaleProject {
  const { users, activePerDay, movingAtOnce, hoursMovingPerDay, userSearchShare, geofenceSearchShare } = project;
  if (activePerDay > users) throw new Error("activePerDay: Must not be more than users.");
  if (hoursMovingPerDay > 24) throw new Error("hoursMovingPerDay: Must be at most 24.");
  if (movingAtOnce > activePerDay) throw new Error("movingAtOnce: Must not be more than activePerDay.");
  const average = (activePerDay * hoursMovingPerDay) / 24;
  if (movingAtOnce < average)
    throw new Error(`movingAtOnce: activePerDay × hoursMovingPerDay makes ${Math.ceil(average)} at any time.`);
  if (userSearchShare + geofenceSearchShare > 1)
    throw new Error("geofenceSearchShare: With userSearchShare, at most 1.");
  return project;
}

/** The same project at another size: all that its users bring with them, and the isolates that answer them. */
export function times(project: ScaleProject, factor: number): ScaleProject {
  const scaled: Partial<Record<Field, number>> = {};
  for (const field of SIZES) scaled[field] = project[field] * factor;
  return { ...project, ...scaled, isolates: Math.max(1, project.isolates * factor) };
}

const SIZES = [
  ...(["users", "activePerDay", "movingAtOnce", "geofences", "geofenceChangesPerDay", "searchesPerSecond"] as const),
];
