/**
 * Words for kinds of places, as people type them, and the slugs they mean. Each row holds one kind in English, German,
 * French, Spanish, Portuguese, Italian, Dutch, Polish, Czech, Swedish, Danish, Norwegian, Finnish, Turkish, Russian,
 * Arabic, Japanese, Chinese and Korean, then in Ukrainian, Hebrew and Greek; words that several languages share are
 * listed once. Original work: it contains no third-party table.
 */
const TABLE: readonly (readonly [slugs: string, words: string])[] = [
  [
    "coffee-shop,cafe",
    "coffee|coffee shop|coffee shops|coffeeshop|cafe|cafes|kaffee|café|cafés|cafeteria|cafeterías|caffè|bar caffè|koffie|koffiebar|kawa|kawiarnia|kawiarnie|kavárna|kavárny|kaffe|kafé|kahvila|kahvilat|kahve|kafe|кофе|кафе|кофейня|кофейни|مقهى|قهوة|كافيه|カフェ|喫茶店|コーヒー|咖啡|咖啡店|咖啡馆|咖啡館|카페|커피|커피숍|кав'ярня|кавярня|кав’ярня|кава|кафетерій|בית קפה|בתי קפה|קפה|καφέ|καφετέρια|καφετέριες",
  ],
  [
    "restaurant",
    "restaurant|restaurants|food|essen|gaststätte|gaststätten|restaurante|restaurantes|ristorante|ristoranti|eten|restauracja|restauracje|restaurace|restaurang|restauranger|restauranter|ravintola|ravintolat|lokanta|restoran|restoranlar|ресторан|рестораны|مطعم|مطاعم|レストラン|食堂|餐厅|餐廳|餐馆|饭店|식당|맛집|레스토랑|ресторани|їдальня|מסעדה|מסעדות|εστιατόριο|εστιατόρια|ταβέρνα",
  ],
  [
    "fast-food-restaurant",
    "fast food|schnellimbiss|imbiss|restauration rapide|comida rápida|snackbar|фастфуд|وجبات سريعة|ファストフード|快餐|패스트푸드|швидке харчування|מזון מהיר|φαστ φουντ",
  ],
  [
    "pizza-place",
    "pizza|pizzas|pizzeria|pizzerias|pizzerie|pizzerías|пицца|пиццерия|بيتزا|ピザ|披萨|披薩|피자|піца|піцерія|піцерії|פיצה|פיצריה|πίτσα|πιτσαρία",
  ],
  ["sushi-restaurant", "sushi|суши|سوشي|寿司|壽司|초밥|스시|суші|סושי|σούσι"],
  [
    "bakery",
    "bakery|bakeries|bäckerei|bäckereien|bäcker|boulangerie|boulangeries|panadería|panaderías|padaria|padarias|panificio|panetteria|bakkerij|piekarnia|piekarnie|pekárna|pekařství|bageri|bagerier|bakeri|leipomo|fırın|пекарня|булочная|مخبز|مخابز|パン屋|ベーカリー|面包店|麵包店|빵집|베이커리|пекарні|булочна|מאפייה|מאפיות|φούρνος|αρτοποιείο|αρτοποιεία",
  ],
  [
    "bar,pub",
    "bar|bars|pub|pubs|kneipe|kneipen|bares|knajpa|hospoda|hospody|бар|бары|паб|バー|居酒屋|酒吧|술집|бари|паби|בר|ברים|פאב|μπαρ|παμπ",
  ],
  [
    "supermarket",
    "supermarket|supermarkets|grocery|groceries|grocery store|grocery stores|supermarkt|supermärkte|lebensmittel|supermarché|supermarchés|supermercado|supermercados|supermercato|supermercati|supermarkten|sklep spożywczy|potraviny|livsmedel|mataffär|supermarked|supermarkeder|dagligvarebutikk|ruokakauppa|supermarketit|süpermarket|market|супермаркет|супермаркеты|продукты|سوبرماركت|بقالة|スーパー|スーパーマーケット|超市|슈퍼마켓|마트|супермаркети|продукти|סופרמרקט|סופר|σούπερ μάρκετ|σουπερμάρκετ",
  ],
  [
    "convenience-store",
    "convenience store|convenience stores|corner shop|kiosk|spätkauf|späti|supérette|tienda de conveniencia|avondwinkel|コンビニ|便利店|편의점|magasin de proximité|магазин біля дому|חנות נוחות|מכולת|ψιλικά|μίνι μάρκετ",
  ],
  [
    "pharmacy",
    "pharmacy|pharmacies|chemist|drugstore|apotheke|apotheken|pharmacie|farmacia|farmacias|farmácia|farmácias|farmacie|apotheek|apteka|apteki|lékárna|lékárny|apotek|apteekki|apteekit|eczane|eczaneler|аптека|аптеки|صيدلية|صيدليات|薬局|ドラッグストア|药店|藥局|药房|약국|בית מרקחת|בתי מרקחת|φαρμακείο|φαρμακεία",
  ],
  [
    "hospital",
    "hospital|hospitals|krankenhaus|krankenhäuser|klinik|spital|spitäler|kantonsspital|hôpital|hôpitaux|hospitales|hospitais|ospedale|ospedali|ziekenhuis|ziekenhuizen|szpital|szpitale|nemocnice|sjukhus|sygehus|sykehus|sairaala|hastane|больница|больницы|госпиталь|مستشفى|مستشفيات|病院|医院|醫院|병원|лікарня|лікарні|шпиталь|בית חולים|בתי חולים|νοσοκομείο|νοσοκομεία|sjukhuset|hastanesi|hastaneler",
  ],
  [
    "doctor,medical-center",
    "doctor|doctors|arzt|ärzte|médecin|médecins|médico|medico|medici|huisarts|dokter|lekarz|lékař|läkare|læge|lege|lääkäri|doktor|врач|поликлиника|طبيب|医者|診療所|诊所|診所|의사|의원|лікар|поліклініка|רופא|מרפאה|γιατρός|ιατρείο|clinics|clínica|clinica|clinique|przychodnia",
  ],
  [
    "dentist",
    "dentist|dentists|zahnarzt|zahnärzte|dentiste|dentistes|dentista|dentistas|tandarts|stomatolog|zubař|tandläkare|tandlæge|tannlege|hammaslääkäri|diş hekimi|dişçi|стоматолог|стоматология|طبيب أسنان|歯医者|歯科|牙医|牙醫|치과|стоматологія|רופא שיניים|οδοντίατρος|οδοντιατρείο",
  ],
  [
    "gas-station",
    "gas station|gas stations|gas|petrol station|petrol|fuel|tankstelle|tankstellen|station-service|stations-service|station service|essence|gasolinera|gasolineras|posto de gasolina|posto de combustível|benzinaio|distributore di benzina|tankstation|stacja benzynowa|benzinka|čerpací stanice|bensinstation|bensinmack|tankstation|bensinstasjon|huoltoasema|benzin istasyonu|benzinlik|заправка|азс|محطة وقود|محطة بنزين|ガソリンスタンド|加油站|주유소|азк|автозаправка|תחנת דלק|דלק|βενζινάδικο|πρατήριο καυσίμων",
  ],
  [
    "charging-station",
    "charging station|charging stations|ev charger|ev charging|ladestation|ladestationen|ladesäule|borne de recharge|estación de carga|colonnina di ricarica|laadpaal|laadstation|stacja ładowania|nabíjecí stanice|laddstation|ladestander|ladestasjon|latausasema|şarj istasyonu|зарядная станция|محطة شحن|充電スタンド|充电站|充電站|충전소|зарядна станція|תחנת טעינה|σταθμός φόρτισης",
  ],
  [
    "parking",
    "parking|car park|parking lot|parkplatz|parkplätze|parkhaus|aparcamiento|estacionamiento|estacionamento|parcheggio|parcheggi|parkeren|parkeerplaats|parkeergarage|parkoviště|parkering|pysäköinti|otopark|парковка|стоянка|موقف سيارات|駐車場|停车场|停車場|주차장|автостоянка|חניון|חניה|πάρκινγκ|parkplads|estacionamientos|estacionamentos",
  ],
  [
    "bank",
    "bank|banks|banken|banque|banques|banco|bancos|banca|banche|banka|banky|pankki|bankalar|банк|банки|بنك|بنوك|銀行|银行|은행|בנק|בנקים|τράπεζα|τράπεζες",
  ],
  [
    "atm",
    "atm|atms|cash machine|cashpoint|geldautomat|geldautomaten|distributeur|distributeur automatique|cajero|cajero automático|caixa eletrônico|caixa automático|bancomat|geldautomaat|pinautomaat|bankomat|bankomaty|uttagsautomat|hæveautomat|minibank|pankkiautomaatti|otto|bankamatik|банкомат|банкоматы|صراف آلي|現金自動|取款机|提款機|현금인출기|банкомати|כספומט|ατμ",
  ],
  [
    "post-office",
    "post office|post offices|post|postamt|postfiliale|bureau de poste|la poste|oficina de correos|correos|correios|ufficio postale|posta|postkantoor|poczta|pošta|postkontor|posthus|posti|postane|почта|مكتب بريد|郵便局|邮局|郵局|우체국|пошта|поштове відділення|דואר|סניף דואר|ταχυδρομείο|agência dos correios",
  ],
  [
    "hotel,motel,hostel",
    "hotel|hotels|unterkunft|hôtel|hôtels|hoteles|hotéis|alberghi|albergo|hotele|hotely|hotell|hoteller|hotelli|hotellit|otel|oteller|отель|отели|гостиница|гостиницы|فندق|فنادق|ホテル|旅館|酒店|宾馆|旅馆|호텔|готель|готелі|מלון|מלונות|ξενοδοχείο|ξενοδοχεία|motel|hostel|hostal|pension|albergue",
  ],
  [
    "school",
    "school|schools|schule|schulen|école|écoles|escuela|escuelas|colegio|escola|escolas|scuola|scuole|basisschool|szkoła|szkoły|škola|školy|skola|skole|koulu|okul|okullar|школа|школы|مدرسة|مدارس|学校|學校|학교|школи|בית ספר|בתי ספר|σχολείο|σχολεία",
  ],
  [
    "library",
    "library|libraries|bibliothek|bibliotheken|bücherei|bibliothèque|bibliothèques|biblioteca|bibliotecas|biblioteche|bibliotheek|biblioteka|biblioteki|knihovna|bibliotek|kirjasto|kütüphane|библиотека|библиотеки|مكتبة|図書館|图书馆|圖書館|도서관|бібліотека|бібліотеки|ספרייה|ספריה|βιβλιοθήκη|βιβλιοθήκες",
  ],
  [
    "museum,art-gallery",
    "museum|museums|museen|musée|musées|museo|museos|museu|museus|musei|musea|muzeum|muzea|museer|museot|müze|müzeler|музей|музеи|متحف|متاحف|博物館|美術館|博物馆|박물관|미술관|музеї|מוזיאון|מוזיאונים|μουσείο|μουσεία",
  ],
  [
    "movie-theatre",
    "cinema|cinemas|movie theater|movie theatre|movies|kino|kinos|cinéma|cinémas|cine|cines|bioscoop|bio|biograf|elokuvateatteri|sinema|кинотеатр|кино|سينما|映画館|电影院|電影院|영화관|극장|кінотеатр|кіно|קולנוע|κινηματογράφος|σινεμά",
  ],
  [
    "park",
    "park|parks|parc|parcs|parque|parques|parco|parchi|parken|parki|parky|puisto|puistot|parklar|парк|парки|حديقة|حدائق|منتزه|公園|公园|공원|פארק|פארקים|גן ציבורי|πάρκο|πάρκα",
  ],
  [
    "playground",
    "playground|playgrounds|spielplatz|spielplätze|aire de jeux|parque infantil|parquinho|parco giochi|speeltuin|plac zabaw|hřiště|dětské hřiště|lekplats|legeplads|lekeplass|leikkipuisto|oyun parkı|детская площадка|ملعب أطفال|遊び場|游乐场|遊樂場|놀이터|дитячий майданчик|גן שעשועים|παιδική χαρά",
  ],
  [
    "gym",
    "gym|gyms|fitness|fitnessstudio|fitness studio|salle de sport|gimnasio|gimnasios|academia|palestra|palestre|sportschool|siłownia|posilovna|fitko|kuntosali|spor salonu|спортзал|фитнес|نادي رياضي|ジム|健身房|헬스장|тренажерний зал|фітнес|חדר כושר|γυμναστήριο",
  ],
  [
    "hair-salon",
    "hairdresser|hairdressers|hair salon|barber|barbershop|friseur|friseure|friseursalon|coiffeur|coiffeurs|peluquería|peluquerías|cabeleireiro|barbeiro|parrucchiere|barbiere|kapper|kappers|fryzjer|kadeřnictví|frisör|frisør|kampaamo|parturi|kuaför|berber|парикмахерская|барбершоп|حلاق|صالون|美容院|床屋|理发店|理髮店|미용실|перукарня|מספרה|κομμωτήριο|κουρείο|salão de beleza",
  ],
  [
    "bookstore",
    "bookstore|bookstores|bookshop|buchhandlung|buchladen|librairie|librairies|librería|librerías|livraria|livrarias|libreria|librerie|boekhandel|boekwinkel|księgarnia|knihkupectví|bokhandel|boghandel|kirjakauppa|kitapçı|книжный магазин|مكتبة كتب|本屋|書店|书店|서점|книгарня|חנות ספרים|βιβλιοπωλείο",
  ],
  [
    "hardware-store",
    "hardware store|hardware stores|diy store|baumarkt|baumärkte|bricolage|quincaillerie|ferretería|ferreterías|loja de ferragens|ferramenta|bouwmarkt|doe-het-zelf|sklep budowlany|železářství|järnaffär|byggvaruhus|byggemarked|rautakauppa|hırdavatçı|стройматериалы|хозтовары|متجر أدوات|ホームセンター|五金店|철물점|будматеріали|חנות כלי עבודה|σιδηροπωλείο",
  ],
  [
    "clothing-store",
    "clothes|clothing store|clothing stores|bekleidung|kleidung|vêtements|ropa|tienda de ropa|loja de roupas|abbigliamento|kleding|kledingwinkel|odzież|oděvy|kläder|tøj|klær|vaatekauppa|giyim|одежда|ملابس|服屋|服装店|服裝店|옷가게|одяг|בגדים|חנות בגדים|ρούχα|κατάστημα ρούχων",
  ],
  [
    "train-station",
    "train station|train stations|railway station|bahnhof|bahnhöfe|gare|gares|estación de tren|estación|estação de trem|estação|stazione|stazioni|treinstation|station|dworzec|nádraží|tågstation|järnvägsstation|banegård|togstation|jernbanestasjon|rautatieasema|tren istasyonu|gar|вокзал|ж/д станция|محطة قطار|駅|火车站|火車站|기차역|залізничний вокзал|залізнична станція|תחנת רכבת|σιδηροδρομικός σταθμός|σταθμός τρένου|station de train|hauptbahnhof|hbf|tågstationen|istasyon|estación de trenes|gara|stazione ferroviaria|stazione dei treni|estação ferroviária|estação de comboios|stacja kolejowa|vlakové nádraží|железнодорожный вокзал|车站|車站|鉄道駅",
  ],
  [
    "subway-station",
    "subway|subway station|metro station|metro|u-bahn|u bahn|métro|estación de metro|estação de metrô|metrô|stazione metro|metrostation|stacja metra|stanice metra|tunnelbana|t-bane|metroasema|метро|станция метро|مترو|地下鉄|地铁|地鐵|地铁站|지하철|지하철역|станція метро|מטרו|תחנת מטרו|μετρό|σταθμός μετρό",
  ],
  [
    "bus-station",
    "bus station|bus stations|busbahnhof|gare routière|estación de autobuses|rodoviária|autostazione|busstation|dworzec autobusowy|autobusové nádraží|busstasjon|linja-autoasema|otogar|автовокзал|محطة حافلات|バスターミナル|汽车站|버스터미널|автостанція|תחנת אוטובוס|תחנה מרכזית|σταθμός λεωφορείων|κτελ",
  ],
  [
    "airport",
    "airport|airports|flughafen|flughäfen|aéroport|aéroports|aeropuerto|aeropuertos|aeroporto|aeroportos|aeroporti|luchthaven|vliegveld|lotnisko|lotniska|letiště|flygplats|lufthavn|lentoasema|lentokenttä|havalimanı|havaalanı|аэропорт|аэропорты|مطار|空港|机场|機場|공항|аеропорт|летовище|שדה תעופה|נמל תעופה|αεροδρόμιο|αεροδρόμια",
  ],
  [
    "police-station",
    "police|police station|polizei|polizeirevier|commissariat|policía|comisaría|polícia|delegacia|polizia|questura|politie|politiebureau|policja|komisariat|policie|polis|polisstation|politi|poliisi|karakol|полиция|شرطة|مركز شرطة|警察|交番|警察署|派出所|경찰서|поліція|משטרה|תחנת משטרה|αστυνομία|αστυνομικό τμήμα",
  ],
  [
    "church",
    "church|churches|kirche|kirchen|église|églises|iglesia|iglesias|igreja|igrejas|chiesa|chiese|kerk|kerken|kościół|kościoły|kostel|kostely|kyrka|kyrkor|kirke|kirker|kirkko|kilise|церковь|церкви|храм|كنيسة|كنائس|教会|教堂|教會|교회|церква|כנסייה|כנסיה|εκκλησία|εκκλησίες",
  ],
  [
    "mosque",
    "mosque|mosques|moschee|moscheen|mosquée|mosquées|mezquita|mezquitas|mesquita|mesquitas|moschea|moskee|meczet|mešita|moské|moskee|moskeija|cami|camiler|мечеть|مسجد|مساجد|جامع|モスク|清真寺|모스크|мечеті|מסגד|τζαμί|τέμενος",
  ],
  [
    "synagogue",
    "synagogue|synagogues|synagoge|sinagoga|sinagogas|sinagoghe|synagoga|synagogor|sinagog|синагога|كنيس|シナゴーグ|犹太教堂|유대교회당|синагоги|בית כנסת|συναγωγή",
  ],
  [
    "shopping-mall",
    "mall|malls|shopping mall|shopping center|shopping centre|einkaufszentrum|einkaufszentren|centre commercial|centro comercial|shopping|centro commerciale|winkelcentrum|centrum handlowe|galeria handlowa|obchodní centrum|köpcentrum|storcenter|kjøpesenter|kauppakeskus|avm|alışveriş merkezi|торговый центр|тц|مركز تسوق|مول|ショッピングモール|购物中心|商场|購物中心|쇼핑몰|торговий центр|трц|קניון|קניונים|εμπορικό κέντρο",
  ],
  [
    "ice-cream-shop",
    "ice cream|eisdiele|eisdielen|eiscafé|glacier|glaciers|heladería|heladerías|sorveteria|gelateria|gelaterie|gelato|ijssalon|lodziarnia|lody|zmrzlina|zmrzlinárna|glass|glassbar|isbutik|iskrem|jäätelö|dondurma|dondurmacı|мороженое|آيس كريم|アイスクリーム|冰淇淋|아이스크림|морозиво|גלידה|גלידריה|παγωτό|παγωτατζίδικο",
  ],
  [
    "theatre",
    "theatre|theater|theaters|théâtre|théâtres|teatro|teatros|teatri|teatr|teatry|divadlo|divadla|teater|teatteri|tiyatro|театр|театры|مسرح|劇場|剧院|劇院|театри|תיאטרון|θέατρο|θέατρα",
  ],
  [
    "zoo",
    "zoo|zoos|tierpark|zoológico|dierentuin|ogród zoologiczny|zoologická zahrada|djurpark|dyrehage|eläintarha|hayvanat bahçesi|зоопарк|حديقة حيوان|動物園|动物园|동물원|גן חיות|ζωολογικός κήπος",
  ],
  [
    "swimming-pool",
    "swimming pool|swimming pools|pool|schwimmbad|schwimmbäder|freibad|hallenbad|piscine|piscines|piscina|piscinas|piscine comunali|zwembad|basen|pływalnia|bazén|plavecký bazén|simhall|badhus|svømmehal|svømmehall|uimahalli|yüzme havuzu|бассейн|مسبح|プール|游泳池|수영장|басейн|בריכה|בריכת שחייה|πισίνα|κολυμβητήριο",
  ],
  [
    "beach",
    "beach|beaches|strand|strände|plage|plages|playa|playas|praia|praias|spiaggia|spiagge|plaża|plaże|pláž|stränder|ranta|uimaranta|plaj|пляж|пляжи|شاطئ|شواطئ|ビーチ|海水浴場|海滩|沙灘|해변|해수욕장|пляжі|חוף|חוף ים|παραλία|παραλίες",
  ],
  [
    "city-hall",
    "city hall|town hall|rathaus|gemeindeamt|mairie|hôtel de ville|ayuntamiento|câmara municipal|prefeitura|gemeentehuis|stadhuis|ratusz|urząd miasta|radnice|stadshus|rådhus|kaupungintalo|belediye|администрация|мэрия|мерія|ратуша|بلدية|עירייה|δημαρχείο|市役所|市政府|시청",
  ],
  [
    "fire-station",
    "fire station|feuerwehr|feuerwache|caserne de pompiers|pompiers|bomberos|bombeiros|vigili del fuoco|brandweer|straż pożarna|hasiči|brandstation|brannstasjon|paloasema|itfaiye|пожарная часть|пожежна частина|مطافئ|תחנת כיבוי אש|πυροσβεστική|消防署|消防局|소방서",
  ],
  [
    "university",
    "university|universities|universität|uni|université|universités|universidad|universidades|universidade|università|universiteit|uniwersytet|univerzita|universitet|yliopisto|üniversite|университет|جامعة|大学|大學|대학교|університет|אוניברסיטה|πανεπιστήμιο",
  ],
];

