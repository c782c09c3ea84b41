import { emit, type Turn } from "../turn.ts";

/** Keeps the verdict, and tells once of every check that begins to fail; not of a user for whom the customer waives them. */
export function failFraud(turn: Turn): void {
  const { state, fraud } = turn;
  const before = state.fraud?.failed ?? [];
  state.fraud = fraud;
  if (!fraud || state.fraudFlags?.bypassed) return;
  if (fraud.failed.some((check) => !before.includes(check))) emit(turn, "user.failed_fraud", { fraud, confidence: 3 });
}
