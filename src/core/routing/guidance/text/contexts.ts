/**
 * Words in front of a turn at a small roundabout, and the sentences for turning back there if those of a turn do not fit
 * after these words.
 */
export const AT_ROUNDABOUT: Record<string, { before: string; uturn?: Record<string, string> }> = {
  de: {
    before: "Im Kreisverkehr ",
    uturn: {
      default: "Wenden",
      name: "Wenden auf {way_name}",
      destination: "Wenden Richtung {destination}",
    },
  },
  en: { before: "At the roundabout, " },
  es: { before: "En la rotonda, " },
  fr: { before: "Au giratoire, " },
  ja: { before: "環状交差点で、" },
  ko: { before: "로터리에서 " },
  pt: { before: "Na rotatória, " },
  "pt-PT": { before: "Na rotunda, " },
  ru: { before: "На круговой развязке " },
};

type Verbs = readonly [driving: string, instead: string][];

const JAPANESE_PATHS: Verbs = [["車線", "の道"]];
const RUSSIAN_PATHS: Verbs = [
  ["Перестройтесь", "Держитесь"],
  ["Перестраивайтесь", "Держитесь"],
];

/** Words of driving in the sentences, and the words that replace them for people who walk or push a bike. */
export const ON_FOOT: Partial<Record<string, Verbs>> = {
  de: [
    ["auffahren", "weitergehen"],
    ["weiterfahren", "weitergehen"],
    ["Weiterfahren", "Weitergehen"],
    ["Fahren Sie", "Gehen Sie"],
    [" fahren", " gehen"],
  ],
  ja: JAPANESE_PATHS,
  ru: [
    ...RUSSIAN_PATHS,
    ["Продолжите движение", "Идите дальше"],
    ["продолжите движение", "идите дальше"],
    ["Двигайтесь", "Идите"],
    ["двигайтесь", "идите"],
    ["двигатесь", "идите"],
  ],
};

/** The same for people who ride a bike: German and Russian use the verbs of driving for it. */
export const BY_BIKE: Partial<Record<string, Verbs>> = { ja: JAPANESE_PATHS, ru: RUSSIAN_PATHS };
