import { useApi } from "../api/hooks.ts";
import { useQueryValue } from "../base/router.tsx";
import { findHome, rememberHome } from "./home.ts";
import { MapCanvas, type MapViewProps } from "./map-view.tsx";

/**
 * A map of the dashboard: drawn with the viewer's session, and its position is in the address. Without one it opens where the data is,
 * and the dashboard remembers the position for the project's next map.
 */
export function MapView(props: Omit<MapViewProps, "headers" | "position" | "onMove"> & { inAddress?: boolean }) {
  const { inAddress = true, ...rest } = props;
  const api = useApi();
  const [at, setAt] = useQueryValue("at");
  const inUrl = {
    position: at,
    onMove(position: string) {
      setAt(position);
      rememberHome(api, position);
    },
  };
  return <MapCanvas {...rest} headers={api.headers()} findHome={() => findHome(api)} {...(inAddress ? inUrl : {})} />;
}
