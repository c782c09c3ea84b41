import { H3_MEMORY_NAME } from "./h3-memory.ts";

/** H3 with a smaller memory. The rest of `src` imports it from here. */
export {
  cellToBoundary,
  cellToChildren,
  cellToLatLng,
  getHexagonEdgeLengthAvg,
  getRes0Cells,
  gridDisk,
  isPentagon,
  latLngToCell,
  UNITS,
} from "h3-js";

Reflect.deleteProperty(Object.prototype, H3_MEMORY_NAME);
