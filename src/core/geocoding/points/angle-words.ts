/**
 * Text around the numbers of a position: marks for degrees, minutes and seconds, and the cardinal directions in the
 * languages that write them out. Letters are those of maps and encyclopaedias of each language.
 */
export type Axis = "latitude" | "longitude";

export interface Side {
  axis: Axis;
  sign: 1 | -1;
}

const NORTH: Side = { axis: "latitude", sign: 1 };
const SOUTH: Side = { axis: "latitude", sign: -1 };
const EAST: Side = { axis: "longitude", sign: 1 };
const WEST: Side = { axis: "longitude", sign: -1 };

/** One letter for each side. "O" is not here: Ost in German, but oeste, ouest and ovest in Romance languages. */
const LETTERS: readonly (readonly [string, Side])[] = [
  ["n", NORTH],
  ["s", SOUTH],
  ["e", EAST],
  ["w", WEST],
  // Russian, Ukrainian: север, юг, восток, запад.
  ["с", NORTH],
  ["ю", SOUTH],
  ["в", EAST],
  ["з", WEST],
  // Arabic: شمال، جنوب، شرق، غرب.
  ["ش", NORTH],
  ["ج", SOUTH],
  ["ق", EAST],
  ["غ", WEST],
];

const WORDS: readonly (readonly [Side, string])[] = [
  [
    NORTH,
    "north nord norte noord norr pohjoista kuzey septentrion nördlich северной сш شمال nbr شمالا 北緯 北纬 북위 pn",
  ],
  [SOUTH, "south sud süd sur sul zuid söder syd etelää güney südlich южной юш جنوب sbr جنوبا 南緯 南纬 남위 pd"],
  [EAST, "east ost est este leste oost öst øst itää doğu östlich восточной вд شرق öl شرقا 東経 東經 东经 동경 wsch"],
  [WEST, "west ouest oeste ovest väst vest länttä batı westlich западной зд غرب wl غربا 西経 西經 西经 서경 zach"],
];

/** Words that name the axis alone, or belong to a side: "lat 40.7", "52° nördlicher Breite". */
const AXES: readonly (readonly [Axis, string])[] = [
  ["latitude", "lat latitude latitud latitudine breite breitengrad широта широты 緯度 纬度 위도 y"],
  ["longitude", "lon lng long longitude longitud longitudine länge längengrad долгота долготы 経度 經度 经度 경도 x"],
];

const UNITS: readonly (readonly [number, string])[] = [
  [0, "° deg degree degrees grad degrés graus grados град 度 도"],
  [1, "' min minute minutes minuten minutos мин 分 분"],
  [2, '" sec second seconds sekunden segundos сек 秒 초'],
];

const table = <T>(rows: readonly (readonly [T, string])[]) =>
  new Map(rows.flatMap(([value, words]) => words.split(" ").map((word) => [word, value] as const)));

export const SIDES: ReadonlyMap<string, Side> = new Map([...LETTERS, ...[...table(WORDS)]]);
export const AXIS_WORDS: ReadonlyMap<string, Axis> = table(AXES);
export const UNIT_WORDS: ReadonlyMap<string, number> = table(UNITS);

/** Scripts without spaces attach words to the numbers: these are split off everywhere. */
const JOINED =
  /北緯|北纬|북위|南緯|南纬|남위|東経|東經|东经|동경|西経|西經|西经|서경|緯度|纬度|위도|経度|經度|经度|경도|[度分秒도분초]/gu;

/** Normalizes marks before parsing: quotes of every shape, minus signs, digits of other scripts. */
export function plainMarks(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0x0660 + 48))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0x06f0 + 48))
    .replace(/[\u0966-\u096f]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0x0966 + 48))
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[٫]/g, ".")
    .replace(/[،、，]/g, ",")
    .replace(/[؛；]/g, ";")
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, "")
    .replace(/[º˚∘ᵒ⁰○]|\*(?=\s?\d)/g, "°")
    .replace(/''|′′|’’|``|,,/g, '"')
    .replace(/[″”“„‟＂ʺ〃]/g, '"')
    .replace(/[′’‘‛´`ʹʼ＇]/g, "'")
    .replace(/[‐‑‒–—−﹣]/g, "-")
    .replace(/(?<!\p{L})([nsöw])\.\s?(br|l)\.?(?!\p{L})/giu, "$1$2")
    .replace(JOINED, " $& ");
}
