import type { OsmMember, OsmNode, OsmRelation, OsmWay, Tags } from "../../importer/osm/pbf/element.ts";
import type { Plane, PlanPoint } from "./plane.ts";

export type MutableTags = Record<string, string>;

/** A way being drawn. Roads may be cut into several ways at the end, where a turn restriction needs them to end. */
export interface Draft {
  readonly refs: number[];
  readonly tags: MutableTags;
  readonly road: boolean;
  /** The ids it got, once the sheet is finished. */
  ids: number[];
}

type DraftMember = { draft: Draft; role: string } | { node: number; role: string };

interface Restriction {
  /** Nodes before, at and after the turn: [from, via, to], or more vias for a restriction via ways. */
  path: number[];
  tags: Tags;
}

export interface Drawing {
  nodes: OsmNode[];
  ways: OsmWay[];
  relations: OsmRelation[];
}

/**
 * The drawing sheet of one township: points of the plan become nodes, lines ways, and ids count up from the sheet's own
 * range, so a township keeps its ids whatever else is in the world.
 */
export class Sheet {
  readonly plane: Plane;
  readonly #first: number;
  readonly #shared = new Map<number, number>();
  readonly #nodes: OsmNode[] = [];
  readonly #plan: PlanPoint[] = [];
  readonly #drafts: Draft[] = [];
  readonly #relations: { members: DraftMember[]; tags: Tags }[] = [];
  readonly #restrictions: Restriction[] = [];

  /** `gates` are nodes on the sheet's edge that belong to both neighbours and are written elsewhere. */
  constructor(plane: Plane, first: number, gates: readonly { id: number; at: PlanPoint }[] = []) {
    this.plane = plane;
    this.#first = first;
    for (const { id, at } of gates) this.#shared.set(key(at), id);
  }

  /** The node at a point of the plan: lines that meet in a point (to the decimetre) meet in a node. */
  node(at: PlanPoint, tags?: Tags): number {
    const k = key(at);
    let id = this.#shared.get(k);
    if (id === undefined) {
      id = this.fresh(at);
      this.#shared.set(k, id);
    }
    if (tags) this.tag(id, tags);
    return id;
  }

  /** A separate node, even where others exist. */
  fresh(at: PlanPoint, tags: Tags = {}): number {
    const id = this.#first + this.#nodes.length;
    this.#nodes.push({ type: "node", id, ...this.plane.locate(at), tags: { ...tags } });
    this.#plan.push(at);
    return id;
  }

  /** Adds tags to a node of this sheet; gates stay plain. */
  tag(id: number, tags: Tags): void {
    const node = this.#nodes[id - this.#first];
    if (node) node.tags = { ...node.tags, ...tags };
  }

  /** Where on the plan a node of this sheet is. */
  planOf(id: number): PlanPoint | undefined {
    return this.#plan[id - this.#first];
  }

  /** A line whose points are shared with every other line through them. */
  road(points: readonly PlanPoint[], tags: Tags): Draft {
    return this.draft(
      points.map((at) => this.node(at)),
      tags,
      true,
    );
  }

  /** A line or closed ring with its own nodes. */
  line(points: readonly PlanPoint[], tags: Tags): Draft {
    const closed = points.length > 3 && key(points[0]) === key(points[points.length - 1]);
    const refs = (closed ? points.slice(0, -1) : points).map((at) => this.fresh(at));
    if (closed) refs.push(refs[0]);
    return this.draft(refs, tags, false);
  }

  /** A closed ring with its own nodes; the first point is not repeated. */
  area(points: readonly PlanPoint[], tags: Tags): Draft {
    return this.line([...points, points[0]], tags);
  }

  draft(refs: readonly number[], tags: Tags, road = false): Draft {
    const draft = { refs: refs.filter((ref, i) => i === 0 || ref !== refs[i - 1]), tags: { ...tags }, road, ids: [] };
    if (draft.refs.length > 1) this.#drafts.push(draft);
    return draft;
  }

  relation(members: DraftMember[], tags: Tags): void {
    this.#relations.push({ members, tags });
  }

  /** Roads meet the restriction's via nodes with their ends, as editors of the map would cut them. */
  restrict(path: number[], tags: Tags): void {
    this.#restrictions.push({ path, tags });
  }

  roads(): readonly Draft[] {
    return this.#drafts.filter((draft) => draft.road);
  }

  finish(): Drawing {
    const cuts = new Set(this.#restrictions.flatMap(({ path }) => path.slice(1, -1)));
    const ways: OsmWay[] = [];
    for (const draft of this.#drafts) {
      for (const refs of draft.road ? cut(draft.refs, cuts) : [draft.refs]) {
        const id = this.#first + ways.length;
        draft.ids.push(id);
        ways.push({ type: "way", id, refs, tags: draft.tags });
      }
    }
    const relations: OsmRelation[] = this.#relations.map(({ members, tags }, i) => ({
      type: "relation",
      id: this.#first + i,
      members: members.flatMap((member): OsmMember[] =>
        "node" in member
          ? [{ type: "node", ref: member.node, role: member.role }]
          : member.draft.ids.map((ref) => ({ type: "way", ref, role: member.role })),
      ),
      tags,
    }));
    relations.push(...this.#restrictionRelations(ways, this.#first + relations.length));
    return { nodes: this.#nodes, ways, relations };
  }

  #restrictionRelations(ways: OsmWay[], first: number): OsmRelation[] {
    const wayAt = new Map<string, number>();
    for (const { id, refs, tags } of ways) {
      if (!tags.highway) continue;
      for (let i = 1; i < refs.length; i++) {
        wayAt.set(`${refs[i - 1]}-${refs[i]}`, id);
        wayAt.set(`${refs[i]}-${refs[i - 1]}`, id);
      }
    }
    return this.#restrictions.map(({ path, tags }, i) => {
      const pieces = path.slice(1).map((ref, k) => wayAt.get(`${path[k]}-${ref}`)!);
      const last = pieces.length - 1;
      const via = [...new Set(pieces.slice(1, last))].map((ref) => ({ type: "way" as const, ref, role: "via" }));
      return {
        type: "relation",
        id: first + i,
        members: [
          { type: "way", ref: pieces[0], role: "from" },
          ...(via.length > 0 ? via : [{ type: "node" as const, ref: path[1], role: "via" }]),
          { type: "way", ref: pieces[last], role: "to" },
        ],
        tags: { type: "restriction", ...tags },
      };
    });
  }
}

/** Decimetres; 2^22 of them cover 400 km. */
function key([u, v]: PlanPoint): number {
  return (Math.round(u * 10) + 2097152) * 4194304 + Math.round(v * 10) + 2097152;
}

function cut(refs: number[], at: ReadonlySet<number>): number[][] {
  const out: number[][] = [];
  let start = 0;
  for (let i = 1; i < refs.length; i++) {
    if (i === refs.length - 1 || at.has(refs[i])) {
      out.push(refs.slice(start, i + 1));
      start = i;
    }
  }
  return out;
}
