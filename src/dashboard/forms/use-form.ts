import { useCallback, useRef, useState } from "preact/hooks";
import type { Role } from "../../core/auth/role.ts";
import { type Api, type Result, useApi, useForget } from "../api/hooks.ts";
import type { Problem } from "../api/problem.ts";
import { useMay, whyNot } from "../api/session-context.ts";
import { useLeaveGuard } from "../base/router.tsx";
import { toast } from "../parts/overlays/toast.tsx";
import type { Faults, FormState } from "./form-context.ts";

/** The server's result, or the errors of the local check. */
export type SubmitResult<T> = Result<T> | { faults: Faults };

/** The result of a form that sends nothing to the API. */
export const DONE = { ok: true, data: undefined, meta: { code: 200 } } as const;

/** What follows a successful submission, after `onDone`. */
export interface Effects {
  /** Paths of cached responses that it outdates. */
  forgets?: readonly string[];
  /** The toast. */
  said?: string;
}

interface SubmitOptions<T> extends Effects {
  send(api: Api): Promise<SubmitResult<T>> | SubmitResult<T>;
  onDone?(data: T): void | Promise<void>;
  /** Required to submit. */
  role?: Role;
  isUnchanged?: boolean;
}

const IDLE: { busy: boolean; problem?: Problem; faults: Faults } = { busy: false, faults: {} };

/** The state of a form whose draft is kept elsewhere, such as in the URL. */
export function useSubmit<T>(options: SubmitOptions<T>): FormState {
  const { role, isUnchanged = false } = options;
  const api = useApi();
  const forget = useForget();
  const may = useMay(role ?? "read");
  const [state, setState] = useState({ ...IDLE, failures: 0 });
  const latest = useRef(options);
  latest.current = options;
  const isRunning = useRef(false);
  const submit = useCallback(async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState((now) => ({ ...now, busy: true }));
    let sent: SubmitResult<T>;
    try {
      sent = await latest.current.send(api);
    } catch (error) {
      // A file that disappeared, for example. The input stays.
      sent = { ok: false, problem: { status: 0, message: error instanceof Error ? error.message : String(error) } };
    }
    isRunning.current = false;
    const faults = "faults" in sent ? sent.faults : {};
    const problem = "ok" in sent && !sent.ok ? sent.problem : undefined;
    const isDone = "ok" in sent && sent.ok;
    setState((now) => ({ busy: false, problem, faults, failures: isDone ? now.failures : now.failures + 1 }));
    if (!("ok" in sent && sent.ok)) return;
    const { onDone, forgets = [], said } = latest.current;
    await onDone?.(sent.data);
    // What `onDone` closed is gone by then, and is not asked for again: it may have been deleted.
    await new Promise((drawn) => setTimeout(drawn));
    forget(...forgets);
    if (said) toast(said);
  }, [api, forget]);
  const clear = useCallback(
    () =>
      setState((now) =>
        now.problem || Object.keys(now.faults).length > 0 ? { ...now, problem: undefined, faults: {} } : now,
      ),
    [],
  );
  const locked = role !== undefined && !may ? whyNot(role) : undefined;
  return { ...state, submit, clear, locked, isUnchanged };
}

interface FormOptions<Draft, T> extends Effects {
  saved: Draft;
  send(api: Api, draft: Draft): Promise<SubmitResult<T>> | SubmitResult<T>;
  onDone?(data: T, draft: Draft): void | Promise<void>;
  role?: Role;
  /** It changes something that exists: only a changed draft is saved, and leaving the page with one asks first. */
  isEdit?: boolean;
}

export interface DraftForm<Draft> extends FormState {
  draft: Draft;
  set(part: Partial<Draft>): void;
  /** Returns to the saved state, or to the given one. */
  reset(to?: Draft): void;
  /** Properties of the field of a value, whose errors the API reports as `param`. */
  field<Name extends keyof Draft & string>(
    name: Name,
    param?: string,
  ): { value: Draft[Name]; onChange: (value: Draft[Name]) => void; param: string };
}

/** The value of a part of a draft, and its change: the properties of a field. */
export const fieldOf =
  <T extends object>(values: T, put: (changed: Partial<T>) => void) =>
  <Name extends keyof T>(name: Name) => ({
    value: values[name],
    onChange: (value: T[Name]) => put({ [name]: value } as unknown as Partial<T>),
  });

/** A draft with its fields, errors and unsaved state. Show it with `Form`. */
export function useForm<Draft extends object, T>(options: FormOptions<Draft, T>): DraftForm<Draft> {
  const { send, onDone, isEdit = false } = options;
  const [draft, setDraft] = useState(options.saved);
  // A successful save is the saved state until the data is reloaded.
  const [saved, setSaved] = useState(options.saved);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved);
  const isGuarded = isEdit && isDirty;
  useLeaveGuard(useCallback(() => !isGuarded, [isGuarded]));
  const form = useSubmit<T>({
    ...options,
    send: (api) => send(api, draft),
    onDone: (data) => {
      setSaved(draft);
      return onDone?.(data, draft);
    },
    isUnchanged: isEdit && !isDirty,
  });
  const set = (part: Partial<Draft>) => {
    form.clear();
    setDraft((now) => ({ ...now, ...part }));
  };
  return {
    ...form,
    draft,
    set,
    reset: (to = saved) => {
      form.clear();
      setDraft(to);
      setSaved(to);
    },
    field: (name, param = name) => ({ ...fieldOf(draft, set)(name), param }),
  };
}
