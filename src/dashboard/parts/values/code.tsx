import { Check, Copy } from "lucide";
import { Fragment } from "preact";
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

/** The name of an endpoint. Where it has no space, its line breaks before a word: "setUser|Segments". */
export function EndpointName({ of }: { of: string }) {
  return (
    <code class="endpoint-name">
      {of.split(/(?=[A-Z])/).map((word, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </code>
  );
}

/** An id with its copy button. */
export function Id({ children }: { children: string }) {
  return (
    <span class="row id">
      <code title={children}>{children}</code>
      <CopyButton text={children} label="Copy id" />
    </span>
  );
}
