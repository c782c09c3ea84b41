import { z } from "zod";
import { reaches } from "../../../core/auth/role.ts";
import { LIMITED_ENDPOINTS, periodOf, rateLimitOf } from "../../../core/limits/table.ts";
import { commonDatabase } from "../../db/databases.ts";
import { changeProject, findProject, type ProjectChange, type ProjectRecord } from "../../db/projects/projects.ts";
import { usageOf } from "../../db/projects/usage.ts";
import { ApiError, invalid, notFound } from "../../platform/errors.ts";
import { JURISDICTIONS, jurisdictionOf } from "../../platform/jurisdiction.ts";
import { wireDate } from "../../wire/date.ts";
import { flag, json, number, optionalText, text } from "../../wire/input/fields.ts";
import { forgetProject } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { settleUsage } from "../serve/usage.ts";
import { CHAPTER } from "./shapes.ts";

/** Maximum configurable limit [calls/s]: more than one machine can serve. */
const HIGHEST_RATE = 1_000_000;

const projectShape = z.object({
  _id: z.string(),
  name: z.string(),
  disabled: z.boolean(),
  createdAt: z.string(),
  monthlyQuota: z.number().optional().meta({ description: "calls per calendar month (UTC); absent: unlimited" }),
  jurisdiction: z
    .enum(JURISDICTIONS)
    .optional()
    .meta({ description: "where the project's data are stored; absent: in no jurisdiction" }),
  usage: z.object({
    month: z.string().meta({ description: '"2026-11"' }),
    calls: z.number().meta({ description: "test and live together" }),
    endpoints: z.array(z.object({ endpoint: z.string(), live: z.boolean(), calls: z.number() })),
  }),
  limits: z
    .array(z.object({ endpoint: z.string(), usual: z.number(), own: z.number().optional() }))
    .meta({ description: "calls per second and environment; for track and ipGeocode, per device" }),
});
const response = z.object({ project: projectShape });

export const getProject = endpoint({
  name: "getProject",
  method: "GET",
  path: "/dashboard/api/project",
  level: "member",
  chapter: CHAPTER,
  summary: "Returns the project's name, quota, usage this month, and limits.",
  response,
  handle: answer,
});

export const patchProject = endpoint({
  name: "changeProject",
  method: "PATCH",
  path: "/dashboard/api/project",
  level: "member",
  role: "admin",
  chapter: CHAPTER,
  summary: "Changes the project's name. Owners can also change its quota and limits, and disable it.",
  description: "A limit of 0 restores the default; a quota of 0 removes the quota.",
  body: z.object({
    name: text(100).optional(),
    disabled: flag().optional().meta({ description: "every call with a key returns 402" }),
    monthlyQuota: number({ min: 0, max: 1e12, integer: true }).optional(),
    rateLimits: json(z.record(z.string(), number({ min: 0, max: HIGHEST_RATE, integer: true }))).optional(),
    jurisdiction: optionalText(16).meta({ description: "is rejected: only an operator's `project move` changes it" }),
  }),
  response,
  errors: [404],
  async handle(call) {
    const { body, caller, env, audit } = call;
    const { name, rateLimits, jurisdiction, ...forOwners } = body;
    if (jurisdiction !== undefined)
      throw invalid(
        "jurisdiction",
        "Set when the project is created. An operator changes it by moving the project: npm run project -- move ID --to DB_EU.",
      );
    const touchesLimits = rateLimits !== undefined || Object.values(forOwners).some((value) => value !== undefined);
    if (touchesLimits && caller.member && !reaches(caller.member.role, "owner"))
      throw new ApiError(403, `Forbidden. Your role is ${caller.member.role}; quota and limits need owner.`);
    for (const endpointName of Object.keys(rateLimits ?? {}))
      if (!LIMITED_ENDPOINTS.includes(endpointName))
        throw invalid("rateLimits", `No endpoint "${endpointName.slice(0, 64)}" has a limit.`);
    const change: ProjectChange = { name: name?.trim(), rateLimits, ...forOwners };
    await changeProject(commonDatabase(env), caller.project, change);
    forgetProject(caller.project);
    audit({ summary: sentence(change) });
    return answer(call);
  },
});

function sentence({ name, disabled, monthlyQuota, rateLimits = {} }: ProjectChange): string {
  const said = [
    ...(name === undefined ? [] : [`name: ${name}`]),
    ...(disabled === undefined ? [] : [disabled ? "disabled" : "enabled"]),
    ...(monthlyQuota === undefined ? [] : [`quota: ${monthlyQuota || "none"}`]),
    ...Object.entries(rateLimits).map(
      ([endpointName, rate]) => `${endpointName}: ${rate ? `${rate} per ${periodOf(endpointName)}` : "default limit"}`,
    ),
  ];
  return said.length === 0 ? "Nothing changed" : said.join(", ");
}

async function answer({ caller, env, now }: Pick<Call, "caller" | "env" | "now">) {
  const month = new Date(now).toISOString().slice(0, 7);
  await settleUsage(env, caller.project);
  const [project, endpoints] = await Promise.all([
    findProject(commonDatabase(env), caller.project),
    usageOf(commonDatabase(env), caller.project, month),
  ]);
  if (!project) throw notFound("Project");
  return {
    project: {
      ...wireProject(project),
      usage: { month, calls: total(endpoints), endpoints },
      limits: limitsOf(project),
    },
  };
}

const total = (rows: readonly { calls: number }[]) => rows.reduce((sum, { calls }) => sum + calls, 0);

function wireProject({ id, name, disabled, createdAt, monthlyQuota, database }: ProjectRecord) {
  const jurisdiction = jurisdictionOf(database);
  return {
    _id: String(id),
    name,
    disabled,
    createdAt: wireDate(createdAt),
    ...(monthlyQuota !== null && { monthlyQuota }),
    ...(jurisdiction && { jurisdiction }),
  };
}

function limitsOf({ settings: { rateLimits = {} } }: ProjectRecord) {
  return LIMITED_ENDPOINTS.map((name) => ({
    endpoint: name,
    usual: rateLimitOf(name),
    ...(rateLimits[name] !== undefined && { own: rateLimits[name] }),
  }));
}
