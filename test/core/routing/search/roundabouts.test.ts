import { runMaps } from "../run-maps.ts";

runMaps("roundabouts on the map", [
  {
    title: "two arms at one point, the way out lying against the traffic: all the way round",
    map: `
       i   o
        \\ /
         t
       /   \\
      l     r
       \\   /
         u
         |
         s`,
    ways: { it: "oneway=yes", to: "oneway=yes", tlurt: "junction=roundabout", us: "" },
    grid: 20,
    routes: `
      i o | it,tlurt,to
      i o | it,tlurt,to | truck
      i o | it,tlurt,to | bike
      i o | it,to       | foot
      i s | it,tlurt,us
      s o | us,tlurt,to`,
  },
  {
    title: "two arms at one point, the way out lying with the traffic: straight out",
    map: `
       o   i
        \\ /
         t
       /   \\
      l     r
       \\   /
         u
         |
         s`,
    ways: { it: "oneway=yes", to: "oneway=yes", tlurt: "junction=roundabout", us: "" },
    grid: 20,
    routes: `
      i o | it,to
      i s | it,tlurt,us
      s o | us,tlurt,to`,
  },
  {
    title: "where traffic keeps left, it is the other arm",
    map: `
       i   o
        \\ /
         t
       /   \\
      l     r
       \\   /
         u
         |
         s`,
    ways: { it: "oneway=yes", to: "oneway=yes", trult: "junction=roundabout", us: "" },
    grid: 20,
    leftHand: true,
    routes: `
      i o | it,to
      i s | it,trult,us`,
  },
  {
    title: "where traffic keeps left, the way out against it is closed",
    map: `
       o   i
        \\ /
         t
       /   \\
      l     r
       \\   /
         u
         |
         s`,
    ways: { it: "oneway=yes", to: "oneway=yes", trult: "junction=roundabout", us: "" },
    grid: 20,
    leftHand: true,
    routes: `
      i o | it,trult,to
      s o | us,trult,to`,
  },
  {
    title: "a circle of junction=circular is no different",
    map: `
       i   o
        \\ /
         t
       /   \\
      l     r
       \\   /
         u
         |
         s`,
    ways: { it: "oneway=yes", to: "oneway=yes", tlurt: "junction=circular oneway=yes", us: "" },
    grid: 20,
    routes: `
      i o | it,tlurt,to
      s o | us,tlurt,to`,
  },
  {
    title: "two roads that meet at a ring: each turns with the traffic at once, against it all the way round",
    map: `
       a   b
        \\ /
         t
       /   \\
      l     r
       \\   /
         u
         |
         s`,
    ways: { at: "", bt: "", tlurt: "junction=roundabout", us: "" },
    grid: 20,
    routes: `
      b a | bt,at
      a b | at,tlurt,bt
      a b | at,bt       | foot`,
  },
  {
    title: "a roundabout is driven one way without a sign",
    map: `
         n
         |
         t
       /   \\
      l     r--e
       \\   /
         u
         |
         s`,
    ways: {
      nt: "",
      tl: "junction=roundabout",
      lu: "junction=roundabout",
      ur: "junction=roundabout",
      rt: "junction=roundabout",
      us: "",
      re: "",
    },
    grid: 20,
    routes: `
      n s | nt,tl,lu,us
      n e | nt,tl,lu,ur,re
      e n | re,rt,nt
      n e | nt,rt,re        | foot`,
  },
  {
    title: "round the ring and back where one came from",
    map: `
      a----b----t
              /   \\
             l     r----e
              \\   /
                u`,
    ways: { ab: "", bt: "", tlurt: "junction=roundabout", re: "" },
    grid: 20,
    routes: `
      b a | ab
      e b | re,tlurt,bt
      b e | bt,tlurt,re`,
  },
  {
    title: "a forbidden way into the ring sends one on to the next",
    map: `
      a----b----c----d
           |    |
           |    t
           |  /   \\
           e-l     r--f
              \\   /
                u`,
    ways: { abcd: "", be: "", ct: "", el: "", tlurt: "junction=roundabout", rf: "" },
    turns: { "abcd c ct": "no_right_turn" },
    grid: 20,
    routes: `
      a f | abcd,be,el,tlurt,rf
      d f | abcd,be,el,tlurt,rf`,
  },
  {
    title: "a way through the middle of a ring for buses alone",
    map: `
           t
         /   \\
      a-l--m--r-b
         \\   /
           u`,
    ways: { al: "", rb: "", lm: "access=no bus=yes", mr: "access=no bus=yes", tlurt: "junction=roundabout" },
    grid: 20,
    routes: `
      a b | al,tlurt,rb
      b a | rb,tlurt,al`,
  },
  {
    title: "a mini roundabout is a point of the road",
    map: `
           c
           |
      a----m----b`,
    ways: { am: "", mb: "", mc: "" },
    nodes: { m: "highway=mini_roundabout" },
    routes: `
      a b | am,mb
      c a | mc,am
      b c | mb,mc`,
  },
]);
