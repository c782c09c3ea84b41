import { parseColor } from "../base/color.ts";

/**
 * Expressions of the MapLibre style specification, compiled to functions. Filters in the older form (`["in", "kind",
 * "park"]`) are accepted too, as the Protomaps styles use them. An unknown operator throws when a style is read, never
 * when a map is drawn. `let` is not supported: with it, forty lines of an uploaded style could ask for a billion steps.
 */
export type Value = string | number | boolean | null | undefined | readonly Value[];
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Input of an expression: one feature at one zoom. */
export interface Subject {
  zoom: number;
  /** 1 point, 2 line, 3 polygon. */
  type: number;
  tags: Readonly<Record<string, Value>>;
}

export type Evaluate = (subject: Subject) => Value;

export class StyleError extends Error {}

const GEOMETRY_TYPES = ["Unknown", "Point", "LineString", "Polygon"];

type Operator = (args: readonly Json[]) => Evaluate;

/** A property's value or expression → function. Deprecated `{stops: […]}` functions of zoom are accepted as well. */
export function compile(json: Json): Evaluate {
  if (!Array.isArray(json)) {
    if (typeof json === "object" && json !== null) return stopsFunction(json as Record<string, Json>);
    return () => json as Value;
  }
  const [name, ...args] = json as readonly Json[];
  const operator = isOperator(name) ? OPERATORS[name as string] : undefined;
  if (!operator) throw new StyleError(`The expression ${JSON.stringify(name)} is not supported.`);
  return operator(args);
}

export const isOperator = (name: Json): boolean => typeof name === "string" && Object.hasOwn(OPERATORS, name);

/** Compiles a layer's filter to a function that returns whether a feature belongs to it. */
export function compileFilter(json: Json | undefined): (subject: Subject) => boolean {
  if (json === undefined || json === null) return () => true;
  const evaluate = compileAnyFilter(json);
  return (subject) => Boolean(evaluate(subject));
}

/** The older filters name a key where expressions have another expression: `["==", "kind", "park"]`. */
function compileAnyFilter(json: Json): Evaluate {
  if (!Array.isArray(json)) return compile(json);
  const [name, ...args] = json as readonly Json[];
  if (name === "all" || name === "any" || name === "none") {
    const parts = args.map(compileAnyFilter);
    if (name === "all") return (subject) => parts.every((part) => part(subject));
    return (subject) => parts.some((part) => part(subject)) === (name === "any");
  }
  const key = args[0];
  if (typeof key !== "string") return compile(json);
  const read: Evaluate =
    key === "$type" ? ({ type }) => GEOMETRY_TYPES[type] : key === "$id" ? () => undefined : ({ tags }) => tags[key];
  switch (name) {
    case "in":
    case "!in": {
      // ["in", "a", ["literal", [...]]] is an expression about the string "a"; the older form lists plain values.
      if (args.slice(1).some((value) => typeof value === "object" && value !== null)) return compile(json);
      const values = new Set(args.slice(1) as Value[]);
      return (subject) => values.has(read(subject)) === (name === "in");
    }
    case "has":
    case "!has":
      return (subject) => (read(subject) !== undefined) === (name === "has");
    case "==":
    case "!=":
    case "<":
    case ">":
    case "<=":
    case ">=": {
      const [, value] = args;
      if (typeof value === "object" && value !== null) return compile(json);
      return comparison(name)(read, () => value as Value);
    }
    default:
      return compile(json);
  }
}

function comparison(name: string): (a: Evaluate, b: Evaluate) => Evaluate {
  const compare: Record<string, (x: number, y: number) => boolean> = {
    "==": (x, y) => x === y,
    "!=": (x, y) => x !== y,
    "<": (x, y) => x < y,
    ">": (x, y) => x > y,
    "<=": (x, y) => x <= y,
    ">=": (x, y) => x >= y,
  };
  const test = compare[name];
  const equality = name === "==" || name === "!=";
  return (a, b) => (subject) => {
    const x = a(subject);
    const y = b(subject);
    // Order is defined only between two numbers or two strings.
    if (!equality && (typeof x !== typeof y || x === undefined)) return false;
    return test(x as number, y as number);
  };
}

const compiled =
  (make: (parts: Evaluate[]) => Evaluate): Operator =>
  (args) =>
    make(args.map((arg) => compile(arg)));

const number = (value: Value): number => (typeof value === "number" ? value : Number(value ?? 0));
const text = (value: Value): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

const arithmetic = (calculate: (values: number[]) => number): Operator =>
  compiled((parts) => (subject) => calculate(parts.map((part) => number(part(subject)))));
const assertion = (wanted: string): Operator =>
  compiled((parts) => (subject) => {
    for (const part of parts) {
      const value = part(subject);
      if (typeof value === wanted) return value;
    }
    return undefined;
  });

