import { writePbf } from "../osm/write-pbf.ts";
import { type DemoWorldOptions, demoBounds, demoWorld } from "./demo-world.ts";

/** Writes the demo world to an .osm.pbf; the same options give the same bytes. About a megabyte per township. */
export async function writeDemoWorld(path: string, options: DemoWorldOptions = {}): Promise<void> {
  await writePbf(path, demoWorld(options), { bounds: demoBounds(options), writingProgram: "graticule demo world" });
}
