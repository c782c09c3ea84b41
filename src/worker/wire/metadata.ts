import { z } from "zod";
import type { Metadata } from "../../core/tracking/types/metadata.ts";

export const metadataShape = () => z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export function wireMetadata(metadata: Metadata | undefined): Record<string, string | number | boolean> | undefined {
  return metadata as Record<string, string | number | boolean> | undefined;
}
