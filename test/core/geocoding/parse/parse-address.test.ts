import { describe, expect, it } from "vitest";
import type { ParsedAddress } from "../../../../src/core/geocoding/parse/parsed-address.ts";
import { parseAddress } from "../../../../src/core/geocoding/search/parse-address.ts";
import { fold } from "../../../../src/core/geocoding/words/normalise.ts";
import { worldCities } from "../../../../src/importer/world/cities.ts";

/** A search finds the towns of a text: here, cities of the world base, and one by its own name. */
const LARGE = Map.groupBy(
  [...worldCities().filter(({ population }) => population > 500_000), { name: "Ciudad de México", country: "MX" }],
  ({ name }) => fold(name),
);
const towns = (name: string, country?: string) =>
  (LARGE.get(fold(name.trim())) ?? []).some((city) => country === undefined || city.country === country);

/** By country: address | number | street | city | postal code | state | unit | name. Made up, or public buildings. */
const CASES: Record<string, string> = {
  US: `
01984, MA | | | | 01984 | MA
20 Jay St, Brooklyn, NY 11201 | 20 | Jay St | Brooklyn | 11201 | NY
20 Jay St Brooklyn NY 11201 | 20 | Jay St | Brooklyn | 11201 | NY
20 Jay Street, Brooklyn, New York 11201, USA | 20 | Jay Street | Brooklyn | 11201 | NY
20 Jay St Apt 4B, Brooklyn, NY 11201-1234 | 20 | Jay St | Brooklyn | 11201-1234 | NY | 4B
20 Jay St #12, Brooklyn, NY | 20 | Jay St | Brooklyn | | NY | 12
20 Jay St, Suite 300, Brooklyn, NY 11201 | 20 | Jay St | Brooklyn | 11201 | NY | 300
217-14 Jamaica Ave, Queens Village, NY 11428 | 217-14 | Jamaica Ave | Queens Village | 11428 | NY
1600 Pennsylvania Ave NW, Washington, DC 20500 | 1600 | Pennsylvania Ave NW | Washington | 20500 | DC
1600 Pennsylvania Avenue NW Washington DC 20500 | 1600 | Pennsylvania Avenue NW | Washington | 20500 | DC
350 5th Ave, New York, NY 10118 | 350 | 5th Ave | New York | 10118 | NY
350 Fifth Avenue New York NY 10118 | 350 | Fifth Avenue | New York | 10118 | NY
100 N Main St, Salt Lake City, UT 84101 | 100 | N Main St | Salt Lake City | 84101 | UT
100 North Main Street, Springfield, Illinois 62701 | 100 | North Main Street | Springfield | 62701 | IL
10 1/2 Elm St, Boston, MA 02108 | 10 1/2 | Elm St | Boston | 02108 | MA
123B Oak Rd, Atlanta, Georgia 30303 | 123B | Oak Rd | Atlanta | 30303 | GA
1 Infinite Loop, Cupertino, CA 95014 | 1 | Infinite Loop | Cupertino | 95014 | CA
500 Broadway, New York, NY | 500 | Broadway | New York | | NY
4059 Mt Lee Dr, Hollywood, CA 90068 | 4059 | Mt Lee Dr | Hollywood | 90068 | CA
1060 W Addison St, Chicago, IL 60613, United States | 1060 | W Addison St | Chicago | 60613 | IL
742 Evergreen Terrace, Springfield OR 97477 | 742 | Evergreen Terrace | Springfield | 97477 | OR
221 Baker St Unit 7, Winston-Salem, North Carolina 27101 | 221 | Baker St | Winston-Salem | 27101 | NC | 7`,
  CA: `
1055 Canada Pl, Vancouver, BC V6C 0C3 | 1055 | Canada Pl | Vancouver | V6C 0C3 | BC
1055 Canada Place, Vancouver, British Columbia V6C 0C3, Canada | 1055 | Canada Place | Vancouver | V6C 0C3 | BC
301 Front St W, Toronto, ON M5V 2T6 | 301 | Front St W | Toronto | M5V 2T6 | ON
301 Front St W Toronto ON M5V 2T6 | 301 | Front St W | Toronto | M5V 2T6 | ON
1200-1055 Dunsmuir St, Vancouver, BC V7X 1L2, Canada | 1055 | Dunsmuir St | Vancouver | V7X 1L2 | BC | 1200
4141 Av. Pierre-De Coubertin, Montréal, QC H1V 3N7 | 4141 | Av. Pierre-De Coubertin | Montréal | H1V 3N7 | QC
1 Rue des Carrières, Québec, QC G1R 4P5 | 1 | Rue des Carrières | Québec | G1R 4P5 | QC
111 Wellington St, Ottawa, Ontario K1A 0A9 | 111 | Wellington St | Ottawa | K1A 0A9 | ON
24 Sussex Dr, Ottawa, ON K1M1M4 | 24 | Sussex Dr | Ottawa | K1M1M4 | ON
10220 104 Ave NW, Edmonton, AB T5J 0H6 | 10220 | 104 Ave NW | Edmonton | T5J 0H6 | AB
5 Main St Unit 2, Halifax, NS B3H 1A1 | 5 | Main St | Halifax | B3H 1A1 | NS | 2
85 King St N, Waterloo, ON N2J 2X3 | 85 | King St N | Waterloo | N2J 2X3 | ON
2 Place du Commerce, Brossard, QC J4W 2T8 | 2 | Place du Commerce | Brossard | J4W 2T8 | QC
900 Howe St, Vancouver BC V6Z 2M4 | 900 | Howe St | Vancouver | V6Z 2M4 | BC
700 14 Ave SW, Calgary, Alberta T2R 0M8 | 700 | 14 Ave SW | Calgary | T2R 0M8 | AB
12 Rue Saint-Jean, Moncton, New Brunswick E1C 1A1 | 12 | Rue Saint-Jean | Moncton | E1C 1A1 | NB
15 Water St, St. John's, NL A1C 1A1 | 15 | Water St | St. John's | A1C 1A1 | NL
33 Queen St, Charlottetown, PE C1A 4A2 | 33 | Queen St | Charlottetown | C1A 4A2 | PE
2100 Broad St, Regina, SK S4P 1Y5 | 2100 | Broad St | Regina | S4P 1Y5 | SK
4 Portage Ave, Winnipeg, MB R3C 0B1 | 4 | Portage Ave | Winnipeg | R3C 0B1 | MB`,
  GB: `
10 Downing Street, London, SW1A 2AA | 10 | Downing Street | London | SW1A 2AA
10 Downing Street, London SW1A 2AA, United Kingdom | 10 | Downing Street | London | SW1A 2AA
221B Baker Street, London NW1 6XE | 221B | Baker Street | London | NW1 6XE
Flat 2, 15 High Street, Oxford, OX1 4AW | 15 | High Street | Oxford | OX1 4AW | | 2
12-14 Market Place, Durham DH1 3NJ | 12-14 | Market Place | Durham | DH1 3NJ
1 Princes Street, Edinburgh EH2 2EQ, Scotland | 1 | Princes Street | Edinburgh | EH2 2EQ
27a Castle Street, Cardiff, CF10 1BT | 27a | Castle Street | Cardiff | CF10 1BT
4 Privet Drive, Guildford, GU1 1AA, England | 4 | Privet Drive | Guildford | GU1 1AA
30 St Mary Axe, London EC3A 8BF | 30 | St Mary Axe | London | EC3A 8BF
8 Donegall Square, Belfast, BT1 5GS, UK | 8 | Donegall Square | Belfast | BT1 5GS
15 St Giles' Street, Norwich NR2 1JL | 15 | St Giles' Street | Norwich | NR2 1JL
The Old Mill, 3 Mill Lane, Cambridge, CB2 1RX | 3 | Mill Lane | Cambridge | CB2 1RX | | | The Old Mill
Apartment 12, 40 Deansgate, Manchester M3 1RH | 40 | Deansgate | Manchester | M3 1RH | | 12
1-3 Strand, London WC2N 5EJ | 1-3 | Strand | London | WC2N 5EJ
High Street, Whitby, North Yorkshire, YO22 4DE | | High Street | Whitby | YO22 4DE
The Shambles, York YO1 7LX | | The Shambles | York | YO1 7LX
6 Sauchiehall Street, Glasgow, G2 3AD, Scotland | 6 | Sauchiehall Street | Glasgow | G2 3AD
7 Castle Hill, Lincoln, Lincolnshire, LN1 3AA | 7 | Castle Hill | Lincoln | LN1 3AA
45 Park Rise, Harpenden, Hertfordshire AL5 3AL | 45 | Park Rise | Harpenden | AL5 3AL
Unit 4, 18 Dock Road, Liverpool L19 2AA | 18 | Dock Road | Liverpool | L19 2AA | | 4
112 London Road, Leicester LE2 0QS, England | 112 | London Road | Leicester | LE2 0QS
20 Abbey Fields, Bath BA1 2AB | 20 | Abbey Fields | Bath | BA1 2AB
3 The Green, Richmond, Surrey, TW9 1PL | 3 | The Green | Richmond | TW9 1PL
Priory Retail Park Station Road, Lincoln LN5 1AA | | Station Road | Lincoln | LN5 1AA | | | Priory Retail Park
7 Abbey Shopping Centre, Market Street, Durham, DH1 3NJ | 7 | Market Street | Durham | DH1 3NJ | | | 7 Abbey Shopping Centre
Assembly Rooms, The Crescent, YO22 4AA, United Kingdom | | The Crescent | | YO22 4AA | | | Assembly Rooms
Harbour Buildings, Quay Street, Ramsey, Isle of Man IM8 1AA | | Quay Street | Ramsey | IM8 1AA | | | Harbour Buildings`,
  JM: `
14 Hagley Park Road, Kingston 10, Jamaica W.I. | 14 | Hagley Park Road | Kingston | 10`,
  DE: `
Hauptstraße 5, 69117 Heidelberg | 5 | Hauptstraße | Heidelberg | 69117
Hauptstr. 5, 69117 Heidelberg, Deutschland | 5 | Hauptstr. | Heidelberg | 69117
Hauptstraße 5 69117 Heidelberg | 5 | Hauptstraße | Heidelberg | 69117
69117 Heidelberg, Hauptstraße 5 | 5 | Hauptstraße | Heidelberg | 69117
Straße des 17. Juni 135, 10623 Berlin, Germany | 135 | Straße des 17. Juni | Berlin | 10623
Unter den Linden 77a, 10117 Berlin | 77a | Unter den Linden | Berlin | 10117
Am Alten Markt 12-14, 14467 Potsdam | 12-14 | Am Alten Markt | Potsdam | 14467
Kurfürstendamm 26 A, D-10719 Berlin, Germany | 26 A | Kurfürstendamm | Berlin | 10719
Marienplatz 1, 80331 München | 1 | Marienplatz | München | 80331
Zeil 106, 60313 Frankfurt am Main | 106 | Zeil | Frankfurt am Main | 60313
Königsallee 60, 40212 Düsseldorf, Allemagne | 60 | Königsallee | Düsseldorf | 40212
Am Bürgerpark 15-18, 13156, Berlin | 15-18 | Am Bürgerpark | Berlin | 13156
Große Elbstraße 212, 22767 Hamburg | 212 | Große Elbstraße | Hamburg | 22767
Dorfstr. 3a, 15234 Frankfurt (Oder) | 3a | Dorfstr. | Frankfurt | 15234
An der Alster 72, 20099 Hamburg | 72 | An der Alster | Hamburg | 20099
Schloss 1, 68131 Mannheim | 1 | Schloss | Mannheim | 68131
Königsallee Düsseldorf | | Königsallee | Düsseldorf
Rathausplatz 1, 91052 Erlangen, DE | 1 | Rathausplatz | Erlangen | 91052
Lange Straße 10, 76530 Baden-Baden | 10 | Lange Straße | Baden-Baden | 76530
Im Neuenheimer Feld 205, 69120 Heidelberg | 205 | Im Neuenheimer Feld | Heidelberg | 69120
Plutoweg 7 12057 Berlin Deutschland | 7 | Plutoweg | Berlin | 12057
Weststr. 4, Whg. 12, 33615 Bielefeld | 4 | Weststr. | Bielefeld | 33615 | | 12
Alte Jakobstraße 124-128, 10969 Berlin | 124-128 | Alte Jakobstraße | Berlin | 10969`,
  FR: `
5 rue de la Paix, 75002 Paris | 5 | rue de la Paix | Paris | 75002
5, rue de la Paix, 75002 Paris, France | 5 | rue de la Paix | Paris | 75002
5 rue de la Paix 75002 Paris | 5 | rue de la Paix | Paris | 75002
12 bis avenue Foch, 75116 Paris | 12 bis | avenue Foch | Paris | 75116
12bis, avenue Foch, 75116 Paris | 12bis | avenue Foch | Paris | 75116
1 place de la Comédie, 34000 Montpellier | 1 | place de la Comédie | Montpellier | 34000
20 quai des Chartrons, 33000 Bordeaux, France | 20 | quai des Chartrons | Bordeaux | 33000
3 Rue du Général de Gaulle, 67000 Strasbourg | 3 | Rue du Général de Gaulle | Strasbourg | 67000
14 boulevard de la Croisette, 06400 Cannes | 14 | boulevard de la Croisette | Cannes | 06400
8 rue Victor-Hugo, 69002 Lyon | 8 | rue Victor-Hugo | Lyon | 69002
10 boulevard Saint-Germain Paris | 10 | boulevard Saint-Germain | Paris
Rue Henri Barbusse Paris France | | Rue Henri Barbusse | Paris
7 ter rue Lamarck, 75018 Paris | 7 ter | rue Lamarck | Paris | 75018
Avenue Aristide Briand, 92120 Montrouge | | Avenue Aristide Briand | Montrouge | 92120
25 impasse des Lilas, 31000 Toulouse | 25 | impasse des Lilas | Toulouse | 31000
1 rue de l'Hôtel de Ville, 59000 Lille | 1 | rue de l'Hôtel de Ville | Lille | 59000
18 chemin du Moulin, 13100 Aix-en-Provence | 18 | chemin du Moulin | Aix-en-Provence | 13100
4 allée des Tilleuls, 44000 Nantes, FR | 4 | allée des Tilleuls | Nantes | 44000
113 rte de Lyon, 38000 Grenoble | 113 | rte de Lyon | Grenoble | 38000
33000 Bordeaux, 20 cours de l'Intendance | 20 | cours de l'Intendance | Bordeaux | 33000
9 place Bellecour, appt 3, 69002 Lyon | 9 | place Bellecour | Lyon | 69002 | | 3`,
  NL: `
Kerkstraat 12, 1017 GP Amsterdam | 12 | Kerkstraat | Amsterdam | 1017 GP
Kerkstraat 12a, 1017GP Amsterdam, Nederland | 12a | Kerkstraat | Amsterdam | 1017GP
Prinsengracht 263-267, 1016 GV Amsterdam, Netherlands | 263-267 | Prinsengracht | Amsterdam | 1016 GV
Coolsingel 40, 3011 AD Rotterdam | 40 | Coolsingel | Rotterdam | 3011 AD
Plein 1, 2511 CR Den Haag | 1 | Plein | Den Haag | 2511 CR
Julianastraat, Heel | | Julianastraat | Heel
Brinkstraat 87, 7512 EC, Enschede | 87 | Brinkstraat | Enschede | 7512 EC
Nieuwe Binnenweg 17-19, Oude Westen, Rotterdam NL | 17-19 | Nieuwe Binnenweg | Rotterdam
Lange Voorhout 74, 2514 EH Den Haag | 74 | Lange Voorhout | Den Haag | 2514 EH
Achter Clarenburg 2, Utrecht | 2 | Achter Clarenburg | Utrecht
Van Baerlestraat 13 1071 AN Amsterdam | 13 | Van Baerlestraat | Amsterdam | 1071 AN
1071 AN Amsterdam, Van Baerlestraat 13 | 13 | Van Baerlestraat | Amsterdam | 1071 AN
Burgemeester Martenssingel 5, 2806 AA Gouda | 5 | Burgemeester Martenssingel | Gouda | 2806 AA
Oranjelaan Westzijde 41, Puttershoek | 41 | Oranjelaan Westzijde | Puttershoek
Markt 11, 5611 EB Eindhoven, Holland | 11 | Markt | Eindhoven | 5611 EB
Dorpsstraat 8 B, 3732 HH Den Dolder | 8 B | Dorpsstraat | Den Dolder | 3732 HH
Museumplein 6, 1071 DJ Amsterdam | 6 | Museumplein | Amsterdam | 1071 DJ
Rembrandtplein, Amsterdam | | Rembrandtplein | Amsterdam
Stationsweg 1, 9726 AC Groningen | 1 | Stationsweg | Groningen | 9726 AC
Oude Gracht 158, 3511 AZ Utrecht | 158 | Oude Gracht | Utrecht | 3511 AZ`,
  ES: `
Calle Mayor, 5, 28013 Madrid | 5 | Calle Mayor | Madrid | 28013
Calle Mayor 5, 28013 Madrid, España | 5 | Calle Mayor | Madrid | 28013
C/ Serrano 21, 28001 Madrid | 21 | C/ Serrano | Madrid | 28001
Avinguda Diagonal, 211, 08018 Barcelona, Spain | 211 | Avinguda Diagonal | Barcelona | 08018
Plaza de España, 18, 28008 Madrid | 18 | Plaza de España | Madrid | 28008
Paseo de la Castellana, 185 - 5º, 28046 Madrid | 185 | Paseo de la Castellana | Madrid | 28046 | | 5º
Calle de Alcalá 48, 3º izq, 28014 Madrid | 48 | Calle de Alcalá | Madrid | 28014 | | 3º izq
Av. de la Constitución 20, 41004 Sevilla | 20 | Av. de la Constitución | Sevilla | 41004
Avda. del Puerto, 10, 46023 Valencia | 10 | Avda. del Puerto | Valencia | 46023
Gran Vía 32, 28013 Madrid | 32 | Gran Vía | Madrid | 28013
Ronda de Sant Pere 17, 08010 Barcelona | 17 | Ronda de Sant Pere | Barcelona | 08010
Carrer de Mallorca, 401, 08013 Barcelona, España | 401 | Carrer de Mallorca | Barcelona | 08013
Plaza Mayor s/n, 37002 Salamanca | | Plaza Mayor s/n | Salamanca | 37002
Pza. Nueva 1, 48005 Bilbao | 1 | Pza. Nueva | Bilbao | 48005
C/ Larios, 4, 29005 Málaga, Spain | 4 | C/ Larios | Málaga | 29005
Rambla de Catalunya 70 08007 Barcelona | 70 | Rambla de Catalunya | Barcelona | 08007
Camino de Ronda, 101, 18003 Granada | 101 | Camino de Ronda | Granada | 18003
Travesía de Vigo 25, 36206 Vigo | 25 | Travesía de Vigo | Vigo | 36206
28014 Madrid, Calle del Prado 21 | 21 | Calle del Prado | Madrid | 28014
Glorieta de Bilbao 7, Madrid | 7 | Glorieta de Bilbao | Madrid`,
  IT: `
Via Roma 10, 20121 Milano | 10 | Via Roma | Milano | 20121
Via Roma, 10, 20121 Milano, Italia | 10 | Via Roma | Milano | 20121
Piazza del Duomo 1, 50122 Firenze, Italy | 1 | Piazza del Duomo | Firenze | 50122
Corso Vittorio Emanuele II 12/A, 10123 Torino | 12/A | Corso Vittorio Emanuele II | Torino | 10123
Viale Europa 22, 00144 Roma | 22 | Viale Europa | Roma | 00144
Via Roma 10, 20121 Milano MI, Italia | 10 | Via Roma | Milano | 20121 | MI
Via Giuseppe Garibaldi 12, 16124 Genova (GE), Italia | 12 | Via Giuseppe Garibaldi | Genova | 16124
Via XX Settembre 3, 10121 Torino | 3 | Via XX Settembre | Torino | 10121
Corso Buenos Aires, 33, 20124 Milano | 33 | Corso Buenos Aires | Milano | 20124
Piazza San Marco 1, 30124 Venezia | 1 | Piazza San Marco | Venezia | 30124
Largo Augusto 8, Milano | 8 | Largo Augusto | Milano
Vicolo del Cinque 26, 00153 Roma | 26 | Vicolo del Cinque | Roma | 00153
P.za Dante 14, 80135 Napoli, Italy | 14 | P.za Dante | Napoli | 80135
V.le Monza 2, 20127 Milano | 2 | V.le Monza | Milano | 20127
Via dei Mille 16 80121 Napoli | 16 | Via dei Mille | Napoli | 80121
Strada Maggiore 44, 40125 Bologna | 44 | Strada Maggiore | Bologna | 40125
Lungarno Vespucci 5, 50123 Firenze, IT | 5 | Lungarno Vespucci | Firenze | 50123
Via Toledo 156/B, 80134 Napoli | 156/B | Via Toledo | Napoli | 80134
Salita Pollaiuoli 10, 16123 Genova | 10 | Salita Pollaiuoli | Genova | 16123
00184 Roma, Via Cavour 50 | 50 | Via Cavour | Roma | 00184`,
  BR: `
Avenida Paulista, 1578, São Paulo - SP, 01310-200 | 1578 | Avenida Paulista | São Paulo | 01310-200 | SP
Avenida Paulista, 1578, São Paulo, SP, 01310-200, Brasil | 1578 | Avenida Paulista | São Paulo | 01310-200 | SP
Rua Augusta 500, São Paulo - SP, 01304-000, Brazil | 500 | Rua Augusta | São Paulo | 01304-000 | SP
Praça da Sé, 100, São Paulo - SP, 01001-000 | 100 | Praça da Sé | São Paulo | 01001-000 | SP
Rua das Flores, 12, Curitiba - PR, 80020-190 | 12 | Rua das Flores | Curitiba | 80020-190 | PR
R. Augusta, 1500, São Paulo - SP | 1500 | R. Augusta | São Paulo | | SP
Av. Atlântica, 1702, Rio de Janeiro - RJ, 22021-001 | 1702 | Av. Atlântica | Rio de Janeiro | 22021-001 | RJ
Alameda Santos, 2233, apto 51, São Paulo, SP, 01419-101 | 2233 | Alameda Santos | São Paulo | 01419-101 | SP | 51
Rua da Bahia 1148, Belo Horizonte - MG, 30160-011, Brasil | 1148 | Rua da Bahia | Belo Horizonte | 30160-011 | MG
Travessa do Ouvidor, 22, Rio de Janeiro, RJ | 22 | Travessa do Ouvidor | Rio de Janeiro | | RJ
Rodovia SC-401, 600, Florianópolis - SC, 88030-000 | 600 | Rodovia SC-401 | Florianópolis | 88030-000 | SC
Largo da Ordem, 30, Curitiba, Paraná, 80020-000, Brasil | 30 | Largo da Ordem | Curitiba | 80020-000 | PR
Rua 25 de Março, 400, São Paulo - SP, 01021-100 | 400 | Rua 25 de Março | São Paulo | 01021-100 | SP
Avenida Beira Mar, 3980, Fortaleza - CE, 60165-121 | 3980 | Avenida Beira Mar | Fortaleza | 60165-121 | CE
Praça XV de Novembro, 20, Rio de Janeiro - RJ, 20010-010 | 20 | Praça XV de Novembro | Rio de Janeiro | 20010-010 | RJ
Rua Chile 5, Salvador - BA, 40020-000 | 5 | Rua Chile | Salvador | 40020-000 | BA
Estrada do Coco, 77, Lauro de Freitas - BA, 42700-000 | 77 | Estrada do Coco | Lauro de Freitas | 42700-000 | BA
Rua dos Andradas, 736, Porto Alegre - RS, 90020-004 | 736 | Rua dos Andradas | Porto Alegre | 90020-004 | RS
Av. Boa Viagem, 420, Recife - PE, 51011-000, Brazil | 420 | Av. Boa Viagem | Recife | 51011-000 | PE
Rua Halfeld, Juiz de Fora - MG, 36010-000 | | Rua Halfeld | Juiz de Fora | 36010-000 | MG`,
  AU: `
U14/7 Wattle Rd, Perth WA 6000 | 7 | Wattle Rd | Perth | 6000 | WA | 14
Unit 3/20 Gum St, Hobart TAS 7000 | 20 | Gum St | Hobart | 7000 | TAS | 3
U 3 20 Gum Street | 20 | Gum Street | | | | 3
Lot 8/112 Station Road, Ballarat VIC 3350 | 112 | Station Road | Ballarat | 3350 | VIC | 8
Villa 2, 15 Banksia Ave, Cairns QLD 4870 | 15 | Banksia Ave | Cairns | 4870 | QLD | 2
1 Macquarie St, Sydney NSW 2000 | 1 | Macquarie St | Sydney | 2000 | NSW
1 Macquarie Street, Sydney, NSW 2000, Australia | 1 | Macquarie Street | Sydney | 2000 | NSW
5/20 George St, Parramatta NSW 2150 | 20 | George St | Parramatta | 2150 | NSW | 5
Unit 3, 12 Swanston Street, Melbourne VIC 3000 | 12 | Swanston Street | Melbourne | 3000 | VIC | 3
99 Adelaide St, Brisbane City QLD 4000 | 99 | Adelaide St | Brisbane City | 4000 | QLD
8/437 St Kilda Road, Melbourne VIC 3004 | 437 | St Kilda Road | Melbourne | 3004 | VIC | 8
754 Robinson Rd West, Aspley, QLD 4035 | 754 | Robinson Rd West | Aspley | 4035 | QLD
1/135 Ferny Way, Ferny Grove QLD 4055 | 135 | Ferny Way | Ferny Grove | 4055 | QLD | 1
Level 5, 100 Pitt Street, Sydney NSW 2000 | 100 | Pitt Street | Sydney | 2000 | NSW | 5
12-14 Hindley St, Adelaide SA 5000 | 12-14 | Hindley St | Adelaide | 5000 | SA
200 St Georges Terrace, Perth, Western Australia 6000 | 200 | St Georges Terrace | Perth | 6000 | WA
22 Salamanca Place, Hobart TAS 7000 | 22 | Salamanca Place | Hobart | 7000 | TAS
3 Smith St, Darwin City NT 0800, Australia | 3 | Smith St | Darwin City | 0800 | NT
50 Bunda Street, Canberra ACT 2601 | 50 | Bunda Street | Canberra | 2601 | ACT
Shop 4, 77 Crown Street, Wollongong NSW 2500 | 77 | Crown Street | Wollongong | 2500 | NSW | 4
1540 Pacific Highway, Coffs Harbour NSW 2450 | 1540 | Pacific Highway | Coffs Harbour | 2450 | NSW
19A Park Crescent, Fitzroy North VIC 3068 | 19A | Park Crescent | Fitzroy North | 3068 | VIC
5 The Esplanade, Cairns QLD 4870 | 5 | The Esplanade | Cairns | 4870 | QLD
28 O'Connell Street North Adelaide SA 5006 | 28 | O'Connell Street North | Adelaide | 5006 | SA
42 Jonson Street, Byron Bay NSW 2481 | 42 | Jonson Street | Byron Bay | 2481 | NSW`,
  JP: `
〒100-0001 東京都千代田区千代田1-1 | 1-1 | 千代田 | 千代田区 | 100-0001
東京都渋谷区神南1丁目19番11号 | 1-19-11 | 神南 | 渋谷区 |
〒530-0001 大阪府大阪市北区梅田3-1-3 | 3-1-3 | 北区梅田 | 大阪市 | 530-0001
1-1-2 Oshiage, Sumida, Tokyo 131-0045, Japan | 1-1-2 | Oshiage | Tokyo | 131-0045
東京都港区芝公園4丁目2-8 | 4-2-8 | 芝公園 | 港区 |
〒150-0043 東京都渋谷区道玄坂2-1 | 2-1 | 道玄坂 | 渋谷区 | 150-0043
北海道札幌市中央区北3条西6丁目 | 6 | 中央区北3条西 | 札幌市 |
京都府京都市東山区清水1丁目294 | 1-294 | 東山区清水 | 京都市 |
〒812-0011 福岡県福岡市博多区博多駅前2-1-1 | 2-1-1 | 博多区博多駅前 | 福岡市 | 812-0011
沖縄県那覇市首里金城町1-2 | 1-2 | 首里金城町 | 那覇市 |
愛知県名古屋市中村区名駅1丁目1番4号 | 1-1-4 | 中村区名駅 | 名古屋市 |
日本、〒160-0022 東京都新宿区新宿３丁目３８−１ | 3-38-1 | 新宿 | 新宿区 | 160-0022
東京都文京区本郷7-3-1 3階 | 7-3-1 | 本郷 | 文京区 | | | 3階
神奈川県横浜市西区みなとみらい2-2-1 | 2-2-1 | 西区みなとみらい | 横浜市 |
広島県広島市中区基町10-52 | 10-52 | 中区基町 | 広島市 |
〒980-0811 宮城県仙台市青葉区一番町3丁目7番1号 | 3-7-1 | 青葉区一番町 | 仙台市 | 980-0811
2-11-3 Meguro, Meguro-ku, Tokyo 153-0063, Japan | 2-11-3 | Meguro | Tokyo | 153-0063
1-7-1 Konan, Minato-ku, Tokyo, Japan, 108-0075 | 1-7-1 | Konan | Tokyo | 108-0075
新潟県新潟市中央区学校町通1-602-1 | 1-602-1 | 中央区学校町通 | 新潟市 |
大阪府堺市堺区南瓦町3-1 | 3-1 | 堺区南瓦町 | 堺市 |`,
  AT: `
Stephansplatz 3, 1010 Wien, Österreich | 3 | Stephansplatz | Wien | 1010
Mariahilfer Straße 77-79, 1060 Wien, Österreich | 77-79 | Mariahilfer Straße | Wien | 1060
Eduard-Sueß-Gasse 9, Wien, Austria | 9 | Eduard-Sueß-Gasse | Wien`,
  CH: `
Bahnhofstrasse 45, 8001 Zürich, Schweiz | 45 | Bahnhofstrasse | Zürich | 8001
Rue du Rhône 8, 1204 Genève, Suisse | 8 | Rue du Rhône | Genève | 1204`,
  BE: `
Rue Neuve 12, 1000 Bruxelles, Belgique | 12 | Rue Neuve | Bruxelles | 1000
Meir 50, 2000 Antwerpen, België | 50 | Meir | Antwerpen | 2000`,
  PT: `Rua Augusta 24, 1100-053 Lisboa, Portugal | 24 | Rua Augusta | Lisboa | 1100-053`,
  PL: `
ul. Marszałkowska 10, 00-590 Warszawa, Polska | 10 | ul. Marszałkowska | Warszawa | 00-590
al. Jerozolimskie 65/79, 00-697 Warszawa | 65/79 | al. Jerozolimskie | Warszawa | 00-697`,
  CZ: `Václavské náměstí 12, 110 00 Praha, Česko | 12 | Václavské náměstí | Praha | 110 00`,
  SE: `
Drottninggatan 5, 111 51 Stockholm, Sverige | 5 | Drottninggatan | Stockholm | 111 51
Kungsgatan 12 A, 411 19 Göteborg, Sweden | 12 A | Kungsgatan | Göteborg | 411 19`,
  DK: `
Vesterbrogade 3, 1630 København, Danmark | 3 | Vesterbrogade | København | 1630
Valdemarsgade 42, 4. tv, 1665 København, Danmark | 42 | Valdemarsgade | København | 1665 | | 4. tv`,
  NO: `
Karl Johans gate 22, 0026 Oslo, Norge | 22 | Karl Johans gate | Oslo | 0026
Storgata 5B, 9008 Tromsø, Norge | 5B | Storgata | Tromsø | 9008`,
  FI: `
Mannerheimintie 30, 00100 Helsinki, Suomi | 30 | Mannerheimintie | Helsinki | 00100
Hämeenkatu 1, 33100 Tampere, Finland | 1 | Hämeenkatu | Tampere | 33100`,
  HU: `1051 Budapest, Szent István tér 1, Magyarország | 1 | Szent István tér | Budapest | 1051
1061 Budapest Dessewffy utca, 9 | 9 | Dessewffy utca | Budapest | 1061`,
  GR: `Ermou 15, 105 63 Athina, Greece | 15 | Ermou | Athina | 105 63`,
  TR: `İstiklal Caddesi 100, 34430 Istanbul, Türkiye | 100 | İstiklal Caddesi | Istanbul | 34430`,
  MX: `Avenida Juárez 50, 06010 Ciudad de México, México | 50 | Avenida Juárez | Ciudad de México | 06010`,
  AR: `Avenida Corrientes 1234, C1043AAZ Buenos Aires, Argentina | 1234 | Avenida Corrientes | Buenos Aires | C1043AAZ`,
  NZ: `
12 Queen Street, Auckland 1010, New Zealand | 12 | Queen Street | Auckland | 1010
5658 State Highway 27, Tirau 3485, New Zealand | 5658 | State Highway 27 | Tirau | 3485
115-121 Hutt Park Road, Lower Hutt, New Zealand | 115-121 | Hutt Park Road | Lower Hutt`,
  IE: `24 Grafton Street, Dublin, D02 XY45, Ireland | 24 | Grafton Street | Dublin | D02 XY45`,
  IN: `5 Mahatma Gandhi Road, Bengaluru 560001, India | 5 | Mahatma Gandhi Road | Bengaluru | 560001`,
  ZA: `10 Long Street, Cape Town 8001, South Africa | 10 | Long Street | Cape Town | 8001`,
  CO: `
Cra 18 # 63-64, Bogotá, Colombia | 63-64 | Cra 18 | Bogotá |
Calle 93B No. 13-47, Medellín, Colombia | 13-47 | Calle 93B | Medellín`,
  RO: `
Strada Lipscani 25, 030031 București, România | 25 | Strada Lipscani | București | 030031`,
  HR: `
Ilica 10, 10000 Zagreb, Hrvatska | 10 | Ilica | Zagreb | 10000`,
  SK: `
Hlavná 5, 040 01 Košice, Slovensko | 5 | Hlavná | Košice | 040 01`,
  MY: `
12 Jalan Sultan Ismail, 50250 Kuala Lumpur, Malaysia | 12 | Jalan Sultan Ismail | Kuala Lumpur | 50250`,
  KR: `
서울특별시 강남구 테헤란로 152 | 152 | 테헤란로 | 서울특별시 |`,
  CN: `
中国北京市东城区东长安街1号 | 1 | 东长安街 | 北京市 |`,
  RU: `
ул. Тверская, д. 7, Москва, 125009, Россия | 7 | ул. Тверская | Москва | 125009
420111, г. Казань, ул. Баумана, д. 5 | 5 | ул. Баумана | Казань | 420111
Казань Татарстан Российская Федерация | | | Казань`,
  UA: `
вулиця Хрещатик 22, Київ, 01001, Україна | 22 | вулиця Хрещатик | Київ | 01001`,
  EE: `
Pikk 26, 10133 Tallinn, Estonia | 26 | Pikk | Tallinn | 10133`,
  LU: `
5 rue Notre-Dame, 2240 Luxembourg, Luxembourg | 5 | rue Notre-Dame | Luxembourg | 2240`,
  CL: `
Avenida Providencia 1208, 7500000 Santiago, Chile | 1208 | Avenida Providencia | Santiago | 7500000`,
  SG: `1 Raffles Place, Singapore 048616, Singapore | 1 | Raffles Place | Singapore | 048616`,
};

