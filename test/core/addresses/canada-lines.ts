/** Written, province → printed by Canada Post's addressing guidelines. Of our own writing. */
export const CANADA_LINES = {
  "English streets": `
123 Main Street | ON | 123 MAIN ST
123 Main St. N.W. | AB | 123 MAIN ST NW
10220 104 Ave NW | AB | 10220 104 AVE NW
700 14th Avenue Southwest | AB | 700 14TH AVE SW
1055 Canada Place | BC | 1055 CANADA PL
24 Sussex Drive | ON | 24 SUSSEX DR
5 Maple Court | ON | 5 MAPLE CRT
6 Maple Crescent | ON | 6 MAPLE CRES
7 Maple Boulevard | ON | 7 MAPLE BLVD
8 Maple Terrace | ON | 8 MAPLE TERR
9 Maple Parkway | ON | 9 MAPLE PKY
10 Maple Lane | ON | 10 MAPLE LANE
11 Maple Trail | ON | 11 MAPLE TRAIL
12 Maple Square | ON | 12 MAPLE SQ
13 Maple Heights | ON | 13 MAPLE HTS
14 Maple Townline | ON | 14 MAPLE TLINE
15 Maple Private | ON | 15 MAPLE PVT
16 Maple Close | AB | 16 MAPLE CLOSE
17 Maple Wynd | BC | 17 MAPLE WYND
18 Avenue Road | ON | 18 AVENUE RD
2825-2855 Spruce Street | BC | 2825-2855 SPRUCE ST
50 Highway 7 W | ON | 50 HWY 7 W
7 Concession Road 5 | ON | 7 CONCESSION RD 5
31 Range Road 14 | AB | 31 RANGE RD 14
123A King St W | ON | 123A KING ST W
123 1/2 King St W | ON | 123 1/2 KING ST W`,
  "units before and behind the number": `
10-123 Main St | ON | 10-123 MAIN ST
10 - 123 Main St | ON | 10-123 MAIN ST
1200-1055 Dunsmuir St | BC | 1200-1055 DUNSMUIR ST
A-12 Elm St | ON | A-12 ELM ST
10-123 1/2 Main St NW | ON | 10-123 1/2 MAIN ST NW
123 Main St Apt 10 | ON | 10-123 MAIN ST
123 Main St Unit 10 | ON | 10-123 MAIN ST
123 Main St Suite 10 | ON | 10-123 MAIN ST
123 Main St #10 | ON | 10-123 MAIN ST
300, 123 Main St SW | AB | 300-123 MAIN ST SW
#300 - 123 Main St | MB | 300-123 MAIN ST
Unit 10, 123 Main St | ON | 10-123 MAIN ST
123 Main St Floor 3 | ON | 123 MAIN ST FL 3
123 Main St Penthouse | ON | 123 MAIN ST PH`,
  "French streets of Quebec": `
123 rue Principale | QC | 123 RUE PRINCIPALE
123, rue Principale | QC | 123 RUE PRINCIPALE
123 rue Sainte-Catherine O | QC | 123 RUE SAINTE-CATHERINE O
123 rue Sainte-Catherine Ouest | QC | 123 RUE SAINTE-CATHERINE O
4141 Av. Pierre-De Coubertin | QC | 4141 AV PIERRE-DE COUBERTIN
100 boulevard René-Lévesque Est | QC | 100 BOUL RENE-LEVESQUE E
100 boul. René-Lévesque O, bureau 200 | QC | 200-100 BOUL RENE-LEVESQUE O
5 chemin du Lac | QC | 5 CH DU LAC
6 montée Saint-Hubert | QC | 6 MONTEE SAINT-HUBERT
7 place du Commerce | QC | 7 PLACE DU COMMERCE
8 rang Saint-Joseph | QC | 8 RANG SAINT-JOSEPH
9 impasse des Lilas | QC | 9 IMP DES LILAS
10 ruelle Dupont | QC | 10 RLE DUPONT
11 croissant Royal | QC | 11 CROIS ROYAL
12 terrasse Dufferin | QC | 12 TSSE DUFFERIN
13 côte de la Montagne | QC | 13 COTE DE LA MONTAGNE
14 allée des Pins | QC | 14 ALLEE DES PINS
15 quai Saint-André | QC | 15 QUAI SAINT-ANDRE
1234 3e Avenue | QC | 1234 3E AV
1234 3e Avenue app 5 | QC | 5-1234 3E AV
16 av du Parc Nord | QC | 16 AV DU PARC N
3e étage, 12 rue Sainte-Anne | QC | 12 RUE SAINTE-ANNE ETAGE 3
17 rue de l'Église | QC | 17 RUE DE LEGLISE`,
  "both languages in New Brunswick": `
12 Rue Saint-Jean | NB | 12 RUE SAINT-JEAN
12 Saint John St | NB | 12 SAINT JOHN ST
14 ch. Gautreau | NB | 14 CH GAUTREAU
15 rue Main E | NB | 15 RUE MAIN E`,
  "boxes, routes, general delivery": `
PO Box 4001 Stn A | ON | PO BOX 4001 STN A
PO Box 99900 Station Main | AB | PO BOX 99900 STN MAIN
P.O. Box 12 RPO West | BC | PO BOX 12 RPO WEST
CP 4001 succ Centre-Ville | QC | CP 4001 SUCC CENTRE-VILLE
C.P. 4001, succursale A | QC | CP 4001 SUCC A
Case postale 77 | QC | CP 77
RR 6 | NS | RR 6
RR 6 Stn Main | NS | RR 6 STN MAIN
Site 4 Comp 5 RR 2 | BC | SITE 4 COMP 5 RR 2
Rural Route 6 | NS | RR 6
General Delivery | YT | GD
GD Stn Main | YT | GD STN MAIN
Poste restante | QC | PR
PR succ A | QC | PR SUCC A`,
};
