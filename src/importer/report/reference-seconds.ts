/**
 * Seconds of each phase, or of the steps of those that have some, in their order: of any import, and of a million elements more, or
 * of a million directed edges for the steps of roads. The lines through the imports of Monaco, Malta, Porto and a demo world in
 * `test/importer/report/recordings`.
 */
export const REFERENCE_SECONDS: Readonly<Record<string, readonly [fixed: number, perMillion: number]>> = {
  relations: [0.1, 0.08],
  ways: [0.07, 0.06],
  nodes: [0.18, 0.19],
  lines: [0.07, 0.13],
  outlines: [0.02, 0.06],
  regions: [0.73, 0.01],
  places: [0.12, 0.18],
  "addresses: collect": [0.69, 1.0],
  "addresses: resolve": [0.11, 0.53],
  "addresses: join": [0.0, 0.04],
  "addresses: pack": [0.13, 0.3],
  "addresses: write": [0.08, 0.05],
  "roads: graph": [0.34, 3.85],
  "roads: dividing": [0.0, 10.29],
  "roads: tiles": [0.23, 4.01],
  "roads: car": [0.0, 1.8],
  "roads: truck": [0.0, 1.44],
  "roads: foot": [0.0, 1.31],
  "roads: bike": [0.0, 1.29],
  "roads: manifest": [0.0, 0.13],
  "basemap: routes": [0.0, 0.0],
  "basemap: points": [0.03, 0.16],
  "basemap: lines and areas": [0.51, 1.71],
  "basemap: relations, borders, sea": [0.05, 0.0],
  "basemap: tiles": [0.35, 1.0],
  "basemap: archive": [0.01, 0.03],
  "basemap: glyphs": [0.19, 0.0],
};