const KEYS = ["number", "street", "city", "postalCode", "stateCode", "unit", "name"] as const;

describe("a whole address is taken apart", () => {
  for (const [country, table] of Object.entries(CASES)) {
    const rows = table
      .trim()
      .split("\n")
      .map((row) => row.split("|").map((cell) => cell.trim()));
    describe(country, () => {
      it.each(rows)("%s", (text, ...cells) => {
        const parsed = parseAddress(text, undefined, towns);
        const expected: ParsedAddress = {};
        KEYS.forEach((key, i) => {
          if (cells[i]) expected[key] = cells[i];
        });
        const { countryCode, ...parts } = parsed;
        expect(parts).toEqual(expected);
        if (countryCode) expect(countryCode).toBe(country);
      });
    });
  }

  it("has cases for at least 25 countries", () => expect(Object.keys(CASES).length).toBeGreaterThanOrEqual(25));

  it("knows a box at the post office", () => {
    expect(parseAddress("PO Box 123, Springfield, IL 62701")).toMatchObject({
      box: "123",
      city: "Springfield",
      stateCode: "IL",
    });
    expect(parseAddress("Postfach 10 20, 69117 Heidelberg", "DE")).toMatchObject({ box: "1020", city: "Heidelberg" });
  });

  it.each(["", ",", "12", "x".repeat(5000), "1 ".repeat(2000), ",,,,", "apt apt apt", "((((((((("])(
    "takes %j without failing, soon",
    (text) => {
      const began = Date.now();
      expect(parseAddress(text)).toBeTypeOf("object");
      expect(Date.now() - began).toBeLessThan(500);
    },
  );
});
