import { runMaps } from "../run-maps.ts";

runMaps("walkers and bikes on the map", [
  {
    title: "a footbridge over the motorway, too long for a bike to be pushed",
    map: `
      a----b----c
           |
      m----+----n
           |
      d----e----f`,
    ways: { abc: "", mn: "highway=motorway", be: "highway=footway bridge=yes layer=1", def: "", cf: "" },
    routes: `
      a d | abc,be,def | foot
      a d | abc,cf,def | bike
      a d | abc,cf,def | car`,
  },
  {
    title: "a cycleway beside a trunk road that bikes may not use",
    map: `
      a--b----------c--d
         |          |
         e----------f`,
    ways: {
      ab: "",
      bc: "highway=trunk bicycle=use_sidepath foot=no",
      cd: "",
      be: "highway=cycleway foot=yes",
      ef: "highway=cycleway foot=yes",
      fc: "highway=cycleway foot=yes",
    },
    routes: `
      a d | ab,bc,cd       | car
      a d | ab,be,ef,fc,cd | foot`,
  },
  {
    title: "a cycleway keeps walkers out where it says so",
    map: `
      a-----b
      |     |
      c-----d`,
    ways: { ab: "highway=cycleway foot=no", ac: "", cd: "", db: "" },
    routes: `
      a b | ab       | bike
      a b | ac,cd,db | foot`,
  },
  {
    title: "steps are for walkers; a bike rides round",
    map: `
      a--s--b
      |     |
      c-----d`,
    ways: { as: "", sb: "highway=steps", ac: "", cd: "", db: "" },
    routes: `
      a b | as,sb    | foot
      a b | ac,cd,db | car`,
  },
  {
    title:
      "within a station walkers take corridors, the escalator that runs their way, and the lift where nothing else leads up",
    map: `
      s----a~~~~b----t
           |    |
           c----d----p`,
    ways: {
      sa: "",
      ab: "highway=steps conveying=forward",
      bt: "highway=corridor",
      ac: "highway=elevator",
      cd: "highway=corridor indoor=yes",
      db: "highway=corridor conveying=forward",
      dp: "highway=corridor",
    },
    routes: `
      s t | sa,ab,bt    | foot
      s p | sa,ac,cd,dp | foot
      p t | dp,db,bt    | foot
      t s | -           | foot`,
  },
  {
    title: "a bridleway is for horses",
    map: `
      a-----b
      |     |
      c-----d`,
    ways: { ab: "highway=bridleway", ac: "", cd: "", db: "" },
    routes: `
      a b | ac,cd,db | bike
      a b | ac,cd,db | car`,
  },
  {
    title: "a living street is for all, though not for haste",
    map: `
      a-----b
      |     |
      c-----d`,
    ways: { ab: "highway=living_street", ac: "", cd: "", db: "" },
    grid: 20,
    routes: `
      a b | ab       | foot
      a b | ab       | bike
      a b | ac,cd,db | car`,
  },
  {
    title: "a private drive is walked by those who live there",
    map: `
      a-----b-----c
            |
            h`,
    ways: { abc: "", bh: "highway=service access=private" },
    routes: `
      a h | abc    | foot
      a c | abc    | foot`,
  },
  {
    title: "a ferry for walkers leaves cars on the quay",
    map: `
      a--b----------c--d
         |          |
         e          f
         |          |
         g----------h`,
    ways: {
      ab: "",
      bc: "route=ferry foot=yes motor_vehicle=no duration=00:02",
      cd: "",
      beg: "",
      gh: "",
      cfh: "",
    },
    routes: `
      a d | ab,bc,cd          | foot
      a d | ab,beg,gh,cfh,cd  | car`,
  },
  {
    title: "a footway across the square saves the way round it",
    map: `
      a-------b
      | \\     |
      |   q   |
      |     \\ |
      c-------d`,
    ways: { ab: "", bd: "", ac: "", cd: "highway=service", aqd: "highway=pedestrian" },
    routes: `
      a d | aqd   | foot
      a d | ab,bd | car`,
  },
  {
    title: "a street closed to vehicles is walked",
    map: `
      a-----b
      |     |
      c-----d`,
    ways: { ab: "vehicle=no", ac: "", cd: "", db: "" },
    routes: `
      a b | ab       | foot
      a b | ac,cd,db | car`,
  },
  {
    title: "a street closed to cars is ridden",
    map: `
      a-----b
      |     |
      c-----d`,
    ways: { ab: "motor_vehicle=no", ac: "", cd: "", db: "" },
    routes: `
      a b | ab       | foot
      a b | ab       | bike
      a b | ac,cd,db | car
      a b | ac,cd,db | truck`,
  },
  {
    title: "a motorway is for neither",
    map: `
      a-----b
      |     |
      c-----d`,
    ways: { ab: "highway=motorway oneway=no", ac: "", cd: "", db: "" },
    routes: `
      a b | ab       | car
      a b | ac,cd,db | bike
      a b | ac,cd,db | foot`,
  },
]);
