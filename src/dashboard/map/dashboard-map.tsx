import { useApi } from "../api/hooks.ts";
import { useQueryValue } from "../router.tsx";
import { MapCanvas, type MapViewProps } from "./map-view.tsx";

/** A map of the dashboard: drawn with the viewer's session, and its position is in the address. */
export function MapView(props: Omit<MapViewProps, "headers" | "position" | "onMove"> & { inAddress?: boolean }) {
  const { inAddress = true, ...rest } = props;
  const api = useApi();
  const [at, setAt] = useQueryValue("at");
  return <MapCanvas {...rest} headers={api.headers()} {...(inAddress ? { position: at, onMove: setAt } : {})} />;
}
