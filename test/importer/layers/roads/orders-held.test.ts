import { expect, it } from "vitest";
import { buildArcs } from "../../../../src/core/routing/graph/arcs.ts";
import { CAR, type EdgeProfile, TRAVEL } from "../../../../src/core/routing/graph/modes.ts";
import { type RestrictedPath, restrictTurns } from "../../../../src/importer/layers/roads/turns/restrictions.ts";
import { seeded } from "../../../core/routing/graph/random-town.ts";
import { samples } from "../../../support/night.ts";

const passage = { speed: 500, preference: 100, travel: TRAVEL.normal, restricted: false, private: false, avoid: 0 };
const OPEN: EdgeProfile = { passages: [passage, passage, passage, passage], leftHand: false };

/** A grid of 8 × 8 junctions whose streets have blind side roads: edges 2p and 2p + 1 are the two directions of piece p. */
function town(seed: number) {
  const random = seeded(seed);
  const SIZE = 8;
  const tail: number[] = [];
  const head: number[] = [];
  const join = (a: number, b: number) => {
    tail.push(a, b);
    head.push(b, a);
  };
  for (let node = 0; node < SIZE * SIZE; node++) {
    if (node % SIZE < SIZE - 1 && random() < 0.95) join(node, node + 1);
    if (node < SIZE * (SIZE - 1) && random() < 0.95) join(node, node + SIZE);
  }
  let nodes = SIZE * SIZE;
  for (let i = 0; i < 25; i++) {
    // A blind road: one piece, two pieces, a fork, or a circle at its end.
    const first = nodes++;
    join(Math.floor(random() * SIZE * SIZE), first);
    const kind = Math.floor(random() * 4);
    if (kind > 0) join(first, nodes++);
    if (kind > 1) join(first, nodes++);
    if (kind > 2) join(nodes - 2, nodes - 1);
  }
  const edgeCount = tail.length;
  const leavingNode = Array.from({ length: nodes }, (_, node) => tail.flatMap((a, edge) => (a === node ? [edge] : [])));
  const leaving = (edge: number) => leavingNode[head[edge]];
  const restrictions: RestrictedPath[] = [];
  for (let i = 0; i < 12; i++) {
    const path = [Math.floor(random() * edgeCount)];
    for (let length = 2 + Math.floor(random() * 4); path.length < length; ) {
      const ways = leaving(path[path.length - 1]).filter((edge) => !path.some((other) => other >> 1 === edge >> 1));
      if (ways.length === 0) break;
      path.push(ways[Math.floor(random() * ways.length)]);
    }
    if (path.length > 1) restrictions.push({ path, only: random() < 0.5, modes: 1 << CAR });
  }
  return { random, nodes, tail, head, edgeCount, leaving, restrictions };
}

type Town = ReturnType<typeof town>;

/** The arcs of cars once restrictions have made their copies; and the edge that each copies. */
function arcsOf({ nodes, tail, head, edgeCount, leaving, restrictions }: Town) {
  const { exceptions, copies } = restrictTurns(restrictions, edgeCount, { leaving, onward: leaving });
  const original = [...tail.keys(), ...copies];
  const arcs = buildArcs(
    {
      nodeCount: nodes,
      insideCount: nodes,
      nodeBlocked: new Uint8Array(nodes),
      edgeCount: original.length,
      tail: Int32Array.from(original, (edge) => tail[edge]),
      head: Int32Array.from(original, (edge) => head[edge]),
      piece: Int32Array.from(original, (edge) => edge >> 1),
      along: Uint8Array.from(original, (edge) => 1 - (edge & 1)),
      original: Int32Array.from(original),
      profile: new Uint32Array(original.length),
      profiles: [OPEN],
      bearingOut: new Uint8Array(original.length),
      bearingIn: new Uint8Array(original.length),
      obstacle: new Uint8Array(original.length),
      length: new Int32Array(original.length).fill(1000),
      exceptions,
    },
    CAR,
  );
  return { arcs, original };
}

