import { z } from "zod";

export const pointShape = z
  .object({ type: z.literal("Point"), coordinates: z.tuple([z.number(), z.number()]) })
  .meta({ description: "GeoJSON Point: [longitude, latitude]" });