const OPERATORS: Record<string, Operator> = {
  literal:
    ([value]) =>
    () =>
      value as Value,
  get: (args) => {
    if (args.length !== 1) throw new StyleError('"get" from another object is not supported.');
    if (typeof args[0] === "string") {
      const [key] = args as [string];
      return ({ tags }) => tags[key];
    }
    const key = compile(args[0]);
    return (subject) => subject.tags[text(key(subject))];
  },
  has: compiled(
    ([key]) =>
      (subject) =>
        subject.tags[text(key(subject))] !== undefined,
  ),
  "!has": compiled(
    ([key]) =>
      (subject) =>
        subject.tags[text(key(subject))] === undefined,
  ),
  zoom:
    () =>
    ({ zoom }) =>
      zoom,
  "geometry-type":
    () =>
    ({ type }) =>
      GEOMETRY_TYPES[type],
  id: () => () => undefined,
  properties: () => () => undefined,
  "!": compiled(
    ([part]) =>
      (subject) =>
        !part(subject),
  ),
  all: compiled((parts) => (subject) => parts.every((part) => part(subject))),
  any: compiled((parts) => (subject) => parts.some((part) => part(subject))),
  none: compiled((parts) => (subject) => !parts.some((part) => part(subject))),
  "==": compiled(([a, b]) => comparison("==")(a, b)),
  "!=": compiled(([a, b]) => comparison("!=")(a, b)),
  "<": compiled(([a, b]) => comparison("<")(a, b)),
  ">": compiled(([a, b]) => comparison(">")(a, b)),
  "<=": compiled(([a, b]) => comparison("<=")(a, b)),
  ">=": compiled(([a, b]) => comparison(">=")(a, b)),
  in: compiled(([needle, heap]) => (subject) => {
    const value = needle(subject);
    const where = heap(subject);
    return Array.isArray(where) ? where.includes(value) : text(where).includes(text(value));
  }),
  case: compiled((parts) => (subject) => {
    for (let i = 0; i + 1 < parts.length; i += 2) if (parts[i](subject)) return parts[i + 1](subject);
    return parts[parts.length - 1](subject);
  }),
  match(args) {
    const input = compile(args[0]);
    const results = new Map<Value, Evaluate>();
    for (let i = 1; i + 1 < args.length; i += 2) {
      const answer = compile(args[i + 1]);
      for (const label of Array.isArray(args[i]) ? (args[i] as Value[]) : [args[i] as Value])
        if (!results.has(label)) results.set(label, answer);
    }
    const otherwise = compile(args[args.length - 1]);
    return (subject) => (results.get(input(subject)) ?? otherwise)(subject);
  },
  coalesce: compiled((parts) => (subject) => {
    for (const part of parts) {
      const value = part(subject);
      if (value !== null && value !== undefined) return value;
    }
    return null;
  }),
  step(args) {
    const input = compile(args[0]);
    const outputs = [compile(args[1])];
    const limits: number[] = [];
    for (let i = 2; i + 1 < args.length; i += 2) {
      limits.push(Number(args[i]));
      outputs.push(compile(args[i + 1]));
    }
    return (subject) => {
      const at = number(input(subject));
      let k = 0;
      while (k < limits.length && at >= limits[k]) k++;
      return outputs[k](subject);
    };
  },
  interpolate(args) {
    const [kind, base] = args[0] as readonly [string, number?];
    if (kind !== "linear" && kind !== "exponential")
      throw new StyleError(`The interpolation ${JSON.stringify(kind)} is not supported.`);
    const input = compile(args[1]);
    const stops: [number, Evaluate][] = [];
    for (let i = 2; i + 1 < args.length; i += 2) stops.push([Number(args[i]), compile(args[i + 1])]);
    return interpolation(input, stops, kind === "linear" ? 1 : Number(base));
  },
  concat: compiled((parts) => (subject) => parts.map((part) => text(part(subject))).join("")),
  /** Formatted text: its sections in one style. */
  format: (args) => {
    const parts = args.filter((arg) => Array.isArray(arg) || typeof arg !== "object").map((arg) => compile(arg));
    return (subject) => parts.map((part) => text(part(subject))).join("");
  },
  image: compiled(([part]) => part),
  upcase: compiled(
    ([part]) =>
      (subject) =>
        text(part(subject)).toUpperCase(),
  ),
  downcase: compiled(
    ([part]) =>
      (subject) =>
        text(part(subject)).toLowerCase(),
  ),
  length: compiled(([part]) => (subject) => {
    const value = part(subject);
    return Array.isArray(value) ? value.length : text(value).length;
  }),
  at: compiled(
    ([index, list]) =>
      (subject) =>
        (list(subject) as Value[] | undefined)?.[number(index(subject))],
  ),
  slice: compiled(([input, from, to]) => (subject) => {
    const value = input(subject);
    const whole = Array.isArray(value) ? value : text(value);
    return whole.slice(number(from(subject)), to && number(to(subject)));
  }),
  "index-of": compiled(([needle, heap, from]) => (subject) => {
    const value = heap(subject);
    const whole = Array.isArray(value) ? value : text(value);
    return whole.indexOf(needle(subject) as string, from && number(from(subject)));
  }),
  "to-string": compiled(
    ([part]) =>
      (subject) =>
        text(part(subject)),
  ),
  "to-number": compiled((parts) => (subject) => {
    for (const part of parts) {
      const value = Number(part(subject));
      if (Number.isFinite(value)) return value;
    }
    return 0;
  }),
  "to-boolean": compiled(
    ([part]) =>
      (subject) =>
        Boolean(part(subject)),
  ),
  "to-color": compiled(([part]) => part),
  typeof: compiled(
    ([part]) =>
      (subject) =>
        typeof part(subject),
  ),
  string: assertion("string"),
  number: assertion("number"),
  boolean: assertion("boolean"),
  array: (args) => compile(args[args.length - 1]),
  "is-supported-script": () => () => true,
  rgb: compiled((parts) => (subject) => `rgb(${parts.map((part) => number(part(subject))).join(",")})`),
  rgba: compiled((parts) => (subject) => `rgba(${parts.map((part) => number(part(subject))).join(",")})`),
  "+": arithmetic((values) => values.reduce((a, b) => a + b, 0)),
  "-": arithmetic(([a, b]) => (b === undefined ? -a : a - b)),
  "*": arithmetic((values) => values.reduce((a, b) => a * b, 1)),
  "/": arithmetic(([a, b]) => a / b),
  "%": arithmetic(([a, b]) => a % b),
  "^": arithmetic(([a, b]) => a ** b),
  min: arithmetic((values) => Math.min(...values)),
  max: arithmetic((values) => Math.max(...values)),
  abs: arithmetic(([a]) => Math.abs(a)),
  floor: arithmetic(([a]) => Math.floor(a)),
  ceil: arithmetic(([a]) => Math.ceil(a)),
  round: arithmetic(([a]) => Math.round(a)),
  sqrt: arithmetic(([a]) => Math.sqrt(a)),
  ln: arithmetic(([a]) => Math.log(a)),
  log2: arithmetic(([a]) => Math.log2(a)),
  log10: arithmetic(([a]) => Math.log10(a)),
};

