import { runMaps } from "../run-maps.ts";

runMaps("one-way roads on the map", [
  {
    title: "a one-way street is driven along, and gone round the other way",
    map: `
      a--b-----c--d
         |     |
         e-----f`,
    ways: { ab: "", bc: "oneway=yes", cd: "", be: "", ef: "", fc: "" },
    routes: `
      a d | ab,bc,cd
      d a | cd,fc,ef,be,ab
      d a | cd,bc,ab       | foot`,
  },
  {
    title: "oneway=-1 runs against the way",
    map: `
      a--b-----c--d
         |     |
         e-----f`,
    ways: { ab: "", bc: "oneway=-1", cd: "", be: "", ef: "", fc: "" },
    routes: `
      d a | cd,bc,ab
      a d | ab,be,ef,fc,cd`,
  },
  {
    title: "a pair of one-way streets is one road for each direction",
    map: `
         h-----g
         |     |
      a--b     c--d
         |     |
         e-----f`,
    ways: {
      ab: "",
      cd: "",
      bh: "oneway=-1",
      gh: "oneway=yes",
      cg: "oneway=yes",
      be: "oneway=yes",
      ef: "oneway=yes",
      fc: "oneway=yes",
    },
    routes: `
      a d | ab,be,ef,fc,cd
      d a | cd,cg,gh,bh,ab`,
  },
  {
    title: "round the block, because the street back is one-way",
    map: `
      a--b
      |  |
      d--c`,
    ways: { ab: "oneway=yes", bc: "", cd: "", da: "" },
    routes: `
      a b | ab
      b a | bc,cd,da`,
  },
  {
    title: "a motorway is one-way without a sign",
    map: `
      a--b-----c--d
         |     |
         e-----f`,
    ways: { ab: "", bc: "highway=motorway", cd: "", be: "", ef: "", fc: "" },
    routes: `
      a d | ab,bc,cd
      d a | cd,fc,ef,be,ab`,
  },
  {
    title: "a motorway that says it is not one-way is driven both ways",
    map: `
      a--b-----c--d
         |     |
         e-----f`,
    ways: { ab: "", bc: "highway=motorway oneway=no", cd: "", be: "", ef: "", fc: "" },
    routes: `
      d a | cd,bc,ab`,
  },
  {
    title: "bikes may ride against a one-way that excepts them",
    map: `
      a--b--------------c--d
         |              |
         |              |
         e--------------f`,
    ways: { ab: "", bc: "oneway=yes oneway:bicycle=no", cd: "", be: "", ef: "", fc: "" },
    routes: `
      d a | cd,bc,ab       | bike
      d a | cd,fc,ef,be,ab | car`,
  },
  {
    title: "bikes may ride against a one-way with a lane for them",
    map: `
      a--b--------------c--d
         |              |
         |              |
         e--------------f`,
    ways: { ab: "", bc: "oneway=yes cycleway=opposite_lane", cd: "", be: "", ef: "", fc: "" },
    routes: `
      d a | cd,bc,ab | bike
      a d | ab,bc,cd | bike`,
  },
  {
    title: "a bike is pushed against a short one-way rather than ridden round a long block",
    map: `
      a--b--c--d
         |  |
         |  |
         |  |
         |  |
         |  |
         |  |
         |  |
         e--f`,
    ways: { ab: "", bc: "oneway=yes", cd: "", be: "", ef: "", fc: "" },
    routes: `
      d a | cd,bc,ab       | bike
      d a | cd,fc,ef,be,ab | car`,
  },
  {
    title: "and ridden round a short block rather than pushed along a long one-way",
    map: `
      a--b-----------------c--d
         |                 |
         e-----------------f`,
    ways: { ab: "", bc: "oneway=yes", cd: "", be: "", ef: "", fc: "" },
    routes: `
      d a | cd,fc,ef,be,ab | bike`,
  },
  {
    title: "a street that changes its direction with the hour is left alone",
    map: `
      a--b-----c--d
         |     |
         |     |
         e-----f`,
    ways: { ab: "", bc: "oneway=reversible", cd: "", be: "", ef: "", fc: "" },
    routes: `
      a d | ab,be,ef,fc,cd
      d a | cd,fc,ef,be,ab`,
  },
  {
    title: "a sign for motor cars goes before the sign for all",
    map: `
      a--b-----c--d
         |     |
         e-----f`,
    ways: { ab: "", bc: "oneway=yes oneway:motorcar=no", cd: "", be: "", ef: "", fc: "" },
    routes: `
      d a | cd,bc,ab`,
  },
  {
    title: "no way leads into a street that is one-way towards us",
    map: "a--b--c",
    ways: { ab: "oneway=yes", bc: "oneway=-1" },
    routes: `
      a c | -
      c a | -
      a b | ab
      c b | bc`,
  },
  {
    title: "a roundabout is driven round, on the right counterclockwise",
    grid: 20,
    map: `
           n
           |
           a
          / \\
      w--b   d--e
          \\ /
           c
           |
           s`,
    ways: { na: "", wb: "", sc: "", de: "", abcda: "junction=roundabout" },
    routes: `
      n w | na,abcda,wb
      n e | na,abcda,de
      w n | wb,abcda,na
      s e | sc,abcda,de`,
  },
  {
    title: "walkers go round it either way",
    grid: 20,
    map: `
           n
           |
           a
          / \\
      w--b   d--e
          \\ /
           c`,
    ways: { na: "", wb: "", de: "", abcda: "junction=roundabout" },
    routes: `
      n e | na,abcda,de | foot
      e n | de,abcda,na | foot`,
  },
]);
