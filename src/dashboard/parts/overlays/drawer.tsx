import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../button.tsx";
import "./drawer.css";

interface DrawerProps {
  title: ComponentChildren;
  actions?: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

/**
 * Details next to a list, full-width on a phone. The page keeps the open state in the URL:
 *
 *   const [id, open] = useQueryValue("event");
 *   {id && <Drawer title="Event" onClose={() => open("")}>…</Drawer>}
 *
 * The drawer is not modal: the list stays usable, and arrow keys in the list change the drawer.
 */
export function Drawer({ title, actions, onClose, children, wide = false }: DrawerProps) {
  const heading = useId();
  const panel = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  // Focus before the next frame, so that no key press is lost.
  useLayoutEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) close.current();
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside ref={panel} class={wide ? "drawer wide" : "drawer"} aria-labelledby={heading} tabIndex={-1}>
      <header class="row ends">
        <h2 id={heading} class="cut">
          {title}
        </h2>
        <div class="row">
          {actions}
          <Button bare icon={X} label="Close" onClick={onClose} />
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="drawer-body stack" tabIndex={0}>
        {children}
      </div>
    </aside>
  );
}
