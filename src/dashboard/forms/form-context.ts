import { createContext } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";
import type { Problem } from "../api/problem.ts";

/** Errors of the local check, by parameter. */
export type Faults = Readonly<Record<string, string | undefined>>;

/** What a form's fields and buttons need to know. */
export interface FormState {
  /** Checks the draft and sends it. */
  submit(): Promise<void>;
  busy: boolean;
  /** The server's error. */
  problem?: Problem;
  faults: Faults;
  /** Number of failed submissions. After each, the first invalid field gets the focus. */
  failures: number;
  /** Why the member may not submit. The fields are disabled too. */
  locked?: string;
  /** There is nothing to save. */
  isUnchanged: boolean;
  /** Removes the errors, as when the viewer types again. */
  clear(): void;
}

interface FormScope {
  form: FormState;
  /** Parameters that have a field now, with the number of their fields. */
  params: Map<string, number>;
}

export const FormContext = createContext<FormScope | undefined>(undefined);

/**
 * Returns the error of a field: `problemOf(problem, "retention[users]")`. Errors of list entries ("eventTypes[2]") are
 * shown at the list.
 */
export function problemOf(problem: Problem | undefined, param: string): string | undefined {
  return problem?.param === param || problem?.param?.startsWith(`${param}[`) ? problem.message : undefined;
}

/** Shows the errors of these parameters at a field of the surrounding form. */
export function useFormField(param: string | readonly string[] | undefined): { problem?: string; locked: boolean } {
  const shown = useContext(FormContext);
  const params = typeof param === "string" ? [param] : (param ?? []);
  const known = shown?.params;
  useLayoutEffect(() => {
    for (const one of params) known?.set(one, (known.get(one) ?? 0) + 1);
    return () => {
      for (const one of params) known?.set(one, (known.get(one) ?? 1) - 1);
    };
  }, [known, params.join(" ")]);
  if (!shown) return { locked: false };
  const { faults, problem, locked } = shown.form;
  const problems = params.map((one) => faults[one] ?? problemOf(problem, one));
  return { problem: problems.find((one) => one !== undefined), locked: locked !== undefined };
}
