import { runMaps } from "../run-maps.ts";

runMaps("of two roads", [
  {
    title: "the faster kind wins though it is longer",
    map: `
      a-----------b
      |           |
      c-----------d`,
    ways: { ab: "highway=living_street", ac: "highway=primary", cd: "highway=primary", bd: "highway=primary" },
    routes: `
      a b | ac,cd,bd
      a b | ab       | foot`,
  },
  {
    title: "the shorter one wins among equals",
    map: `
      a-----------b
      |           |
      c-----------d`,
    ways: { ab: "", ac: "", cd: "", bd: "" },
    routes: `
      a b | ab
      c d | cd`,
  },
  {
    title: "a low speed limit makes the road around faster",
    map: `
      a-----------b
      |           |
      c-----------d`,
    ways: { ab: "maxspeed=20", ac: "", cd: "", bd: "" },
    routes: `
      a b | ac,cd,bd
      a b | ab       | foot`,
  },
  {
    title: "a limit holds in its direction",
    map: `
      a-----------b
      |           |
      c-----------d`,
    ways: { ab: "maxspeed:backward=20", ac: "", cd: "", bd: "" },
    routes: `
      a b | ab
      b a | bd,cd,ac`,
  },
  {
    title: "mud is slow",
    map: `
      a-----------b
      |           |
      c-----------d`,
    ways: { ab: "surface=mud", ac: "", cd: "", bd: "" },
    routes: `
      a b | ac,cd,bd
      a b | ac,cd,bd | bike`,
  },
  {
    title: "cobbles are slow for bikes",
    map: `
      a--------------b
      |              |
      c--------------d`,
    ways: { ab: "surface=cobblestone maxspeed=100", ac: "", cd: "", bd: "" },
    routes: `
      a b | ac,cd,bd | bike
      a b | ab       | foot`,
  },
  {
    title: "a track of the fifth grade is slower than a detour",
    map: `
      a-----------b
      |           |
      c-----------d`,
    ways: { ab: "highway=tertiary tracktype=grade5", ac: "", cd: "", bd: "" },
    routes: `
      a b | ac,cd,bd`,
  },
  {
    title: "an alley is disliked",
    map: `
      a-----------b
      |           |
      c-----------d`,
    ways: { ab: "highway=service service=alley", ac: "highway=service", cd: "highway=service", bd: "highway=service" },
    routes: `
      a b | ac,cd,bd
      a b | ab       | bike`,
  },
  {
    title: "a single lane for both directions is disliked",
    map: `
      a-----------b
      |           |
      c-----------d`,
    ways: { ab: "lanes=1", ac: "", cd: "", bd: "" },
    routes: `
      a b | ac,cd,bd`,
  },
  {
    title: "a ferry takes the time its timetable says",
    map: `
      a-----------b
      |           |
      |           |
      c-----------d`,
    ways: { ab: "route=ferry duration=00:30", ac: "", cd: "", bd: "" },
    routes: `
      a b | ac,cd,bd`,
  },
  {
    title: "and is taken where no bridge is near",
    map: "a-----b-----c-----d",
    ways: { ab: "", bc: "route=ferry duration=00:30", cd: "" },
    routes: `
      a d | ab,bc,cd
      a d | ab,bc,cd | foot
      a d | ab,bc,cd | bike`,
  },
  {
    title: "three lights in a row are worth a detour",
    grid: 30,
    map: `
      a---x---y---z---b
      |               |
      c---------------d`,
    ways: { axyzb: "", ac: "", cd: "", bd: "" },
    nodes: { x: "highway=traffic_signals", y: "highway=traffic_signals", z: "highway=traffic_signals" },
    routes: `
      a b | axyzb
      c d | cd`,
  },
  {
    title: "two turns fewer outweigh a little length",
    map: `
      a-----b
      |     |
      c--d  |
         |  |
         e--f`,
    ways: { ab: "", bf: "", ac: "", cd: "", de: "", ef: "" },
    routes: `
      a f | ab,bf`,
  },
  {
    title: "a bike takes the cycleway through the park",
    map: `
      a-----------b
        \\        /
         c------d`,
    ways: { ab: "highway=trunk", ac: "highway=cycleway", cd: "highway=cycleway", db: "highway=cycleway" },
    routes: `
      a b | ac,cd,db | bike
      a b | ab       | car`,
  },
  {
    title: "walkers cut across over the steps",
    map: `
      a--------b
      |        |
      c        |
      |        |
      d--------e`,
    ways: { ab: "", be: "", ac: "highway=steps", cd: "highway=steps", de: "" },
    routes: `
      a d | ac,cd    | foot
      a d | ab,be,de | car`,
  },
]);
