import { runMaps } from "../run-maps.ts";

runMaps("forbidden turns on the map", [
  {
    title: "no left turn: three rights make one",
    map: `
          n
          |
      w---x---e
          |   |
          s---t`,
    ways: { wx: "", xe: "", nx: "", xs: "", st: "", te: "" },
    turns: { "wx x nx": "no_left_turn" },
    routes: `
      w n | wx,xe,te,st,xs,nx
      w e | wx,xe
      e n | xe,nx
      w n | wx,nx | bike`,
  },
  {
    title: "no right turn",
    map: `
          n---m
          |   |
      w---x---e
          |
          s`,
    ways: { wx: "", xe: "", nx: "", xs: "", mn: "", me: "" },
    turns: { "wx x xs": "no_right_turn" },
    routes: `
      w s | wx,xe,me,mn,nx,xs
      n s | nx,xs`,
  },
  {
    title: "no straight on",
    map: `
      w---x---e
          |   |
          s---t`,
    ways: { wx: "", xe: "", xs: "", st: "", te: "" },
    turns: { "wx x xe": "no_straight_on" },
    routes: `
      w e | wx,xs,st,te
      e w | xe,wx
      xs xe | xs,xe`,
  },
  {
    title: "only straight on",
    map: `
          m---o
          |   |
      w---x---e
          |   |
          s---t`,
    ways: { wx: "", xe: "", xm: "", xs: "", st: "", te: "", mo: "", oe: "" },
    turns: { "wx x xe": "only_straight_on" },
    routes: `
      w xs | wx,xe,te,st,xs
      w e  | wx,xe
      e xs | xe,xs`,
  },
  {
    title: "only right",
    map: `
          n
          |
      w---x---e
          |   |
          s---t`,
    ways: { wx: "", xe: "", xn: "", xs: "", st: "", te: "" },
    turns: { "wx x xs": "only_right_turn" },
    routes: `
      w e | wx,xs,st,te
      w n | wx,xs,st,te,xe,xn`,
  },
  {
    title: "no U-turn over the gap of an avenue, which ends further on",
    map: `
      a--b-----c--e
         |     |
      d--g-----f--h`,
    ways: {
      ab: "oneway=yes",
      bc: "oneway=yes",
      ce: "oneway=yes",
      hf: "oneway=yes",
      fg: "oneway=yes",
      gd: "oneway=yes",
      bg: "",
      cf: "",
    },
    turns: { "ab bg gd": "no_u_turn" },
    routes: `
      a d | ab,bc,cf,fg,gd`,
  },
  {
    title: "no left turn from the side street, across two crossings",
    map: `
          n
          |
      a---x---y---b
          |   |
          s   t
          |   |
          u---v`,
    ways: { nx: "", ax: "", xy: "", yb: "", xs: "", yt: "", su: "", uv: "", tv: "" },
    turns: { "nx xy yt": "no_right_turn" },
    routes: `
      n t | nx,xs,su,uv,tv
      a t | ax,xy,yt
      n b | nx,xy,yb`,
  },
  {
    title: "a sign for trucks alone",
    map: `
          n
          |
      w---x---e
          |   |
          s---t`,
    ways: { wx: "", xe: "", nx: "", xs: "", st: "", te: "" },
    turns: { "wx x nx": "restriction:hgv=no_left_turn" },
    routes: `
      w n | wx,nx
      w n | wx,xe,te,st,xs,nx | truck`,
  },
  {
    title: "a sign that excepts bikes and buses",
    map: `
          n
          |
      w---x---e
          |   |
          s---t`,
    ways: { wx: "", xe: "", nx: "", xs: "", st: "", te: "" },
    turns: { "wx x nx": "restriction:vehicle=no_left_turn except=bicycle;psv" },
    routes: `
      w n | wx,xe,te,st,xs,nx
      w n | wx,nx | bike
      w n | wx,nx | foot`,
  },
  {
    title: "a sign for the rush hours is off at ten",
    map: `
          n
          |
      w---x---e
          |   |
          s---t`,
    ways: { wx: "", xe: "", nx: "", xs: "", st: "", te: "" },
    turns: { "wx x nx": `restriction:conditional="no_left_turn @ (Mo-Fr 06:30-09:00)"` },
    routes: `
      w n | wx,nx`,
  },
  {
    title: "a sign for the working day is on",
    map: `
          n
          |
      w---x---e
          |   |
          s---t`,
    ways: { wx: "", xe: "", nx: "", xs: "", st: "", te: "" },
    turns: { "wx x nx": `restriction:conditional="no_left_turn @ (Mo-Fr 08:00-18:00)"` },
    routes: `
      w n | wx,xe,te,st,xs,nx`,
  },
  {
    title: "nobody goes straight on, and a blind alley is for turning back",
    map: `
      a--x--b
         |
         c`,
    ways: { ax: "", xb: "", xc: "" },
    turns: { "ax x xb": "no_straight_on" },
    routes: `
      a b | ax,xc,xb
      b a | xb,ax`,
  },
]);

