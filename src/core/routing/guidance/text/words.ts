import type { Language } from "./translation.ts";

/** Count words: the form for a number, from the one-form to the many-form (Russian has three). */
type Unit = (value: number, text: string) => string;

export interface Words {
  /** "Get off your bike and walk." */
  pushBike: string;
  /** Between two sentences. */
  stop: string;
  /** "Exit 12". */
  exit: (number: string) => string;
  /** "2nd exit" of a roundabout. */
  roundaboutExit: (number: number) => string;
  /** "1st" of several destinations; absent where the ordinals of the sentences fit. */
  nth?: (number: number) => string;
  destination: { none: string; left: string; right: string; straight: string };
  /** "In 300 meters, turn left". */
  inDistance: (distance: string, sentence: string) => string;
  /** Decimal comma. */
  comma: boolean;
  /** First words of sentences that stay capital within a sentence. */
  capitals: RegExp;
  meters: Unit;
  kilometers: Unit;
  feet: Unit;
  miles: Unit;
}

const plural =
  (one: string, many: string): Unit =>
  (value, text) =>
    `${text} ${value === 1 ? one : many}`;
const attached =
  (unit: string): Unit =>
  (_, text) =>
    `${text}${unit}`;

/** 1 метр, 2 метра, 5 метров, 1,5 метра. */
const russian =
  (one: string, few: string, many: string): Unit =>
  (value, text) => {
    if (!Number.isInteger(value)) return `${text} ${few}`;
    const tens = value % 100;
    const ones = value % 10;
    if (tens > 10 && tens < 20) return `${text} ${many}`;
    return `${text} ${ones === 1 ? one : ones >= 2 && ones <= 4 ? few : many}`;
  };

const NONE = /^$/;
const ORDINAL_ENDINGS = ["th", "st", "nd", "rd"];

