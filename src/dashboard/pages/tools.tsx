import { Play } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Problem } from "../api/client.ts";
import { useApi } from "../api/hooks.ts";
import { useMay, whyNot } from "../api/session-context.ts";
import { Select } from "../forms/fields.tsx";
import { MapSearch } from "../map/address-search.tsx";
import { MapView } from "../map/dashboard-map.tsx";
import { GoTo } from "../map/go-to.tsx";
import { AreasLayer, LinesLayer, NumbersLayer } from "../map/layers/layers.tsx";
import { MapPage } from "../map/map-page.tsx";
import { boundsOf } from "../map/position.ts";
import { TOOLS } from "../map/tools/all-tools.ts";
import { type Drawn, faultsOf, isOnMap, pointsOf, polygonOf, type Tool } from "../map/tools/tool.ts";
import { Button } from "../parts/button.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Failure, Note } from "../parts/states.tsx";
import { milliseconds } from "../parts/values/number.tsx";
import { useQueryValues } from "../router.tsx";
import { AnswerView } from "./tools/answer-view.tsx";
import { RequestView } from "./tools/request-view.tsx";
import { ToolForm } from "./tools/tool-form.tsx";

interface Answered {
  tool: string;
  json: unknown;
  drawn: Drawn;
  tookMs: number;
}

const NOT_OF_TOOLS = new Set(["tool", "at"]);
const NO_FILES: Record<string, string> = {};

/** A static map has many options, so its form is a separate page. */
const STATIC = { id: "static", title: "Static map", about: "A map image for an email or a web page." };
const StaticMap = lazy(() => import("./static-map/static-map.tsx"), "100%");

/** API explorer: form, map, response, and the request to copy. The query is in the URL. */
export default function Tools() {
  const [query, setQuery] = useQueryValues();
  const named = query.get("tool");
  const shown = [...TOOLS, STATIC].find(({ id }) => id === named) ?? TOOLS[0];
  const tool = TOOLS.find(({ id }) => id === shown.id);
  const choose = (id: string) => {
    const others = [...query.keys()].filter((name) => !NOT_OF_TOOLS.has(name));
    setQuery({ ...Object.fromEntries(others.map((name) => [name, ""])), tool: id }, true);
  };
  const chooser = (
    <Select
      label="Tool"
      options={[...TOOLS, STATIC].map(({ id, title }) => [id, title] as const)}
      value={shown.id}
      onChange={choose}
      hint={shown.about}
    />
  );
  return tool ? <AskTool tool={tool} chooser={chooser} /> : <StaticMap chooser={chooser} />;
}

