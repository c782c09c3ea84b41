import { membershipsOf, openSegments, type SegmentBook } from "../../../core/engagement/segments/memberships.ts";
import { asPerson } from "../../../core/engagement/segments/rule.ts";
import { type ComputedSegment, MAX_VISIT_DAYS } from "../../../core/engagement/segments/segment.ts";
import { type Counts, DAY_MS, withPastVisits } from "../../../core/engagement/segments/visits.ts";
import type { Memberships, UserState } from "../../../core/tracking/types/state.ts";
import {
  type ComparedUser,
  dropDue,
  dropLostDue,
  dueUsers,
  type MemberWrite,
  notePass,
  othersOf,
  type Pass,
  passes,
  passOf,
  pastVisits,
  segmentDocs,
  usersAfter,
  writeMembers,
} from "../../db/customers/segments.ts";
import type { Databases } from "../../db/databases.ts";
import { MovingScopes } from "../../db/moves/moving-scopes.ts";
import { describeBriefly } from "../../platform/describe-error.ts";

/** Users compared per hourly run because time may have changed their segments; the next run continues. */
const MAX_DUE = 100_000;
/** Users compared per hourly run after changes of rules. */
const MAX_PASSED = 300_000;
const SCOPES_AT_ONCE = 100;
/** Users read together. */
const PAGE = 500;

/**
 * Runs hourly: updates the computed segments that updates of their users cannot. A tracker computes the segments of its
 * users with each update. This run compares users whose segments time alone may have changed (they were not seen for n
 * days, a visit is too long ago), and after a change of a rule all users of the scope, page by page. It writes only
 * those that changed.
 */
export async function segmentRound(env: Databases, now: number): Promise<void> {
  const books = new Map<number, SegmentBook>();
  const bookOf = async (scope: number) => {
    const book = books.get(scope) ?? (await readBook(env.DB, scope));
    books.set(scope, book);
    return book;
  };
  const moving = new MovingScopes(env);
  await moving.leftOutOf((except) => dropLostDue(env.DB, now, except));
  // Users of a scope that fails stay due: they must not be read again instead of those of others.
  const failed = new Set<number>();
  for (let left = MAX_DUE; left > 0; ) {
    const due = await moving.leftOutOf((except) =>
      dueUsers(env.DB, now, Math.min(PAGE, left), new Set([...failed, ...except])),
    );
    for (const scope of new Set(due.map((one) => one.scope))) {
      const users = due.filter((one) => one.scope === scope);
      const work = async () => compare(env.DB, scope, await bookOf(scope), users, now, true);
      if (!(await attempt(moving, scope, work))) failed.add(scope);
    }
    left -= due.length;
    if (due.length < PAGE) break;
  }
  const begun = new Set<number>();
  for (let left = MAX_PASSED; left > 0; ) {
    const some = await moving.leftOutOf((except) => passes(env.DB, SCOPES_AT_ONCE, new Set([...begun, ...except])));
    for (const pass of some) {
      begun.add(pass.scope);
      if (left <= 0) return;
      await attempt(moving, pass.scope, async () => {
        left -= await continuePass(env.DB, pass, await bookOf(pass.scope), left, now);
      });
    }
    if (some.length < SCOPES_AT_ONCE) return;
  }
}

/** A project that cannot be written must not stop the others. @returns whether the work was done */
async function attempt(moving: MovingScopes, scope: number, work: () => Promise<void>): Promise<boolean> {
  try {
    return (await moving.unlessMoving(scope, () => work().then(() => true))) ?? false;
  } catch (error) {
    console.error(JSON.stringify({ what: "segments", scope, error: describeBriefly(error) }));
    return false;
  }
}

/** Compares the users of one scope after a change of a rule, as far as `most` users. */
export async function passScope({ DB }: Databases, scope: number, most: number, now: number): Promise<void> {
  const pass = await passOf(DB, scope);
  if (pass) await continuePass(DB, pass, await readBook(DB, scope), most, now);
}

async function readBook(db: D1Database, scope: number): Promise<SegmentBook> {
  return openSegments((await segmentDocs(db, scope)).map((doc) => JSON.parse(doc) as ComputedSegment));
}

/** @returns the number of users compared */
async function continuePass(db: D1Database, pass: Pass, book: SegmentBook, most: number, now: number): Promise<number> {
  let { reached } = pass;
  let compared = 0;
  while (compared < most) {
    const page = Math.min(PAGE, most - compared);
    const users = await usersAfter(db, pass.scope, reached, page);
    await compare(db, pass.scope, book, users, now, false);
    compared += users.length;
    const isEnd = users.length < page;
    reached = users.at(-1)?.id ?? reached;
    await notePass(db, pass, isEnd ? undefined : reached);
    if (isEnd) break;
  }
  return compared;
}

/** A user's names; an unreadable row has only its _id. */
function nameOf({ id, doc }: ComparedUser): { id: string; userId?: string | undefined } {
  try {
    return { id, userId: (JSON.parse(doc) as UserState).userId };
  } catch {
    return { id };
  }
}

/**
 * Compares users with the rules, and writes those whose segments differ.
 * @param isDue they are due: they get another time, even if nothing else has changed
 */
async function compare(
  db: D1Database,
  scope: number,
  book: SegmentBook,
  users: readonly ComparedUser[],
  now: number,
  isDue: boolean,
): Promise<void> {
  const writes: MemberWrite[] = [];
  const broken: string[] = [];
  // A rule that is new counts visits from before it was made; those that time changes are counted already.
  const past =
    isDue || book.watched.size === 0
      ? undefined
      : await pastVisits(
          db,
          scope,
          users.map(({ id }) => id),
          now - MAX_VISIT_DAYS * DAY_MS,
        );
  const others = book.joinsDevices ? await othersOf(db, scope, users.map(nameOf)) : undefined;
  for (const { id, version, doc } of users) {
    let before: Memberships | undefined;
    let computed: Memberships;
    let known: Counts | undefined;
    let visitDays: Counts | undefined;
    try {
      const state = JSON.parse(doc) as UserState;
      before = state.computed;
      known = state.visitDays;
      const found = past?.get(id);
      if (found) visitDays = withPastVisits(state.visitDays, found, book.watched, now);
      const record = visitDays ? { ...state, visitDays } : state;
      computed = membershipsOf(book, asPerson(record, others?.get(id)), now);
    } catch {
      broken.push(id);
      continue;
    }
    const isSame =
      before !== undefined &&
      before.due === computed.due &&
      JSON.stringify(before.segments) === JSON.stringify(computed.segments);
    const isNothing = before === undefined && computed.segments.length === 0 && computed.due === undefined;
    const isCounted = JSON.stringify(visitDays) !== JSON.stringify(known) && visitDays !== undefined;
    if (isDue || isCounted || !(isSame || isNothing))
      writes.push({ id, version, computed, ...(isCounted && { visitDays }) });
  }
  if (writes.length > 0) await writeMembers(db, scope, writes, now);
  // Without this, an unreadable row would be due forever.
  if (isDue && broken.length > 0) await dropDue(db, scope, broken);
}