/** All that can be reached from an edge without passing the junction: is it little, and does none of it lead into `via`? */
function isBlind({ head, leaving, edgeCount }: Town, side: number, junction: number, via: number): boolean {
  const seen = new Set([side]);
  for (const edge of seen) {
    if (head[edge] === junction) continue;
    for (const next of leaving(edge)) seen.add(next);
  }
  return seen.size < edgeCount / 4 && !seen.has(via);
}

/** What a restriction says after a walk: the walk without the blind roads that were visited between its first road and its last. */
function withoutVisits(town: Town, { path }: RestrictedPath, walk: readonly number[]): number[] {
  const kept: number[] = [];
  for (const edge of walk) {
    kept.push(edge);
    for (let i = kept.length - 2; i >= 1; i--) {
      const at = path.indexOf(kept[i]);
      const isBetween =
        at >= 1 && at <= path.length - 3 && path.slice(0, at + 1).join() === kept.slice(i - at, i + 1).join();
      if (!isBetween || town.head[kept[i]] !== town.head[edge] || kept[i + 1] === path[at + 1]) continue;
      if (isBlind(town, kept[i + 1], town.head[edge], kept[i])) kept.length = i + 1;
    }
  }
  return kept;
}

/** The edges on which one may go on after a walk, by the plain meaning of the restrictions. */
function allowed(town: Town, walk: readonly number[]): number[] {
  const edge = walk[walk.length - 1];
  const junction = town.head[edge];
  const ways = town.leaving(edge);
  // How far each restriction has been followed; `at`: the last edge of its path that was passed.
  const followed = town.restrictions.flatMap(({ path, only }) => {
    const kept = withoutVisits(town, { path, only, modes: 1 }, walk);
    return path.slice(0, -1).flatMap((_, at) => {
      const isAt = kept.slice(-at - 1).join() === path.slice(0, at + 1).join() && ways.includes(path[at + 1]);
      return isAt ? [{ path, only, at }] : [];
    });
  });
  // Two orders that bind at once each name one of the ways that remain.
  const ordered = new Set(followed.flatMap(({ path, only, at }) => (only ? [path[at + 1]] : [])));
  const isClosed = (way: number) =>
    followed.some(({ path, only, at }) => {
      if (!only) return at + 2 === path.length && path[at + 1] === way;
      const isBetween = at >= 1 && at + 3 <= path.length;
      return !ordered.has(way) && !(isBetween && isBlind(town, way, junction, path[at]));
    });
  const open = ways.filter((way) => !isClosed(way));
  const onward = open.filter((way) => way !== (edge ^ 1));
  return onward.length > 0 ? onward : open;
}

it("a random walk may always do what orders and prohibitions over roads say, and nothing else", () => {
  let visits = 0;
  for (let seed = 1; seed <= samples(4, 12); seed++) {
    const place = town(seed);
    const { arcs, original } = arcsOf(place);
    for (const { path } of place.restrictions) {
      for (let i = 0; i < 20; i++) {
        let state = path[0];
        const walk = [state];
        for (let step = 0; step < 14; step++) {
          const next = Array.from(arcs.to.slice(arcs.first[state], arcs.first[state + 1]));
          const found = next.map((to) => original[to]).sort((a, b) => a - b);
          expect(found, `seed ${seed}, after ${walk}`).toEqual(allowed(place, walk).sort((a, b) => a - b));
          if (next.length === 0) break;
          // Mostly along the path, so that its end is met.
          const along = next.find((to) => original[to] === path[path.indexOf(walk[walk.length - 1]) + 1]);
          state = along !== undefined && place.random() < 0.6 ? along : next[Math.floor(place.random() * next.length)];
          if (original[state] === (walk[walk.length - 1] ^ 1)) visits++;
          walk.push(original[state]);
        }
      }
    }
  }
  expect(visits).toBeGreaterThan(samples(60, 200));
});
