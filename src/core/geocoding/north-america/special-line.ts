/**
 * Lines that name no street: boxes at the post office, rural and highway contract routes, military units, general
 * delivery (USPS Publication 28, sections 24 to 28; Canada Post's guidelines, "Post office box", "Rural route",
 * "General delivery").
 */
export interface SpecialLine {
  kind: "box" | "route" | "contract" | "military" | "general";
  /** "PO BOX", "RR 2", "HC 68", "PSC 802"; "GENERAL DELIVERY" */
  route: string;
  /** "123"; "" if there is none. */
  box: string;
  /** Canada: "STN MAIN", "SUCC CENTRE-VILLE", "RPO WEST" */
  station: string;
}

const ID = "([A-Z0-9][A-Z0-9/-]*)";
const NUMBER = "(?:(?:NO|NUMBER|NUM|#) )*";
const BOX = new RegExp(
  `^(?:(?:P ?O|POST OFFICE|POST|POSTAL|P) (?:BOX|BX|DRAWER|BIN|LOCK ?BOX|BOXES)|POB(?:OX)?|FIRM CALLER|CALLER|LOCK ?BOX|DRAWER|BIN|BOX) ${NUMBER}${ID}(?= |$)`,
);
const CASE = new RegExp(`^(?:C ?P|CASE POSTALE|CASE|B ?P|BOITE POSTALE) ${NUMBER}${ID}(?= |$)`);
const BOX_OF_ROUTE = `(?: (?:BOX|BX|B) ${NUMBER}${ID}| # ${ID})?`;
const RURAL = new RegExp(
  `^(?:R ?R|RURAL (?:ROUTE|RT|RTE|RD)|RFD|R F D|RTE RURALE|ROUTE RURALE)(?: (?:ROUTE|RTE|RT))? ${NUMBER}0*(\\d+[A-Z]?)${BOX_OF_ROUTE}(?= |$)`,
);
/** Words that mean a rural route only when a box follows. */
const RURAL_WITH_BOX = new RegExp(
  `^(?:RD|R D|RT|RTE|ROUTE|R|STAR ROUTE RR) ${NUMBER}0*(\\d+[A-Z]?) (?:BOX|BX) ${NUMBER}${ID}(?= |$)`,
);
const CONTRACT = new RegExp(
  `^(?:H ?C ?R?|HIGHWAY CONTRACT|HWY CONTRACT|STAR)(?: (?:ROUTE|RTE|RT))? ${NUMBER}0*(\\d+[A-Z]?)(?: (?:BOX|BX|B) ${NUMBER}${ID}| # ${ID}| (\\d+[A-Z]?(?:-[A-Z0-9]+)?))?(?= |$)`,
);
const CONTRACT_WITHOUT = new RegExp(`^(?:H ?C ?R?|STAR (?:ROUTE|RTE|RT)) (?:BOX|BX) ${NUMBER}${ID}(?= |$)`);
const MILITARY = new RegExp(`^(PSC|CMR|UNIT|OMC|UMR) ${NUMBER}(\\d+[A-Z]?)(?: (?:BOX|BX) ${NUMBER}${ID})?(?= |$)`);
const SHIP = /^(USS|USNS|USCGC|USAV) ([A-Z0-9 -]+)$/;
const GENERAL = /^(?:GENERAL DELIVERY|GEN(?:ERAL)? DEL(?:IVERY)?|GEN DELIVERY|POSTE RESTANTE|GD|PR)(?= |$)/;
const STATION =
  /^ ?(?:(STN|STATION|SUCC|SUCCURSALE|RPO|RETAIL POSTAL OUTLET|CSP|COMPTOIR SERVICE POSTAL|LCD) ([A-Z0-9][A-Z0-9 '-]*))$/;
const STATION_WORD: Record<string, string> = {
  STATION: "STN",
  SUCCURSALE: "SUCC",
  "RETAIL POSTAL OUTLET": "RPO",
  "COMPTOIR SERVICE POSTAL": "CSP",
};

export interface FoundSpecial extends SpecialLine {
  /** Words it has. */
  taken: number;
}

/** The special line that some words begin with. */
export function specialLine(words: readonly string[], country: "US" | "CA", stateCode = ""): FoundSpecial | undefined {
  const text = words.join(" ");
  const found = specialText(text, country, stateCode);
  if (!found) return undefined;
  const { length, ...line } = found;
  const station = country === "CA" ? STATION.exec(text.slice(length)) : null;
  if (!station) return { ...line, taken: wordCount(text.slice(0, length)) };
  return { ...line, station: `${STATION_WORD[station[1]] ?? station[1]} ${station[2].trim()}`, taken: words.length };
}

const wordCount = (text: string) => text.trim().split(" ").length;

function specialText(
  text: string,
  country: "US" | "CA",
  stateCode: string,
): (SpecialLine & { length: number }) | undefined {
  const isMilitary = /^(?:AA|AE|AP)$/.test(stateCode);
  let match = RURAL.exec(text);
  if (match) return line("route", `RR ${match[1]}`, match[2] ?? match[3], match);
  match = RURAL_WITH_BOX.exec(text);
  if (match) return line("route", `RR ${match[1]}`, match[2], match);
  match = CONTRACT.exec(text);
  // "HC" and "STAR ROUTE" with a number; a box by a bare number only for HC.
  if (match) return line("contract", `HC ${match[1]}`, match[2] ?? match[3] ?? match[4], match);
  match = CONTRACT_WITHOUT.exec(text);
  if (match) return line("contract", "HC", match[1], match);
  match = country === "US" ? MILITARY.exec(text) : null;
  if (match && (match[1] === "PSC" || match[1] === "CMR" || match[3] !== undefined || isMilitary))
    return line("military", `${match[1]} ${match[2]}`, match[3], match);
  match = country === "US" && (isMilitary || stateCode === "") ? SHIP.exec(text) : null;
  if (match) return line("military", match[0].trim(), undefined, match);
  match = BOX.exec(text);
  if (match && isBoxId(match[1])) return line("box", "PO BOX", match[1], match);
  match = country === "CA" ? CASE.exec(text) : null;
  if (match && isBoxId(match[1])) return line("box", "CP", match[1], match);
  match = GENERAL.exec(text);
  if (!match) return undefined;
  const short = /^(?:GD|PR)$/.test(match[0]);
  // "PR 462" is a private road, "GD" alone general delivery; only Canada writes the short forms.
  if (short && (country !== "CA" || /^ \d/.test(text.slice(match[0].length)))) return undefined;
  const french = match[0] === "POSTE RESTANTE" || match[0] === "PR";
  return line("general", country === "US" ? "GENERAL DELIVERY" : french ? "PR" : "GD", undefined, match);
}

function line(kind: SpecialLine["kind"], route: string, box: string | undefined, match: RegExpExecArray) {
  return { kind, route, box: box ?? "", station: "", length: match[0].length };
}

/** Digits, or a letter with or without them: "BOX SPRINGS RD" names a street. */
const isBoxId = (text: string) => /\d/.test(text) || /^[A-Z]{1,2}$/.test(text);