/** Between two stops by base^(x − x₀), as the specification has it; base 1 is linear. */
function interpolation(input: Evaluate, stops: readonly [number, Evaluate][], base: number): Evaluate {
  if (stops.length === 0) throw new StyleError("An interpolation needs stops.");
  return (subject) => {
    const at = number(input(subject));
    let k = 0;
    while (k < stops.length && at >= stops[k][0]) k++;
    if (k === 0) return stops[0][1](subject);
    if (k === stops.length) return stops[k - 1][1](subject);
    const [from, low] = stops[k - 1];
    const [to, high] = stops[k];
    const t = base === 1 ? (at - from) / (to - from) : (base ** (at - from) - 1) / (base ** (to - from) - 1);
    return mix(low(subject), high(subject), t);
  };
}

function mix(a: Value, b: Value, t: number): Value {
  if (typeof a === "number" && typeof b === "number") return a + (b - a) * t;
  if (Array.isArray(a) && Array.isArray(b)) return a.map((value, i) => mix(value, b[i], t));
  const from = parseColor(text(a));
  const to = parseColor(text(b));
  if (!from || !to) return a;
  const [red, green, blue, alpha] = from.map((value, i) => value + (to[i] - value) * t) as [
    number,
    number,
    number,
    number,
  ];
  return `rgba(${Math.round(red)},${Math.round(green)},${Math.round(blue)},${alpha})`;
}

/** `{base, stops: [[zoom, value], …]}`, the way before expressions. */
function stopsFunction(json: Record<string, Json>): Evaluate {
  const { stops, base = 1, property } = json;
  if (!Array.isArray(stops) || property !== undefined)
    throw new StyleError("Functions are supported as {base, stops} of zoom.");
  const pairs = (stops as [number, Json][]).map(([at, value]): [number, Evaluate] => [at, compile(value)]);
  const numeric = (stops as [number, Json][]).every(([, value]) => typeof value === "number");
  const zoom: Evaluate = (subject) => subject.zoom;
  if (numeric || (stops as [number, Json][]).every(([, value]) => typeof value === "string" && parseColor(value)))
    return interpolation(zoom, pairs, Number(base));
  return (subject) => {
    let k = 0;
    while (k + 1 < pairs.length && subject.zoom >= pairs[k + 1][0]) k++;
    return pairs[k][1](subject);
  };
}