/**
 * Normalizes a word: no diacritics, lowercase. Separate from the geocoder's function, because this module does not
 * depend on it.
 */
/** Without marks and capitals. Most texts are ASCII, which has no marks. */
const plain = (text: string) => (ASCII.test(text) ? text.toLowerCase() : withoutMarks(text)).trim();

const ASCII = /^[\x20-\x7e]*$/;

const withoutMarks = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ı/g, "i")
    .replace(/ø/g, "o")
    .replace(/ł/g, "l")
    .replace(/æ/g, "ae")
    .normalize("NFC");

const SLUGS = new Map<string, readonly string[]>(
  TABLE.flatMap(([slugs, words]) => words.split("|").map((word) => [plain(word), slugs.split(",")] as const)),
);
const MAX_WORDS = 4;

/** Words between a kind and a place, the longer ones first. */
const LINKS = [
  "near to|close to|next to|near|around|in|at|by|nearby",
  "in der nahe von|in der nahe|nahe|bei|am|an der|beim|im",
  "pres de la|pres du|pres de|pres d|proche de|a cote de|autour de|a|au|dans|en",
  "cerca de la|cerca del|cerca de|junto a|en",
  "perto da|perto do|perto de|em|no|na",
  "vicino alla|vicino al|vicino a|vicino|nei pressi di|a|in",
  "dichtbij|nabij|bij|vlakbij",
  "niedaleko|blisko|kolo|przy|w|we|na",
  "blizko|pobliz|u|v|ve",
  "nara|vid|i|pa",
  "taet pa|naer|ved|naerheden af",
  "lahella",
  "рядом с|недалеко от|около|возле|у|в|во|на",
  "поруч з|біля|поблизу|коло|у|в|на",
  "بالقرب من|قرب|في",
  "ליד|קרוב ל|ב",
  "κοντα στην|κοντα στο|κοντα σε|κοντα στον|κοντα στη|στην|στη|στον|στο|σε",
  "in het|te|op",
  "al centro di|nel|nella|ad",
  "en el|en la|de la|del|de|do|da|dos|das|di|du|des|of|von|van|of the|di|d",
]
  .flatMap((words) => words.split("|").map(plain))
  .sort((a, b) => b.length - a.length);

