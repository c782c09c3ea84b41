/** The oceans and two seas, named in the platform's ten languages: data packages draw the water, but do not name it. */
export const OCEANS: readonly {
  longitude: number;
  latitude: number;
  minZoom: number;
  names: Readonly<Record<string, string>>;
}[] = [
  ocean(-150, 5, 1, [
    "Pacific Ocean",
    "المحيط الهادئ",
    "Pazifischer Ozean",
    "Océano Pacífico",
    "océan Pacifique",
    "太平洋",
    "태평양",
    "Oceano Pacífico",
    "Тихий океан",
    "太平洋",
  ]),
  ocean(-35, 22, 1, [
    "Atlantic Ocean",
    "المحيط الأطلسي",
    "Atlantischer Ozean",
    "Océano Atlántico",
    "océan Atlantique",
    "大西洋",
    "대서양",
    "Oceano Atlântico",
    "Атлантический океан",
    "大西洋",
  ]),
  ocean(78, -22, 1, [
    "Indian Ocean",
    "المحيط الهندي",
    "Indischer Ozean",
    "Océano Índico",
    "océan Indien",
    "インド洋",
    "인도양",
    "Oceano Índico",
    "Индийский океан",
    "印度洋",
  ]),
  ocean(-150, 79, 2, [
    "Arctic Ocean",
    "المحيط المتجمد الشمالي",
    "Arktischer Ozean",
    "Océano Ártico",
    "océan Arctique",
    "北極海",
    "북극해",
    "Oceano Ártico",
    "Северный Ледовитый океан",
    "北冰洋",
  ]),
  ocean(90, -62, 2, [
    "Southern Ocean",
    "المحيط الجنوبي",
    "Südlicher Ozean",
    "Océano Antártico",
    "océan Austral",
    "南極海",
    "남극해",
    "Oceano Antártico",
    "Южный океан",
    "南冰洋",
  ]),
  ocean(18.2, 34.6, 3, [
    "Mediterranean Sea",
    "البحر المتوسط",
    "Mittelmeer",
    "Mar Mediterráneo",
    "mer Méditerranée",
    "地中海",
    "지중해",
    "Mar Mediterrâneo",
    "Средиземное море",
    "地中海",
  ]),
  ocean(34.5, 43.3, 4, [
    "Black Sea",
    "البحر الأسود",
    "Schwarzes Meer",
    "Mar Negro",
    "mer Noire",
    "黒海",
    "흑해",
    "Mar Negro",
    "Чёрное море",
    "黑海",
  ]),
];

function ocean(
  longitude: number,
  latitude: number,
  minZoom: number,
  [en, ar, de, es, fr, ja, ko, pt, ru, zh]: string[],
) {
  const others = { ar, de, es, fr, ja, ko, pt, ru, zh };
  const names: Record<string, string> = { name: en };
  for (const [language, name] of Object.entries(others)) names[`name:${language}`] = name;
  return { longitude, latitude, minZoom, names };
}
