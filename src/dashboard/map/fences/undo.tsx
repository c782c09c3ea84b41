import { Undo2 } from "lucide";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { useShownMap } from "../map-view.tsx";

/**
 * Undo, also by Ctrl-Z where no text is typed; undefined: there is nothing to undo. It is one of the map's own controls, which lie above
 * each other and cover none.
 */
export function UndoButton({ onUndo }: { onUndo: (() => void) | undefined }) {
  const map = useShownMap()?.map;
  const latest = useRef(onUndo);
  latest.current = onUndo;
  const [box, setBox] = useState<HTMLElement>();
  const canUndo = onUndo !== undefined;
  useEffect(() => {
    if (!map) return;
    const element = document.createElement("div");
    element.className = "maplibregl-ctrl map-undo";
    const control = { onAdd: () => element, onRemove: () => element.remove() };
    map.addControl(control, "bottom-left");
    setBox(element);
    return () => {
      map.removeControl(control);
      render(null, element);
    };
  }, [map]);
  useEffect(() => {
    if (!box) return;
    render(
      <Button small icon={Undo2} disabled={!canUndo} why="Nothing to undo" onClick={() => latest.current?.()}>
        Undo
      </Button>,
      box,
    );
  }, [box, canUndo]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || isTyping) return;
      event.preventDefault();
      latest.current?.();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return null;
}
