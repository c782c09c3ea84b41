import { runScenarios } from "../run-scenarios.ts";

runScenarios("forks", [
  {
    title: "two streets of one rank part",
    map: `
             c
            /
    a---b-<
            \`
             d`,
    ways: `
      ab name=Main
      bc name=Left
      bd name=Right`,
    routes: `
      a c | Main, Left, Left   | depart, fork slight left, arrive
      a d | Main, Right, Right | depart, fork slight right, arrive
      c a | Left, Main, Main   | depart, new name slight right, arrive`,
  },
  {
    title: "a slip road and a lesser road that both lead straight on are told by their sides",
    map: `
               c
    a----b
               d`,
    ways: `
      ab name=Main
      bc name=Left highway=primary_link oneway=yes
      bd name=Right highway=tertiary oneway=yes`,
    routes: `
      a c | Main, Left, Left   | depart, turn slight left, arrive
      a d | Main, Right, Right | depart, turn slight right, arrive`,
  },
  {
    title: "of a slip road and a lesser road straight on the painted one is called straight",
    map: `
               c
    a----b
               d`,
    ways: `
      ab name=Main turn:lanes=through|slight_right oneway=yes
      bc name=Left highway=primary_link oneway=yes
      bd name=Right highway=tertiary oneway=yes`,
    routes: `
      a c | Main, Left, Left   | depart, turn straight, arrive
      a d | Main, Right, Right | depart, turn slight right, arrive`,
  },
  {
    title: "a street and a service road do not fork",
    map: `
             c
            /
    a---b-<
            \`
             d`,
    ways: `
      ab name=Main highway=residential
      bc name=Left highway=residential
      bd name=Right highway=service`,
    routes: `
      a c | Main, Left, Left   | depart, new name slight left, arrive
      a d | Main, Right, Right | depart, turn slight right, arrive`,
  },
  {
    title: "a street that goes straight on does not fork with one that bends away",
    map: `
    a---b---c
          \`
            d`,
    ways: `
      abc name=Main
      bd  name=Right`,
    routes: `
      a c | Main, Main         | depart, arrive
      a d | Main, Right, Right | depart, turn slight right, arrive`,
  },
  {
    title: "of three the one exactly straight ahead goes on",
    map: `
            c
          /
    a---b---d
          \`
            e`,
    ways: `
      ab name=Main
      bc name=Left
      bd name=Middle
      be name=Right`,
    routes: `
      a c | Main, Left, Left     | depart, turn slight left, arrive
      a d | Main, Middle, Middle | depart, new name straight, arrive
      a e | Main, Right, Right   | depart, turn slight right, arrive`,
  },
  {
    title: "no fork with a road that may not be entered",
    map: `
             c
            /
    a---b-<
            \`
             d`,
    ways: `
      ab name=Main
      bc name=Left
      db name=Right oneway=yes`,
    routes: `
      a c | Main, Left, Left  | depart, new name slight left, arrive
      d a | Right, Main, Main | depart, new name slight left, arrive`,
  },
  {
    title: "wide branches are turns, not a fork",
    map: `
        c
        |
    a---b
        |
        d`,
    ways: `
      ab name=Main
      bc name=Left
      bd name=Right`,
    routes: `
      a c | Main, Left, Left   | depart, turn left, arrive
      a d | Main, Right, Right | depart, turn right, arrive`,
  },
]);
