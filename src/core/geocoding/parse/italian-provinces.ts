import { fold } from "../words/normalise.ts";

/**
 * The letters after an Italian town for its province, and the province's seat: ISO 3166-2:IT and Poste Italiane's rules
 * for writing addresses. They confirm only seats and the provinces that an entry itself lists.
 */
const PROVINCES =
  "AG Agrigento|AL Alessandria|AN Ancona|AO Aosta|AP Ascoli Piceno|AQ L'Aquila|AR Arezzo|AT Asti|AV Avellino|BA Bari|BG Bergamo|BI Biella|BL Belluno|BN Benevento|BO Bologna|BR Brindisi|BS Brescia|BT Barletta|BZ Bolzano|CA Cagliari|CB Campobasso|CE Caserta|CH Chieti|CL Caltanissetta|CN Cuneo|CO Como|CR Cremona|CS Cosenza|CT Catania|CZ Catanzaro|EN Enna|FC Forlì|FE Ferrara|FG Foggia|FI Firenze|FM Fermo|FR Frosinone|GE Genova|GO Gorizia|GR Grosseto|IM Imperia|IS Isernia|KR Crotone|LC Lecco|LE Lecce|LI Livorno|LO Lodi|LT Latina|LU Lucca|MB Monza|MC Macerata|ME Messina|MI Milano|MN Mantova|MO Modena|MS Massa|MT Matera|NA Napoli|NO Novara|NU Nuoro|OR Oristano|PA Palermo|PC Piacenza|PD Padova|PE Pescara|PG Perugia|PI Pisa|PN Pordenone|PO Prato|PR Parma|PT Pistoia|PU Pesaro|PV Pavia|PZ Potenza|RA Ravenna|RC Reggio Calabria|RE Reggio nell'Emilia|RG Ragusa|RI Rieti|RM Roma|RN Rimini|RO Rovigo|SA Salerno|SI Siena|SO Sondrio|SP La Spezia|SR Siracusa|SS Sassari|SU Carbonia|SV Savona|TA Taranto|TE Teramo|TN Trento|TO Torino|TP Trapani|TR Terni|TS Trieste|TV Treviso|UD Udine|VA Varese|VB Verbania|VC Vercelli|VE Venezia|VI Vicenza|VR Verona|VT Viterbo|VV Vibo Valentia";

const BY_SEAT = new Map(
  PROVINCES.split("|").map((one) => [fold(one.slice(3)), one.slice(0, 2).toLowerCase()] as const),
);
const BEFORE = /^(?:citta metropolitana|provincia|libero consorzio comunale)(?: autonoma)?(?: (?:di|del|della|dell))? /;

/** "Milano", "Città Metropolitana di Milano" → "mi"; undefined if it is neither a seat nor a province. */
export function provinceOf(name: string): string | undefined {
  return BY_SEAT.get(fold(name).replace(BEFORE, ""));
}