function englishOrdinal(number: number): string {
  const teen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(teen ? undefined : ORDINAL_ENDINGS[number % 10]) ?? "th"}`;
}

const KOREAN_COUNT = ["", "첫", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"];

/**
 * Words of banners and voice instructions in addition to the sentences. Distances are in the grammatical case that the
 * sentences need.
 */
export const WORDS: Record<Language, Words> = {
  de: {
    pushBike: "Absteigen und das Fahrrad schieben",
    stop: ". ",
    exit: (number) => `Ausfahrt ${number}`,
    roundaboutExit: (number) => `${number}. Ausfahrt`,
    nth: (number) => `${number}.`,
    destination: {
      none: "Ziel",
      left: "Ziel auf der linken Seite",
      right: "Ziel auf der rechten Seite",
      straight: "Ziel geradeaus",
    },
    inDistance: (distance, sentence) => `In ${distance} ${sentence}`,
    comma: true,
    capitals: /^(Sie|Fähre|Ausfahrt|Auffahrt|Kreisverkehr|180)/,
    meters: plural("Meter", "Metern"),
    kilometers: plural("Kilometer", "Kilometern"),
    feet: plural("Fuß", "Fuß"),
    miles: plural("Meile", "Meilen"),
  },
  en: {
    pushBike: "Get off your bike and walk",
    stop: ". ",
    exit: (number) => `Exit ${number}`,
    roundaboutExit: (number) => `${englishOrdinal(number)} exit`,
    destination: {
      none: "Destination",
      left: "Destination on the left",
      right: "Destination on the right",
      straight: "Destination straight ahead",
    },
    inDistance: (distance, sentence) => `In ${distance}, ${sentence}`,
    comma: false,
    capitals: NONE,
    meters: plural("meter", "meters"),
    kilometers: plural("kilometer", "kilometers"),
    feet: plural("foot", "feet"),
    miles: plural("mile", "miles"),
  },
  es: {
    pushBike: "Bájate de la bicicleta y camina",
    stop: ". ",
    exit: (number) => `Salida ${number}`,
    roundaboutExit: (number) => `${number}.ª salida`,
    nth: (number) => `${number}.º`,
    destination: {
      none: "Destino",
      left: "Destino a la izquierda",
      right: "Destino a la derecha",
      straight: "Destino en frente",
    },
    inDistance: (distance, sentence) => `A ${distance}, ${sentence}`,
    comma: true,
    capitals: NONE,
    meters: plural("metro", "metros"),
    kilometers: plural("kilómetro", "kilómetros"),
    feet: plural("pie", "pies"),
    miles: plural("milla", "millas"),
  },
  fr: {
    pushBike: "Descendre du vélo et marcher",
    stop: ". ",
    exit: (number) => `Sortie ${number}`,
    roundaboutExit: (number) => `${number === 1 ? "1re" : `${number}e`} sortie`,
    destination: {
      none: "Destination",
      left: "Destination sur la gauche",
      right: "Destination sur la droite",
      straight: "Destination droit devant",
    },
    inDistance: (distance, sentence) => `Dans ${distance}, ${sentence}`,
    comma: true,
    capitals: NONE,
    // French counts everything below two as one.
    meters: (value, text) => `${text} ${value < 2 ? "mètre" : "mètres"}`,
    kilometers: (value, text) => `${text} ${value < 2 ? "kilomètre" : "kilomètres"}`,
    feet: (value, text) => `${text} ${value < 2 ? "pied" : "pieds"}`,
    miles: (value, text) => `${text} ${value < 2 ? "mile" : "miles"}`,
  },
  ja: {
    pushBike: "自転車を降りて歩く",
    stop: "。",
    exit: (number) => `出口 ${number}`,
    roundaboutExit: (number) => `${number}番出口`,
    nth: (number) => `${number}番目の`,
    destination: { none: "目的地", left: "目的地は左側", right: "目的地は右側", straight: "目的地は正面" },
    inDistance: (distance, sentence) => `${distance}先、${sentence}`,
    comma: false,
    capitals: NONE,
    meters: attached("メートル"),
    kilometers: attached("キロメートル"),
    feet: attached("フィート"),
    miles: attached("マイル"),
  },
  ko: {
    pushBike: "자전거에서 내려 걸어가세요.",
    stop: ". ",
    exit: (number) => `${number}번 출구`,
    roundaboutExit: (number) => `${KOREAN_COUNT[number] ?? number} 번째 출구`,
    nth: (number) => `${KOREAN_COUNT[number] ?? number} 번째 `,
    destination: { none: "목적지", left: "왼쪽에 목적지", right: "오른쪽에 목적지", straight: "정면에 목적지" },
    inDistance: (distance, sentence) => `${distance} 앞에서 ${sentence}`,
    comma: false,
    capitals: NONE,
    meters: attached("미터"),
    kilometers: attached("킬로미터"),
    feet: attached("피트"),
    miles: attached("마일"),
  },
  pt: {
    pushBike: "Desça da bicicleta e caminhe",
    stop: ". ",
    exit: (number) => `Saída ${number}`,
    roundaboutExit: (number) => `${number}ª saída`,
    nth: (number) => `${number}º`,
    destination: {
      none: "Destino",
      left: "Destino à esquerda",
      right: "Destino à direita",
      straight: "Destino em frente",
    },
    inDistance: (distance, sentence) => `Em ${distance}, ${sentence}`,
    comma: true,
    capitals: NONE,
    meters: plural("metro", "metros"),
    kilometers: (value, text) => `${text} ${value < 2 ? "quilômetro" : "quilômetros"}`,
    feet: plural("pé", "pés"),
    miles: (value, text) => `${text} ${value < 2 ? "milha" : "milhas"}`,
  },
  "pt-PT": {
    pushBike: "Desmonte da bicicleta e siga a pé",
    stop: ". ",
    exit: (number) => `Saída ${number}`,
    roundaboutExit: (number) => `${number}.ª saída`,
    nth: (number) => `${number}.º`,
    destination: {
      none: "Destino",
      left: "Destino à esquerda",
      right: "Destino à direita",
      straight: "Destino em frente",
    },
    inDistance: (distance, sentence) => `A ${distance}, ${sentence}`,
    comma: true,
    capitals: NONE,
    meters: plural("metro", "metros"),
    kilometers: (value, text) => `${text} ${value < 2 ? "quilómetro" : "quilómetros"}`,
    feet: plural("pé", "pés"),
    miles: (value, text) => `${text} ${value < 2 ? "milha" : "milhas"}`,
  },
  ru: {
    pushBike: "Сойдите с велосипеда и идите пешком",
    stop: ". ",
    exit: (number) => `Съезд ${number}`,
    roundaboutExit: (number) => `${number}-й съезд`,
    destination: {
      none: "Пункт назначения",
      left: "Пункт назначения слева",
      right: "Пункт назначения справа",
      straight: "Пункт назначения впереди",
    },
    inDistance: (distance, sentence) => `Через ${distance} ${sentence}`,
    comma: true,
    capitals: NONE,
    meters: russian("метр", "метра", "метров"),
    kilometers: russian("километр", "километра", "километров"),
    feet: russian("фут", "фута", "футов"),
    miles: russian("милю", "мили", "миль"),
  },
};

/** German distances where no "in" stands before them: another grammatical case. */
export const PLAIN_METERS_DE: Pick<Words, "meters" | "kilometers"> = {
  meters: plural("Meter", "Meter"),
  kilometers: plural("Kilometer", "Kilometer"),
};