runMaps("barriers on the map", [
  {
    title: "a bollard in the middle of a street makes two blind alleys of it",
    map: `
      a--b--p--c--d
         |     |
         e-----f`,
    ways: { ab: "", bpc: "", cd: "", be: "", ef: "", fc: "" },
    nodes: { p: "barrier=bollard" },
    routes: `
      a d | ab,be,ef,fc,cd
      a d | ab,bpc,cd      | foot
      a d | ab,bpc,cd      | bike
      b bp | bpc
      a bp | ab,bpc`,
  },
  {
    title: "bollards on a crossing close it to cars on every side",
    map: `
         n
         |
      w--x--e
         |
         s`,
    ways: { wx: "", xe: "", nx: "", xs: "" },
    nodes: { x: "barrier=bollard" },
    routes: `
      w e | -
      n s | -
      w e | wx,xe | foot
      w n | wx,nx | bike`,
  },
  {
    title: "a wall stops everybody",
    map: "a--b--c",
    ways: { abc: "" },
    nodes: { b: "barrier=wall" },
    routes: `
      a c | -
      a c | - | foot
      a c | - | bike`,
  },
  {
    title: "a stile is for walkers",
    map: `
      a--b--c
      |     |
      d-----e`,
    ways: { abc: "highway=path", ad: "", de: "", ec: "" },
    nodes: { b: "barrier=stile bicycle=no" },
    routes: `
      a c | abc      | foot
      a c | ad,de,ec | bike`,
  },
  {
    title: "a toll booth is passed, and avoided by those who ask",
    map: `
      a--b--c
      |     |
      d-----e`,
    ways: { abc: "", ad: "", de: "", ec: "" },
    nodes: { b: "barrier=toll_booth" },
    routes: `
      a c | abc`,
  },
  {
    title: "a low arch turns trucks away",
    map: `
      a--b--c
      |     |
      d-----e`,
    ways: { abc: "", ad: "", de: "", ec: "" },
    nodes: { b: "barrier=height_restrictor maxheight=2.6" },
    routes: `
      a c | abc
      a c | ad,de,ec | truck`,
  },
  {
    title: "a gate for the forester stays closed",
    map: `
      a--b--c
      |     |
      d-----e`,
    ways: { abc: "", ad: "", de: "", ec: "" },
    nodes: { b: "barrier=gate motor_vehicle=forestry" },
    routes: `
      a c | ad,de,ec
      a c | abc | foot`,
  },
  {
    title: "a lowered kerb is no barrier, a high one is",
    map: `
      a--b--c
      |     |
      d--e--f`,
    ways: { abc: "", ad: "", def: "", fc: "" },
    nodes: { b: "barrier=kerb", e: "barrier=kerb kerb=lowered" },
    routes: `
      a c | ad,def,fc
      a c | abc | foot`,
  },
  {
    title: "at the end of a blind alley one turns back, unless a sign forbids just that",
    map: `
      a--b-----c--d
         |     |
         e     f`,
    ways: { ab: "oneway=yes", bc: "", cd: "oneway=yes", be: "", cf: "" },
    turns: { "ab b bc": "no_straight_on", "be e be": "no_u_turn", "bc c cd": "no_straight_on" },
    routes: `
      a d | -
      a e | ab,be
      e d | be,bc,cf,cd`,
  },
]);
