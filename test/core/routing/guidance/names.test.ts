import { runScenarios } from "./run-scenarios.ts";

runScenarios("what a street is called", [
  {
    title: "a street that changes its name at a bend announces both in one maneuver",
    map: `
    a-----b
           \\
            c`,
    ways: `
      ab name=Hill_Road
      bc name=Valley_Road`,
    routes: `
      a c | Hill Road, Valley Road, Valley Road | depart, new name right, arrive
      c a | Valley Road, Hill Road, Hill Road   | depart, new name left, arrive`,
  },
  {
    title: "a street that turns back sharply under another name is a sharp turn",
    map: `
    a--------b
       c`,
    ways: `
      ab name=Upper
      bc name=Lower`,
    routes: `
      a c | Upper, Lower, Lower | depart, new name sharp right, arrive
      c a | Lower, Upper, Upper | depart, new name sharp left, arrive`,
  },
  {
    title: "a name that starts like the one before is the same street",
    map: "a--b--c--d",
    ways: `
      ab name=Rua_das_Flores
      bc name=Rua_das_Flores_Novas
      cd name=Rua_das_Flores`,
    routes: "a d | Rua das Flores, Rua das Flores | depart, arrive",
  },
  {
    title: "North and South of one street are one street",
    map: "a--b--c--d",
    ways: `
      ab name=Main_Street_North
      bc name=Main_Street
      cd name=South_Main_Street`,
    routes: "a d | Main Street North, South Main Street | depart, arrive",
  },
  {
    title: "a second number beside the first is not announced, a different number is",
    map: "a--b--c--d",
    ways: `
      ab name= ref=N_1
      bc name= ref=N_1;N_2
      cd name= ref=N_9`,
    routes: `
      a c | N 1, N 1;N 2   | depart, arrive
      a d | N 1, N 9, N 9  | depart, new name straight, arrive`,
  },
  {
    title: "a name added to a number that stays is not announced",
    map: "a--b--c",
    ways: `
      ab highway=trunk name= ref=IC_1
      bc highway=trunk name=Via_Norte ref=IC_1`,
    routes: `
      a c | IC 1, Via Norte | depart, arrive
      c a | Via Norte, IC 1 | depart, arrive`,
  },
  {
    title: "another name along a number is not announced where lanes are marked, either",
    map: `
       e  f
    a--b--c--d`,
    ways: `
      ab name=Main_Street ref=B_3 turn:lanes:forward=left|through
      bc name=Station_Road ref=B_3 turn:lanes:forward=left|through
      cd name=Hill_Road ref=B_3
      be name=Side_Street highway=residential
      cf name=Park_Street highway=residential`,
    routes: `
      a d | Main Street, Hill Road | depart, arrive
      a f | Main Street, Park Street, Park Street | depart, turn left, arrive`,
  },
  {
    title: "a name that is missing for a stretch comes back in silence",
    map: "a--b--c--d",
    ways: `
      ab name=Long_Lane
      bc name=
      cd name=Long_Lane`,
    routes: "a d | Long Lane, Long Lane | depart, arrive",
  },
  {
    title: "of a nameless piece between two names only the second name is announced",
    map: "a--b--c--d",
    ways: `
      ab name=Long_Lane
      bc name=
      cd name=Short_Lane`,
    routes: "a d | Long Lane, Short Lane, Short Lane | depart, new name straight, arrive",
  },
  {
    title: "a way without any name is followed to its end in silence",
    map: "a--b--c",
    ways: `
      ab name=
      bc name=`,
    routes: "a c | , | depart, arrive",
  },
  {
    title: "a short piece with its own name is not announced, even where lanes are mapped behind it",
    grid: 10,
    map: "a--b--c--d------------e",
    ways: `
      abc name=Quay
      cd  name=Ramp_Yard
      de  name=Quay turn:lanes=left|through`,
    routes: "a e | Quay, Quay | depart, arrive",
  },
  {
    title: "a short name is announced where lanes before it show which to keep to",
    grid: 10,
    map: `
    a----b--c
         |
         d`,
    ways: `
      ab turn:lanes=through|right name=Harbour oneway=yes
      bc name=Pier
      bd name=Dock`,
    routes: `
      a c | Harbour, Pier, Pier | depart, new name straight, arrive
      a d | Harbour, Dock, Dock | depart, turn right, arrive`,
  },
  {
    title: "the name changes at a crossing that is driven straight over",
    map: `
        e
        |
    a---b---c
        |
        d`,
    ways: `
      ab name=West
      bc name=East
      eb name=Cross
      bd name=Cross`,
    routes: `
      a c | West, East, East  | depart, new name straight, arrive
      e d | Cross, Cross      | depart, arrive
      a d | West, Cross, Cross | depart, turn right, arrive`,
  },
  {
    title: "a tunnel with its own name between two parts of a street is not announced",
    map: "a--b--c--d",
    ways: `
      ab name=Castle_Road
      bc name=Castle_Tunnel tunnel=yes
      cd name=Castle_Road`,
    routes: "a d | Castle Road, Castle Road | depart, arrive",
  },
  {
    title: "going straight on where the street's name turns off is announced as a turn",
    map: `
            d
            |
    a---b---c---e`,
    ways: `
      abcd name=Mill_Lane
      ce   name=Farm_Lane`,
    routes: `
      a d | Mill Lane, Mill Lane, Mill Lane | depart, continue left, arrive
      a e | Mill Lane, Farm Lane, Farm Lane | depart, turn straight, arrive
      e d | Farm Lane, Mill Lane, Mill Lane | depart, turn right, arrive`,
  },
]);
