import { plainText } from "../base/output.ts";
import type { Outcome } from "./apply.ts";
import type { Change, Plan } from "./changes.ts";

/** Plans and outcomes for people, and as JSON. */

const SIGNS = { create: "+", update: "~", delete: "-" } as const;
const MAX_VALUE = 60;
const MAX_FIELDS = 12;

export const nameOf = ({ kind, key }: Pick<Change, "kind" | "key">) => (key === "" ? kind.name : `${kind.name} ${key}`);

/** A change, with the fields that differ: a new item on one line. */
export function describeChange(change: Change): string {
  const { action, fields } = change;
  const head = `${SIGNS[action]} ${plainText(nameOf(change))}`;
  if (action !== "update") return head;
  const shown = fields.slice(0, MAX_FIELDS).map(({ path, from, to }) => {
    const [before, after] = [short(from), short(to)];
    return `    ${plainText(path)}: ${before === after ? "changed" : `${before} → ${after}`}`;
  });
  const more = fields.length - shown.length;
  return [head, ...shown, ...(more > 0 ? [`    and ${more} more`] : [])].join("\n");
}

function short(value: unknown): string {
  const text = plainText(value === undefined ? "none" : JSON.stringify(value));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}

export function countsOf({ changes, unchanged }: Plan): string {
  const count = (action: Change["action"]) => changes.filter((change) => change.action === action).length;
  return `${count("create")} to create, ${count("update")} to update, ${count("delete")} to delete; ${unchanged} unchanged.`;
}

/** What a plan leaves as it is. */
export function notesOf({ kept, keyless }: Plan): string[] {
  return [
    ...keyless.map(({ kind, count }) => `${count} ${kind.name} have no key and are not managed. ${kind.keyRule}`),
    ...(kept.length > 0
      ? [`Not in the file, and kept without --prune: ${kept.map((one) => plainText(nameOf(one))).join(", ")}.`]
      : []),
  ];
}

export function planJson({ changes, unchanged, kept, keyless }: Plan) {
  return {
    changes: changes.map(changeJson),
    unchanged,
    kept: kept.map(({ kind, key }) => ({ kind: kind.name, key })),
    keyless: keyless.map(({ kind, count }) => ({ kind: kind.name, count })),
  };
}

const changeJson = ({ kind, key, action, fields }: Change) => ({ action, kind: kind.name, key, fields });

const briefJson = ({ kind, key, action }: Change) => ({ action, kind: kind.name, key });

export function outcomeJson({ applied, failed, remaining, differing }: Outcome) {
  return {
    applied: applied.map(briefJson),
    ...(failed && {
      failed: { ...briefJson(failed.change), message: (failed.error as Error | undefined)?.message ?? "" },
    }),
    remaining: remaining.map(briefJson),
    differing: differing.map(({ change, paths }) => ({ ...briefJson(change), fields: paths })),
  };
}
