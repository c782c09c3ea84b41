/**
 * Codes of two letters that people write after a town for its state, province or canton, by country (ISO 3166-2; of Argentina,
 * Poland and Venezuela also those in everyday use). Each is also the code of a country, or of a state of the US or Canada, of
 * which it is no evidence after a town of this country: "Amsterdam, NH" is in Noord-Holland. The US and Canada are not in the
 * table, because their states have borders in all data.
 */
const CODES: Readonly<Record<string, string>> = {
  AR: "BA CB CT CF CH CN DF ER FO JY LP LR MZ MI NQ RN SA SC SE SF SJ SL TF TU",
  AU: "ACT NSW NT QLD SA TAS VIC WA",
  BR: "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO",
  CH: "AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH",
  CL: "AI AN AP AR AT BI CO LI LL LR MA ML NB RM TA VS",
  CN: "AH BJ CQ FJ GD GS GX GZ HA HB HE HI HL HN JL JS JX LN NM NX QH SC SD SH SN SX TJ XJ XZ YN ZJ",
  CO: "DC",
  DE: "BB BE BW BY HB HE HH MV NI NW RP SH SL SN ST TH",
  ES: "AB AL AN AR AS AV BA BI BU CA CB CC CE CL CM CN CO CR CS CT CU EX GA GC GI GR GU HU IB LE LO LU MA MC MD ML MU NA NC OR PM PO PV RI SA SE SG SO SS TE TF TO VA VC VI ZA",
  HU: "BA BE BK BU BZ CS FE GS HB HE JN KE NO PE SO SZ TO VA VE ZA",
  ID: "AC BA BB BE BT GO JA JB JI JK JT KB KI KR KS KT LA MA MU NB NT PA PB RI SA SB SG SN SR SS ST SU YO",
  IE: "CE CN CO CW DL KE KK KY LD LH LK LM LS MH MN MO OY RN SO TA WD WH WW WX",
  IN: "AN AP AR AS BR CG CH CT DD DL DN GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL OD OR PB PY RJ SK TG TN TR TS UK UP UT WB",
  IT: "AG AL AN AO AP AQ AR AT AV BA BG BI BL BN BO BR BS BT BZ CA CB CE CH CI CL CN CO CR CS CT CZ EN FC FE FG FI FM FO FR GE GO GR IM IS KR LC LE LI LO LT LU MB MC ME MI MN MO MS MT NA NO NU OG OR OT PA PC PD PE PG PI PN PO PR PS PT PU PV PZ RA RC RE RG RI RM RN RO SA SI SO SP SR SS SU SV TA TE TN TO TP TR TS TV UD VA VB VC VE VI VR VS VT VV",
  MX: "AG BC BS CH CL CM CO CS DF DG GR GT HG JA MI MO MX NA NL OA PU QR QT SI SL SO TB TL TM VE YU ZA",
  NG: "AB AD AK AN BA BE BO BY CR DE EB ED EK EN FC GO IM JI KD KE KN KO KT KW LA NA NI OG ON OS OY PL RI SO TA YO ZA",
  NL: "DR FL FR GE GR LI NB NH OV UT ZE ZH",
  PK: "BA GB IS JK KP PB SD",
  PL: "DS KP LB LD LU MA MZ OP PD PK PM SK SL WN WP ZP",
  RO: "AB AG AR BC BH BN BR BT BV BZ CJ CL CS CT CV DB DJ GJ GL GR HD HR IF IL IS MH MM MS NT OT PH SB SJ SM SV TL TM TR VL VN VS",
  RU: "AD AL BA BU CE CU DA IN KB KC KK KL KO KR ME MO SA SE TA TY UD",
  SE: "AB AC BD",
  SK: "BC BL KI NI PV TA TC ZI",
  UY: "AR CA CL CO DU FD FS LA MA MO PA RN RO RV SA SJ SO TA TT",
  VE: "DC",
  ZA: "EC FS GP GT KZ LP MP NC NL NW WC",
};

const BY_COUNTRY = new Map(Object.entries(CODES).map(([country, codes]) => [country, new Set(codes.split(" "))]));

/** Returns whether a country's addresses may have these letters for a state, province or canton. */
export function isSubdivisionCode(letters: string, country: string): boolean {
  return BY_COUNTRY.get(country)?.has(letters.toUpperCase()) === true;
}
