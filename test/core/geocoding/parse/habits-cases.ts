/**
 * Streets and houses as data has them, and how people of the country write them. `street` is replaced by each form of the
 * street, `n` by a house number of the data in each form; both are made up after names that are common there.
 */
export interface CountryCases {
  country: string;
  city: string;
  postalCode: string;
  /** The name in the data | other ways to write it. */
  streets: string;
  /** The number in the data | other ways to write it. */
  numbers: string;
  /** The whole: S the street, N the number, C the city, P the postal code. */
  lines: readonly string[];
}

const LAST = ["S N, P C", "S N, C"];
const FIRST = ["N S, C P", "N S, C"];

export const COUNTRIES: readonly CountryCases[] = [
  {
    country: "DK",
    city: "København",
    postalCode: "1620",
    streets: `
Vesterbrogade | Vesterbrog. | Vesterbrogd.
Amagerbrogade | Amagerbrog. | amagerbrog
Strandvejen | Strandvejen
Jagtvej | Jagtv.
Gammel Kongevej | Gl. Kongevej | Gl Kongev.
Nørre Allé | Nr. Allé | Norre Alle | Nørre Al.
Søndre Boulevard | Sdr. Boulevard | Sdr Blvd
Sankt Pauls Gade | Skt. Pauls Gade | Sct. Pauls G.
Frederiksberg Allé | Frb. Allé | Frederiksberg Al.
Store Kongensgade | St. Kongensgade | Store Kongensg.
H.C. Andersens Boulevard | HC Andersens Blvd | H C Andersens Boulevard
Christian Winthers Vej | Chr. Winthers Vej | Chr. Winthers V.
Østerbrogade | Oesterbrogade | Østerbrog.
Åboulevard | Aaboulevard
Gammeltoftsgade | Gammeltoftsg.
Lille Strandstræde | Ll. Strandstræde | Lille Strandstr.`,
    numbers: "12 | 12, 3. tv | 12, st. th | 12 2. sal | 12, 1.\n34B | 34 B | 34b, 2. mf | 34B, kl. tv",
    lines: LAST,
  },
  {
    country: "FI",
    city: "Helsinki",
    postalCode: "00250",
    streets: `
Mannerheimintie | Mannerheimint. | mannerheimint
Aleksanterinkatu | Aleksanterink. | Aleksanterink
Hämeentie | Hameentie | Hämeent.
Pohjoinen Rautatiekatu | Pohj. Rautatiekatu | P. Rautatiekatu
Iso Roobertinkatu | Iso Roobertink.
Kalevankatu | Kalevank.
Merikannontie | Merikannont.
Topeliuksenkatu | Topeliuksenk.
Etelärantatie | Etelärantat.
Vanha Turuntie | Vanha Turunt.
Kuusikuja | Kuusikj.
Metsäpolku | Metsäp.`,
    numbers: "47 | 47 A 12 | 47 A12 | 47 B 3 | 47 as 5\n12 | 12 C 41 | 12 a 2",
    lines: LAST,
  },
  {
    country: "SE",
    city: "Stockholm",
    postalCode: "111 22",
    streets: `
Storgatan | Storg. | Storg | Storgat.
Drottninggatan | Drottningg. | Drottninggt.
Kungsgatan | Kungsg.
Sveavägen | Sveav. | Sveavagen
Sankt Eriksgatan | S:t Eriksgatan | St Eriksg. | S:t Eriksg
Norra Stationsgatan | N Stationsgatan | N:a Stationsgatan | Norra Stationsg.
Södra Förstadsgatan | S:a Förstadsgatan | S. Förstadsg.
Östra Hamngatan | Ö Hamngatan | Ö. Hamng.
Lilla Nygatan | L:a Nygatan | Lilla Nyg.
Karlavägen | Karlav.
Gustav Adolfs Torg | Gustav Adolfs T.
Skolgränd | Skolgr.
Västra Trädgårdsgatan | V. Trädgårdsg.`,
    numbers: "5 | 5 lgh 1201 | 5, 2 tr\n18A | 18 A | 18a lgh 1002",
    lines: LAST,
  },
  {
    country: "NO",
    city: "Oslo",
    postalCode: "0155",
    streets: `
Storgata | Storgt. | Storg.
Karl Johans gate | Karl Johans gt. | Karl Johans gt
Kirkeveien | Kirkevn. | Kirkev.
Bogstadveien | Bogstadvn
Sankt Olavs gate | St. Olavs gate | St Olavs gt
Nordre gate | Ndr. gate | Nordre gt.
Søndre gate | Sdr. gate | Sondre gate
Kristian Augusts gate | Kr. Augusts gate | Kristian Augusts gt.
Øvre Slottsgate | Ø. Slottsgate | Øvre Slottsgt.
Rådhusplassen | Rådhusplassen | Raadhusplassen
Drammensveien | Drammensvn. | Drammensv.
Professor Dahls gate | Prof. Dahls gate | Prof Dahls gt`,
    numbers: "12 | 12 H0201 | 12, H0301\n7B | 7 B | 7b",
    lines: LAST,
  },
  {
    country: "DE",
    city: "Lindenstadt",
    postalCode: "54321",
    streets: `
Hauptstraße | Hauptstr. | Hauptstrasse | Haupt Str. | hauptstr
Bahnhofstraße | Bahnhofstr. | Bahnhofstrasse
Lange Straße | Lange Str. | Lange Strasse
Konrad-Adenauer-Straße | Konrad-Adenauer-Str. | Konrad Adenauer Str | K.-Adenauer-Str.
Goetheplatz | Goethepl.
Lindenallee | Lindenall.
Sankt-Anna-Weg | St.-Anna-Weg | Skt.-Anna-Weg
Große Bleiche | Gr. Bleiche | Grosse Bleiche
Müllerstraße | Muellerstr. | Mullerstrasse
Doktor-Koch-Straße | Dr.-Koch-Str. | Dr. Koch Str.
Am Alten Markt | am alten markt
Königsweg | Koenigsweg`,
    numbers: "12 | Nr. 12 | 12, 2. OG | 12 Whg. 4\n3a | 3 a | 3A",
    lines: LAST,
  },
  {
    country: "AT",
    city: "Wien",
    postalCode: "1070",
    streets: `
Mariahilfer Straße | Mariahilfer Str. | Mariahilferstraße | Mariahilfer Strasse
Neubaugasse | Neubaug. | neubaugasse
Lerchenfelder Gürtel | Lerchenfelder Guertel
Kirchengasse | Kircheng.
Burggasse | Burgg.
Sankt-Ulrichs-Platz | St.-Ulrichs-Platz | St. Ulrichs-Pl.
Zieglergasse | Zieglerg.
Stiftgasse | Stiftg.`,
    numbers: "88 | 88/2/14 | 88/5 | 88 Top 12\n5a | 5A | 5a/7",
    lines: LAST,
  },
  {
    country: "CH",
    city: "Zürich",
    postalCode: "8001",
    streets: `
Bahnhofstrasse | Bahnhofstr. | Bahnhofstraße
Seestrasse | Seestr.
Limmatquai | limmatquai
Sankt-Peter-Strasse | St.-Peter-Str. | St. Peterstrasse
Niederdorfstrasse | Niederdorfstr
Löwenplatz | Löwenpl. | Loewenplatz
Obere Zäune | Ob. Zäune`,
    numbers: "21 | Nr. 21\n21a | 21A\n4",
    lines: LAST,
  },
  {
    country: "NL",
    city: "Amsterdam",
    postalCode: "1015 CX",
    streets: `
Kalverstraat | Kalverstr. | Kalverstr
Prinsengracht | Prinsengr.
Burgemeester de Vlugtlaan | Burg. de Vlugtlaan | Burg de Vlugtln
Apollolaan | Apolloln
Museumplein | Museumpln.
Haarlemmerweg | Haarlemmerwg
Nassaukade | Nassaukd.
Sint Antoniesbreestraat | St. Antoniesbreestraat | St Antoniesbreestr.
Prins Hendrikkade | Pr. Hendrikkade
Van Baerlestraat | v. Baerlestraat | van Baerlestr.
Spaarndammerdijk | Spaarndammerdk
Singel | singel`,
    numbers: "263 | 263-hs | 263 II | 263-III\n12B | 12 B | 12-B",
    lines: LAST,
  },
  {
    country: "BE",
    city: "Bruxelles",
    postalCode: "1000",
    streets: `
Rue de la Loi | R. de la Loi | rue de la loi
Avenue Louise | Av. Louise | Av Louise
Chaussée de Charleroi | Chée de Charleroi | Ch. de Charleroi
Boulevard Anspach | Bd Anspach | Bld Anspach
Place Sainte-Catherine | Pl. Ste-Catherine | Pl Ste Catherine
Nieuwstraat | Nieuwstr.
Leuvensesteenweg | Leuvensestwg
Koninginnelaan | Koninginneln.`,
    numbers: "16 | 16 bte 3 | 16 bus 4 | 16/3\n8A | 8 A",
    lines: LAST,
  },
  {
    country: "FR",
    city: "Lyon",
    postalCode: "69002",
    streets: `
Boulevard Albert 1er | Boulevard Albert Ier | bd Albert premier
Rue François Ier | Rue François 1er | r François 1er
Boulevard des Belges | Bd des Belges | Bld des Belges | Boul. des Belges
Avenue Jean Jaurès | Av. Jean Jaures | Ave Jean Jaurès
Impasse des Lilas | Imp. des Lilas | Imp des Lilas
Place du Général de Gaulle | Pl. du Gal de Gaulle | Pl du Gén. de Gaulle
Rue Saint-Antoine | R. St-Antoine | rue St Antoine
Rue Sainte-Hélène | R. Ste-Hélène | Rue Ste Helene
Allée des Tilleuls | All. des Tilleuls
Chemin du Moulin | Ch. du Moulin | Che du Moulin
Route de Vienne | Rte de Vienne
Quai Victor Augagneur | Q. Victor Augagneur
Cours Lafayette | Crs Lafayette
Rue du Docteur Bouchut | Rue du Dr Bouchut | R. du Dr. Bouchut
Square du Professeur Galtier | Sq. du Prof. Galtier
Rue du Maréchal Foch | Rue du Mal Foch
Faubourg de Bresse | Fbg de Bresse`,
    numbers: "5 | n° 5 | 5,\n12 bis | 12bis | 12 BIS,\n8",
    lines: ["N S, P C", "N S P C", "N S, C"],
  },
  {
    country: "ES",
    city: "Sevilla",
    postalCode: "41001",
    streets: `
Calle Feria | C/ Feria | C. Feria | Cl Feria
Avenida de la Constitución | Avda. de la Constitución | Av. de la Constitucion | Avda de la Constitución
Plaza Nueva | Pza. Nueva | Pl. Nueva | Plza Nueva
Paseo de las Delicias | Pº de las Delicias | P.º de las Delicias
Carretera de Carmona | Ctra. de Carmona
Ronda de Capuchinos | Rda. de Capuchinos
Calle San Jacinto | C/ S. Jacinto | C/ San Jacinto
Calle Santa María la Blanca | C/ Sta. María la Blanca | C/ Sta Mª la Blanca
Camino de los Descubrimientos | Cno. de los Descubrimientos
Calle General Polavieja | C/ Gral. Polavieja
Glorieta de Covadonga | Gta. de Covadonga
Calle Doctor Marañón | C/ Dr. Marañón
Travesía del Sol | Trva. del Sol`,
    numbers: "15 | nº 15 | núm. 15 | 15, 3º B | 15, 2º izq. | 15, bajo\n7 | 7, esc. 2 | 7 piso 3",
    lines: ["S, N, P C", "S N, C"],
  },
  {
    country: "MX",
    city: "Puebla",
    postalCode: "72000",
    streets: `
Avenida Juárez | Av. Juárez | Av Juarez
Calzada Zavaleta | Calz. Zavaleta | Czda. Zavaleta
Boulevard Atlixco | Blvd. Atlixco
Privada Reforma | Priv. Reforma
Calle 5 de Mayo | C. 5 de Mayo | C 5 de Mayo
Prolongación Reforma | Prol. Reforma
Avenida 14 Oriente | Av. 14 Ote. | Av 14 Oriente
Calle Doctor Roque | C. Dr. Roque
Circuito Juan Pablo | Cto. Juan Pablo`,
    numbers: "245 | No. 245 | # 245 | 245 int. 3 | 245, Depto 4",
    lines: ["S N, P C", "S N, C"],
  },
  {
    country: "PT",
    city: "Lisboa",
    postalCode: "1100-053",
    streets: `
Rua Augusta | R. Augusta | R Augusta
Avenida da Liberdade | Av. da Liberdade | Av da Liberdade
Praça do Comércio | Pç. do Comércio | Pca. do Comercio | Praça do Comercio
Largo do Carmo | Lg. do Carmo | Lgo. do Carmo
Travessa do Alecrim | Tv. do Alecrim | Trav. do Alecrim
Calçada do Combro | Cc. do Combro | Calç. do Combro
Estrada de Benfica | Estr. de Benfica | Est. de Benfica
Beco do Espírito Santo | Bc. do Espírito Santo | Beco do Esp. Santo
Rua Doutor Bombarda | R. Dr. Bombarda
Rua Engenheiro Duarte | R. Eng. Duarte | Rua Engº Duarte
Rua de Santa Justa | R. de Sta. Justa | R. Sta Justa
Alameda Dom Afonso Henriques | Al. D. Afonso Henriques`,
    numbers: "100 | nº 100 | 100, 2º Esq. | 100 - 3º Dto | 100, r/c",
    lines: ["S, N, P C", "S N, C"],
  },
  {
    country: "BR",
    city: "Curitiba",
    postalCode: "80010-000",
    streets: `
Rua XV de Novembro | R. XV de Novembro | R XV de Novembro
Avenida Sete de Setembro | Av. Sete de Setembro | Av Sete de Setembro
Alameda Cabral | Al. Cabral
Travessa Nestor de Castro | Tv. Nestor de Castro
Praça Osório | Pça. Osório | Pc. Osorio
Rodovia do Café | Rod. do Café
Rua Marechal Deodoro | R. Mal. Deodoro | Rua Mal Deodoro
Rua Visconde de Nácar | R. Visc. de Nácar | R. Vde. de Nacar
Avenida Presidente Kennedy | Av. Pres. Kennedy
Rua Coronel Dulcídio | R. Cel. Dulcídio
Rua Engenheiro Rebouças | R. Eng. Rebouças
Rua Doutor Muricy | R. Dr. Muricy
Estrada da Graciosa | Estr. da Graciosa`,
    numbers: "1578 | nº 1578 | 1578, apto 12 | 1578 - ap. 304 | 1578, bloco B | 1578 casa 2 | n. 1578",
    lines: ["S, N, C, P", "S N, C"],
  },
  {
    country: "IT",
    city: "Bologna",
    postalCode: "40121",
    streets: `
Viale Carlo Pepoli | V.le Carlo Pepoli | Vle Carlo Pepoli
Piazza Maggiore | P.za Maggiore | P.zza Maggiore | Pza Maggiore
Corso Vittorio | C.so Vittorio
Largo Respighi | L.go Respighi
Vicolo Broglio | Vic. Broglio | V.lo Broglio
Via San Felice | V. San Felice | Via S. Felice
Via Santo Stefano | Via S. Stefano
Piazzale Baldi | P.le Baldi
Strada Maggiore | Str. Maggiore
Via Fratelli Rosselli | Via F.lli Rosselli
Borgo di San Pietro | B.go di San Pietro
Via Generale Medici | Via Gen. Medici`,
    numbers: "12 | n. 12 | n° 12 | 12 int. 4 | 12, scala B\n9/A | 9A | 9a | 9 a",
    lines: ["S N, P C", "S, N, C"],
  },
  {
    country: "PL",
    city: "Kraków",
    postalCode: "30-001",
    streets: `
Długa | ul. Długa | Dluga | ulica Długa
Aleja Pokoju | al. Pokoju | Al Pokoju
Plac Inwalidów | pl. Inwalidów | Pl Inwalidow
Osiedle Zgody | os. Zgody
Świętego Jana | ul. Św. Jana | Sw. Jana
Generała Fieldorfa | ul. Gen. Fieldorfa
Księdza Meiera | ul. Ks. Meiera
Marszałka Piłsudskiego | ul. Marsz. Piłsudskiego
Krupnicza | ul. Krupnicza | ul Krupnicza
Kardynała Wyszyńskiego | ul. Kard. Wyszyńskiego
Profesora Bujwida | ul. Prof. Bujwida`,
    numbers: "5 | 5/12 | 5 m. 12 | 5 lok. 3\n14a | 14A | 14 a | 14a/7",
    lines: LAST,
  },
  {
    country: "CZ",
    city: "Praha",
    postalCode: "110 00",
    streets: `
Vodičkova | Vodičkova | Vodickova | ul. Vodičkova
náměstí Míru | nám. Míru | nam. Miru
třída Svobody | tř. Svobody | tr. Svobody
Rašínovo nábřeží | Rašínovo nábř. | Rašínovo nábřeží
Svatého Klimenta | Sv. Klimenta
Generála Píky | Gen. Píky
sídliště Jih | sídl. Jih
Dlouhá | Dlouha | ulice Dlouhá`,
    numbers: "732/12 | 12 | 732 | č.p. 732 | 732 / 12\nev.41 | ev. 41 | č.ev. 41 | č. ev. 41 | ev.č. 41",
    lines: LAST,
  },
  {
    country: "SK",
    city: "Košice",
    postalCode: "040 01",
    streets: `
Hlavná ulica | Hlavná ul. | Hlavna ulica
Námestie osloboditeľov | Nám. osloboditeľov
Trieda SNP | Tr. SNP
Moldavská cesta | Moldavska cesta
Svätej Anny | Sv. Anny
Sídlisko Terasa | Sídl. Terasa`,
    numbers: "118/3 | 3 | 118 | 118 / 3",
    lines: LAST,
  },
  {
    country: "HU",
    city: "Szeged",
    postalCode: "6720",
    streets: `
Kossuth Lajos utca | Kossuth Lajos u. | Kossuth Lajos u
Tisza Lajos körút | Tisza Lajos krt. | Tisza Lajos krt
Széchenyi tér | Szechenyi ter | Széchenyi t.
Felső-Tisza rakpart | Felső-Tisza rkp.
Szent István tér | Szt. István tér
Kálvária sugárút | Kálvária sgt.
Makkosházi lakótelep | Makkosházi ltp.
Gyík fasor | Gyík fsr.
Partfürdő sétány | Partfürdő stny.`,
    numbers: "12 | 12. | 12. 2. em. 5. | 12. II. em. 3. ajtó | 12 II/3 | 12. fszt. 1.\n8 | 8/3",
    lines: ["C, S N, P", "P C, S N", "S N, C"],
  },
  {
    country: "RO",
    city: "Cluj",
    postalCode: "400001",
    streets: `
Strada Memorandumului | Str. Memorandumului
Bulevardul Eroilor | Bd. Eroilor | B-dul Eroilor | Bdul Eroilor | Blvd. Eroilor
Calea Moților | Cal. Moților | Calea Motilor
Șoseaua Sălicea | Șos. Sălicea | Sos. Salicea
Aleea Stadionului | Al. Stadionului
Piața Unirii | P-ța Unirii | Pta Unirii
Strada Doctor Louis | Str. Dr. Louis
Intrarea Lungă | Intr. Lungă
Splaiul Independenței | Spl. Independenței`,
    numbers: "7 | nr. 7 | Nr. 7, bl. 5, sc. A, ap. 12 | 7, ap. 3",
    lines: ["S N, C", "S N, P C"],
  },
  {
    country: "BG",
    city: "Пловдив",
    postalCode: "4000",
    streets: `
улица Иван Вазов | ул. Иван Вазов | ул. „Иван Вазов“
булевард Марица | бул. Марица | бул. „Марица“
площад Съединение | пл. Съединение
улица Княз Борис | ул. Кн. Борис
улица Генерал Гурко | ул. Ген. Гурко`,
    numbers: "12 | № 12 | 12, ет. 3, ап. 5",
    lines: ["S N, P C", "S N, C"],
  },
  {
    country: "HR",
    city: "Zadar",
    postalCode: "23000",
    streets: `
Ulica Zrinskih | Ul. Zrinskih
Trg Petra | trg petra
Obala Petra | obala petra
Ulica svetog Roka | Ul. sv. Roka
Put Stanova | put stanova
Bulevar Rose | Bul. Rose`,
    numbers: "4 | br. 4 | 4/2\n11a | 11 a | 11A",
    lines: LAST,
  },
  {
    country: "GR",
    city: "Πάτρα",
    postalCode: "262 21",
    streets: `
Ερμού | οδός Ερμού | Οδ. Ερμού
Λεωφόρος Κηφισίας | Λεωφ. Κηφισίας | Λ. Κηφισίας
Πλατεία Γεωργίου | Πλ. Γεωργίου
Αγίου Ανδρέου | Αγ. Ανδρέου | οδός Αγ. Ανδρέου
Βασιλέως Κωνσταντίνου | Βασ. Κωνσταντίνου
Πάροδος Νόρμαν | Παρ. Νόρμαν`,
    numbers: "12 | αρ. 12 | 12, 3ος όροφος",
    lines: LAST,
  },
  {
    country: "TR",
    city: "İzmir",
    postalCode: "35000",
    streets: `
Atatürk Caddesi | Atatürk Cd. | Atatürk Cad. | Ataturk Caddesi
Gül Sokak | Gül Sk. | Gül Sok. | Gul Sokak
Lale Sokağı | Lale Sk. | Lale Sok.
Mustafa Kemal Bulvarı | Mustafa Kemal Blv. | M. Kemal Bul.
Şehit Nevres Bulvarı | Şht. Nevres Bulvarı | Sehit Nevres Bulvari
1453 Sokak | 1453 Sk. | 1453. Sokak
Konak Meydanı | Konak Meyd.`,
    numbers: "5 | No:5 | No: 5 D:3 | No:5/3 | No 5 Kat 2 Daire 4 | no. 5",
    lines: ["S N, P C", "S N, C"],
  },
  {
    country: "RU",
    city: "Тверь",
    postalCode: "170100",
    streets: `
улица Ленина | ул. Ленина | ул Ленина | Ленина ул.
проспект Мира | пр-т Мира | пр. Мира | просп. Мира | пр-кт Мира
бульвар Радищева | б-р Радищева | бул. Радищева
переулок Трудолюбия | пер. Трудолюбия
набережная Степана Разина | наб. Степана Разина
площадь Славы | пл. Славы
Волоколамский проезд | Волоколамский пр-д
Московское шоссе | Московское ш.
улица Академика Туполева | ул. Акад. Туполева
Большая Самарская улица | Б. Самарская ул. | Бол. Самарская ул.
улица Маршала Конева | ул. Марш. Конева`,
    numbers: "12 | д. 12 | дом 12 | д. 12, кв. 5 | 12, оф. 3\n7а | 7А | д. 7а",
    lines: ["S, N, C, P", "C, S, N", "S N, C"],
  },
  {
    country: "UA",
    city: "Полтава",
    postalCode: "36000",
    streets: `
вулиця Соборності | вул. Соборності
проспект Миру | просп. Миру | пр-т Миру
провулок Стешенка | пров. Стешенка
площа Незалежності | пл. Незалежності
бульвар Боровиковського | б-р Боровиковського
набережна Лугова | наб. Лугова
узвіз Панянський | узв. Панянський`,
    numbers: "12 | буд. 12 | будинок 12 | 12, кв. 5 | буд. 12, оф. 3",
    lines: ["S, N, C, P", "C, S, N", "S N, C"],
  },
  {
    country: "JP",
    city: "千代田区",
    postalCode: "100-0005",
    streets: `
丸の内二丁目 | 丸の内2丁目 | 丸の内２丁目
神田駿河台一丁目 | 神田駿河台1丁目
九段南三丁目 | 九段南3丁目`,
    numbers: "8-1 | 8番1号 | 8番地1",
    lines: ["CSN", "P CSN", "C SN"],
  },
  {
    country: "KR",
    city: "강남구",
    postalCode: "06236",
    streets: `
테헤란로 | 테헤란로
세종대로23길 | 세종대로 23길
강남대로 | 강남대로
봉은사로5길 | 봉은사로 5길`,
    numbers: "152\n10-3",
    lines: ["C S N", "S N, C", "C SN"],
  },
  {
    country: "CN",
    city: "Suzhou",
    postalCode: "215000",
    streets: `
人民路 | 人民路
平江路 | 平江路
Renmin Road | Renmin Lu | Renmin Rd
Guanqian Street | Guanqian Jie | Guanqian St
Zhongshan East Road | Zhongshan East Rd | Zhongshan Dong Lu`,
    numbers: "100 | 100号 | No. 100",
    lines: ["S N, C", "N S, C"],
  },
  {
    country: "IN",
    city: "Mysuru",
    postalCode: "570001",
    streets: `
Mahatma Gandhi Road | M Gandhi Rd | Mahatma Gandhi Rd
Irwin Road | Irwin Rd
Sayyaji Rao Marg | Sayyaji Rao Mg
Jaya Nagar | Jaya Ngr
Vinoba Colony | Vinoba Col
Devaraj Chowk | Devaraj Ck
Market Street | Market St`,
    numbers: "12 | No. 12 | #12 | Plot No 12 | H.No. 12 | Door No. 12\n14/A | 14A | 14-A",
    lines: ["N, S, C P", "N S, C"],
  },
  {
    country: "GB",
    city: "Whitby",
    postalCode: "YO22 4DE",
    streets: `
High Street | High St | high st.
Church Crescent | Church Cres | Church Cresc.
Abbey Gardens | Abbey Gdns
The Close | The Cl.
Station Avenue | Station Ave | Station Av
Mill Grove | Mill Gr | Mill Grv
Victoria Terrace | Victoria Ter | Victoria Terr. | Victoria Tce
Saint Hilda's Road | St Hildas Rd | St. Hilda's Rd
Upper Bank Square | Upr Bank Sq
Quay Walk | Quay Wlk`,
    numbers: "12 | Flat 2, 12 | 12,\n12A | 12a | Flat 3, 12A",
    lines: FIRST,
  },
  {
    country: "IE",
    city: "Kilkenny",
    postalCode: "R95 X2Y3",
    streets: `
Friary Street | Friary St
Saint Canice's Place | St. Canice's Pl | St Canices Place
Castle Road Lower | Castle Rd Lwr | Castle Road Lr
Abbey Street Upper | Abbey St Upr | Abbey St. Upper
Parade Terrace | Parade Tce`,
    numbers: "7 | Apt 4, 7 | 7,",
    lines: FIRST,
  },
  {
    country: "US",
    city: "Fairmont",
    postalCode: "36075",
    streets: `
North Main Street | N Main St | N. Main St.
Oak Boulevard | Oak Blvd
Martin Luther King Junior Drive | Martin Luther King Junior Dr
Fifth Avenue | 5th Ave | Fifth Ave
Cedar Creek Lane | Cedar Creek Ln | Cedar Crk Ln
Saint Charles Court | St Charles Ct
Mount Vernon Road Southwest | Mt Vernon Rd SW
Lake View Parkway | Lk Vw Pkwy | Lake View Pkwy
Old Mill Highway | Old Mill Hwy`,
    numbers: "414 | 414\n12 | 12",
    lines: ["N S, C", "N S Apt 3, C P", "N S, C P"],
  },
  {
    country: "CA",
    city: "Gatineau",
    postalCode: "J8X 1Y4",
    streets: `
Boulevard Saint-Joseph | Boul. St-Joseph | Boul St-Joseph | Bd St-Joseph
Rue Principale | R. Principale | rue principale
Chemin d'Aylmer | Ch. d'Aylmer
Avenue Gatineau | Av. Gatineau | Ave Gatineau
Montée Paiement | Mtée Paiement | montee Paiement
King Street West | King St W
Lakeshore Road East | Lakeshore Rd E
Place Laval | Pl. Laval`,
    numbers: "1388 | 288-1388 | #288 1388 | 1388,",
    lines: FIRST,
  },
  {
    country: "AU",
    city: "Ballarat",
    postalCode: "3350",
    streets: `
George Street | George St
Marine Parade | Marine Pde
Rose Circuit | Rose Cct
Ocean Esplanade | Ocean Esp
Hill Crescent | Hill Cres | Hill Cr
Lydiard Terrace | Lydiard Tce
Mount Clear Boulevard | Mt Clear Bvd | Mt Clear Blvd
Sturt Highway | Sturt Hwy`,
    numbers: "12 | 5/12 | Unit 5, 12 | U5/12 | Unit 5/12",
    lines: FIRST,
  },
  {
    country: "NZ",
    city: "Napier",
    postalCode: "4110",
    streets: `
Queen Street | Queen St
Harbour Terrace | Harbour Tce
Beach Grove | Beach Gr | Beach Grv
Saint Johns Road | St Johns Rd
Kowhai Crescent | Kowhai Cres`,
    numbers: "45 | 2/45 | Flat 2, 45\n45A | 45a",
    lines: FIRST,
  },
];
