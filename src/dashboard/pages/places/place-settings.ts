import type { getSettings } from "../../../worker/http/project/settings.ts";
import { type Answer, useForget, useQuery } from "../../api/hooks.ts";
import { toast } from "../../parts/overlays/toast.tsx";

export type Settings = Answer<typeof getSettings>;

export const SETTINGS_PATH = "/v1/settings";

/** The project's settings, and what to do after they changed. */
export function usePlaceSettings() {
  const asked = useQuery<Settings>(SETTINGS_PATH);
  const forget = useForget();
  const changed = (said: string) => {
    forget(SETTINGS_PATH, "/v1/search/places");
    toast(said);
  };
  return { settings: asked.data, problem: asked.problem, again: asked.again, changed };
}