function AskTool({ tool, chooser }: { tool: Tool; chooser: ComponentChildren }) {
  const api = useApi();
  const mayWrite = useMay("write");
  const [query, setQuery] = useQueryValues();
  // Texts of files, which would be too long for the address; of the tool that they were given to.
  const [{ of, held }, setFiles] = useState<{ of: string; held: Record<string, string> }>({ of: "", held: {} });
  const files = of === tool.id ? held : NO_FILES;
  const values = useMemo(() => ({ ...valuesOf(tool, query), ...files }), [tool, query, files]);
  const [active, setActive] = useState(firstPlace(tool));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem>();
  const [answer, setAnswer] = useState<Answered>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setActive(firstPlace(tool));
    setFaults({});
    setProblem(undefined);
  }, [tool]);

  const put = (name: string, value: string) => {
    setFaults({});
    const field = tool.fields.find((one) => one.name === name);
    if (field?.kind === "file") return setFiles({ of: tool.id, held: { ...files, [name]: value } });
    setQuery({ [name]: value === (field?.usual ?? "") ? "" : value });
  };
  const click = ({ latitude, longitude }: { latitude: number; longitude: number }) => {
    const field = tool.fields.find(({ name }) => name === active);
    if (!field) return;
    const at = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
    if (field.kind !== "place") return put(field.name, [values[field.name], at].filter(Boolean).join("|"));
    put(field.name, at);
    // Whoever has set where from sets where to next.
    const next = tool.fields.find(
      (one) => one.kind !== "area" && isOnMap(one) && !values[one.name] && one.name !== field.name,
    );
    if (next) setActive(next.name);
  };
  const run = async () => {
    const wrong = faultsOf(tool, values);
    setFaults(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    setProblem(undefined);
    const began = performance.now();
    const done = await ask(api, tool, values);
    setBusy(false);
    if ("problem" in done) {
      setProblem(done.problem);
      if (done.problem.param) setFaults({ [done.problem.param.split("[")[0]]: done.problem.message });
      return;
    }
    setAnswer({ ...done, tool: tool.id, tookMs: performance.now() - began });
  };

  const shown = answer?.tool === tool.id ? answer : undefined;
  const drawn = shown?.drawn;
  const typed = useMemo(
    () => tool.fields.flatMap((field) => (isOnMap(field) ? pointsOf(values[field.name]) : [])),
    [tool, values],
  );
  // Show the avoided areas while they are drawn, and afterwards.
  const areas = useMemo(
    () => [
      ...(drawn?.areas ?? NONE),
      ...tool.fields.flatMap(({ kind, name }) => {
        const area = kind === "area" ? polygonOf(values[name]) : undefined;
        return area ? [{ rings: area.coordinates, name: "avoided" }] : [];
      }),
    ],
    [drawn, tool, values],
  );
  const points = drawn && drawn.points.length > 0 ? drawn.points : typed;
  const bounds = useMemo(
    () =>
      drawn &&
      boundsOf([
        ...drawn.points.map(({ latitude, longitude }) => [longitude, latitude]),
        ...drawn.lines.flatMap(({ pairs }) => pairs),
        ...drawn.areas.flatMap(({ rings }) => rings[0]),
      ]),
    [drawn],
  );
  return (
    <MapPage
      title="Tools"
      map={
        <MapView label="Map of the request and the response" onClick={click}>
          <AreasLayer source="tool-areas" areas={areas} />
          <LinesLayer source="tool-lines" lines={drawn?.lines ?? NONE} />
          <NumbersLayer source="tool-points" points={points} />
          <GoTo bounds={bounds} />
          <MapSearch onPick={click} />
        </MapView>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="map-panel-body stack" tabIndex={0}>
        {chooser}
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <ToolForm tool={tool} values={values} faults={faults} active={active} onActive={setActive} onChange={put} />
          <div class="row">
            <Button
              type="submit"
              main
              icon={Play}
              busy={busy}
              disabled={tool.writes && !mayWrite}
              why={whyNot("write")}
            >
              Run
            </Button>
            {shown && <span class="muted small">response in {milliseconds(Math.round(shown.tookMs))}</span>}
          </div>
        </form>
        {problem && <Failure problem={problem} />}
        {drawn?.summary && <Note>{drawn.summary}</Note>}
        {shown && <AnswerView drawn={drawn} json={shown.json} />}
        <RequestView request={tool.request(values)} />
      </div>
    </MapPage>
  );
}

const NONE: never[] = [];

const firstPlace = ({ fields }: Tool) => fields.find((field) => field.kind !== "area" && isOnMap(field))?.name ?? "";

function valuesOf({ fields }: Tool, query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, usual = "" }) => [name, query.get(name) ?? usual]));
}

async function ask(
  api: ReturnType<typeof useApi>,
  tool: Tool,
  values: Record<string, string>,
): Promise<Pick<Answered, "json" | "drawn"> | { problem: Problem }> {
  const { method, path, body } = tool.request(values);
  const result = await api.request<{ geofence?: { _id: string } }>(method, path, { body });
  if (!result.ok) return { problem: result.problem };
  const { meta: _, ...json } = result.data as Record<string, unknown>;
  if (tool.writes && result.data.geofence) await api.delete(`/v1/geofences/${result.data.geofence._id}`);
  return { json, drawn: tool.draw(json as never, values) };
}
