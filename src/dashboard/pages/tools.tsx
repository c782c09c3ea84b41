import { Play } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Api, Result } from "../api/client.ts";
import { useQueryValues } from "../base/router.tsx";
import { Select } from "../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../forms/form.tsx";
import { useSubmit } from "../forms/use-form.ts";
import { MapSearch } from "../map/address-search.tsx";
import { MapView } from "../map/dashboard-map.tsx";
import { GoTo, ShowTyped } from "../map/go-to.tsx";
import { AreasLayer, LinesLayer, NumbersLayer } from "../map/layers/layers.tsx";
import { MapPage } from "../map/map-page.tsx";
import { boundsOf } from "../map/position.ts";
import { TOOLS } from "../map/tools/all-tools.ts";
import { type DrawnAnswer, faultsOf, isOnMap, pointsOf, polygonOf, type Tool } from "../map/tools/tool.ts";
import { lazy } from "../parts/lazy.tsx";
import { Note } from "../parts/states.tsx";
import { milliseconds } from "../parts/values/format.tsx";
import { AnswerView } from "./tools/answer-view.tsx";
import { ElevationProfile } from "./tools/elevation-profile.tsx";
import { PeerUrls } from "./tools/peer-urls.tsx";
import { RequestView } from "./tools/request-view.tsx";
import { ToolForm } from "./tools/tool-form.tsx";

interface ToolAnswer {
  tool: string;
  json: unknown;
  drawn: DrawnAnswer;
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
  const { values, put } = useToolValues(tool);
  const [active, setActive] = useState(firstPlace(tool));
  const [typed, setTyped] = useState("");
  const [answer, setAnswer] = useState<ToolAnswer>();
  const form = useSubmit<ToolAnswer>({
    role: tool.writes ? "write" : undefined,
    send: async (api) => {
      const faults = faultsOf(tool, values);
      return Object.keys(faults).length > 0 ? { faults } : askTool(api, tool, values);
    },
    onDone: setAnswer,
  });
  const { clear } = form;
  useEffect(() => {
    setActive(firstPlace(tool));
    clear();
  }, [tool, clear]);
  const change = (name: string, value: string, isTyped = false) => {
    clear();
    setTyped(isTyped ? name : "");
    put(name, value);
  };
  const click = ({ latitude, longitude }: { latitude: number; longitude: number }) => {
    const field = tool.fields.find(({ name }) => name === active);
    if (!field) return;
    const at = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
    if (field.kind !== "place") return change(field.name, [values[field.name], at].filter(Boolean).join("|"));
    change(field.name, at);
    // After the origin, the next click sets the destination.
    const next = tool.fields.find(
      (one) => one.kind !== "area" && isOnMap(one) && !values[one.name] && one.name !== field.name,
    );
    if (next) setActive(next.name);
  };
  const shown = answer?.tool === tool.id ? answer : undefined;
  const drawn = shown?.drawn;
  return (
    <MapPage title="Tools" map={<ToolMap {...{ tool, values, drawn, typed }} onClick={click} />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="map-panel-body stack" tabIndex={0}>
        {chooser}
        <Form of={form} checksItself>
          <ToolForm
            {...{ tool, values, active }}
            onActive={setActive}
            onChange={(...typed) => change(...typed, true)}
          />
          <FormError />
          <RunRow tookMs={shown?.tookMs} />
        </Form>
        {drawn?.summary && <Note>{drawn.summary}</Note>}
        {drawn?.profile && <ElevationProfile pairs={drawn.profile} imperial={values.units === "imperial"} />}
        {shown && <AnswerView drawn={drawn} json={shown.json} />}
        <RequestView request={tool.request(values)} />
        <PeerUrls />
      </div>
    </MapPage>
  );
}

function RunRow({ tookMs }: { tookMs: number | undefined }) {
  return (
    <div class="row">
      <SaveButton icon={Play}>Run</SaveButton>
      {tookMs !== undefined && <span class="muted small">response in {milliseconds(Math.round(tookMs))}</span>}
    </div>
  );
}

/** The values of a tool's fields: in the URL, except the content of files, which would be too long for it. */
function useToolValues(tool: Tool) {
  const [query, setQuery] = useQueryValues();
  // The content of files belongs to the tool for which they were chosen.
  const [{ of, held }, setFiles] = useState<{ of: string; held: Record<string, string> }>({ of: "", held: {} });
  const files = of === tool.id ? held : NO_FILES;
  const values = useMemo(() => ({ ...valuesOf(tool, query), ...files }), [tool, query, files]);
  const put = (name: string, value: string) => {
    const field = tool.fields.find((one) => one.name === name);
    if (field?.kind === "file") return setFiles({ of: tool.id, held: { ...files, [name]: value } });
    setQuery({ [name]: value === (field?.usual ?? "") ? "" : value });
  };
  return { values, put };
}

interface ToolMapProps {
  tool: Tool;
  values: Record<string, string>;
  drawn: DrawnAnswer | undefined;
  /** The field that was typed in last, unless the map was clicked since. */
  typed: string;
  onClick: (at: { latitude: number; longitude: number }) => void;
}

function ToolMap({ tool, values, drawn, typed, onClick }: ToolMapProps) {
  const entered = useMemo(
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
  const points = drawn && drawn.points.length > 0 ? drawn.points : entered;
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
    <MapView label="Map of the request and the response" onClick={onClick}>
      <AreasLayer source="tool-areas" areas={areas} />
      <LinesLayer source="tool-lines" lines={drawn?.lines ?? NONE} />
      <NumbersLayer source="tool-points" points={points} />
      <GoTo bounds={bounds} />
      <ShowTyped
        bounds={boundsOf(pointsOf(values[typed] ?? "").map(({ latitude, longitude }) => [longitude, latitude]))}
      />
      <MapSearch onPick={onClick} />
    </MapView>
  );
}

const NONE: never[] = [];

const firstPlace = ({ fields }: Tool) => fields.find((field) => field.kind !== "area" && isOnMap(field))?.name ?? "";

function valuesOf({ fields }: Tool, query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, usual = "" }) => [name, query.get(name) ?? usual]));
}

async function askTool(api: Api, tool: Tool, values: Record<string, string>): Promise<Result<ToolAnswer>> {
  const { method, path, body } = tool.request(values);
  const began = performance.now();
  const result = await api.request<{ geofence?: { _id: string } }>(method, path, { body });
  if (!result.ok) return result;
  const { meta: _, ...json } = result.data as Record<string, unknown>;
  if (tool.writes && result.data.geofence) await api.delete(`/v1/geofences/${result.data.geofence._id}`);
  const tookMs = performance.now() - began;
  return {
    ok: true,
    data: { tool: tool.id, json, drawn: tool.draw(json as never, values), tookMs },
    meta: result.meta,
  };
}
