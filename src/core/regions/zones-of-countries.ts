/**
 * The time zones of each country, by ISO 3166-1 alpha-2 (zone.tab of the IANA time zone database, 2025, public domain;
 * with Kosovo, and Crimea also under Ukraine, as the world base has it). "+" repeats the continent of the zone before
 * it.
 */
const COUNTRIES = `AD Europe/Andorra|AE Asia/Dubai|AF Asia/Kabul|AG America/Antigua|AI America/Anguilla|AL Europe/Tirane|AM Asia/Yerevan|
AO Africa/Luanda|AQ Antarctica/Casey +Davis +DumontDUrville +Mawson +McMurdo +Palmer +Rothera +Syowa +Troll +Vostok|AR
America/Argentina/Buenos_Aires +Argentina/Catamarca +Argentina/Cordoba +Argentina/Jujuy +Argentina/La_Rioja
+Argentina/Mendoza +Argentina/Rio_Gallegos +Argentina/Salta +Argentina/San_Juan +Argentina/San_Luis +Argentina/Tucuman
+Argentina/Ushuaia|AS Pacific/Pago_Pago|AT Europe/Vienna|AU Antarctica/Macquarie Australia/Adelaide +Brisbane
+Broken_Hill +Darwin +Eucla +Hobart +Lindeman +Lord_Howe +Melbourne +Perth +Sydney|AW America/Aruba|AX
Europe/Mariehamn|AZ Asia/Baku|BA Europe/Sarajevo|BB America/Barbados|BD Asia/Dhaka|BE Europe/Brussels|BF
Africa/Ouagadougou|BG Europe/Sofia|BH Asia/Bahrain|BI Africa/Bujumbura|BJ Africa/Porto-Novo|BL America/St_Barthelemy|
BM Atlantic/Bermuda|BN Asia/Brunei|BO America/La_Paz|BQ America/Kralendijk|BR America/Araguaina +Bahia +Belem
+Boa_Vista +Campo_Grande +Cuiaba +Eirunepe +Fortaleza +Maceio +Manaus +Noronha +Porto_Velho +Recife +Rio_Branco
+Santarem +Sao_Paulo|BS America/Nassau|BT Asia/Thimphu|BW Africa/Gaborone|BY Europe/Minsk|BZ America/Belize|CA
America/Atikokan +Blanc-Sablon +Cambridge_Bay +Creston +Dawson +Dawson_Creek +Edmonton +Fort_Nelson +Glace_Bay
+Goose_Bay +Halifax +Inuvik +Iqaluit +Moncton +Rankin_Inlet +Regina +Resolute +St_Johns +Swift_Current +Toronto
+Vancouver +Whitehorse +Winnipeg|CC Indian/Cocos|CD Africa/Kinshasa +Lubumbashi|CF Africa/Bangui|CG Africa/Brazzaville|
CH Europe/Zurich|CI Africa/Abidjan|CK Pacific/Rarotonga|CL America/Coyhaique +Punta_Arenas +Santiago Pacific/Easter|CM
Africa/Douala|CN Asia/Shanghai +Urumqi|CO America/Bogota|CR America/Costa_Rica|CU America/Havana|CV
Atlantic/Cape_Verde|CW America/Curacao|CX Indian/Christmas|CY Asia/Famagusta +Nicosia|CZ Europe/Prague|DE
Europe/Berlin +Busingen|DJ Africa/Djibouti|DK Europe/Copenhagen|DM America/Dominica|DO America/Santo_Domingo|DZ
Africa/Algiers|EC America/Guayaquil Pacific/Galapagos|EE Europe/Tallinn|EG Africa/Cairo|EH Africa/El_Aaiun|ER
Africa/Asmara|ES Africa/Ceuta Atlantic/Canary Europe/Madrid|ET Africa/Addis_Ababa|FI Europe/Helsinki|FJ Pacific/Fiji|
FK Atlantic/Stanley|FM Pacific/Chuuk +Kosrae +Pohnpei|FO Atlantic/Faroe|FR Europe/Paris|GA Africa/Libreville|GB
Europe/London|GD America/Grenada|GE Asia/Tbilisi|GF America/Cayenne|GG Europe/Guernsey|GH Africa/Accra|GI
Europe/Gibraltar|GL America/Danmarkshavn +Nuuk +Scoresbysund +Thule|GM Africa/Banjul|GN Africa/Conakry|GP
America/Guadeloupe|GQ Africa/Malabo|GR Europe/Athens|GS Atlantic/South_Georgia|GT America/Guatemala|GU Pacific/Guam|GW
Africa/Bissau|GY America/Guyana|HK Asia/Hong_Kong|HN America/Tegucigalpa|HR Europe/Zagreb|HT America/Port-au-Prince|HU
Europe/Budapest|ID Asia/Jakarta +Jayapura +Makassar +Pontianak|IE Europe/Dublin|IL Asia/Jerusalem|IM
Europe/Isle_of_Man|IN Asia/Kolkata|IO Indian/Chagos|IQ Asia/Baghdad|IR Asia/Tehran|IS Atlantic/Reykjavik|IT
Europe/Rome|JE Europe/Jersey|JM America/Jamaica|JO Asia/Amman|JP Asia/Tokyo|KE Africa/Nairobi|KG Asia/Bishkek|KH
Asia/Phnom_Penh|KI Pacific/Kanton +Kiritimati +Tarawa|KM Indian/Comoro|KN America/St_Kitts|KP Asia/Pyongyang|KR
Asia/Seoul|KW Asia/Kuwait|KY America/Cayman|KZ Asia/Almaty +Aqtau +Aqtobe +Atyrau +Oral +Qostanay +Qyzylorda|LA
Asia/Vientiane|LB Asia/Beirut|LC America/St_Lucia|LI Europe/Vaduz|LK Asia/Colombo|LR Africa/Monrovia|LS Africa/Maseru|
LT Europe/Vilnius|LU Europe/Luxembourg|LV Europe/Riga|LY Africa/Tripoli|MA Africa/Casablanca|MC Europe/Monaco|MD
Europe/Chisinau|ME Europe/Podgorica|MF America/Marigot|MG Indian/Antananarivo|MH Pacific/Kwajalein +Majuro|MK
Europe/Skopje|ML Africa/Bamako|MM Asia/Yangon|MN Asia/Hovd +Ulaanbaatar|MO Asia/Macau|MP Pacific/Saipan|MQ
America/Martinique|MR Africa/Nouakchott|MS America/Montserrat|MT Europe/Malta|MU Indian/Mauritius|MV Indian/Maldives|
MW Africa/Blantyre|MX America/Bahia_Banderas +Cancun +Chihuahua +Ciudad_Juarez +Hermosillo +Matamoros +Mazatlan
+Merida +Mexico_City +Monterrey +Ojinaga +Tijuana|MY Asia/Kuala_Lumpur +Kuching|MZ Africa/Maputo|NA Africa/Windhoek|NC
Pacific/Noumea|NE Africa/Niamey|NF Pacific/Norfolk|NG Africa/Lagos|NI America/Managua|NL Europe/Amsterdam|NO
Europe/Oslo|NP Asia/Kathmandu|NR Pacific/Nauru|NU Pacific/Niue|NZ Pacific/Auckland +Chatham|OM Asia/Muscat|PA
America/Panama|PE America/Lima|PF Pacific/Gambier +Marquesas +Tahiti|PG Pacific/Bougainville +Port_Moresby|PH
Asia/Manila|PK Asia/Karachi|PL Europe/Warsaw|PM America/Miquelon|PN Pacific/Pitcairn|PR America/Puerto_Rico|PS
Asia/Gaza +Hebron|PT Atlantic/Azores +Madeira Europe/Lisbon|PW Pacific/Palau|PY America/Asuncion|QA Asia/Qatar|RE
Indian/Reunion|RO Europe/Bucharest|RS Europe/Belgrade|RU Asia/Anadyr +Barnaul +Chita +Irkutsk +Kamchatka +Khandyga
+Krasnoyarsk +Magadan +Novokuznetsk +Novosibirsk +Omsk +Sakhalin +Srednekolymsk +Tomsk +Ust-Nera +Vladivostok +Yakutsk
+Yekaterinburg Europe/Astrakhan +Kaliningrad +Kirov +Moscow +Samara +Saratov +Ulyanovsk +Volgograd|RW Africa/Kigali|SA
Asia/Riyadh|SB Pacific/Guadalcanal|SC Indian/Mahe|SD Africa/Khartoum|SE Europe/Stockholm|SG Asia/Singapore|SH
Atlantic/St_Helena|SI Europe/Ljubljana|SJ Arctic/Longyearbyen|SK Europe/Bratislava|SL Africa/Freetown|SM
Europe/San_Marino|SN Africa/Dakar|SO Africa/Mogadishu|SR America/Paramaribo|SS Africa/Juba|ST Africa/Sao_Tome|SV
America/El_Salvador|SX America/Lower_Princes|SY Asia/Damascus|SZ Africa/Mbabane|TC America/Grand_Turk|TD
Africa/Ndjamena|TF Indian/Kerguelen|TG Africa/Lome|TH Asia/Bangkok|TJ Asia/Dushanbe|TK Pacific/Fakaofo|TL Asia/Dili|TM
Asia/Ashgabat|TN Africa/Tunis|TO Pacific/Tongatapu|TR Europe/Istanbul|TT America/Port_of_Spain|TV Pacific/Funafuti|TW
Asia/Taipei|TZ Africa/Dar_es_Salaam|UA Europe/Kyiv +Simferopol|UG Africa/Kampala|UM Pacific/Midway +Wake|US
America/Adak +Anchorage +Boise +Chicago +Denver +Detroit +Indiana/Indianapolis +Indiana/Knox +Indiana/Marengo
+Indiana/Petersburg +Indiana/Tell_City +Indiana/Vevay +Indiana/Vincennes +Indiana/Winamac +Juneau +Kentucky/Louisville
+Kentucky/Monticello +Los_Angeles +Menominee +Metlakatla +New_York +Nome +North_Dakota/Beulah +North_Dakota/Center
+North_Dakota/New_Salem +Phoenix +Sitka +Yakutat Pacific/Honolulu|UY America/Montevideo|UZ Asia/Samarkand +Tashkent|VA
Europe/Vatican|VC America/St_Vincent|VE America/Caracas|VG America/Tortola|VI America/St_Thomas|VN Asia/Ho_Chi_Minh|VU
Pacific/Efate|WF Pacific/Wallis|WS Pacific/Apia|XK Europe/Belgrade|YE Asia/Aden|YT Indian/Mayotte|ZA
Africa/Johannesburg|ZM Africa/Lusaka|ZW Africa/Harare`;

