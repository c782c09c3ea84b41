/**
 * Words that indicate a street's name, and its start and end. Words are folded (normalise.ts) and without dots. Sources
 * as in abbreviations.ts; Scandinavian, Finnish, Hungarian, Czech and Turkish words from the postal addressing guides
 * of these countries.
 */
const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** End a name at any position: "Jay Street". */
const STRONG = words(`
street str st avenue ave av aven road rd boulevard blvd blv drive dr lane ln way court ct place pl terrace ter terr tce
crescent cres cr close cl square sq circle cir parkway pkwy pky highway hwy trail trl alley aly row walk loop expressway expy
turnpike tpke pike freeway fwy causeway cswy promenade esplanade quay mews drove parade pde path cove cv bend bnd crossing xing
motorway circuit cct strada bypass byp route rte arcade tpk wynd yard
gate gata gatan vag vagen vej gade alle katu tie kuja utca ut ter tere korut koz krt strasse gasse platz weg allee ring ufer damm
laan straat plein kade gracht singel dreef dijk baan cadde caddesi cad sokak sokagi sk bulvari meydani namesti trida ulice trg
`);
/** End a name when no stronger word does: "Saffron Hill", but "Blue Ridge Drive". */
const WEAK = words(`
park hill hills ridge village lake view valley heights green garden gardens harbour harbor point corner corners spring springs
island mill manor meadow meadows glen wood woods forest bridge common commons center centre plaza estate estates furlong market
mall run rise grove wharf field fields brow bank side end vale crest reach fold garth croft head landing pass passage junction
`);
/** Begin a name: "rue de la Paix". */
const PREFIXES = words(`
rue avenue av ave boulevard bd boul bvd place pl impasse allee chemin chem cours quai route rte sentier passage esplanade faubourg
voie ruelle residence res lotissement square villa promenade montee cite
calle avenida avda plaza pza paseo pso camino carretera ctra ronda rambla travesia glorieta carrera cra kra kr cr calzada bulevar
privada prolongacion jiron pasaje transversal diagonal autopista circunvalacion c/ c. av.
carrer avinguda placa passeig passatge
via viale vle v.le corso piazza pza p.za piazzale ple largo vicolo strada lungarno lungotevere borgo contrada salita localita loc frazione fraz
rua travessa praca alameda rodovia estrada beco ladeira r. tv.
ulica ul aleja al aleje plac osiedle os skwer rondo
улица ул проспект просп пр-т переулок пер площадь набережная наб шоссе бульвар бул вулиця вул проезд
strada bulevardul bd calea soseaua sos piata aleea intrarea
jalan jl jln lorong jln.
odos leoforos οδος λεωφορος
`);
/** Begin a name only where they are written with a dot or a slash: "C. de Ruiz de Alarcón", "R. Augusta". */
const SHORT_PREFIX = /^(?:c\/|c\.|r\.|v\.|p\.|t\.)$/i;
/** In countries that put the type first no street ends with these words, so they decide for the English reading. */
const ENGLISH = words("street st road rd drive dr lane ln court ct way highway hwy crescent cres parkway pkwy close");
/** Streets named by one word alone. */
const NAMED = words("broadway esplanade bowery strand promenade embarcadero ring corso prado rambla malecon paseo");

const COMPOUND =
  /(?:stra(?:ss|ß)e|str\.?|straat|gasse|platz|allee|damm|ufer|chaussee|stieg|steig|graben|weg|ring|laan|plein|gracht|singel|kade|steeg|dreef|baan|pad|sngl|hof|markt|gatan|gata|vagen|vegen|veien|vej|gade|katu|tie|kuja|polku|stroget|plads|plass|torget|torg)$/;
/** Words that end like a street and are not one. */
const NO_COMPOUND = words("norweg rotie hof markt ring pad baan tie");

export const DIRECTIONS = words(
  "n s e w ne nw se sw north south east west northeast northwest southeast southwest nord sud est ouest o oz wz nz zz oostzijde westzijde noordzijde zuidzijde",
);

export const isStrongType = (key: string) => STRONG.has(key);
export const isWeakType = (key: string) => WEAK.has(key);
export const isNamedStreet = (key: string) => NAMED.has(key);
export const isEnglishType = (key: string) => ENGLISH.has(key);

/** "Am", "Achter", "Unter": names of streets begin so, names of cities rarely. */
const PREPOSITIONS = words("am an im auf unter zum zur hinter vor achter onder aan op bij voor under ved pod na nad");
export const isPreposition = (key: string) => PREPOSITIONS.has(key);
/** "Grand Ave Oakland": types that end an English name even where a name follows. */
export const endsEnglishName = (key: string) =>
  ENGLISH.has(key) || /^(?:ave|avenue|av|blvd|boulevard|terrace|trail|loop|ct|pl|cir|circle|trl|place)$/.test(key);

/** "rue", "C/", "ul.": a street begins with it. */
export function beginsStreet(key: string, written: string): boolean {
  return PREFIXES.has(key) || SHORT_PREFIX.test(written);
}

/** "Hauptstraße", "Prinsengracht", "Drottninggatan": a street by its end. */
export function isCompoundStreet(key: string): boolean {
  const match = COMPOUND.exec(key);
  return match !== null && match.index >= 3 && !NO_COMPOUND.has(key);
}

/** "Highway 27", "Route 9", "County Road 12": the number belongs to the name. */
export function numbersRoads(key: string, before: string | undefined): boolean {
  if (/^(?:highway|hwy|route|rte|interstate|sr|fm|autoroute)$/.test(key)) return true;
  return (
    /^(?:road|rd)$/.test(key) && /^(?:county|state|township|private|forest|ranch|farm|co|range)$/.test(before ?? "")
  );
}

/** Stand in front of a street's name and belong to it: "Am Alten Markt", "Lange Groenendaal", "Dr.-Karl-Weg". */
const LEADING = words(`
am an im in auf zur zum unter bei hinter vor alte alter altes alten neue neuer neuen grosse grosser kleine kleiner obere oberer untere
unterer lange langer kurze hohe der die das den dem des von st sankt dr prof nieuwe oude korte grote kleine hoge lage burgemeester
kapitein karl johann heinrich friedrich carl wilhelm eduard ernst otto max store lille gamle nye vestre ostre sodra norra vastra ostra
stora lilla iso pikku the old new great little upper lower north south east west saint mount
`);
export const leadsStreet = (key: string) => LEADING.has(key) || /^\p{L}$/u.test(key) || key.endsWith("-");

/**
 * Words after the day in a street named after a date: months in French, Italian, Romanian, Polish; "de" in Spanish and
 * Portuguese.
 */
const DATES = words(`
de janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre gennaio febbraio marzo aprile maggio giugno
luglio agosto settembre ottobre novembre dicembre ianuarie februarie martie aprilie iunie iulie august septembrie octombrie noiembrie
decembrie stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia
`);
export const isDate = (key: string | undefined) => key !== undefined && DATES.has(key);
