/**
 * Solomon's 56 instances of 100 customers (1987): the fewest vehicles known, and with them the shortest distance, Euclidean and not
 * rounded, as SINTEF lists them (https://www.sintef.no/projectweb/top/vrptw/100-customers/).
 */
const SOLOMON: Record<string, string> = {
  c1: "10 828.94, 10 828.94, 10 828.06, 10 824.78, 10 828.94, 10 828.94, 10 828.94, 10 828.94, 10 828.94",
  c2: "3 591.56, 3 591.56, 3 591.17, 3 590.60, 3 588.88, 3 588.49, 3 588.29, 3 588.32",
  r1: "19 1650.80, 17 1486.12, 13 1292.68, 9 1007.31, 14 1377.11, 12 1252.03, 10 1104.66, 9 960.88, 11 1194.73, 10 1118.84, 10 1096.72, 9 982.14",
  r2: "4 1252.37, 3 1191.70, 3 939.50, 2 825.52, 3 994.42, 3 906.14, 2 890.61, 2 726.82, 3 909.16, 3 939.37, 2 885.71",
  rc1: "14 1696.95, 12 1554.75, 11 1261.67, 10 1135.48, 13 1629.44, 11 1424.73, 11 1230.48, 10 1139.82",
  rc2: "4 1406.94, 3 1365.65, 3 1049.62, 3 798.46, 4 1297.65, 3 1146.32, 3 1061.14, 3 828.14",
};

export interface BestKnown {
  vehicles: number;
  distance: number;
}

const pair = (text: string): BestKnown => {
  const [vehicles, distance] = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return { vehicles, distance };
};

/** By the instance's name in small letters, as in r101. */
export function bestKnown(): Map<string, BestKnown> {
  return new Map(
    Object.entries(SOLOMON).flatMap(([group, list]) =>
      list.split(",").map((text, i): [string, BestKnown] => [`${group}${String(i + 1).padStart(2, "0")}`, pair(text)]),
    ),
  );
}

/** More of them, from lines `name,vehicles,distance`. */
export function bestOfLines(text: string): Map<string, BestKnown> {
  const lines = text.split("\n").filter((line) => line.includes(","));
  return new Map(
    lines.map((line) => [line.split(",")[0].trim().toLowerCase(), pair(line.slice(line.indexOf(",") + 1))]),
  );
}
