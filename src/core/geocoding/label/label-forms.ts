/**
 * Formats of addresses on one line: a format, and the countries (ISO 3166-1 alpha-2) that use it. {stateCode} is
 * replaced by the state if it has no code, {area} is a borough, {province} an Italian province's letters. From the
 * Universal Postal Union's "Postal addressing systems in member countries" and the facts of OpenCage's
 * address-formatting (MIT, 2026), several lines joined to one; the United States in the form that clients of this API
 * expect.
 */
const TABLE: Record<string, string> = {
  "{number} {street}, {area}, {city}, {stateCode} {postalCode}": "US PR GU VI AS MP UM CA",
  "{number} {street}, {city}, {stateCode} {postalCode}": "FM MH",
  "{street} {number}, {postalCode} {city}":
    "AR AT AX BA BE BQ BV CH CL CV CY CZ DE DK EE ET FI FO GE GL GR GW HN HR HT IL IS JO LI LR LT ME MK NL NO PL PS PT PW PY RO RS SD SE SI SJ SK SM TJ UY VA",
  "{street} {number}, {postalCode} {city} {province}": "IT",
  "{street} {number}, {postalCode} {area}/{city}": "TR",
  "{street} {number}, {city}":
    "AF AW BI BO BS BW CF CM CW EH ER GD GQ KI KM KP LC LY ML MO NI QA SB SO SR SS ST SX TD TL VC VU WS",
  "{number} {street}, {postalCode} {city}": "AD AZ BL DZ FR GF GP LU MA MC MF MG MQ NC PF PM RE SN TF TN WF YT ZM",
  "{number} {street}, {city}": "AG BB BZ CI CK DJ DM FJ GA GH GI GM GY HK MS MW NR NU RW SC SL TO UG ZW",
  "{number} {street}, {city}, {postalCode}": "FK GB GG GS IE IM IO JE KE MM MT TC TT VG ZA",
  "{number} {street}, {city} {postalCode}": "BH BM JM KH KY LB LK LS MV NA NZ SA SG TK",
  "{number}, {street}, {city}": "BJ CD CG MR NE TG YE",
  "{street} {number}, {city}, {postalCode}": "AI AO CU LV SZ",
  "{number} {street}, {city} {stateCode} {postalCode}": "AU CC CX HM NF",
  "{street}, {number}, {postalCode} {city}": "ES KW MD MZ SY",
  "{number} {street}, {city}, {state}": "AE BF KN TV",
  "{street} {number}, {city} {postalCode}": "BG BT PE",
  "{state}, {postalCode} {city}, {street}, {number}": "BY KG KZ",
  "{number} {street}, {postalCode} {city}, {state}": "GN MY TZ",
  "{street} {number}, {postalCode}, {city}": "AL EC",
  "{number} {street}, {postalCode}, {city}, {state}": "AM OM",
  "{number}, {street}, {city}, {state} {postalCode}": "BN TH",
  "{street} {number}, {postalCode} {city}, {stateCode}": "CO MX",
  "{street} {number}, {city}, {state}, {postalCode}": "DO UZ",
  "{number} {street}, {area}, {city}, {state} {postalCode}": "CN JP KR VN",
  "{number}, {street}, {postalCode} {city}": "LA TM",
  "{number}, {street}, {city} {postalCode}": "MU XK",
  "{street}, {number}, {city}, {state}, {postalCode}": "RU UA",
  "{number} {street}, {area}, {city}, {postalCode}": "EG",
  "{number} {street}, {area}, {city} {postalCode}": "PK TW",
  "{number} {street}, {area}, {city} - {postalCode}": "BD",
  "{street}, {number}, {city} - {stateCode}, {postalCode}": "BR",
  "{street} {number}, {state}, {city}, {postalCode}": "CR",
  "{street} {number}, {postalCode}-{city}": "GT",
  "{postalCode} {city}, {street} {number}": "HU",
  "{street} {number}, {city} {postalCode}, {state}": "ID",
  "{number}, {street}, {area}, {city} - {postalCode}, {state}": "IN",
  "{number}, {street}, {city}, {postalCode}": "IQ",
  "{city}, {street}, {number}, {state}, {postalCode}": "IR",
  "{street}, {number}, {postalCode}, {city}": "MN",
  "{number} {street}, {city} {postalCode}, {state}": "NG",
  "{street} {number}, {city}, {state} {postalCode}": "NP",
  "{street} {number}, {postalCode}, {city}, {state}": "PA",
  "{number} {street}, {city} {postalCode} {state}": "PG",
  "{number} {street}, {city}, {postalCode} {state}": "PH",
  "{number} {street}, {city}, {postalCode}, {state}": "SH",
  "{street} {number}, {postalCode} - {city}, {state}": "SV",
  "{street} {number}, {city} {postalCode}, {stateCode}": "VE",
};
/** Countries without inhabitants, or with an unknown format. */
const OTHERS = "{number} {street}, {city}, {state} {postalCode}";

const BY_COUNTRY = new Map(
  Object.entries(TABLE).flatMap(([form, countries]) => countries.split(" ").map((code) => [code, form] as const)),
);

/** Where the own script writes from large to small; in Latin letters an address begins with its house, as in the table for Japan. */
const FROM_LARGE = new Map([
  ["JP", "{postalCode} {state}{city}{area}{street}{number}"],
  ["CN", "{postalCode}, {state}, {city}, {street} {number}"],
  ["KR", "{state} {city} {area} {street} {number}, {postalCode}"],
  ["TW", "{postalCode}, {city} {area} {street} {number}"],
]);
const IN_OWN_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** @param name the street or another name of the address, in the script that it is written in */
export function formOf(countryCode: string, name = ""): string {
  const own = IN_OWN_SCRIPT.test(name) ? FROM_LARGE.get(countryCode) : undefined;
  return own ?? BY_COUNTRY.get(countryCode) ?? OTHERS;
}

/** The part of a format with street and number: "{street}, {number}". */
export function lineOf(form: string): string {
  const number = form.indexOf("{number}");
  const street = form.indexOf("{street}");
  const [first, second] = number < street ? ["{number}", "{street}"] : ["{street}", "{number}"];
  const between = form.slice(Math.min(number, street) + first.length, Math.max(number, street));
  return first + between + second;
}
