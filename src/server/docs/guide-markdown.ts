import { curlOf, parseExample } from "./example.ts";

/**
 * A guide as Markdown for agents and other programs: the examples as curl, without the marks that only the pages need.
 * @param source of the guide, with its events
 */
export function markdownOf(source: string): string {
  const blocks = source.replace(/^```([^\n`]+)\n([\s\S]*?)^```$/gm, (whole, info: string, text: string) => {
    if (info.startsWith("http ")) return `\`\`\`sh\n${curlOf(parseExample(info, text))}\n\`\`\``;
    return /^json answer\b/.test(info)
      ? `Response${/only=/.test(info) ? ", shortened" : ""}:\n\n\`\`\`json\n${text}\`\`\``
      : whole;
  });
  return `${blocks
    .replace(/<!--[\s\S]*?-->\n*/g, "")
    .replace(/^<div[^\n]*<\/div>\n*/gm, "")
    .replace(/\]\(\/docs\/([\w-]+)(?=[)#])/g, "](/docs/$1.md")
    .replaceAll("](pictures/", "](/docs/files/")
    .trim()}\n`;
}

/** What `/llms.txt` needs of a guide. */
interface Listed {
  name: string;
  title: string;
  summary: string;
  group: string;
}

/** The index for language models (llmstxt.org). Links begin at the root: the Worker puts its origin before them. */
export function llmsText(guides: readonly Listed[]): string {
  const groups = Map.groupBy(guides, ({ group }) => group);
  const lines = [
    "# Graticule",
    "",
    "> An open location platform: tracking, geofences, trips, geocoding, places, routing and maps over one HTTP API.",
    "",
    "Requests carry an API key in the Authorization header. Publishable keys are for apps, secret keys for servers. " +
      "Agents connect to [the Model Context Protocol](/docs/agents.md) at `POST /mcp`.",
  ];
  for (const [group, some] of groups) {
    lines.push("", `## ${group}`, "");
    for (const { name, title, summary } of some) lines.push(`- [${title}](/docs/${name}.md): ${summary}`);
  }
  lines.push(
    "",
    "## Reference",
    "",
    "- [OpenAPI 3.1](/openapi.json): all endpoints, parameters and responses",
    "- [Reference](/docs): the same as a page",
  );
  return `${lines.join("\n")}\n`;
}