/**
 * The zones of the states of the US and the provinces of Canada, names without "America/": those in force by law or, as
 * in Phenix City or Lloydminster, by the custom that the zones' outlines follow.
 */
const STATES = `US AL Chicago New_York|US AK Adak Anchorage Juneau Metlakatla Nome Sitka Yakutat|US AZ Phoenix Denver|US AR Chicago|
US CA Los_Angeles|US CO Denver|US CT New_York|US DC New_York|US DE New_York|US FL Chicago New_York|US GA New_York|
US HI Pacific/Honolulu|US IA Chicago|US ID Boise Los_Angeles|US IL Chicago|US IN Chicago Kentucky/Louisville New_York
Indiana/Indianapolis Indiana/Knox Indiana/Marengo Indiana/Petersburg Indiana/Tell_City Indiana/Vevay Indiana/Vincennes
Indiana/Winamac|US KS Chicago Denver|US KY Chicago Kentucky/Louisville Kentucky/Monticello New_York|US LA Chicago|
US MA New_York|US MD New_York|US ME New_York|US MI Detroit Menominee|US MN Chicago|US MO Chicago|US MS Chicago|
US MT Denver|US NC New_York|US ND Chicago Denver North_Dakota/Beulah North_Dakota/Center North_Dakota/New_Salem|
US NE Chicago Denver|US NH New_York|US NJ New_York|US NM Denver|US NV Boise Denver Los_Angeles|US NY New_York|US OH New_York|
US OK Chicago Denver|US OR Boise Los_Angeles|US PA New_York|US RI New_York|US SC New_York|US SD Chicago Denver|
US TN Chicago New_York|US TX Chicago Denver|US UT Denver|US VA New_York|US VT New_York|US WA Los_Angeles|US WI Chicago|
US WV New_York|US WY Denver|CA AB Edmonton|CA BC Creston Dawson_Creek Edmonton Fort_Nelson Vancouver|CA MB Winnipeg|
CA NB Moncton|CA NL Goose_Bay St_Johns|CA NS Glace_Bay Halifax|CA NT Edmonton Inuvik Yellowknife|
CA NU Cambridge_Bay Iqaluit Pangnirtung Rankin_Inlet Resolute Atikokan Coral_Harbour|
CA ON Atikokan Nipigon Rainy_River Thunder_Bay Toronto Winnipeg|CA PE Halifax|CA QC Blanc-Sablon Halifax Montreal Toronto|
CA SK Edmonton Regina Swift_Current|CA YT Dawson Whitehorse`;

let known: Map<string, ReadonlySet<string>> | undefined;

/** The zones of "US", or of a state, "US MT"; undefined if it is in neither table. Parsed on first use. */
export function zonesOf(area: string): ReadonlySet<string> | undefined {
  known ??= new Map([...readCountries(), ...readStates()]);
  return known.get(area);
}

function* readCountries(): Generator<[string, ReadonlySet<string>]> {
  for (const entry of COUNTRIES.split("|")) {
    const [country, ...zones] = entry.trim().split(/\s+/);
    let continent = "";
    const whole = zones.map((zone) => {
      if (zone.startsWith("+")) return `${continent}/${zone.slice(1)}`;
      continent = zone.split("/")[0];
      return zone;
    });
    yield [country, new Set(whole)];
  }
}

function* readStates(): Generator<[string, ReadonlySet<string>]> {
  for (const entry of STATES.split("|")) {
    const [country, state, ...zones] = entry.trim().split(/\s+/);
    const whole = zones.map((zone) => (zone.startsWith("Pacific/") ? zone : `America/${zone}`));
    yield [`${country} ${state}`, new Set(whole)];
  }
}
