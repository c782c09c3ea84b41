import type { Draft } from "./campaign-draft.ts";
import "./campaigns.css";

/** The message as phones show it, approximately: iOS and Android each use their own fonts and shapes. */
export function Previews({ draft }: { draft: Draft }) {
  return (
    <div class="message-previews">
      {(["iOS", "Android"] as const).map((system) => (
        <figure key={system}>
          <figcaption>{system}</figcaption>
          {draft.type === "inAppMessage" ? (
            <Message draft={draft} system={system} />
          ) : (
            <Notification draft={draft} system={system} />
          )}
        </figure>
      ))}
    </div>
  );
}

function Message({ draft: { title, text, button, image }, system }: { draft: Draft; system: string }) {
  return (
    <div class={`message-preview ${system.toLowerCase()}`}>
      {image !== "" && <div class="message-image">{image}</div>}
      <strong>{title || "Title"}</strong>
      <p>{text || "Text"}</p>
      {button !== "" && <span class="message-button">{button}</span>}
    </div>
  );
}

function Notification({ draft: { title, text }, system }: { draft: Draft; system: string }) {
  return (
    <div class={`notification-preview ${system.toLowerCase()}`}>
      <small>{system === "iOS" ? "YOUR APP" : "Your app · now"}</small>
      {title !== "" && <strong>{title}</strong>}
      <p>{text || "Text"}</p>
    </div>
  );
}
