import { memorySource } from "../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import { METRES_PER_DEGREE } from "../../src/core/geo/distance.ts";
import type { Mode } from "../../src/core/routing/graph/modes.ts";
import type { LocalTime } from "../../src/core/routing/graph/traffic.ts";
import { Router } from "../../src/core/routing/route/router.ts";
import { buildGraph } from "../../src/importer/layers/roads/graph/build-graph.ts";
import { writeRoads } from "../../src/importer/layers/roads/write/write-roads.ts";
import type { OsmElement, OsmMember } from "../../src/importer/osm/pbf/element.ts";
import { type GherkinStep, rowsOf } from "./gherkin.ts";

/** A scenario that this project has no equal of. */
export class NotComparable extends Error {}

const MODES: Record<string, Mode> = { car: "car", bicycle: "bike", foot: "foot", testbot: "car", rhv: "car" };
const HARMLESS = [
  /^the data has been /,
  /^osrm-routed /,
  /^the partition extra arguments/,
  /^the customize extra arguments/,
  /^the contract extra arguments "--threads/,
  /^data is loaded directly/,
  /^skip waypoints$/,
];

/** What the Given steps of a scenario of OSRM describe: a map in ASCII, ways, relations, and how to ask. */
export class OsrmTown {
  profile = "car";
  leftHand = false;
  departure: LocalTime | undefined;
  readonly options = new Map<string, string>();
  readonly places = new Map<string, Coordinate>();
  readonly #nodeTags = new Map<string, Record<string, string>>();
  readonly #ways: { nodes: string; tags: Record<string, string> }[] = [];
  readonly #relations: Record<string, string>[] = [];
  readonly #shortcuts: [RegExp, string][] = [];
  #origin: Coordinate = { latitude: 1, longitude: 1 };
  #grid = 100;
  #router: Promise<Router> | undefined;

  get mode(): Mode {
    const mode = MODES[this.profile];
    if (!mode) throw new NotComparable(`the profile ${this.profile}`);
    return mode;
  }

  get step(): number {
    return this.#grid / METRES_PER_DEGREE;
  }

  get origin(): Coordinate {
    return this.#origin;
  }

