import { GRID } from "./parse-street.ts";
import type { ParsedAddress } from "./parsed-address.ts";

const UNIT =
  /(?:,\s*|\s+)(?:(?:apartamento|apartment|apto|apt|suite|ste|unit|flat|room|appartement|appt|app|wohnung|whg|piso|int|interno|lokal|lok|kv|кв|bureau|bur|depto|dpto|apto|local|office|ofc|spc|lot|bldg|building|floor|(?:rm|fl)(?=[\s.#]))(?!\p{L}{1,2}(?!\p{L}|\d))\.?(?!\s+\d{5}(?!\d))\s*(?:no\.?\s*)?#?\s*|#\s*)((?:\d+|\p{L}(?![\p{L}]))[\p{L}\d/-]{0,5}[ºª°]?)(?=$|[\s,])/iu;
const FLAT_FIRST = /^(?:flat|unit|apt|apartment|suite|shop|level)\s+([\p{L}\d-]{1,6}),?\s+(?=\S)/iu;
/** Australia: "Unit 12/345 Main St", "U12/345", "U 12 345", "Lot 3, 20 George St". */
const UNIT_OF_HOUSE =
  /^(?:flat|unit|u|apt|apartment|lot|shop|suite|villa|level)\.?\s*(\d{1,5}\p{L}?)(?:\s*\/\s*|,?\s+)(?=\d+\p{L}?(?:-\d+)?\s+\p{L})/iu;
/** Australia and Canada: "5/20 George St", "1200-1055 Dunsmuir St". */
const UNIT_SLASH = /^(\d{1,4}[A-Z]?)\/(\d+[A-Z]?(?:-\d+)?)\s+(?=\p{L})/iu;
const UNIT_HYPHEN = /^(\d{1,5})\s?-\s?(\d+[A-Z]?)\s+(?=\p{L})/iu;
const BOX =
  /(?:^|,\s*)(?:p\.?\s?o\.?\s?box|post office box|postfach|case postale|bo[iî]te postale|b\.?p\.?|c\.?p\.?|apartado|caixa postal|casella postale|postbus|skrytka pocztowa)\s*#?\s*(\d[\d\s]{0,8}\d|\d)/iu;

/** Storeys: "6th Floor", "Sixth Floor", "5º izq", "4 t.v.", "2. sal". */
const LEVEL =
  /(?:,|\s-)?\s+((?:\d{1,3}(?:st|nd|rd|th)|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|ground|top))\s+(?:floor|fl)\b\.?|\d{1,2}\s?[ºª](?:\s(?:izq|dcha|der|[A-D])\b\.?)?|\d{1,2}\.?\s(?:t\.\s?[vh]\.|tv\b|th\b|mf\b|sal\b(?:\s(?:tv|th|mf)\b)?|etg\b\.?|stock\b|og\b))(?=$|[\s,])/iu;

export function takeUnit(text: string, address: ParsedAddress): string {
  let rest = text;
  const level = LEVEL.exec(rest);
  if (level && level.index > 0) {
    address.unit = level[1];
    rest = `${rest.slice(0, level.index)}${rest.slice(level.index + level[0].length)}`;
  }
  const box = BOX.exec(rest);
  if (box && !/^\d{5}$/.test(box[1])) {
    address.box = box[1].replace(/\s+/g, "");
    rest = rest.replace(box[0], "").replace(/^\s*,\s*/, "");
  }
  const first = UNIT_OF_HOUSE.exec(rest) ?? FLAT_FIRST.exec(rest);
  if (first && /\d/.test(first[1])) {
    address.unit = first[1];
    return rest.slice(first[0].length);
  }
  const unit = GRID.test(rest) ? null : UNIT.exec(rest);
  if (unit && unit.index > 0 && /\p{L}{2}/u.test(rest.slice(0, unit.index))) {
    address.unit = unit[1];
    return rest.slice(0, unit.index) + rest.slice(unit.index + unit[0].length);
  }
  const slash = UNIT_SLASH.exec(rest);
  if (slash && !/^\d\/\d$/.test(slash[0].trim())) {
    address.unit = slash[1];
    return rest.slice(slash[1].length + 1);
  }
  const hyphen = address.countryCode === "CA" ? UNIT_HYPHEN.exec(rest) : null;
  if (!hyphen) return rest;
  address.unit = hyphen[1];
  return rest.slice(rest.indexOf("-") + 1).trim();
}
