import type { z } from "zod";
import type { Api } from "./api.ts";
import type { ToolResult } from "./result.ts";

/** A tool: a job that a model can do with the platform. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** Creates or changes data. Absent: only reads. No tool deletes or replaces data. */
  writes?: true;
  /** The resource of an app that shows the result (app.ts). */
  app?: string;
  run(input: z.output<Input>, api: Api): Promise<ToolResult>;
}

/** A tool with the types of its input. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition as Tool;
}
