/** Written → printed by USPS Publication 28, a line each. Of our own writing, from its rules; sections beside them. */
export const US_LINES = {
  "suffixes of appendix C1": `
20 Jay Street | 20 JAY ST
20 jay st. | 20 JAY ST
1 Alder Alley | 1 ALDER ALY
2 Birch Annex | 2 BIRCH ANX
3 Cedar Arcade | 3 CEDAR ARC
4 Dogwood Avenue | 4 DOGWOOD AVE
4 Dogwood Av | 4 DOGWOOD AVE
5 Elder Bayou | 5 ELDER BYU
6 Fir Beach | 6 FIR BCH
7 Ginkgo Bend | 7 GINKGO BND
8 Hazel Bluff | 8 HAZEL BLF
9 Holly Bottom | 9 HOLLY BTM
10 Juniper Boulevard | 10 JUNIPER BLVD
10 Juniper Boul | 10 JUNIPER BLVD
11 Larch Branch | 11 LARCH BR
12 Laurel Bridge | 12 LAUREL BRG
13 Linden Brook | 13 LINDEN BRK
14 Locust Bypass | 14 LOCUST BYP
15 Magnolia Camp | 15 MAGNOLIA CP
16 Maple Canyon | 16 MAPLE CYN
17 Myrtle Cape | 17 MYRTLE CPE
18 Oak Causeway | 18 OAK CSWY
19 Olive Center | 19 OLIVE CTR
20 Palm Circle | 20 PALM CIR
21 Pear Cliffs | 21 PEAR CLFS
22 Pecan Common | 22 PECAN CMN
23 Persimmon Corner | 23 PERSIMMON COR
24 Plum Course | 24 PLUM CRSE
25 Poplar Court | 25 POPLAR CT
26 Redbud Cove | 26 REDBUD CV
27 Redwood Creek | 27 REDWOOD CRK
28 Rowan Crescent | 28 ROWAN CRES
29 Sassafras Crossing | 29 SASSAFRAS XING
30 Sequoia Curve | 30 SEQUOIA CURV
31 Spruce Dale | 31 SPRUCE DL
32 Sumac Drive | 32 SUMAC DR
33 Sycamore Estates | 33 SYCAMORE ESTS
34 Tamarack Expressway | 34 TAMARACK EXPY
35 Teak Extension | 35 TEAK EXT
36 Thorn Falls | 36 THORN FLS
37 Tulip Ferry | 37 TULIP FRY
38 Walnut Field | 38 WALNUT FLD
39 Willow Forest | 39 WILLOW FRST
40 Yew Freeway | 40 YEW FWY
41 Acacia Gardens | 41 ACACIA GDNS
42 Ash Gateway | 42 ASH GTWY
43 Aspen Glen | 43 ASPEN GLN
44 Balsam Grove | 44 BALSAM GRV
45 Basswood Harbor | 45 BASSWOOD HBR
46 Beech Heights | 46 BEECH HTS
47 Buckeye Highway | 47 BUCKEYE HWY
48 Catalpa Hill | 48 CATALPA HL
49 Cherry Hollow | 49 CHERRY HOLW
50 Chestnut Island | 50 CHESTNUT IS
51 Cypress Junction | 51 CYPRESS JCT
52 Elm Knoll | 52 ELM KNL
53 Gum Lake | 53 GUM LK
54 Hawthorn Landing | 54 HAWTHORN LNDG
55 Hemlock Lane | 55 HEMLOCK LN
56 Hickory Lodge | 56 HICKORY LDG
57 Ironwood Loop | 57 IRONWOOD LOOP
58 Mulberry Manor | 58 MULBERRY MNR
59 Orchid Meadows | 59 ORCHID MDWS
60 Mimosa Mews | 60 MIMOSA MEWS
61 Peach Mill | 61 PEACH ML
62 Privet Mission | 62 PRIVET MSN
63 Quince Mountain | 63 QUINCE MTN
64 Rose Orchard | 64 ROSE ORCH
65 Sage Oval | 65 SAGE OVAL
66 Clover Park | 66 CLOVER PARK
67 Fern Parkway | 67 FERN PKWY
67 Fern Pky | 67 FERN PKWY
68 Heather Pass | 68 HEATHER PASS
69 Ivy Path | 69 IVY PATH
70 Jasmine Pike | 70 JASMINE PIKE
71 Lilac Pines | 71 LILAC PNES
72 Lily Place | 72 LILY PL
73 Marigold Plaza | 73 MARIGOLD PLZ
74 Mint Point | 74 MINT PT
75 Pansy Prairie | 75 PANSY PR
76 Poppy Ranch | 76 POPPY RNCH
77 Reed Rapids | 77 REED RPDS
78 Rush Ridge | 78 RUSH RDG
79 Sorrel River | 79 SORREL RIV
80 Thistle Road | 80 THISTLE RD
81 Thyme Route | 81 THYME RTE
82 Violet Row | 82 VIOLET ROW
83 Yarrow Run | 83 YARROW RUN
84 Zinnia Shores | 84 ZINNIA SHRS
85 Aster Skyway | 85 ASTER SKWY
86 Basil Springs | 86 BASIL SPGS
87 Briar Spur | 87 BRIAR SPUR
88 Camellia Square | 88 CAMELLIA SQ
89 Daisy Station | 89 DAISY STA
90 Dahlia Summit | 90 DAHLIA SMT
91 Iris Terrace | 91 IRIS TER
92 Lotus Trace | 92 LOTUS TRCE
93 Peony Track | 93 PEONY TRAK
94 Petunia Trail | 94 PETUNIA TRL
95 Primrose Tunnel | 95 PRIMROSE TUNL
96 Salvia Turnpike | 96 SALVIA TPKE
97 Snowdrop Union | 97 SNOWDROP UN
98 Verbena Valley | 98 VERBENA VLY
99 Wisteria Viaduct | 99 WISTERIA VIA
100 Begonia View | 100 BEGONIA VW
101 Bluebell Village | 101 BLUEBELL VLG
102 Crocus Vista | 102 CROCUS VIS
103 Foxglove Walk | 103 FOXGLOVE WALK
104 Gentian Way | 104 GENTIAN WAY
105 Hosta Wells | 105 HOSTA WLS`,
  "two suffixes: the last one is abbreviated, the first belongs to the name (231)": `
789 Main Avenue Drive | 789 MAIN AVENUE DR
4513 3rd Street Circle West | 4513 3RD STREET CIR W
12 Oak Hill Road | 12 OAK HILL RD
60 Park Place Boulevard | 60 PARK PLACE BLVD
5 Forest Park Avenue | 5 FOREST PARK AVE
17 Valley View Lane | 17 VALLEY VIEW LN`,
  "a suffix that is the name (232)": `
123 Avenue A | 123 AVENUE A
600 W Avenue E | 600 W AVENUE E
1000 Ave of the Americas | 1000 AVENUE OF THE AMERICAS
14 Park Avenue | 14 PARK AVE
9 Court Street | 9 COURT ST
3 Broadway | 3 BROADWAY
405 Savannah Park Way | 405 SAVANNAH PARK WAY
5 Via Del Mar | 5 VIA DEL MAR
6452 El Camino Real | 6452 EL CAMINO REAL
500 The Alameda | 500 THE ALAMEDA
7 Plaza Way | 7 PLAZA WAY`,
  "directionals (233)": `
100 North Main Street | 100 N MAIN ST
100 N. Main St. | 100 N MAIN ST
1600 Pennsylvania Avenue Northwest | 1600 PENNSYLVANIA AVE NW
1600 Pennsylvania Avenue N.W. | 1600 PENNSYLVANIA AVE NW
5 N E 5th Street | 5 NE 5TH ST
5 North East Fifth Street | 5 NE FIFTH ST
2345 Oak Street South West | 2345 OAK ST SW
9878 North Metro Parkway East | 9878 N METRO PKWY E
525 North Avenue | 525 NORTH AVE
101 West North Avenue | 101 W NORTH AVE
12 South Street | 12 SOUTH ST
1410 East Boulevard | 1410 EAST BLVD
100 Bay W Drive | 100 BAY WEST DR
107 A Street East | 107 A ST E
1201 North E Street | 1201 N E ST
1201 E Street | 1201 E ST
2030 F St NW | 2030 F ST NW
3 North East Street | 3 N EAST ST
3517 S Street Northwest | 3517 S ST NW
1164 Middle Turnpike West | 1164 MIDDLE TPKE W
144 Kings Highway, S.W. | 144 KINGS HWY SW`,
  "house numbers (appendix D)": `
217-14 Jamaica Ave | 217-14 JAMAICA AVE
98-1247 Kaahumanu St | 98-1247 KAAHUMANU ST
12 1/2 Main Street | 12 1/2 MAIN ST
12½ Main Street | 12 1/2 MAIN ST
39A Elm St | 39A ELM ST
39 A Elm St | 39A ELM ST
233-B Oak Dr | 233-B OAK DR
100-102 Elm St | 100-102 ELM ST
842 E 1700 S | 842 E 1700 S
842 East 1700 South | 842 E 1700 S
48S 400E | 48 S 400 E
511 South 300 West | 511 S 300 W
6641 N 2200 W Apt D304 | 6641 N 2200 W APT D304
N6W23001 Bluemound Rd | N6W23001 BLUEMOUND RD
W204 N11912 Goldendale Rd | W204N11912 GOLDENDALE RD
39.2 RD | 39.2 RD
123 39.2 Road | 123 39.2 RD
One World Trade Center | 1 WORLD TRADE CTR
Two Penn Plaza | 2 PENN PLZ
5 5th Ave | 5 5TH AVE`,
  "secondary units (213, appendix C2)": `
20 Jay St Apartment 4B | 20 JAY ST APT 4B
20 Jay St, Apt. 4b | 20 JAY ST APT 4B
20 Jay St Apt #4B | 20 JAY ST APT 4B
20 Jay St #4B | 20 JAY ST # 4B
20 Jay St # 4B | 20 JAY ST # 4B
20 Jay St 4B | 20 JAY ST # 4B
20 Jay St No. 4 | 20 JAY ST # 4
Apt 4B, 20 Jay St | 20 JAY ST APT 4B
Suite 300 20 Jay St | 20 JAY ST STE 300
#5 20 Jay St | 20 JAY ST # 5
20 Jay St Suite 300 | 20 JAY ST STE 300
20 Jay St Ste. 300-A | 20 JAY ST STE 300-A
20 Jay St Unit 7 | 20 JAY ST UNIT 7
20 Jay St Room 12 | 20 JAY ST RM 12
20 Jay St Floor 3 | 20 JAY ST FL 3
20 Jay St, 3rd Floor | 20 JAY ST FL 3
20 Jay St Third Fl. | 20 JAY ST FL 3
20 Jay St Building C Suite 5 | 20 JAY ST BLDG C STE 5
20 Jay St Bldg 4 Apt 2 | 20 JAY ST BLDG 4 APT 2
20 Jay St Department 9 | 20 JAY ST DEPT 9
20 Jay St Basement | 20 JAY ST BSMT
20 Jay St Rear | 20 JAY ST REAR
20 Jay St Front | 20 JAY ST FRNT
20 Jay St Upper | 20 JAY ST UPPR
20 Jay St Lower | 20 JAY ST LOWR
20 Jay St Side | 20 JAY ST SIDE
20 Jay St Lobby | 20 JAY ST LBBY
22-15 31st Ave 3FL | 22-15 31ST AVE FL 3
20 Jay St Suite L 1219 | 20 JAY ST STE L1219
20 Jay St Penthouse | 20 JAY ST PH
20 Jay St Penthouse 2 | 20 JAY ST PH 2
20 Jay St Office 2 | 20 JAY ST OFC 2
20 Jay St Hangar 39 | 20 JAY ST HNGR 39
20 Jay St Lot 12 | 20 JAY ST LOT 12
20 Jay St Pier 9 | 20 JAY ST PIER 9
20 Jay St Slip 44 | 20 JAY ST SLIP 44
20 Jay St Space 5 | 20 JAY ST SPC 5
20 Jay St Stop 3 | 20 JAY ST STOP 3
20 Jay St Trailer 8 | 20 JAY ST TRLR 8
20 Jay St Key 2 | 20 JAY ST KEY 2
11 Front St | 11 FRONT ST
5 Upper Ridge Rd | 5 UPPER RIDGE RD
8 Harbor Side | 8 HARBOR SIDE
12 Old Key Dr | 12 OLD KEY DR
860 W Blackhawk 305 | 860 W BLACKHAWK # 305
20 Jay St #APT 000004 | 20 JAY ST APT 4
20 Jay St ##2 | 20 JAY ST # 2
20 Jay St Apt 01 | 20 JAY ST APT 01
20 Jay St PMB 234 | 20 JAY ST PMB 234
20 Jay St Ste 11 PMB 234 | 20 JAY ST STE 11 PMB 234
20 Jay St Ste 11 #234 | 20 JAY ST STE 11 # 234`,
  "numbered roads (appendix F)": `
8483 AL Highway 157 | 8483 AL HIGHWAY 157
30653 Highway 278 | 30653 HIGHWAY 278
30653 Hwy 278 W | 30653 HIGHWAY 278 W
1234 West U.S. Hwy 50 | 1234 W US HIGHWAY 50
315 U.S. 80 E | 315 US HIGHWAY 80 E
973 US-16 | 973 US HIGHWAY 16
2002 FM 544 | 2002 FM 544
2230 Farm to Market 407 | 2230 FM 407
620 Ranch Rd 620 | 620 RANCH ROAD 620
16725 Co Rd 24 | 16725 COUNTY ROAD 24
16725 CR 24 | 16725 COUNTY ROAD 24
13800 County Hwy 9 | 13800 COUNTY HIGHWAY 9
1234 County Hwy 60E | 1234 COUNTY HIGHWAY 60E
10 I-10 | 10 INTERSTATE 10
5567 IH-280 | 5567 INTERSTATE 280
5567 I 55 Bypass | 5567 INTERSTATE 55 BYP
5567 I 26 Bypass Road | 5567 INTERSTATE 26 BYPASS RD
44 I 44 Frontage Road | 44 INTERSTATE 44 FRONTAGE RD
410 Loop 410 | 410 LOOP 410
88 Rt 88 | 88 ROUTE 88
3900 Route 6 | 3900 ROUTE 6
335 State Hwy 335 | 335 STATE HIGHWAY 335
1413 State Highway #50 | 1413 STATE HIGHWAY 50
2155 SR-18 | 2155 STATE ROAD 18
39 State Route 39 | 39 STATE ROUTE 39
230 E. State Route 89A | 230 E STATE ROUTE 89A
45 Township Rd 20 | 45 TOWNSHIP ROAD 20
800 California 116 | 800 CALIFORNIA 116
1 Vermont Route 100 | 1 VERMONT ROUTE 100
4604 Virginia Loop Road | 4604 VIRGINIA LOOP RD
1207 KY 1207 | 1207 KY 1207
75 KY Hwy 75 | 75 KY HIGHWAY 75
1 KY St Hwy 1 | 1 KY STATE HIGHWAY 1
189 Kentucky Highway 189 | 189 KENTUCKY HIGHWAY 189
12 NYS Route 17K | 12 STATE ROUTE 17K
849 Road 6 | 849 ROAD 6
406 North Highway 71 Business | 406 N HIGHWAY 71 BUSINESS
2345 Highway 11 Bypass | 2345 HIGHWAY 11 BYP
74 Rd 2AB | 74 ROAD 2AB
600 Highway 12 Suite 4 | 600 HIGHWAY 12 STE 4`,
  "rural routes (24)": `
RR 2 Box 152 | RR 2 BOX 152
R.R. 2, Box 152 | RR 2 BOX 152
RR03 Box 98D | RR 3 BOX 98D
Rural Route 4 Box 9 | RR 4 BOX 9
RFD 4 #87A | RR 4 BOX 87A
RFD Route 4 Box 87A | RR 4 BOX 87A
RD 2 Box 15 | RR 2 BOX 15
RR 4 Box 19-1A | RR 4 BOX 19-1A
Route 5 Box 11 | RR 5 BOX 11`,
  "highway contract routes (25)": `
HC 68 Box 23A | HC 68 BOX 23A
HC 72 Box 14 | HC 72 BOX 14
H.C. 72 Box 14 | HC 72 BOX 14
HCR 74 Box 32 | HC 74 BOX 32
Highway Contract Route 68 Box 23A | HC 68 BOX 23A
Star Route 5 Box 7 | HC 5 BOX 7
HC 89 8150 | HC 89 BOX 8150`,
  "boxes at the post office (28)": `
PO Box 123 | PO BOX 123
P.O. Box 123 | PO BOX 123
P O Box 123 | PO BOX 123
p.o.box 123 | PO BOX 123
Post Office Box 123 | PO BOX 123
POB 123 | PO BOX 123
PO Box #123 | PO BOX 123
PO Box 00123 | PO BOX 00123
PO Box G | PO BOX G
P.O. Drawer L | PO BOX L
Caller 123 | PO BOX 123
Lockbox 77 | PO BOX 77
Box 123 | PO BOX 123
1700 Box Rd | 1700 BOX RD
9 Box Springs Rd | 9 BOX SPRINGS RD`,
  "military addresses (225, 29)": `
PSC 802 Box 74 | PSC 802 BOX 74
Unit 2050 Box 4190 | UNIT 2050 BOX 4190
CMR 1250 | CMR 1250
CMR 450, Box 12 | CMR 450 BOX 12
USS Hamilton | USS HAMILTON`,
  "general delivery (26)": `
General Delivery | GENERAL DELIVERY
GEN DEL | GENERAL DELIVERY
Gen. Delivery | GENERAL DELIVERY`,
  "firms and addressees before the street (35)": `
Acme Inc, 20 Jay St | 20 JAY ST
Acme Inc 20 Jay St Ste 5 | 20 JAY ST STE 5
Mt Tabor Park, 6220 SE Salmon St | 6220 SE SALMON ST
c/o Ann Lee, Suite 1800, 77 W Wacker Dr | 77 W WACKER DR STE 1800
Acme Inc, PO Box 12 | PO BOX 12`,
  "punctuation (222, 354)": `
5 O'Brien Ct. | 5 OBRIEN CT
7 Lewes-Georgetown Hwy | 7 LEWES GEORGETOWN HWY
9 St. John's Rd. | 9 ST JOHNS RD
11 Peña Blvd | 11 PENA BLVD
13 "Old" Mill Rd (rear) | 13 OLD MILL RD`,
};

/** Puerto Rico (section 29 of the guide, "Puerto Rico addresses"). */
export const PUERTO_RICO_LINES = `
Urb Las Gladiolas, 150 Calle A | URB LAS GLADIOLAS 150 CALLE A
Urbanizacion Royal Oak 123 Calle 1 | URB ROYAL OAK 123 CALLE 1
Calle 13 #45 | 45 CALLE 13
A17 Calle Amapola | A17 CALLE AMAPOLA
1234 Ave Ashford | 1234 AVE ASHFORD
PO Box 190123 | PO BOX 190123`;
