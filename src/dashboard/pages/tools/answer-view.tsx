import { useState } from "preact/hooks";
import type { DrawnAnswer } from "../../map/tools/tool.ts";
import { Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Code } from "../../parts/values/code.tsx";

/** Maximum number of response characters shown; a long route has megabytes. */
const MAX_SHOWN = 200_000;

/** The response as a list, or as is. */
export function AnswerView({ drawn, json }: { drawn: DrawnAnswer | undefined; json: unknown }) {
  const [view, setView] = useState<"list" | "json">("list");
  const text = JSON.stringify(json, null, 2) ?? "";
  const isLine = drawn && drawn.lineup.length > 0;
  return (
    <section class="stack tight" aria-label="Response">
      <div class="row ends">
        <h2>Response</h2>
        {isLine && (
          <Choice
            label="Response format"
            options={choices({ list: "List", json: "JSON" })}
            value={view}
            onChange={setView}
          />
        )}
      </div>
      {isLine && view === "list" ? (
        <ol class="lineup">
          {drawn.lineup.map(({ title, detail }, i) => (
            <li key={`${i} ${title}`}>
              <span class="grow">{title}</span>
              <span class="muted small">{detail}</span>
            </li>
          ))}
        </ol>
      ) : (
        text && (
          <Code text={text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length} characters` : text} />
        )
      )}
    </section>
  );
}
