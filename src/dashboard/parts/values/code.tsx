import { Check, Copy } from "lucide";
import { useState } from "preact/hooks";
import { Button } from "../button.tsx";
import "./code.css";

/** Text to copy: a command, a secret, a response. */
export function Code({ text, label = "Copy", wrap = false }: { text: string; label?: string; wrap?: boolean }) {
  return (
    <div class={`code ${wrap ? "wraps" : ""}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button
      small
      bare
      icon={copied ? Check : Copy}
      label={copied ? "Copied" : label}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    />
  );
}

/** An id with its copy button, truncated if there is no space. */
export function Id({ children }: { children: string }) {
  return (
    <span class="row id">
      <code class="cut" title={children}>
        {children}
      </code>
      <CopyButton text={children} label="Copy id" />
    </span>
  );
}
