import { fold } from "../words/normalise.ts";

/** States and provinces that are written in addresses: code and name (ISO 3166-2). */
const STATES: Record<string, string> = {
  US: "AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|PR Puerto Rico|GU Guam|VI Virgin Islands|AS American Samoa|MP Northern Mariana Islands|FM Federated States of Micronesia|MH Marshall Islands|PW Palau|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific",
  CA: "AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Québec|SK Saskatchewan|YT Yukon",
  AU: "ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania|VIC Victoria|WA Western Australia",
  BR: "AC Acre|AL Alagoas|AP Amapá|AM Amazonas|BA Bahia|CE Ceará|DF Distrito Federal|ES Espírito Santo|GO Goiás|MA Maranhão|MT Mato Grosso|MS Mato Grosso do Sul|MG Minas Gerais|PA Pará|PB Paraíba|PR Paraná|PE Pernambuco|PI Piauí|RJ Rio de Janeiro|RN Rio Grande do Norte|RS Rio Grande do Sul|RO Rondônia|RR Roraima|SC Santa Catarina|SP São Paulo|SE Sergipe|TO Tocantins",
  IN: "AP Andhra Pradesh|AR Arunachal Pradesh|AS Assam|BR Bihar|CG Chhattisgarh|CH Chandigarh|DL Delhi|GA Goa|GJ Gujarat|HR Haryana|HP Himachal Pradesh|JH Jharkhand|JK Jammu and Kashmir|KA Karnataka|KL Kerala|LA Ladakh|MP Madhya Pradesh|MH Maharashtra|MN Manipur|ML Meghalaya|MZ Mizoram|NL Nagaland|OD Odisha|PB Punjab|PY Puducherry|RJ Rajasthan|SK Sikkim|TN Tamil Nadu|TG Telangana|TR Tripura|UP Uttar Pradesh|UK Uttarakhand|WB West Bengal",
  MX: "AGU Aguascalientes|BCN Baja California|BCS Baja California Sur|CAM Campeche|CHP Chiapas|CHH Chihuahua|CMX Ciudad de México|COA Coahuila|COL Colima|DUR Durango|GUA Guanajuato|GRO Guerrero|HID Hidalgo|JAL Jalisco|MEX Estado de México|MIC Michoacán|MOR Morelos|NAY Nayarit|NLE Nuevo León|OAX Oaxaca|PUE Puebla|QUE Querétaro|ROO Quintana Roo|SLP San Luis Potosí|SIN Sinaloa|SON Sonora|TAB Tabasco|TAM Tamaulipas|TLA Tlaxcala|VER Veracruz|YUC Yucatán|ZAC Zacatecas",
};

const BY_COUNTRY = new Map(
  Object.entries(STATES).map(([country, list]) => {
    const names = new Map<string, string>();
    for (const state of list.split("|")) {
      const [code, ...name] = state.split(" ");
      names.set(fold(code), code);
      names.set(fold(name.join(" ")), code);
    }
    return [country, names] as const;
  }),
);

/** Countries in this table, whose addresses contain a state. */
export const COUNTRIES_WITH_STATES: readonly string[] = [...BY_COUNTRY.keys()];

/** "ny", "New York" → "NY"; undefined if it is not a state of the country. */
export function stateCodeOf(text: string, country: string): string | undefined {
  return BY_COUNTRY.get(country)?.get(fold(text).replace(/\./g, "").replace(/-/g, " ").trim());
}

/** "BC", "CA" → "British Columbia"; undefined for a code that is not in this table. */
export function stateNameOf(code: string, country: string): string | undefined {
  const state = (STATES[country] ?? "").split("|").find((one) => one.startsWith(`${code} `));
  return state?.slice(code.length + 1);
}

/** A state at the end of a text, the text before it, and whether it is written out; the longest name that fits. */
export function stateAtEnd(text: string, country: string): { code: string; before: string; name: boolean } | undefined {
  const words = text.trim().split(/[\s,]+/);
  for (let count = Math.min(4, words.length); count > 0; count--) {
    const code = stateCodeOf(words.slice(-count).join(" "), country);
    if (code) return { code, before: words.slice(0, -count).join(" "), name: words.slice(-count).join(" ").length > 4 };
  }
  return undefined;
}

/** The codes of a country's states, in the order of the table. */
export function stateCodesOf(country: string): string[] {
  return (STATES[country] ?? "")
    .split("|")
    .filter((state) => state !== "")
    .map((state) => state.split(" ")[0]);
}
