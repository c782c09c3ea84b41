import { resolve } from "node:path";
import { ROLES } from "../../core/auth/role.ts";
import { UsageError, wholeNumber } from "../base/command.ts";
import { table } from "../base/table.ts";
import type { Database } from "../data/database.ts";
import { readDevKeys } from "./dev-keys.ts";
import {
  addMember,
  addOperator,
  LOCAL_ORIGIN,
  listMembers,
  listOperators,
  memberLink,
  onlyProject,
  readEmail,
  removeMember,
  removeOperator,
} from "./members.ts";
import { readServerUrl } from "./server-url.ts";

/** The options of `npm run project -- member …`. */
export interface MemberOptions {
  role?: string;
  project?: string;
  url?: string;
  remote?: boolean;
  "persist-to"?: string;
}

type Run = (
  database: Database,
  words: string[],
  keysFile: string | undefined,
  options: MemberOptions,
) => Promise<{ json: unknown; text: string }>;

export const memberCommands: Record<string, { words: string[]; run: Run }> = {
  "member add": {
    words: ["EMAIL"],
    async run(database, [address], keysFile, options) {
      const role = ROLES.find((one) => one === options.role);
      if (!role) throw new UsageError(`Specify --role: ${ROLES.join(", ")}.`);
      const email = readEmail(address);
      const origin = originOf(options, keysFile);
      const project = projectOf(options) ?? (await onlyProject(database));
      const isNew = await addMember(database, project, email, role);
      const link = await memberLink(database, email, origin);
      return {
        json: { email, role, project, link },
        text: `${email} is ${isNew ? "now" : "from now on"} ${role} of project ${project}. ${linkText(link)}`,
      };
    },
  },
  "member list": {
    words: [],
    async run(database, _, __, options) {
      const members = await listMembers(database, projectOf(options));
      const lines = members.map(({ email, role, project, projectName }) => [email, role, String(project), projectName]);
      return { json: members, text: table(lines, ["email", "role", "project", ""]) };
    },
  },
  "member remove": {
    words: ["EMAIL"],
    async run(database, [address], _, options) {
      const email = readEmail(address);
      const projects = await removeMember(database, email, projectOf(options));
      return {
        json: { email, projects },
        text: `${email} is no longer a member of project ${projects.join(", ")}. Takes effect within 10 s.`,
      };
    },
  },
  "operator add": {
    words: ["EMAIL"],
    async run(database, [address]) {
      const email = readEmail(address);
      const isNew = await addOperator(database, email);
      const text = `${email} is ${isNew ? "now" : "already"} an operator of the deployment. Takes effect within 10 s.`;
      return { json: { email, operator: true }, text };
    },
  },
  "operator list": {
    words: [],
    async run(database) {
      const operators = await listOperators(database);
      const lines = operators.map(({ email, createdAt }) => [email, new Date(createdAt).toISOString().slice(0, 10)]);
      const text =
        lines.length > 0
          ? table(lines, ["operator", "since"])
          : "No operators. Add one: npm run project -- operator add EMAIL";
      return { json: operators, text };
    },
  },
  "operator remove": {
    words: ["EMAIL"],
    async run(database, [address]) {
      const email = readEmail(address);
      await removeOperator(database, email);
      return { json: { email, operator: false }, text: `${email} is no longer an operator. Takes effect within 10 s.` };
    },
  },
  "member link": {
    words: ["EMAIL"],
    async run(database, [address], keysFile, options) {
      const email = readEmail(address);
      const link = await memberLink(database, email, originOf(options, keysFile));
      return { json: { email, link }, text: linkText(link) };
    },
  },
};

const linkText = (link: string) => `Signs in once, within three days:\n\n${link}`;

const projectOf = ({ project }: MemberOptions) =>
  project === undefined ? undefined : wholeNumber(project, "--project", { min: 1 });

/** Where links lead: what was said, or where the server of the state was last reached. @throws UsageError where a deployment is meant */
function originOf({ url, remote, "persist-to": state }: MemberOptions, keysFile: string | undefined): string {
  if (url !== undefined) {
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin;
    throw new UsageError(`--url must be a URL such as https://maps.example.com, not "${url}".`);
  }
  if (remote) throw new UsageError("Specify the URL of the deployment: --url https://maps.example.com.");
  const known = state === undefined ? undefined : readServerUrl(resolve(state));
  return known ?? ((keysFile && readDevKeys(keysFile)?.baseUrl) || LOCAL_ORIGIN);
}
