import type { UserState } from "../tracking/types/state.ts";
import type { Audience, Group } from "./campaign.ts";

type Person = Pick<UserState, "_id" | "deviceId" | "userId" | "metadata" | "segments" | "computed" | "deviceType">;

type AudienceProblem = keyof Group | "exclude";

/** The first condition of an audience that a user does not meet; undefined: the user belongs to it. */
export function audienceProblem(audience: Audience, user: Person): AudienceProblem | undefined {
  const { exclude, ...wanted } = audience;
  for (const name of CONDITIONS) if (wanted[name] !== undefined && !meets(wanted, name, user)) return name;
  if (exclude && CONDITIONS.some((name) => exclude[name] !== undefined && meets(exclude, name, user))) return "exclude";
  return undefined;
}

const CONDITIONS = ["metadata", "segments", "userIds", "deviceTypes"] as const;

function meets(group: Group, name: keyof Group, user: Person): boolean {
  if (name === "metadata") {
    return Object.entries(group.metadata ?? {}).every(([key, value]) => user.metadata?.[key] === value);
  }
  if (name === "segments") {
    const isWanted = ({ externalId }: { externalId: string }) => group.segments?.includes(externalId) === true;
    return (user.segments ?? []).some(isWanted) || (user.computed?.segments ?? []).some(isWanted);
  }
  if (name === "deviceTypes")
    return user.deviceType !== undefined && group.deviceTypes?.includes(user.deviceType) === true;
  const ids = group.userIds ?? [];
  return (
    ids.includes(user._id) || ids.includes(user.deviceId) || (user.userId !== undefined && ids.includes(user.userId))
  );
}
