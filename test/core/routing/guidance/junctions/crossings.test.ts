import { runScenarios } from "../run-scenarios.ts";

runScenarios("crossings of every shape", [
  {
    title: "four streets of four names keep their directions",
    map: `
        n
        |
    w---x---e
        |
        s`,
    ways: `
      nx name=North
      wx name=West
      xe name=East
      xs name=South`,
    routes: `
      n w | North, West, West   | depart, turn right, arrive
      n e | North, East, East   | depart, turn left, arrive
      n s | North, South, South | depart, new name straight, arrive
      w n | West, North, North  | depart, turn left, arrive
      w s | West, South, South  | depart, turn right, arrive
      s e | South, East, East   | depart, turn right, arrive`,
  },
  {
    title: "a street that crosses another at a slant is crossed in silence",
    map: `
    a       d
      \\   /
        x
      /   \\
    c       b`,
    ways: `
      axb name=Slant
      cxd name=Cross`,
    routes: `
      a b | Slant, Slant        | depart, arrive
      a c | Slant, Cross, Cross | depart, turn sharp right, arrive
      a d | Slant, Cross, Cross | depart, turn left, arrive
      c a | Cross, Slant, Slant | depart, turn sharp left, arrive`,
  },
  {
    title: "six roads at one square",
    map: `
      a   b
       \\ /
    f---x---c
       / \\
      e   d`,
    ways: `
      ax name=A_Road
      bx name=B_Road
      xc name=C_Road
      xd name=D_Road
      xe name=E_Road
      fx name=F_Road`,
    routes: `
      f a | F Road, A Road, A Road | depart, turn sharp left, arrive
      f b | F Road, B Road, B Road | depart, turn left, arrive
      f c | F Road, C Road, C Road | depart, new name straight, arrive
      f d | F Road, D Road, D Road | depart, turn right, arrive
      f e | F Road, E Road, E Road | depart, turn sharp right, arrive
      a d | A Road, D Road, D Road | depart, new name straight, arrive`,
  },
  {
    title: "a Y with equal arms parts to both sides",
    map: `
    b           c
      \\       /
        \\   /
          x
          |
          a`,
    ways: `
      ax name=Stem
      xb name=Left_Arm
      xc name=Right_Arm`,
    routes: `
      a b | Stem, Left Arm, Left Arm       | depart, turn left, arrive
      a c | Stem, Right Arm, Right Arm     | depart, turn right, arrive
      b c | Left Arm, Right Arm, Right Arm | depart, turn left, arrive
      c b | Right Arm, Left Arm, Left Arm  | depart, turn right, arrive
      b a | Left Arm, Stem, Stem           | depart, turn right, arrive`,
  },
  {
    title: "a street bends at a crossing and keeps its name",
    map: `
            c
            |
    a-------x-------d
            |
            b`,
    ways: `
      axc name=Bow
      dx name=Side
      xb name=Lane`,
    routes: `
      a c | Bow, Bow, Bow   | depart, continue left, arrive
      a d | Bow, Side, Side | depart, new name straight, arrive
      a b | Bow, Lane, Lane | depart, turn right, arrive
      c a | Bow, Bow, Bow   | depart, continue right, arrive
      d a | Side, Bow, Bow  | depart, new name straight, arrive`,
  },
  {
    title: "two crossings in a row are two turns",
    map: `
        d       f
        |       |
    a---b-------c---g
        |       |
        e       h`,
    ways: `
      abcg name=Long
      dbe name=First
      fch name=Second`,
    routes: `
      a f | Long, Second, Second        | depart, turn left, arrive
      d f | First, Long, Second, Second | depart, turn left, turn left, arrive
      d h | First, Long, Second, Second | depart, turn left, turn right, arrive
      e h | First, Long, Second, Second | depart, turn right, turn right, arrive
      a e | Long, First, First          | depart, turn right, arrive`,
  },
  {
    title: "a one-way side street may be left but not entered",
    map: `
        c
        |
    a---b---d`,
    ways: `
      abd name=Main
      cb name=Down oneway=yes`,
    routes: `
      c a | Down, Main, Main | depart, turn right, arrive
      c d | Down, Main, Main | depart, turn left, arrive
      a d | Main, Main       | depart, arrive`,
  },
  {
    title: "a narrow right turn and a wide one",
    map: `
    a-------b-------e
            |\\
            | \\
            c  d`,
    ways: `
      abe name=Main
      bc name=Sharp
      bd name=Wide`,
    routes: `
      a c | Main, Sharp, Sharp | depart, turn right, arrive
      a d | Main, Wide, Wide   | depart, turn slight right, arrive
      e c | Main, Sharp, Sharp | depart, turn left, arrive
      e d | Main, Wide, Wide   | depart, turn sharp left, arrive
      a e | Main, Main         | depart, arrive`,
  },
  {
    title: "streets behind one another on the left",
    map: `
       d
       |   e
       |   |
    a--b---c----f`,
    ways: `
      abcf name=Main
      bd name=First_Left
      ce name=Second_Left`,
    routes: `
      a d | Main, First Left, First Left   | depart, turn left, arrive
      a e | Main, Second Left, Second Left | depart, turn left, arrive
      f d | Main, First Left, First Left   | depart, turn right, arrive`,
  },
  {
    title: "from a nameless lane onto a street",
    map: `
    a---b---c
        |
        d`,
    ways: `
      abc name=Main
      db name= highway=track motorcar=yes`,
    routes: `
      d a | , Main, Main | depart, turn left, arrive
      d c | , Main, Main | depart, turn right, arrive
      a d | Main, ,      | depart, turn right, arrive`,
  },
  {
    title: "streets that change rank but not name",
    map: `
    a---b---c
        |
        d`,
    ways: `
      ab name=Main highway=primary
      bc name=Main highway=tertiary
      bd name=Side highway=primary`,
    routes: `
      a c | Main, Main       | depart, arrive
      a d | Main, Side, Side | depart, turn right, arrive
      c a | Main, Main       | depart, arrive`,
  },
]);
