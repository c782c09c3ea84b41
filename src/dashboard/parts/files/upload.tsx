import { useRef, useState } from "preact/hooks";
import { type Change, type Result, useChange } from "../../api/hooks.ts";
import { Button } from "../button.tsx";
import { bytes } from "../values/format.tsx";
import "./downloads.css";

interface UploadState {
  sent: number;
  of: number;
  stop: AbortController;
}

/** A file to an import, with how far it is. */
interface Upload<T> extends Change<[dryRun: boolean], T> {
  sending?: UploadState;
}

/** Uploads a file to an import endpoint. `UploadProgress` shows the progress. */
export function useUpload<T>(
  path: string,
  file: { name: string; content: Blob | string; type: string } | undefined,
): Upload<T> {
  const [sending, setSending] = useState<UploadState>();
  const latest = useRef(file);
  latest.current = file;
  const change = useChange(async (api, dryRun: boolean): Promise<Result<T>> => {
    const chosen = latest.current;
    if (!chosen) return { ok: false, problem: { status: 0, message: "Choose a file first." } };
    const stop = new AbortController();
    const body = typeof chosen.content === "string" ? new Blob([chosen.content]) : chosen.content;
    setSending({ sent: 0, of: body.size, stop });
    const result = await api.request<T>("POST", path, {
      body,
      type: chosen.type,
      query: { dryRun, filename: chosen.name },
      signal: stop.signal,
      onSent: (sent) => setSending({ sent: Math.min(sent, body.size), of: body.size, stop }),
    });
    setSending(undefined);
    if (!result.ok && stop.signal.aborted) {
      const message = dryRun
        ? "Canceled. Nothing was imported."
        : "Canceled. Some rows may have been imported; see the history below. It is safe to upload the same file again.";
      return { ok: false, problem: { status: 0, message } };
    }
    return result;
  });
  return { ...change, sending };
}

export function UploadProgress({ of }: { of: Upload<unknown> }) {
  const { sending } = of;
  if (!sending) return null;
  const { sent, of: size, stop } = sending;
  const isSent = sent >= size;
  return (
    <div class="upload" role="status">
      <div class="grow">
        <p>{isSent ? "Processing rows…" : `${bytes(sent)} of ${bytes(size)} sent`}</p>
        <progress aria-label="Upload progress" value={isSent ? undefined : sent} max={size} />
      </div>
      <Button small onClick={() => stop.abort()}>
        Cancel
      </Button>
    </div>
  );
}
