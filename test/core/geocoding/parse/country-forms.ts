/**
 * Apartments, floors and corners as people of each country write them. N is the house number, A and B are two streets,
 * C is the town.
 */
export interface CountryForms {
  /** The number and what follows or precedes it; one form per line, forms of one line separated by |. */
  units: string;
  corners: string;
  /** Ranges of houses from N to M. */
  ranges: string;
}

const RANGES = "N-M | N - M | N–M";

const form = (units: string, corners: string, ranges = RANGES): CountryForms => ({ units, corners, ranges });

const ENGLISH_CORNERS =
  "A & B, C | A and B, C | A at B, C | corner of A and B, C | A / B, C | intersection of A and B, C | cnr A & B, C";
const SPANISH_CORNERS =
  "A esquina B, C | A esquina con B, C | esquina de A y B, C | esquina A con B, C | A y B, C | cruce de A con B, C | A esq. B, C | A con B, C";
const GERMAN_CORNERS = "A / B, C | A Ecke B, C | Ecke A und B, C | Ecke A / B, C | Kreuzung A und B, C | A/Ecke B, C";
const RUSSIAN_CORNERS = "угол A и B, C | A / B, C | перекрёсток A и B, C | A угол B, C | на углу A и B, C | C, A и B";

export const COUNTRY_FORMS: Readonly<Record<string, CountryForms>> = {
  DK: form("N, 3. tv | N, st. th | N, 2. sal | N, kl. tv | N, 1. mf", "A / B, C | hjørnet af A og B, C | A og B, C"),
  FI: form("N A 12 | N as 5 | N B 3", "A / B, C | A ja B, C | A ja B kulma, C"),
  SE: form(
    "N lgh 1201 | N, 2 tr | N, lgh 1102",
    "A / B, C | hörnet av A och B, C | A och B, C | korsningen A och B, C",
  ),
  NO: form("N H0201 | N, H0301 | N, leil. 4", "A / B, C | hjørnet av A og B, C | A og B, C | krysset A og B, C"),
  DE: form(
    "N - Hinterhaus | N, Hinterhaus | N, 2. OG | N Whg. 4 | N, EG links | N, 3. Stock | N, Seitenflügel | N, Vorderhaus | N, DG | N, Wohnung 12",
    GERMAN_CORNERS,
  ),
  AT: form(
    "N/5 | N/2/12 | N, Top 5 | N, Stiege 2 Top 12 | N/Top 5 | N, Tür 3 | N/Stg. 2/Top 12 | N, 2. Stock",
    GERMAN_CORNERS,
  ),
  CH: form("N, 2. OG | N, 3. Stock | N, App. 4 | N, 2e étage", `${GERMAN_CORNERS} | angle A et B, C`),
  NL: form(
    "N-2 | N hs | N, 3 hoog | N II | N kamer 4",
    "A / B, C | hoek A en B, C | A hoek B, C | hoek A/B, C | kruising A en B, C | op de hoek van A en B, C",
  ),
  BE: form(
    "N bus 3 | N bte 3 | N boîte 3 | N, bus 0301 | N b 3",
    "A / B, C | hoek A en B, C | coin A et B, C | angle A et B, C | au coin de A et B, C",
  ),
  FR: form(
    "N S, bât. C | N S bât C | N S, appt 12 | N S, apt. 4 | N S, esc. B | N S, 3e étage | N S, bâtiment B, 2ème étage | N S, rdc | N S, porte 5 | appt 12, N S",
    "angle A et B, C | à l'angle de A et B, C | A / B, C | A et B, C | coin A et B, C | angle de A et de B, C | croisement A et B, C",
  ),
  ES: form(
    "N, 2º izq | N, 3º B | N, 2º 1ª | N, bajo | N - piso 3 | N, esc. A, 2º B | N, bajo dcha | N, ático | N, portal 2 | N, local 3",
    SPANISH_CORNERS,
  ),
  MX: form("N Int. 4 | N, depto. 5 | N int 3 | N, interior 12 | N-4 | N Depto 302 | #N | N piso 2", SPANISH_CORNERS),
  PT: form(
    "N, 2º esq | N, 3º dto | N, r/c | N - 2º Esq | N, 1º andar | N, cave | N, loja 3 | N, 4º frente",
    "A / B, C | esquina de A com B, C | A esquina com B, C | cruzamento da A com a B, C | A com B, C | A e B, C | cruzamento de A com B, C",
  ),
  BR: form(
    "N - apto 4 | N, apto 12 | N - bloco B - apto 12 | N, ap. 302 | N - sala 5 | N, casa 2 | N - loja 3 | N - fundos | N, conj. 41 | N cj 41",
    "A esquina com B, C | esquina A com B, C | A com B, C | cruzamento A com B, C | cruzamento da A com a B, C | A x B, C | A e B, C | esquina da A com a B, C",
  ),
  IT: form(
    "N, int. 5 | N int 5 | N, scala B | N, piano 3 | N, scala A int. 5 | N, 2º piano | N interno 4 | N, p. 2",
    "angolo A e B, C | A angolo B, C | A ang. B, C | A / B, C | incrocio A con B, C | all'angolo tra A e B, C | incrocio tra A e B, C | A e B, C | angolo tra A e B, C",
  ),
  PL: form(
    "N lok. 7 | N m. 5 | N/5 | N m 12 | N lok. U1 | N, lokal 3 | N, mieszkanie 7 | N klatka B",
    "róg A i B, C | A róg B, C | A / B, C | A i B, C | skrzyżowanie A i B, C | na rogu A i B, C | skrzyżowanie ulic A i B, C",
  ),
  CZ: form(
    "N, byt 5 | N, 2. patro | N, č. bytu 4 | N, 3. p.",
    "roh A a B, C | A / B, C | A a B, C | křižovatka A a B, C | na rohu A a B, C",
  ),
  SK: form(
    "N, byt 5 | N, 2. poschodie | N, byt č. 4",
    "roh A a B, C | A / B, C | A a B, C | križovatka A a B, C | na rohu A a B, C",
  ),
  HU: form(
    "N. II/5 | N, 2. em. 5 | N, fszt. 3 | N. 3. emelet 12 | N, fsz. 2. | N., III. em. 4.",
    "A és B sarok, C | A / B, C | A sarok B, C | A és B, C | A és B sarka, C",
  ),
  RO: form(
    "N, bl. C4, sc. A, ap. 12 | N, ap. 5 | N, bl. 3 | N, et. 2, ap. 7 | N, sc. B",
    "A / B, C | colț A cu B, C | A colț cu B, C | intersecția A cu B, C | A și B, C",
  ),
  BG: form("N, ет. 3, ап. 5 | N, ап. 5 | N, вх. Б | N, бл. 4", "A / B, C | ъгъла на A и B, C | A ъгъл B, C | A и B, C"),
  HR: form(
    "N, stan 5 | N/2 | N, kat 3",
    "A / B, C | ugao A i B, C | A i B, C | križanje A i B, C | raskrižje A i B, C",
  ),
  GR: form(
    "N, 3ος όροφος | N, 2ος όροφος",
    "A και B, C | γωνία A και B, C | A & B, C | A / B, C | διασταύρωση A και B, C",
  ),
  TR: form(
    "No:N D:3 | No: N/3 | No N Kat 2 Daire 4 | N D.5 | No: N Daire: 7 | N A Blok D:2 | No: N Kat: 3",
    "A ve B köşesi, C | A / B, C | A ve B, C | A köşesi B, C | A ile B köşesi, C | A ile B kesişimi, C",
  ),
  RU: form(
    "N, кв. 5 | д. N, кв. 12 | N, оф. 3 | N кв 7 | N, офис 12 | N, подъезд 2 | N, этаж 3 | N-5 | N, помещение 4",
    RUSSIAN_CORNERS,
  ),
  UA: form(
    "N, кв. 5 | буд. N, кв. 12 | N, оф. 3 | N кв 7 | N, офіс 12 | N, під'їзд 2",
    "ріг A і B, C | A / B, C | перехрестя A та B, C | A ріг B, C | на розі A та B, C | A та B, C",
  ),
  JP: form("N 101号室 | N 3階", "AとB, C | A / B, C | AとBの交差点, C | AとBの角, C"),
  KR: form("N 101동 202호 | N 3층", "A / B, C | A와 B, C | A & B, C | A와 B 교차로, C"),
  CN: form("S N号 5室 | S N号 3楼 | S N号5室", "A / B, C | A与B, C | A和B路口, C | A与B交叉口, C | A & B, C"),
  IN: form(
    "Flat 4, N | Flat No 4, N | Flat No. 302, N | Shop 5, N | N S, 2nd Floor | N S, Ground Floor",
    ENGLISH_CORNERS,
  ),
  GB: form("Flat 2, N | Unit 4, N | Flat 2B, N | Apartment 3, N | First Floor, N | N S, Flat 2", ENGLISH_CORNERS),
  IE: form("Apt 4, N | Flat 2, N | Unit 3, N | N S, Apt 4", ENGLISH_CORNERS),
  US: form(
    "N S Apt 4B | N S, Apt 4B | N S #4B | N S, Unit 12 | N S Ste 200 | N S, 2nd Floor | N S - Suite 200 | N S, Fl 3 | Apt 4B, N S",
    ENGLISH_CORNERS,
  ),
  CA: form(
    "N S, Unit 12 | N S, app. 4 | N S, suite 200 | N S bureau 300 | N S, apt. 5 | #12 N S | N S, apt 5",
    `${ENGLISH_CORNERS} | angle A et B, C | coin A et B, C`,
  ),
  AU: form(
    "Unit 5, N | 5/N | U5/N | Shop 3, N | Level 2, N | Apartment 12, N | Unit 5/N | Suite 4, N",
    ENGLISH_CORNERS,
  ),
  NZ: form("Flat 2, N | 2/N | Unit 3, N | Level 2, N | Flat 2/N", ENGLISH_CORNERS),
};

/** A form of a number, alone or with its street, for a house. */
export const written = (form: string, number: string, street: string, last = "") =>
  form
    .replace(/(?<!\p{L})S(?=[\s,]|$)/u, () => street)
    .replace(/(?<!\p{L})N(?!\p{Script=Latin}|\p{Script=Cyrillic})/u, () => number)
    .replace(/(?<!\p{L})M(?!\p{L})/u, () => last);

/** Returns whether a form has the street, too. */
export const hasStreet = (form: string) => /(?<!\p{L})S(?=[\s,]|$)/u.test(form);

/** A form of a corner, for two streets. */
export function cornerOf(form: string, a: string, b: string, city: string): string {
  const parts: Record<string, string> = { A: a, B: b, C: city };
  return form.replace(/(?<![A-Za-z])[ABC](?![A-Za-z])/g, (part) => parts[part]);
}

/** The forms of one column. */
export const formsOf = (column: string): string[] => column.split("|").map((one) => one.trim());
