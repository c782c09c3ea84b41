import type { getSettings } from "../../../http/project/settings.ts";
import type { Answer, Result } from "../../api/client.ts";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { toast } from "../../parts/overlays/toast.tsx";

export type Settings = Answer<typeof getSettings>;

/** The project's settings, and a change of them by merge patch: what is not named stays. */
export function usePlaceSettings() {
  const asked = useQuery<Settings>("/v1/settings");
  const forget = useForget();
  const change = useChange((api, patch: unknown): Promise<Result<Settings>> => api.patch("/v1/settings", patch));
  const save = async (patch: unknown, said: string): Promise<boolean> => {
    const result = await change.run(patch);
    if (!result.ok) return false;
    forget("/v1/settings", "/v1/search/places");
    toast(said);
    return true;
  };
  return { settings: asked.data, problem: asked.problem, again: asked.again, change, save };
}
