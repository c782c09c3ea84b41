import { runMaps } from "../run-maps.ts";

runMaps("roads for those who live there", [
  {
    title: "a street for residents is no way through, but a way in",
    map: `
      a--b--c--d
      |        |
      |        |
      |        |
      x--------y`,
    ways: { ab: "", bc: "access=destination", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d   | ax,xy,dy
      a bc  | ab,bc
      d bbc | cd,bc
      bc a  | bc,ab`,
  },
  {
    title: "several in a row are one quarter",
    map: `
      a--b--c--d--e
      |           |
      |           |
      |           |
      x-----------y`,
    ways: { ab: "", bc: "access=destination", cd: "access=destination", de: "", ax: "", xy: "", ey: "" },
    routes: `
      a e | ax,xy,ey
      a cd | ab,bc,cd
      bc e | bc,cd,de`,
  },
  {
    title: "inside the quarter one drives about freely",
    map: `
      a--b--c
      |  |  |
      d--e--f
      |     |
      x-----y`,
    ways: {
      ab: "access=private",
      bc: "access=private",
      ad: "access=private",
      be: "access=private",
      cf: "access=private",
      de: "access=private",
      ef: "access=private",
      dx: "",
      xy: "",
      fy: "",
    },
    routes: `
      d f | de,ef
      ab bc | ab,bc`,
  },
  {
    title: "where no other way leads, the street for residents is taken",
    map: "a--b--c--d",
    ways: { ab: "", bc: "access=destination", cd: "" },
    routes: `
      a d | ab,bc,cd
      d a | cd,bc,ab`,
  },
  {
    title: "a road for delivery keeps walkers and bikes out, and cars from passing through",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "access=delivery", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d  | ax,xy,dy
      a d  | ax,xy,dy | foot
      a d  | ax,xy,dy | bike
      a bc | ab,bc`,
  },
  {
    title: "customers drive to the shop and not past it",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "highway=service access=customers", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d  | ax,xy,dy
      a bc | ab,bc`,
  },
  {
    title: "lanes for full cars are driven to, not along",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "hov=designated", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d  | ax,xy,dy
      a bc | ab,bc`,
  },
  {
    title: "a forest road is closed to cars and bikes",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "highway=track vehicle=forestry", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d | ax,xy,dy
      a d | ax,xy,dy | bike
      a d | ab,bc,cd | foot`,
  },
  {
    title: "a bus street is for buses",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "motor_vehicle=psv", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d | ax,xy,dy
      a d | ab,bc,cd | bike
      a d | ab,bc,cd | foot`,
  },
  {
    title: "a walking street is for walkers, and for bikes that are pushed",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "highway=pedestrian", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d | ax,xy,dy
      a d | ab,bc,cd | foot`,
  },
  {
    title: "a road under construction is closed to all",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "highway=construction", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d | ax,xy,dy
      a d | ax,xy,dy | foot
      a d | ax,xy,dy | bike`,
  },
  {
    title: "heavy trucks go round the village",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "maxweight=7.5", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d | ab,bc,cd
      a d | ax,xy,dy | truck`,
  },
  {
    title: "trucks do not fit under the railway",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "maxheight=3.2", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d | ab,bc,cd
      a d | ax,xy,dy | truck`,
  },
  {
    title: "closed in one direction alone",
    map: `
      a--b--c--d
      |        |
      x--------y`,
    ways: { ab: "", bc: "motor_vehicle:backward=no", cd: "", ax: "", xy: "", dy: "" },
    routes: `
      a d | ab,bc,cd
      d a | dy,xy,ax`,
  },
]);
