import { useState } from "preact/hooks";
import { asCurl, asJavaScript, type ShownRequest } from "../../map/tools/request-text.ts";
import { Choice } from "../../parts/button.tsx";
import { Code } from "../../parts/values/code.tsx";

type Form = "url" | "img" | "curl" | "js" | "signed";

const FORMS: readonly (readonly [Form, string])[] = [
  ["url", "URL"],
  ["img", "HTML"],
  ["curl", "curl"],
  ["js", "JavaScript"],
  ["signed", "Signed"],
];

/** The map to take along: as an address, an image of a page, a request, or the request that signs its address. */
export function AddressView({ request }: { request: ShownRequest }) {
  const [form, setForm] = useState<Form>("url");
  // POST requests have no shareable URL.
  const forms = request.method === "GET" ? FORMS : FORMS.filter(([one]) => one === "curl" || one === "js");
  const chosen = forms.some(([one]) => one === form) ? form : "curl";
  return (
    <section class="stack tight" aria-label="URL">
      <h2>URL</h2>
      <Choice label="Format" options={forms} value={chosen} onChange={setForm} />
      <Code text={textOf(request, chosen, location.origin)} wrap label="Copy URL" />
      <p class="hint">{HINTS[chosen]}</p>
    </section>
  );
}

const HINTS: Readonly<Record<Form, string>> = {
  url: "Replace the placeholder with your publishable key.",
  img: "Replace the placeholder with your publishable key, and allow your pages as referrers in the settings.",
  curl: "The key is read from an environment variable.",
  js: "The key is read from a variable.",
  signed:
    "Returns a temporary URL that shows this map without a key. Signing requires a secret key, which this page never has.",
};

/** With the name of a key, so that none is ever copied into a chat. */
export const addressOf = ({ path }: ShownRequest, origin: string) => `${origin}${path}&publishableKey=$PUBLISHABLE`;

function textOf(request: ShownRequest, form: Form, origin: string): string {
  if (form === "curl") return asCurl(request, origin);
  if (form === "js") return asJavaScript(request, origin);
  if (form === "signed") {
    const body = { url: request.path, expiresIn: 7 * 86_400 };
    return asCurl({ method: "POST", path: "/v1/maps/sign", level: "secret", body }, origin);
  }
  const url = addressOf(request, origin);
  return form === "url" ? url : `<img src="${url.replaceAll("&", "&amp;")}" alt="A map">`;
}
