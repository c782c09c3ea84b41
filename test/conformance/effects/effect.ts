type Json = Record<string, unknown>;

/** Requests that differ in one parameter only, with what each response must show: proof that the parameter has its effect. */
export interface Effect {
  /** The parameter's name in test/conformance/parameters.ts. */
  parameter: string;
  /** The effect of the parameter, for the title of the test. */
  changes: string;
  /** Sent with every request in addition to what is required; undefined removes a required one. */
  beside?: Readonly<Json>;
  /** The part of a response that the parameter changes. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
  view: (body: any) => unknown;
  /** Each value, undefined for a request without the parameter, and the view of its response. */
  shows: readonly (readonly [value: unknown, seen: unknown])[];
}

/** The effects of the parameters of an endpoint. */
export interface EffectTable {
  endpoint: string;
  effects: readonly Effect[];
}

/** The parameter as it is sent: a filter `metadata[key]` needs a key. */
export const wireName = (parameter: string) => parameter.replace("[key]", "[team]");
