import { runScenarios } from "../run-scenarios.ts";

runScenarios("ordinary turns", [
  {
    title: "a crossing is turned at, or passed in silence",
    map: `
        c
        |
    a---b---d
        |
        e`,
    ways: `
      abd name=Main
      cbe name=Cross`,
    routes: `
      a d | Main, Main          | depart, arrive
      a c | Main, Cross, Cross  | depart, turn left, arrive
      a e | Main, Cross, Cross  | depart, turn right, arrive
      c a | Cross, Main, Main   | depart, turn right, arrive
      c d | Cross, Main, Main   | depart, turn left, arrive
      c e | Cross, Cross        | depart, arrive
      d c | Main, Cross, Cross  | depart, turn right, arrive
      e d | Cross, Main, Main   | depart, turn right, arrive`,
  },
  {
    title: "a street that ends at a T ends where other junctions were passed before",
    map: `
            d
            |
    a---b---c
        |   |
        f   e`,
    ways: `
      abc name=Main
      bf  name=Side
      dce name=Cross`,
    routes: `
      a d | Main, Cross, Cross | depart, end of road left, arrive
      a e | Main, Cross, Cross | depart, end of road right, arrive
      a f | Main, Side, Side   | depart, turn right, arrive
      d e | Cross, Cross       | depart, arrive
      f c | Side, Main, Main   | depart, turn right, arrive`,
  },
  {
    title: "a T reached without passing other junctions is a turn, not the end of a road",
    map: `
        d
        |
    a---c
        |
        e`,
    ways: `
      ac  name=Main
      dce name=Cross`,
    routes: `
      a d | Main, Cross, Cross | depart, turn left, arrive
      a e | Main, Cross, Cross | depart, turn right, arrive`,
  },
  {
    title: "a street that keeps its name round a bend is announced where another one goes straight on",
    map: `
    a---b---c
        |
        d`,
    ways: `
      abd name=Main
      bc  name=Other highway=residential`,
    routes: `
      a d | Main, Main, Main   | depart, continue right, arrive
      a c | Main, Other, Other | depart, turn straight, arrive`,
  },
  {
    title: "each direction has a modifier of its own",
    grid: 100,
    map: `
          d e f
          \` | /
            |
        c---b---g
            |
          / | \`
        h   a   i`,
    ways: `
      ab name=Ash
      cb name=Beech
      db name=Cedar
      eb name=Dogwood
      fb name=Elm
      gb name=Fir
      hb name=Gum
      ib name=Hazel`,
    routes: `
      a c | Ash, Beech, Beech     | depart, turn left, arrive
      a g | Ash, Fir, Fir         | depart, turn right, arrive
      a e | Ash, Dogwood, Dogwood | depart, new name straight, arrive
      a h | Ash, Gum, Gum         | depart, turn sharp left, arrive
      a i | Ash, Hazel, Hazel     | depart, turn sharp right, arrive
      a d | Ash, Cedar, Cedar     | depart, turn slight left, arrive
      a f | Ash, Elm, Elm         | depart, turn slight right, arrive`,
  },
  {
    title: "a new name straight ahead is announced once",
    map: `
    a---b---c`,
    ways: `
      ab name=First
      bc name=Second`,
    routes: `
      a c | First, Second, Second | depart, new name straight, arrive
      c a | Second, First, First  | depart, new name straight, arrive`,
  },
  {
    title: "names that differ by a direction or a number are one street",
    map: `
    a---b---c---d---e---f`,
    ways: `
      ab name=Main_Street
      bc name=Main_Street_North
      cd name=North_Main_Street
      de name=Main_Street ref=B_1
      ef name=Main_Street ref=B_1;B_2`,
    routes: `
      a c | Main Street, Main Street North       | depart, arrive
      b d | Main Street North, North Main Street | depart, arrive
      d f | Main Street, Main Street             | depart, arrive
      a f | Main Street, Main Street             | depart, arrive`,
  },
  {
    title: "the end of a name is not announced, the beginning of one is",
    map: `
    a---b---c`,
    ways: `
      ab name=Main
      bc name=`,
    routes: `
      a c | Main,        | depart, arrive
      c a | , Main, Main | depart, new name straight, arrive`,
  },
  {
    title: "a number in place of a name is announced",
    map: `
    a---b---c---d`,
    ways: `
      ab name=Main
      bc name= ref=B_7
      cd name= ref=B_8`,
    routes: `
      a c | Main, B 7, B 7 | depart, new name straight, arrive
      b d | B 7, B 8, B 8  | depart, new name straight, arrive`,
  },
  {
    title: "a bend where only one road goes on is no turn",
    map: `
    a---b
        |
        c`,
    ways: `
      ab name=Main
      bc name=Main`,
    routes: `
      a c | Main, Main | depart, arrive
      c a | Main, Main | depart, arrive`,
  },
  {
    title: "driveways do not make a junction",
    map: `
        e
        |
    a---b---c
        |   |
        f   d`,
    ways: `
      ab  name=Main highway=residential
      bcd name=Main highway=residential
      ebf name= highway=service service=driveway`,
    routes: `
      a d | Main, Main | depart, arrive
      a e | Main, ,    | depart, turn left, arrive
      f a | , Main, Main | depart, turn left, arrive`,
  },
  {
    title: "the more important road goes on in silence",
    map: `
            c
          /
    a---b
          \`
            d`,
    ways: `
      ab name=Main highway=primary
      bc name=Main highway=primary
      bd name=Side highway=residential`,
    routes: `
      a c | Main, Main       | depart, arrive
      a d | Main, Side, Side | depart, turn slight right, arrive
      c a | Main, Main       | depart, arrive
      d a | Side, Main, Main | depart, new name slight left, arrive`,
  },
  {
    title: "turning back at a dead end",
    map: `
    1---b---c
    a`,
    ways: `
      abc name=Main oneway=no`,
    routes: `
      b c | Main, Main | depart, arrive`,
  },
]);
