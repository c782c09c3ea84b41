import type { Road } from "./types.ts";

/** Parts of a street's name that come and go along it ("Main Street North"); those OSRM's car profile knows. */
const DIRECTION_WORDS = new Set(
  "n ne e se s sw w nw north south west east nor sou we ea northeast northwest southeast southwest".split(" "),
);

export function hasName(road: Road): boolean {
  return road.name !== "";
}

/** Neither a name nor a number: nothing to announce. */
export function isNameless(road: Road): boolean {
  return road.name === "" && road.ref === "" && !road.exitRef && !road.destination && !road.destinationRef;
}

/** The longest run of characters both strings share, as its position in each. */
function longestCommon(a: string, b: string): { inA: number; inB: number; length: number } {
  let best = { inA: 0, inB: 0, length: 0 };
  let previous = new Uint16Array(b.length + 1);
  let current = new Uint16Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      const run = a[i] === b[j] ? previous[j] + 1 : 0;
      current[j + 1] = run;
      if (run > best.length) best = { inA: i + 1 - run, inB: j + 1 - run, length: run };
    }
    [previous, current] = [current, previous];
  }
  return best;
}

/** Do two names differ only by a direction in front or behind ("Main Street", "Main Street North")? */
function differByDirection(a: string, b: string): boolean {
  const { inA, inB, length } = longestCommon(a, b);
  if (length === 0) return false;
  const rests = [a.slice(0, inA), a.slice(inA + length), b.slice(0, inB), b.slice(inB + length)];
  return rests.every((rest) => {
    const word = rest.trim().toLowerCase();
    return word === "" || DIRECTION_WORDS.has(word);
  });
}

function contained(a: string, b: string): boolean {
  return a === "" || b === "" || a.includes(b) || b.includes(a);
}

/**
 * Must the change from one road's name to the other's be told? The rules are OSRM's (Project OSRM contributors,
 * BSD-2-Clause, name_announcements.hpp): names that start alike, directions that come and go and numbers that join or
 * leave are the same road; a number instead of a name is not.
 */
export function nameChanges(from: Road, to: Road): boolean {
  if (from === to) return false;
  if (from.name === to.name && from.ref === to.ref && from.exitRef === to.exitRef) return false;
  if (from.name === "" && from.ref === "" && (to.name !== "" || to.ref !== "")) return true;

  const bothUnnamed = from.name === "" && to.name === "";
  const byDirection = from.name !== "" && to.name !== "" && differByDirection(from.name, to.name);
  const equal = from.name === to.name || from.name.startsWith(to.name) || to.name.startsWith(from.name) || byDirection;
  const refContained = contained(from.ref, to.ref);
  const refGone = from.ref !== "" && to.ref === "";
  const nameGone = from.name !== "" && to.name === "";
  const unremarkable = (equal && (refContained || refGone)) || (refContained && nameGone) || byDirection;

  const numberForName = from.name === "" && from.ref !== "" && to.name !== "" && to.ref === "";
  const nameForNumber = from.name !== "" && from.ref === "" && to.name === "" && to.ref !== "";
  const otherNumber = bothUnnamed && !refContained;
  const exitChanges = (from.exitRef ?? "") !== (to.exitRef ?? "");
  // An exit number often stands on the first part of a ramp only: losing it is no news.
  const exitLost = equal && !!from.exitRef && !to.exitRef;
  return !unremarkable || numberForName || nameForNumber || otherNumber || (exitChanges && !exitLost);
}

/** Both roads have a name and it is the same. */
export function sameName(a: Road, b: Road): boolean {
  return a.name !== "" && b.name !== "" && !nameChanges(a, b);
}

/** As `sameName`, for roads that have a name or a number. */
export function sameNameOrRef(a: Road, b: Road): boolean {
  return (a.name !== "" || a.ref !== "") && (b.name !== "" || b.ref !== "") && !nameChanges(a, b);
}
