import { emit } from "../emit.ts";
import type { UpdateContext } from "../update-context.ts";

/** Keeps the verdict, and tells once of every check that begins to fail; not of a user for whom the customer waives them. */
export function failFraud(context: UpdateContext): void {
  const { state, fraud } = context;
  const before = state.fraud?.failed ?? [];
  state.fraud = fraud;
  if (!fraud || state.fraudFlags?.bypassed) return;
  if (fraud.failed.some((check) => !before.includes(check)))
    emit(context, "user.failed_fraud", { fraud, confidence: 3 });
}
