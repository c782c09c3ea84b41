import { tokensOfLine } from "../geocoding/north-america/tokens.ts";
import type { Unit } from "../geocoding/north-america/units.ts";
import { onlyUnits } from "../geocoding/north-america/units.ts";
import { type Country, unitOf, upper } from "../geocoding/north-america/words.ts";
import type { UnitState } from "./verdict.ts";

/** "Apt 4b" → APT 4B, "#12" → 12, "Bldg 4 Apt 2" → both. Text that is not a unit is returned unchanged. */
export function parseUnits(text: string, country: Country): Unit[] {
  const tokens = tokensOfLine(text);
  if (tokens.length === 0) return [];
  const units = onlyUnits(tokens, country);
  if (units) return units;
  const [first] = tokens;
  const designator = unitOf(first.word);
  const rest = tokens.slice(designator && tokens.length > 1 ? 1 : 0).filter(({ word }) => word !== "#");
  const id = rest.map(({ word }) => word).join(" ");
  return [{ designator: designator && tokens.length > 1 ? designator : "", id }];
}

/** Only letters and digits, without leading zeros: "#04-B" and "4B" are the same unit. */
function idKey(id: string): string {
  return upper(id)
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^0+(?=.)/, "");
}

interface UnitVerdict {
  state: UnitState;
  /** The unit as the source writes it, where the source lists it. */
  units: readonly Unit[];
}

/**
 * Compares the units that were given with the source's list. Only the last counts ("BLDG 4 APT 2" is apartment 2)
 * unless the source lists the one before as well.
 */
export function checkUnits(given: readonly Unit[], listed: readonly string[], country: Country): UnitVerdict {
  if (listed.length === 0) return { state: given.length === 0 ? "none" : "unlisted", units: given };
  if (given.length === 0) return { state: "missing", units: given };
  const known = listed.map((text) => parseUnits(text, country));
  const last = given[given.length - 1];
  const whole = given.map(({ id }) => idKey(id)).join("");
  const match = known.find((units) => {
    const theirs = units[units.length - 1];
    const sameKind = theirs.designator === "" || last.designator === "" || !isOther(theirs.designator, last.designator);
    const same = idKey(theirs.id) === idKey(last.id) || units.map(({ id }) => idKey(id)).join("") === whole;
    return same && sameKind;
  });
  if (!match) return { state: "invalid", units: given };
  const units = match.map((unit, i) => ({
    designator: unit.designator || (i === match.length - 1 ? last.designator : ""),
    id: upper(unit.id),
  }));
  return { state: "known", units };
}

/** An apartment, a suite and a unit are the same thing under other names; a floor and a building are not. */
function isOther(a: string, b: string): boolean {
  const groups = [
    ["APT", "UNIT", "STE", "RM", "OFC", "SPC", "LOT", "TRLR", "APP", "UNITE", "BUREAU"],
    ["FL", "ETAGE"],
    ["BLDG"],
  ];
  const group = (designator: string) => groups.findIndex((names) => names.includes(designator));
  return a !== b && group(a) !== group(b);
}
