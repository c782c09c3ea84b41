import type { Language } from "../../../../src/core/geocoding/entry/entry.ts";
import { fold } from "../../../../src/core/geocoding/words/normalise.ts";
import type { City } from "../../../../src/importer/world/cities.ts";
import type { CityAliases } from "../../../../src/importer/world/lists.ts";

/** What large cities are called in other languages: name, country, and the city in English. Written for this test. */
const TEXT: Readonly<Record<Language, string>> = {
  de: `Genf CH Geneva, Krakau PL Krakow, Mailand IT Milan, Florenz IT Florence, Prag CZ Prague, Lissabon PT Lisbon,
    Warschau PL Warsaw, Danzig PL Gdansk, Breslau PL Wroclaw, Stettin PL Szczecin, Posen PL Poznan, Kopenhagen DK Copenhagen,
    Brüssel BE Brussels, Lüttich BE Liege, Antwerpen BE Antwerp, Straßburg FR Strasbourg, Nizza FR Nice, Venedig IT Venice,
    Neapel IT Naples, Turin IT Turin, Rom IT Rome, Genua IT Genoa, Padua IT Padova, Athen GR Athens, Moskau RU Moscow,
    Bukarest RO Bucharest, Belgrad RS Belgrade, Kiew UA Kyiv, Lemberg UA Lviv, Peking CN Beijing, Tokio JP Tokyo,
    Kairo EG Cairo, Hermannstadt RO Sibiu, Kronstadt RO Brasov, Klausenburg RO Cluj-Napoca, Temeschburg RO Timisoara,
    Pressburg SK Bratislava, Kaschau SK Kosice, Brünn CZ Brno, Pilsen CZ Plzen, Laibach SI Ljubljana, Agram HR Zagreb,
    Reval EE Tallinn, Kattowitz PL Katowice, Allenstein PL Olsztyn, Bromberg PL Bydgoszcz, Thorn PL Torun`,
  fr: `Londres GB London, Édimbourg GB Edinburgh, Cracovie PL Krakow, Varsovie PL Warsaw, Vienne AT Vienna,
    Bruxelles BE Brussels, Anvers BE Antwerp, Gand BE Gent, La Haye NL The Hague, Cologne DE Köln, Munich DE Munich,
    Francfort DE Frankfurt am Main, Hambourg DE Hamburg, Aix-la-Chapelle DE Aachen, Ratisbonne DE Regensburg,
    Trèves DE Trier, Mayence DE Mainz, Brême DE Bremen, Barcelone ES Barcelona, Séville ES Sevilla, Cordoue ES Cordoba,
    Saragosse ES Zaragoza, Lisbonne PT Lisbon, Athènes GR Athens, Moscou RU Moscow, Pékin CN Beijing, Le Caire EG Cairo,
    Alger DZ Algiers, Tanger MA Tangier, Gênes IT Genoa, Venise IT Venice, Copenhague DK Copenhagen`,
  es: `Londres GB London, Edimburgo GB Edinburgh, Múnich DE Munich, Colonia DE Köln, Hamburgo DE Hamburg,
    Fráncfort DE Frankfurt am Main, Ginebra CH Geneva, Viena AT Vienna, Bruselas BE Brussels, Amberes BE Antwerp,
    Gante BE Gent, La Haya NL The Hague, Burdeos FR Bordeaux, Marsella FR Marseille, Tolosa FR Toulouse, Niza FR Nice,
    Milán IT Milan, Florencia IT Florence, Nápoles IT Naples, Venecia IT Venice, Turín IT Turin, Praga CZ Prague,
    Varsovia PL Warsaw, Cracovia PL Krakow, Atenas GR Athens, Estambul TR Istanbul, Moscú RU Moscow, Pekín CN Beijing,
    Nueva York US New York City, Nueva Orleans US New Orleans, Filadelfia US Philadelphia, El Cairo EG Cairo`,
  pt: `Londres GB London, Munique DE Munich, Colônia DE Köln, Hamburgo DE Hamburg, Genebra CH Geneva, Viena AT Vienna,
    Bruxelas BE Brussels, Antuérpia BE Antwerp, Haia NL The Hague, Bordéus FR Bordeaux, Marselha FR Marseille,
    Milão IT Milan, Florença IT Florence, Nápoles IT Naples, Veneza IT Venice, Turim IT Turin, Praga CZ Prague,
    Varsóvia PL Warsaw, Cracóvia PL Krakow, Atenas GR Athens, Istambul TR Istanbul, Moscou RU Moscow, Pequim CN Beijing,
    Nova York US New York City, Copenhaga DK Copenhagen, Estocolmo SE Stockholm, Saragoça ES Zaragoza`,
  en: `Cologne DE Köln, Nuremberg DE Nürnberg, Hanover DE Hannover, Cracow PL Krakow, Danzig PL Gdansk, Geneva CH Geneva,
    Lucerne CH Luzern, Basle CH Basel, Ghent BE Gent, Bruges BE Brugge, Seville ES Sevilla, Saragossa ES Zaragoza,
    Corunna ES A Coruña, Leghorn IT Livorno, Syracuse IT Siracusa, Salonica GR Thessaloniki, Bombay IN Mumbai,
    Calcutta IN Kolkata, Madras IN Chennai, Bangalore IN Bengaluru, Peking CN Beijing, Canton CN Guangzhou,
    Saigon VN Ho Chi Minh City, Rangoon MM Yangon, Gothenburg SE Göteborg, Kiev UA Kyiv, Odessa UA Odesa`,
  ru: `Лондон GB London, Париж FR Paris, Берлин DE Berlin, Мюнхен DE Munich, Кёльн DE Köln, Лейпциг DE Leipzig,
    Дрезден DE Dresden, Вена AT Vienna, Женева CH Geneva, Цюрих CH Zürich, Рим IT Rome, Милан IT Milan, Неаполь IT Naples,
    Мадрид ES Madrid, Барселона ES Barcelona, Лиссабон PT Lisbon, Афины GR Athens, Стамбул TR Istanbul, Прага CZ Prague,
    Варшава PL Warsaw, Краков PL Krakow, Киев UA Kyiv, Львов UA Lviv, Рига LV Riga, Вильнюс LT Vilnius, Таллин EE Tallinn,
    Пекин CN Beijing, Токио JP Tokyo, Нью-Йорк US New York City, Чикаго US Chicago, Каир EG Cairo`,
  ar: `لندن GB London, باريس FR Paris, برلين DE Berlin, ميونخ DE Munich, فيينا AT Vienna, جنيف CH Geneva, روما IT Rome,
    ميلانو IT Milan, مدريد ES Madrid, برشلونة ES Barcelona, إشبيلية ES Sevilla, غرناطة ES Granada, لشبونة PT Lisbon,
    أثينا GR Athens, إسطنبول TR Istanbul, موسكو RU Moscow, بكين CN Beijing, طوكيو JP Tokyo, نيويورك US New York City,
    القاهرة EG Cairo, الإسكندرية EG Alexandria, دمشق SY Damascus, بغداد IQ Baghdad, الرياض SA Riyadh, طهران IR Tehran`,
  ja: `ロンドン GB London, パリ FR Paris, ベルリン DE Berlin, ミュンヘン DE Munich, ケルン DE Köln, ウィーン AT Vienna,
    ジュネーヴ CH Geneva, チューリッヒ CH Zürich, ローマ IT Rome, ミラノ IT Milan, フィレンツェ IT Florence, マドリード ES Madrid,
    バルセロナ ES Barcelona, リスボン PT Lisbon, アテネ GR Athens, モスクワ RU Moscow, 北京 CN Beijing, 上海 CN Shanghai,
    ソウル KR Seoul, ニューヨーク US New York City, シカゴ US Chicago, カイロ EG Cairo, プラハ CZ Prague, 大阪市 JP Osaka`,
  ko: `런던 GB London, 파리 FR Paris, 베를린 DE Berlin, 뮌헨 DE Munich, 빈 AT Vienna, 제네바 CH Geneva, 로마 IT Rome,
    밀라노 IT Milan, 마드리드 ES Madrid, 바르셀로나 ES Barcelona, 리스본 PT Lisbon, 아테네 GR Athens, 모스크바 RU Moscow,
    베이징 CN Beijing, 상하이 CN Shanghai, 도쿄 JP Tokyo, 오사카 JP Osaka, 뉴욕 US New York City, 시카고 US Chicago,
    카이로 EG Cairo, 프라하 CZ Prague, 부산 KR Busan`,
  zh: `伦敦 GB London, 巴黎 FR Paris, 柏林 DE Berlin, 慕尼黑 DE Munich, 科隆 DE Köln, 维也纳 AT Vienna, 日内瓦 CH Geneva,
    苏黎世 CH Zürich, 罗马 IT Rome, 米兰 IT Milan, 佛罗伦萨 IT Florence, 马德里 ES Madrid, 巴塞罗那 ES Barcelona,
    里斯本 PT Lisbon, 雅典 GR Athens, 莫斯科 RU Moscow, 首尔 KR Seoul, 東京 JP Tokyo, 大阪 JP Osaka, 纽约 US New York City,
    芝加哥 US Chicago, 开罗 EG Cairo, 布拉格 CZ Prague, 广州 CN Guangzhou, 深圳 CN Shenzhen`,
};

export interface Exonym {
  language: Language;
  name: string;
  country: string;
  english: string;
}

export const EXONYMS: readonly Exonym[] = Object.entries(TEXT).flatMap(([language, text]) =>
  text.split(",").map((line) => {
    const [, name, country, english] = /^\s*(.+) ([A-Z]{2}) (.+?)\s*$/.exec(line)!;
    return { language: language as Language, name, country, english };
  }),
);

/** The largest city of a country with a name. */
export function exonymCities(cities: readonly City[], aliases: ReadonlyMap<number, CityAliases>) {
  return (country: string, english: string): City => {
    const is = (one: string) => fold(one) === fold(english);
    const city = cities.find(
      (one) => one.country === country && (is(one.name) || aliases.get(one.id)?.some(([, other]) => is(other))),
    );
    if (!city) throw new Error(`${country} ${english}: No such city.`);
    return city;
  };
}
