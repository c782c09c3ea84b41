import { useEffect, useRef, useState } from "preact/hooks";
import { type Problem, useApi } from "../../api/hooks.ts";
import type { ShownRequest } from "../../map/tools/request-text.ts";
import { Failure } from "../../parts/states.tsx";
import { bytes, milliseconds } from "../../parts/values/format.tsx";

interface DrawnPicture {
  url: string;
  type: string;
  size: number;
  tookMs: number;
  /** The sources of what is shown, as the header names them. */
  attribution: string;
  leftOut: string;
}

interface ImageState {
  drawn?: DrawnPicture;
  problem?: Problem;
  busy: boolean;
}

/** How long a form rests before its map is asked for. */
const PAUSE_MS = 400;

/** The image of a request. Loads it after a pause in typing; shows the last image until the next is loaded. */
export function useMapImage(request: ShownRequest | undefined): ImageState {
  const api = useApi();
  const [state, setState] = useState<ImageState>({ busy: false });
  const shown = useRef<string>(undefined);
  const key = request && JSON.stringify(request);
  useEffect(() => {
    if (!request) return setState(({ drawn }) => ({ drawn, busy: false }));
    const stop = new AbortController();
    const ask = async () => {
      setState((before) => ({ ...before, busy: true }));
      const began = performance.now();
      const { method, path, body } = request;
      const response = await api.send(method, path, { body, signal: stop.signal });
      if (stop.signal.aborted) return;
      if (!(response instanceof Response)) return setState(({ drawn }) => ({ drawn, problem: response, busy: false }));
      if (!response.ok) {
        const problem = await problemOf(response);
        return setState(({ drawn }) => ({ drawn, problem, busy: false }));
      }
      const blob = await response.blob();
      if (stop.signal.aborted) return;
      URL.revokeObjectURL(shown.current ?? "");
      shown.current = URL.createObjectURL(blob);
      const header = (name: string) => response.headers.get(name) ?? "";
      setState({
        busy: false,
        drawn: {
          url: shown.current,
          type: blob.type,
          size: blob.size,
          tookMs: performance.now() - began,
          attribution: attributionText(header("x-graticule-attribution")),
          leftOut: header("x-graticule-left-out"),
        },
      });
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, key]);
  useEffect(() => () => URL.revokeObjectURL(shown.current ?? ""), []);
  return state;
}

async function problemOf(response: Response): Promise<Problem> {
  const { status } = response;
  try {
    const { meta } = (await response.json()) as { meta: { message: string; param?: string } };
    return { status, message: meta.message, param: meta.param };
  } catch {
    return { status, message: `The server returned ${status} without a message.` };
  }
}

/** A header holds ASCII: © comes as (c), what else is beyond percent-encoded. */
function attributionText(header: string): string {
  try {
    return decodeURIComponent(header).replaceAll("(c)", "©");
  } catch {
    return header;
  }
}

interface MapImageProps {
  picture: ImageState;
  missing: string | undefined;
  width: number;
}

/** The image, with its details. */
export function MapImage({ picture: { drawn, problem, busy }, missing, width }: MapImageProps) {
  return (
    <div class="static-map" data-drawn={drawn && !busy && !problem ? drawn.type : ""}>
      {problem && missing === undefined && <Failure problem={problem} />}
      {missing !== undefined && <p class="muted">{missing}</p>}
      {drawn && missing === undefined && (
        <figure class={busy || problem ? "faint" : undefined}>
          <img src={drawn.url} alt="The static map" style={Number.isFinite(width) ? { width: `${width}px` } : {}} />
          <figcaption class="muted small">
            {drawn.type.replace("image/", "")} · {bytes(drawn.size)} · {milliseconds(Math.round(drawn.tookMs))}
            {drawn.attribution && ` · ${drawn.attribution}`}
            {drawn.leftOut && ` · omitted: ${drawn.leftOut}`}
          </figcaption>
        </figure>
      )}
    </div>
  );
}