  /** @returns false where the step is no description of the town */
  given(step: GherkinStep): boolean {
    const done = this.#describers.some(([pattern, describe]) => {
      const found = pattern.exec(step.text);
      if (found) describe(step, found);
      return found !== null;
    });
    return done || HARMLESS.some((harmless) => harmless.test(step.text));
  }

  readonly #describers: readonly [RegExp, (step: GherkinStep, found: RegExpExecArray) => void][] = [
    [/^the (?:speed)?profile "(.*)"$/, (_, [, name]) => this.#useProfile(name)],
    [/^a grid size of ([\d.]+) (?:meters|m)$/, (_, [, size]) => this.#useGrid(Number(size))],
    [
      /^the origin ([-\d.]+),\s*([-\d.]+)$/,
      (_, [, longitude, latitude]) => {
        this.#origin = { longitude: Number(longitude), latitude: Number(latitude) };
      },
    ],
    [/^the node map$/, (step) => this.#draw(step)],
    [/^the node locations$/, ({ table }) => this.#locate(table)],
    [/^the shortcuts$/, ({ table }) => this.#addShortcuts(table)],
    [/^the ways(?: with locations)?$/, ({ table }) => this.#addWays(table)],
    [/^the nodes$/, ({ table }) => rowsOf(table).forEach((row) => void this.#tagNode(row))],
    [/^the relations$/, ({ table }) => this.#addRelations(table)],
    [/^the query options$/, ({ table }) => table.forEach(([key, value]) => void this.options.set(key, value))],
    [/^the profile file/, (step) => this.#changeProfile(step)],
    [/^the (?:extract|contract) extra arguments/, ({ text }) => this.#extraArguments(text)],
  ];

  #useProfile(name: string): void {
    this.profile = name;
  }

  #useGrid(size: number): void {
    this.#grid = size;
  }

  #addShortcuts(table: string[][]): void {
    for (const { key, value } of rowsOf(table)) this.#shortcuts.push([new RegExp(key, "g"), value]);
  }

  #changeProfile({ text, lines }: GherkinStep): void {
    const based = /^the profile file "(\w+)"/.exec(text);
    if (based) this.profile = based[1];
    const changes = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("--"));
    const known = changes.every((line) => {
      if (/left_hand_driving\s*=\s*true/.test(line)) this.leftHand = true;
      else
        return /left_hand_driving\s*=\s*false|continue_straight_at_waypoint|weight_precision|max_speed_for_map/.test(
          line,
        );
      return true;
    });
    if (!known) throw new NotComparable("a profile in Lua");
  }

  #extraArguments(text: string): void {
    const now = /--parse-conditionals-from-now=(\d+)/.exec(text);
    if (now) {
      const date = new Date(Number(now[1]) * 1000);
      this.departure = { day: (date.getUTCDay() + 6) % 7, minute: date.getUTCHours() * 60 + date.getUTCMinutes() };
    } else if (/speed-file|turn-penalty|segment-speed|location-dependent|small-component|weight/.test(text))
      throw new NotComparable("a file of speeds, penalties or areas");
  }

  #draw({ lines, table }: GherkinStep): void {
    // A cell of a table is as wide as high. Two characters of a text are: there are blanks between its nodes.
    const width = table.length > 0 ? 1 : 0.5;
    const rows = table.length > 0 ? table : lines.map((line) => [...line]);
    rows.forEach((row, down) => {
      row.forEach((cell, column) => {
        const right = column * width;
        const name = cell.trim();
        if (!/^[a-z0-9]$/i.test(name)) return;
        this.#place(name, {
          latitude: this.#origin.latitude - down * this.step,
          longitude: this.#origin.longitude + right * this.step,
        });
      });
    });
  }

  #locate(table: string[][]): void {
    for (const { node, lat, lon } of rowsOf(table))
      this.#place(node, { latitude: Number(lat), longitude: Number(lon) });
  }

  #place(name: string, at: Coordinate): void {
    this.places.set(name, at);
  }

  #fill(value: string): string {
    return this.#shortcuts.reduce((so, [key, text]) => so.replace(key, text), value);
  }

  #addWays(table: string[][]): void {
    for (const { nodes, ...row } of rowsOf(table)) this.addWay(this.#fill(nodes), row);
  }

  addWay(nodes: string, row: Record<string, string>): void {
    const tags = tagsOf({ highway: "primary", name: nodes, ...row });
    if (row.name === "") delete tags.name;
    this.#ways.push({ nodes, tags });
  }

  tag(node: string, at: Coordinate, tags: Record<string, string>): void {
    this.#place(node, at);
    this.#nodeTags.set(node, tagsOf(tags));
  }

  #tagNode({ node, ...row }: Record<string, string>): void {
    for (const name of node) this.#nodeTags.set(name, tagsOf(row));
  }

  #addRelations(table: string[][]): void {
    const [heading, ...rows] = table;
    for (const row of rows) {
      const cells: Record<string, string> = {};
      heading.forEach((name, at) => {
        // A column per member: via ways stand in several.
        cells[name] = cells[name] && row[at] ? `${cells[name]},${row[at]}` : (cells[name] ?? row[at] ?? "");
      });
      this.#relations.push(cells);
    }
  }

  elements(): OsmElement[] {
    const letters = [...this.places.keys()].filter((name) => !/^\d$/.test(name));
    const ids = new Map(letters.map((name, at) => [name, at + 1]));
    const elements: OsmElement[] = letters.map((name, at) => {
      const { latitude, longitude } = this.places.get(name)!;
      return { type: "node", id: at + 1, latitude, longitude, tags: this.#nodeTags.get(name) ?? {} };
    });
    const wayIds = new Map<string, number>();
    this.#ways.forEach(({ nodes, tags }, at) => {
      const id = 1000 + at;
      if (!wayIds.has(nodes)) wayIds.set(nodes, id);
      const named = nodes.includes(",") ? nodes.split(",") : [...nodes];
      const refs = named.map((name) => ids.get(name)).filter((ref) => ref !== undefined);
      elements.push({ type: "way", id, refs, tags });
    });
    const wayOf = (name: string) => {
      const reversed = [...name].reverse().join("");
      return wayIds.get(name) ?? wayIds.get(reversed);
    };
    this.#relations.forEach((cells, at) => {
      const members: OsmMember[] = [];
      const tags: Record<string, string> = {};
      for (const [name, value] of Object.entries(cells)) {
        const member = /^(node|way|relation)(?::(.*))?$/.exec(name);
        if (!member) tags[name] = value;
        if (!member || value === "") continue;
        const type = member[1] as OsmMember["type"];
        for (const part of value.split(",")) {
          const ref = type === "node" ? ids.get(part.trim()) : wayOf(part.trim());
          if (ref !== undefined) members.push({ type, ref, role: member[2] ?? "" });
        }
      }
      elements.push({ type: "relation", id: 5000 + at, members, tags: tagsOf(tags) });
    });
    return elements;
  }

  /** Imported once, when the first row asks. */
  router(): Promise<Router> {
    this.#router ??= this.#import();
    return this.#router;
  }

  async #import(): Promise<Router> {
    const graph = buildGraph(this.elements(), this.leftHand ? { country: () => "MT" } : {});
    const objects = new Map<string, Uint8Array>();
    await writeRoads(graph, (key, bytes) => void objects.set(key, bytes));
    const router = await Router.open(memorySource(objects));
    if (!router) throw new Error("a town without roads");
    return router;
  }
}

/** A cell is a value, "" or (nil) for none, "" in quotes for an empty one. */
function tagsOf(row: Record<string, string>): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const [key, value] of Object.entries(row)) {
    if (value === "" || value === "(nil)" || key.startsWith("#") || key === "") continue;
    if (/^(""|'')$/.test(value)) continue;
    tags[key] = value;
  }
  return tags;
}
