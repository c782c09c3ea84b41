import type { Habit } from "./habit.ts";

/** Countries where the kind of street stands first, mostly shortened. */
export const ROMANCE: readonly Habit[] = [
  {
    countries: "FR BE CH LU MC",
    source: "AFNOR NF Z10-011:2013, annex; La Poste, Serca",
    types: `
allee all al
avenue av ave
boulevard bd bld blvd boul bvd
carrefour car
chemin ch che chem
chaussee chee chs
cite
cours crs
faubourg fg fbg
impasse imp
lotissement lot
montee mte mtee
passage psge pass pas
place pl plc
promenade prom
quai q qu
quartier qu
residence res
rond point rpt
route rte rt
rue r
ruelle rle
sentier sent sen
square sq
traverse tra
villa vla
voie
zone za zi
`,
    words: `
saint st
sainte ste
saints sts
notre n
dame d
docteur dr
professeur pr prof
general gal gen
marechal mal
commandant cdt
capitaine cne cap
colonel col cel
lieutenant lt
president pdt pres
1er ier premier
1re ire premiere
grand gd
grande gde
petit pt
petite pte
nord n
sud s
est e
ouest o
abbe ab
monseigneur mgr
`,
    marks: "n no num numero",
    units: "bat bât batiment bâtiment esc escalier app apt appt appartement porte étage etage bte boîte bureau",
    behind: ["\\d{1,2}(?:er|e|eme|ème)\\s*(?:etage|étage|et)\\.?", "(?:rdc|rez-de-chauss[ée]e)"],
  },
  {
    countries: "ES MX AR CL CO PE EC UY VE",
    source:
      "INE, Instituto Nacional de Estadística: tipos de vía; INEGI, tipos de vialidad; Real Academia Española, abreviaturas",
    types: `
avenida av avda avd ave
autopista autop
bulevar blv blvd bulev
barriada bda
calle c cl cll
callejon cjon cllon
calzada calz czda
camino cno cmno cam
carrera cra kra kr cr
carretera ctra carr crta
carrer c cr
avinguda av avgda
passeig pg
placa pl
rambla rbla rla
circuito cto circ
colonia col
costanilla costan
cuesta cta
diagonal dg diag
fraccionamiento fracc
glorieta gta
jiron jr
pasaje pje psje
paseo po pso p
plaza pl pza plza
poligono pol
privada priv
prolongacion prol
ronda rda
transversal tv transv tr
travesia trva trv tra
urbanizacion urb
via v
`,
    words: `
norte n nte
sur s
este e
oeste o
oriente ote
poniente pte
san s sn
santa sta
santo sto
doctor dr
doctora dra
general gral gen
capitan cap
coronel cnel
maria ma
nuestra ntra
senora sra
don d
dona da
francisco fco
virgen vg
presidente pdte pte
ingeniero ing
licenciado lic
`,
    marks: "n no num numero nro nu casa",
    units:
      "piso pta puerta esc escalera bloque bl portal int interior depto dpto apto local of oficina casa lote lt mz",
    behind: [
      "\\d{1,2}\\s?[ºª°](?:[\\s,]*(?:\\d{1,2}\\s?[ºª°]|izq(?:da|uierda)?|dcha|der(?:echa)?|ext|int|cto|[a-h])\\b\\.?)?",
      "(?:bajo|bjo|atico|ático|entlo|ppal)(?:\\s+(?:izq|dcha|[a-h])\\b)?\\.?",
    ],
  },
  {
    countries: "PT BR AO MZ",
    source: "CTT, abreviaturas de arruamentos; Correios, Guia de endereçamento (2023)",
    types: `
alameda al
avenida av avn
azinhaga az
bairro bro b
beco bc
calcada cc calc
caminho cam
campo cpo
conjunto cj conj
estrada est estr
jardim jd jrd
ladeira lad
largo lg lgo
loteamento lot
parque pq
praca pc pca
praceta pct pcta
quinta qta
rodovia rod
rotunda rot
rua r
servidao serv
travessa tv trav
via v
vila vl
`,
    words: `
santa sta
santo sto
sao s
dom d
dona da
doutor dr
doutora dra
professor prof
professora profa
engenheiro eng engo
general gen gal
marechal mal mar
coronel cel cor
capitao cap
major maj
tenente ten
brigadeiro brig
almirante alm
presidente pres
governador gov
senador sen
deputado dep
ministro min
visconde visc vde
conselheiro cons
padre pe
nossa n
senhora sra s
infante inf
espirito esp
`,
    marks: "n no num numero lote",
    units: "apto apt apartamento ap bloco bl casa cs sala sl conj cj loja lj andar",
    behind: [
      "fundos",
      "\\d{1,2}\\s?[ºª°](?:[\\s,]*(?:andar|esq(?:uerdo)?|dto|direito|dir|fte|frente|tras|[a-h])\\b\\.?)?",
      "(?:r\\/c|rc|cave|cv)(?:\\s+(?:esq|dto|fte|[a-h])\\b)?\\.?",
    ],
  },
  {
    countries: "IT SM VA CH",
    source: "Poste Italiane, Standard di composizione degli indirizzi; ISTAT, denominazioni urbanistiche (DUG)",
    types: `
via v
viale vle vl
vicolo vco vic vlo
corso cso c
calle
circonvallazione circ cne
contrada cda ctr
borgo bgo b
galleria gall
largo lgo
localita loc
lungarno lung
lungotevere lgt
piazza pza p pzza za
piazzale ple pzle
piazzetta ptta
rione rne
salita sal
strada str sda
stradale strle
traversa trav
via via
villaggio vill
`,
    words: `
san s
santa s sta
santo s
sant s
santi ss
fratelli flli
generale gen
dottore dott
professore prof
monsignor mons
papa p
giovanni gio
giuseppe gius
`,
    joined: "f.lli v.le v.co v.lo b.go l.go p.le p.tta c.so p.za p.zza c.da str.le",
    marks: "n no nr num civico civ",
    units: "int interno scala sc piano p",
    behind: ["\\d{1,2}\\s?[º°]\\s*piano"],
  },
  {
    countries: "RO MD",
    source: "Poșta Română, ghidul adresării; Academia Română, DOOM3 (2021)",
    types: `
strada str
bulevardul bd bdul blvd bul
bulevard bd
soseaua sos
calea cal
aleea al ale
piata pta
splaiul spl
intrarea int intr
drumul dr
fundatura fdt fund
prelungirea prel
cartierul cart
`,
    words: `
sfantul sf
sfanta sf
doctor dr
general gen
maresal mr mares
inginer ing
profesor prof
`,
    joined: "b-dul p-ta",
    marks: "nr no numarul",
    units: "bl bloc sc scara et etaj ap apart",
  },
];