/** "near me", in the languages of the links. */
const HERE = new Set(
  "me|here|nearby|hier|mir|ici|moi|aqui|mi|qui|me|mij|mnie|mig|meg|mne|мной|мне|меня|здесь|мене|тут|هنا|مني|אליי|כאן|μου|εμένα|εδώ"
    .split("|")
    .map(plain),
);
const NEAR_ME =
  /(?:\s|^)(?:near me|nearby|in meiner nahe|in der nahe|pres de moi|pres d'ici|cerca de mi|cerca|perto de mim|vicino a me|in de buurt|w poblizu|v okoli|lahella|yakinimda|yakininda|рядом|поблизости|рядом со мной|بالقرب مني)$/;
/** Scripts in which the kind follows the place: "東京駅の近くのカフェ", "天安门附近的咖啡", "강남역 근처 카페". */
const BEHIND = /^(.+?)\s*(?:の近くの|の近く|近くの|周辺の|附近的|附近|周边的?|旁边的?|근처의?|주변|인근)\s*(.+)$/u;
const IN_FRONT = /^(.+?)\s+(?:yakininda(?:ki)?|yakinlarinda|lahella)\s+(.+)$/;

/** Scripts that need no space between a place and a kind: "京都の病院", "台北市醫院", "서울병원". */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;
/** The longest kind in these scripts [characters]. */
const MAX_UNSPACED = 12;
/** Join a place to the kind after it. */
const JOINTS = ["の", "的", "의", "にある", "에 있는", "에있는"];

export interface CategoryQuery {
  slugs: readonly string[];
  /** The text of the location; "" for around the caller. */
  reference: string;
  /** Whether it is unambiguous: "park street" may be a street; "park near Main Street" is not. */
  sure: boolean;
  /** Other forms of the reference, if it may be inflected: "Москва" of "в Москве". */
  others?: readonly string[];
}

/** Reads a kind of place and its location; undefined when no kind is named. */
export function readCategory(text: string): CategoryQuery | undefined {
  const asked = plain(text).replace(/[?!.]+$/, "");
  if (asked.length > 160) return undefined;
  const bare = asked.replace(NEAR_ME, "").trim();
  const alone = SLUGS.get(bare);
  if (alone) return { slugs: alone, reference: "", sure: true };
  for (const pattern of [BEHIND, IN_FRONT]) {
    const behind = pattern.exec(asked.normalize("NFC"));
    const slugs = behind && (SLUGS.get(plain(behind[2])) ?? SLUGS.get(plain(behind[1])));
    if (behind && slugs) return { slugs, reference: SLUGS.has(plain(behind[2])) ? behind[1] : behind[2], sure: true };
  }
  // The original text's words, so that the place keeps its diacritics.
  const words = text.trim().split(/\s+/);
  return kindFirst(words) ?? kindLast(words) ?? kindBeforeComma(text) ?? unspaced(words);
}

/** "Manchester airport, UK": the state or country is of the town before the kind. */
function kindBeforeComma(text: string): CategoryQuery | undefined {
  const [town, ...around] = text.split(",");
  const found = around.length > 0 ? kindLast(town.trim().split(/\s+/)) : undefined;
  return found && { ...found, reference: [found.reference, ...around].join(",") };
}

function kindFirst(words: readonly string[]): CategoryQuery | undefined {
  for (let n = Math.min(MAX_WORDS, words.length - 1); n > 0; n--) {
    const kind = words.slice(0, n).join(" ").replace(/[,:]$/, "");
    const slugs = SLUGS.get(plain(kind));
    if (!slugs) continue;
    const rest = words.slice(n).join(" ");
    const folded = plain(rest);
    const link = LINKS.find((one) => folded.startsWith(`${one} `));
    if (link === undefined) {
      // Hebrew writes the preposition as a part of the name.
      const others = /^ב[\u0590-\u05ff]{2}/.test(rest) ? [rest.slice(1)] : [];
      return { slugs, reference: rest, sure: false, ...(others.length > 0 && { others }) };
    }
    const reference = words.slice(n + link.split(" ").length).join(" ");
    if (HERE.has(plain(reference))) return { slugs, reference: "", sure: true };
    const others = LOCATIVE_LINKS.has(link) ? baseForms(reference) : [];
    // "Hospital de Braga" is the name of one, and a hospital in Braga.
    return { slugs, reference, sure: !OF.has(link), ...(others.length > 0 && { others }) };
  }
  return undefined;
}

function kindLast(words: readonly string[]): CategoryQuery | undefined {
  for (let n = Math.min(MAX_WORDS, words.length - 1); n > 0; n--) {
    const slugs = SLUGS.get(plain(words.slice(-n).join(" ")));
    if (!slugs) continue;
    const before = words.slice(0, -n).join(" ").replace(/[,:]$/, "");
    // Turkish: "İzmir'de eczane", "İzmir'deki eczane". Japanese and Chinese: "京都の 病院".
    const suffix = /['’](?:[dt][ae](?:ki)?|n[iı]n)$/iu.exec(before);
    const joint = JOINTS.find((one) => before.endsWith(one));
    const reference = before.slice(0, before.length - (suffix?.[0].length ?? joint?.length ?? 0));
    if (reference !== "") return { slugs, reference, sure: suffix !== null || joint !== undefined };
  }
  return undefined;
}

/** "京都病院", "病院京都": the longest kind at the end or the beginning of a text without spaces. */
function unspaced(words: readonly string[]): CategoryQuery | undefined {
  const [text] = words;
  if (words.length !== 1 || !UNSPACED.test(text)) return undefined;
  for (let n = Math.min(MAX_UNSPACED, text.length - 2); n > 1; n--) {
    const [last, first] = [SLUGS.get(plain(text.slice(-n))), SLUGS.get(plain(text.slice(0, n)))];
    if (first) return { slugs: first, reference: text.slice(n), sure: false };
    if (!last) continue;
    const before = text.slice(0, -n);
    const joint = JOINTS.find((one) => before.endsWith(one) && before.length > one.length);
    return { slugs: last, reference: before.slice(0, before.length - (joint?.length ?? 0)), sure: joint !== undefined };
  }
  return undefined;
}

/** Prepositions that also join the parts of a name. */
const OF = new Set("de la|del|de|do|da|dos|das|di|du|des|of|von|van|of the|d".split("|"));

/**
 * Endings of names after a preposition, and those of their base forms: Russian, Ukrainian, Polish and Czech locatives,
 * the longer ones first.
 */
const LOCATIVES: readonly (readonly [ending: string, bases: readonly string[]])[] = [
  ["єві", ["їв"]],
  ["еві", ["ів"]],
  ["ові", ["ів", "ов"]],
  ["ці", ["ка", "ця"]],
  ["і", ["а", "", "ь"]],
  ["ске", ["ск"]],
  ["е", ["а", "", "я", "о"]],
  ["и", ["ь", "я", "а"]],
  ["cach", ["ce"]],
  ["ach", ["e", "y"]],
  ["ích", ["e"]],
  ["ie", ["", "a", "o"]],
  ["iu", ["", "ie"]],
  ["zi", ["ź", "dź"]],
  ["ze", ["ha", "ga"]],
  ["ni", ["nia", "n", "ň", "eň"]],
  ["ě", ["o", "a"]],
  ["u", ["", "o", "e"]],
  ["i", ["", "ia"]],
];

/** Prepositions before such names, as `plain` writes them. */
const LOCATIVE_LINKS = new Set("в|во|у|на|w|we|v|ve".split("|"));

/** Base forms of a name of one word that may have such an ending. */
function baseForms(reference: string): string[] {
  if (!/^\p{Lu}[\p{L}\p{M}]{3,}$/u.test(reference)) return [];
  const name = reference.normalize("NFC");
  const found = LOCATIVES.find(([ending]) => name.endsWith(ending));
  if (!found) return [];
  const [ending, bases] = found;
  return bases.map((base) => name.slice(0, name.length - ending.length) + base);
}
