import type { Effect } from "./effect.ts";

/**
 * Users north of Meridale, by their distance [m], with the value of `team` in their metadata; one at each pole; and a crowd of
 * 101 in the sea, one meter apart.
 */
export const USERS_BY_DISTANCE: readonly (readonly [metres: number, team: unknown])[] = [
  ...([
    [0, true],
    [90, 5],
    [150, "5"],
    [900, "true"],
    [1100, "blue"],
    [9900, false],
  ] as const),
  [10_100, undefined],
];
export const CROWD = "10,10";
export const CROWD_SIZE = 101;

const near = (...metres: number[]) => metres.map((distance) => `u${distance}`);
const crowd = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`);
const userIds: Effect["view"] = ({ users }) => users.map(({ userId }: { userId: string }) => userId);

export const SEARCH_USERS_EFFECTS: readonly Effect[] = [
  {
    parameter: "near",
    changes: "the search center, nearest users first",
    view: userIds,
    shows: [
      ["48.99,-111.2", near(0, 90, 150, 900)],
      ["48.9981,-111.2", near(900, 1100, 150, 90, 0)],
      ["90,180", ["north"]],
      ["-90,-180", ["south"]],
    ],
  },
  {
    parameter: "radius",
    changes: "the maximum distance of users",
    view: userIds,
    shows: [
      [undefined, near(0, 90, 150, 900)],
      [1000, near(0, 90, 150, 900)],
      [100, near(0, 90)],
      [10_000, near(0, 90, 150, 900, 1100, 9900)],
    ],
  },
  {
    parameter: "mode",
    changes: "the users: those within 5 minutes of travel",
    beside: { radius: 5 },
    view: userIds,
    shows: [
      ["foot", near(0, 90, 150)],
      ["bike", near(0, 90, 150, 900)],
      ["car", near(0, 90, 150, 900, 1100)],
      ["truck", near(0, 90, 150, 900, 1100)],
    ],
  },
  {
    parameter: "metadata[key]",
    changes: "the users: those with this metadata, with the inferred type",
    view: userIds,
    beside: { radius: 2000 },
    shows: [
      [undefined, near(0, 90, 150, 900, 1100)],
      ["true", near(0)],
      ["5", near(90)],
      ["blue", near(1100)],
      ["red", []],
    ],
  },
  {
    parameter: "limit",
    changes: "the maximum number of users",
    beside: { near: CROWD },
    view: userIds,
    shows: [
      [undefined, crowd(10)],
      [10, crowd(10)],
      [1, crowd(1)],
      [100, crowd(100)],
    ],
  },
];
