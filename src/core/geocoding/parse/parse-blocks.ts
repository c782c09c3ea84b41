import type { ParsedAddress } from "./parsed-address.ts";

/** Kana, Han or Hangul: written from large to small, houses by block and not by street. */
const BLOCK_SCRIPT = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
const FULL_WIDTH = /[０-９]/g;
const POSTAL_CODE = /〒?\s?(\d{3})[-－‐−]?(\d{4})(?!\d)/;
/** "1-1-5", "1丁目1番5号", "25-1": district, block, house. */
const JAPAN_NUMBER =
  /(\d+)(?![\d条線])\s*(?:丁目|番地?|号|-)?(?:\s*(\d+)(?!\s*階)\s*(?:番地?|号(?!室)|-)?)?(?:\s*(\d+)(?!\s*(?:階|号室))\s*号?)?/;
/** "東京都", then cities, wards, towns, and the district that stands for the street. */
const JAPAN_PLACES =
  /^[\s,、]*(?:日本国?[\s,、]*)?((?:北海道|東京都|(?:京都|大阪)府|.{2,3}?県))?[\s,、]*(.+?[市区町村])(.*)$/u;
const CHINA =
  /^[\s，,]*(?:中国|中华人民共和国)?[\s，,]*(?:(\p{L}+?(?:省|自治区)))?[\s，,]*(?:(\p{L}+?市))?[\s，,]*(?:\p{L}+?[区县])?[\s，,]*(\p{L}+?(?:路|街|道|巷|弄|大道|大街))?[\s，,]*(\d+(?:-\d+)?)?号?(.*)$/u;
const KOREA =
  /^[\s,]*(?:대한민국|한국)?[\s,]*(\S+?(?:특별시|광역시|특별자치시|도|시))?[\s,]*(?:(\S+[시군구])[\s,]+)?(?:(\S+[구동읍면])[\s,]+)?(\S+(?:로|길)(?:\s?\d+번?길)?)\s*(\d+(?:-\d+)?)?(.*)$/u;
/** Japan in Latin letters: "1-1-2 Oshiage, Sumida-ku, Tokyo". */
const LATIN = /^(\d+-\d+(?:-\d+)?)\s+(.+?),\s*(.+)$/;

/** Returns whether it is an address of blocks, or written as one. */
export function isWrittenInBlocks(text: string): boolean {
  return BLOCK_SCRIPT.test(text);
}

/** Japan, China, Korea: from prefecture to house, with or without spaces. */
export function takeBlocks(text: string, address: ParsedAddress): ParsedAddress {
  const plain = text
    .replace(FULL_WIDTH, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[−－ー―‐](?=\d)/g, "-");
  if (/[\uac00-\ud7af]/.test(plain)) return takeKorea(plain, address);
  const japanese = /[\u3040-\u30ff〒]|[都道府県丁番]|日本/.test(plain) || address.countryCode === "JP";
  return japanese ? takeJapan(plain, address) : takeChina(plain, address);
}

function takeJapan(text: string, address: ParsedAddress): ParsedAddress {
  address.countryCode = "JP";
  let rest = text;
  const postalCode = address.postalCode === undefined ? POSTAL_CODE.exec(rest) : null;
  if (postalCode) {
    address.postalCode = `${postalCode[1]}-${postalCode[2]}`;
    rest = rest.replace(postalCode[0], "");
  }
  const roomMatch = /(?:\d+階)?(?:\d+号室)|\d+階/.exec(rest);
  if (roomMatch) {
    address.unit = roomMatch[0];
    rest = rest.slice(0, roomMatch.index);
  }
  const places = JAPAN_PLACES.exec(rest.replace(/^日本/, ""));
  const place = places ? places[3] : rest;
  if (places) address.city = places[2].trim();
  const number = JAPAN_NUMBER.exec(place);
  const before = number ? place.slice(0, number.index) : place;
  if (number) {
    address.number = number
      .slice(1)
      .filter((part) => part !== undefined)
      .join("-");
    const name = place.slice(number.index + number[0].length).trim();
    if (name) address.name = name;
  }
  if (before.trim()) address.street = before.trim();
  return address;
}

function takeChina(text: string, address: ParsedAddress): ParsedAddress {
  address.countryCode ??= "CN";
  const found = CHINA.exec(text);
  if (!found) return address;
  const [, , city, street, number] = found;
  if (city) address.city = city;
  if (street) address.street = street;
  if (number) address.number = number;
  return address;
}

function takeKorea(text: string, address: ParsedAddress): ParsedAddress {
  address.countryCode = "KR";
  const found = KOREA.exec(text);
  if (!found) return address;
  const [, province, city, , street, number] = found;
  if (city ?? province) address.city = /시$/.test(city ?? "") ? city : (province ?? city);
  address.street = street;
  if (number) address.number = number;
  return address;
}

/** "1-1-2 Oshiage, Sumida, Tokyo": the district stands where others have the street. */
export function takeLatinBlocks(text: string, address: ParsedAddress): boolean {
  const found = LATIN.exec(text);
  if (!found) return false;
  address.number = found[1];
  address.street = found[2];
  const parts = found[3].split(/,\s*/).filter((part) => part !== "");
  if (parts.length > 0) address.city = parts[parts.length - 1];
  return true;
}
