/**
 * The states of ZIP codes by their first three digits, as first-last pairs (USPS Publication 65, appendix A: three-digit ZIP code
 * prefixes). A prefix that crosses a border counts to the state of its sorting center.
 */
const PREFIXES =
  "PR006-007 VI008-008 PR009-009 MA010-027 RI028-029 NH030-038 ME039-049 VT050-054 MA055-055 VT056-059 CT060-069 NJ070-089 NY100-149 PA150-196 DE197-199 DC200-200 VA201-201 DC202-205 MD206-219 VA220-246 WV247-268 NC270-289 SC290-299 GA300-319 FL320-349 AL350-369 TN370-385 MS386-397 GA398-399 KY400-427 OH430-459 IN460-479 MI480-499 IA500-528 WI530-549 MN550-567 SD570-577 ND580-588 MT590-599 IL600-629 MO630-658 KS660-679 NE680-693 LA700-714 AR716-729 OK730-732 TX733-733 OK734-749 TX750-799 CO800-816 WY820-831 ID832-838 UT840-847 AZ850-865 NM870-884 TX885-885 NV889-898 CA900-961 HI967-968 OR970-979 WA980-994 AK995-999";

let byPrefix: Map<number, string> | undefined;

/** "90210" → "CA"; undefined for codes that are not in a state, such as those of the armed forces. */
export function stateOfZip(code: string): string | undefined {
  if (!byPrefix) {
    byPrefix = new Map();
    for (const range of PREFIXES.split(" ")) {
      const [first, last] = range.slice(2).split("-").map(Number);
      for (let prefix = first; prefix <= last; prefix++) byPrefix.set(prefix, range.slice(0, 2));
    }
  }
  return byPrefix.get(Number(code.slice(0, 3)));
}
