import { useState } from "preact/hooks";
import { asCurl, asJavaScript, type ShownRequest } from "../../map/tools/request-text.ts";
import { Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Code } from "../../parts/values/code.tsx";

/** The request as one would write it; where the key goes there is a name, never a key. */
export function RequestView({ request }: { request: ShownRequest }) {
  const [language, setLanguage] = useState<"curl" | "js">("curl");
  const write = language === "curl" ? asCurl : asJavaScript;
  return (
    <section class="stack tight" aria-label="Request">
      <div class="row ends">
        <h2>Request</h2>
        <Choice
          label="Format"
          options={choices({ curl: "curl", js: "JavaScript" })}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <Code text={write(request, location.origin)} wrap label="Copy request" />
    </section>
  );
}
