import { emit } from "../emit.ts";
import { fraudRule } from "../trace/update-rules.ts";
import type { UpdateContext } from "../update-context.ts";

/**
 * Stores the verdict. Generates an event when a check starts to fail, unless the customer lets the user bypass the
 * checks.
 */
export function failFraud(context: UpdateContext): void {
  const { state, fraud } = context;
  const before = state.fraud?.failed ?? [];
  state.fraud = fraud;
  if (fraud) context.trace?.(fraudRule(fraud, before, state.fraudFlags?.bypassed === true));
  if (!fraud || state.fraudFlags?.bypassed) return;
  if (fraud.failed.some((check) => !before.includes(check)))
    emit(context, "user.failed_fraud", { fraud, confidence: 3 });
}
