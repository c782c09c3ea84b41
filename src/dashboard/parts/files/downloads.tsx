import { Download, X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { download, type Progress } from "../../api/download.ts";
import { type Api, type Problem, type QueryValues, useApi } from "../../api/hooks.ts";
import { Button } from "../button.tsx";
import { toast } from "../overlays/toast.tsx";
import { bytes, count } from "../values/format.tsx";
import { saveFile } from "./save-file.ts";
import "./downloads.css";

/** Running downloads, in a corner of every page. They continue when the viewer changes the page. */

interface RunningDownload extends Progress {
  id: number;
  title: string;
  stop: AbortController;
}

let running: readonly RunningDownload[] = [];
let last = 0;
let changed: () => void = () => {};

function setRunning(next: readonly RunningDownload[]): void {
  running = next;
  changed();
}

async function startDownload(api: Api, path: string, query: QueryValues, title: string): Promise<void> {
  const id = ++last;
  const stop = new AbortController();
  setRunning([...running, { id, title, stop, rows: 0, bytes: 0 }]);
  const result = await download(api, path, query, stop.signal, (progress) =>
    setRunning(running.map((one) => (one.id === id ? { ...one, ...progress } : one))),
  );
  const known = running.find((one) => one.id === id);
  setRunning(running.filter((one) => one.id !== id));
  if ("blob" in result) {
    saveFile(result.blob, result.name);
    toast(`Downloaded ${result.name}, ${bytes(result.blob.size)}`);
  } else if (!stop.signal.aborted) toast(`Could not download ${title}. ${failureText(result, known)}`, { tone: "bad" });
}

function failureText({ message }: Problem, known: RunningDownload | undefined): string {
  return known && known.bytes > 0 ? `${message} ${bytes(known.bytes)} were received.` : message;
}

interface DownloadButtonProps {
  path: string;
  query?: QueryValues;
  label?: string;
  bare?: boolean;
  icon?: boolean;
  children?: ComponentChildren;
}

/** A button that fetches a file and says how far it is. */
export function DownloadButton({ path, query = {}, label, bare, icon = true, children }: DownloadButtonProps) {
  const api = useApi();
  const title = path.split("/").findLast((part) => part !== "export" && part !== "") ?? "The file";
  return (
    <Button
      bare={bare}
      icon={icon ? Download : undefined}
      label={label}
      onClick={() => void startDownload(api, path, query, decodeURIComponent(title))}
    >
      {children}
    </Button>
  );
}

export function Downloads() {
  const [, redraw] = useState(0);
  useEffect(() => {
    changed = () => redraw((times) => times + 1);
  }, []);
  return (
    <div class="downloads" role="status">
      {running.map(({ id, title, rows, ofRows, bytes: size, stop }) => (
        <div key={id} class="download">
          <div class="grow">
            <p class="strong cut">{title}</p>
            <progress
              aria-label={`Download of ${title}`}
              value={ofRows ? Math.min(rows, ofRows) : undefined}
              max={ofRows || 1}
            />
            <p class="small muted number">
              {ofRows !== undefined && `${count(Math.min(rows, ofRows))} of ${count(ofRows)} rows · `}
              {bytes(size)}
            </p>
          </div>
          <Button small bare icon={X} label="Cancel the download" onClick={() => stop.abort()} />
        </div>
      ))}
    </div>
  );
}
