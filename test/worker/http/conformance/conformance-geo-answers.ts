import { expect } from "vitest";
import type { Json } from "../../../support/world.ts";

/** What answers about addresses and routes of the demo world must show, field by field: the town is the same in every run. */

const HOUSE = {
  latitude: 48.9901,
  longitude: -111.20013,
  geometry: { type: "Point", coordinates: [-111.20013, 48.9901] },
  country: "United States",
  countryCode: "US",
  countryFlag: "🇺🇸",
  county: "Cottonwood County",
  city: "Meridale",
  number: "1554",
  postalCode: "59999",
  stateCode: "MT",
  state: "Montana",
  street: "Bobolink Place",
  layer: "address",
  addressLabel: "1554 Bobolink Place",
  formattedAddress: "1554 Bobolink Place, Meridale, MT 59999 USA",
  timeZone: {
    id: "America/Denver",
    name: expect.stringMatching(/^Mountain (Standard|Daylight) Time$/),
    code: expect.stringMatching(/^M[SD]T$/),
    currentTime: expect.stringMatching(/-0[67]:00$/),
    utcOffset: expect.toSatisfy((seconds: number) => seconds === -25_200 || seconds === -21_600),
    dstOffset: expect.toSatisfy((seconds: number) => seconds === 0 || seconds === 3600),
  },
};
/** From 48.99, -111.2 to the house [m]. */
const distance = expect.closeTo(14.6, 1);
const feet = (value: number, text: string) => ({ value: expect.closeTo(value, 1), text });
const minutes = (value: number, text: string) => ({ value: expect.closeTo(value, 2), text });
const at = (latitude: number, longitude: number) => ({
  latitude: expect.closeTo(latitude, 5),
  longitude: expect.closeTo(longitude, 5),
});
const line = (polyline: string) => ({ polyline });
const lineFrom = (start: string) => ({ polyline: expect.toSatisfy((text: string) => text.startsWith(start)) });

const WEST = { latitude: 48.985, longitude: -111.23 };
const EAST = { latitude: 49.015, longitude: -111.17 };
const NEAR = { latitude: 48.99, longitude: -111.2 };
/** On the roads that are nearest to them. */
const WEST_ROAD = at(48.984525, -111.229995);
const EAST_ROAD = at(49.016047, -111.168713);
const NEAR_ROAD = at(48.989723, -111.200004);
const WHOLE_WAY = { distance: feet(30_350, "5.7 mi"), duration: minutes(11.776, "12 mins") };
const TO_TOWN = { distance: feet(11_989.1, "2.3 mi"), duration: minutes(6.242, "6 mins") };
const FROM_TOWN = { distance: feet(18_765.4, "3.6 mi"), duration: minutes(9.61, "10 mins") };
const CELLS: Json[] = [
  { ...WHOLE_WAY, originIndex: 0, destinationIndex: 0 },
  { ...TO_TOWN, originIndex: 0, destinationIndex: 1 },
];

/** Around a corner: the last of the directions. */
export const CORNER = "48.9899,-111.1992|48.99075,-111.1978";
const [START, BEND, END] = [at(48.9899, -111.199213), at(48.990752, -111.19917), at(48.990753, -111.1978)];
const AROUND_CORNER = {
  distance: feet(638.9, "638.9 ft"),
  duration: minutes(0.489, "0.5 min"),
  geometry: line("wkbm|Ax}`bsEySe@m_@o@@yk@Cyg@"),
};
const STEPS = [
  {
    distance: feet(310.9, "310.9 ft"),
    duration: minutes(0.222, "0.2 min"),
    start_location: START,
    ...{ end_location: BEND, bearing_before: 0, bearing_after: 2, geometry: line("wkbm|Ax}`bsEySe@m_@o@") },
    mode: "car",
    manuever: "start",
    street_name: "Lattice Lane",
    banner_instructions: "Lattice Lane",
    instructions: "Head north on Lattice Lane",
    voice_instructions: "Head north on Lattice Lane for 300 feet",
  },
  {
    distance: feet(328.1, "328.1 ft"),
    duration: minutes(0.268, "0.3 min"),
    start_location: BEND,
    ...{ end_location: END, bearing_before: 2, bearing_after: 90, geometry: line("_adm|Ab{`bsE@yk@Cyg@") },
    mode: "car",
    manuever: "right",
    street_name: "Catkin Terrace",
    banner_instructions: "Catkin Terrace",
    instructions: "Turn right onto Catkin Terrace",
    voice_instructions: "In 300 feet, turn right onto Catkin Terrace",
  },
  {
    distance: feet(0, "0.0 ft"),
    duration: minutes(0, "0.0 min"),
    start_location: END,
    end_location: END,
    bearing_before: 90,
    bearing_after: 0,
    geometry: line("aadm|Ane~asE??"),
    mode: "car",
    manuever: "destination",
    street_name: "Catkin Terrace",
    banner_instructions: "Destination",
    instructions: "You have arrived at your destination",
    voice_instructions: "In 350 feet, you will arrive at your destination",
  },
];

/** The last two pieces of Lattice Lane on which the trace lies. */
const PIECES = [at(48.989999, -111.199207), at(48.990011, -111.199207), at(48.990017, -111.199206)];
const piece = (i: number) => ({
  roadClass: "residential",
  speedLimit: { value: 20, text: "20 mph" },
  names: ["Lattice Lane"],
  startLocation: PIECES[i],
  endLocation: PIECES[i + 1],
  originalIndex: i + 2,
});

/** By the names of the answers in test/conformance/answers.ts. */
export const EXPECTED_ANSWERS: Readonly<Record<string, Json>> = {
  forwardGeocode: { addresses: [{ ...HOUSE, confidence: "exact" }] },
  reverseGeocode: { addresses: [{ ...HOUSE, distance }] },
  autocomplete: { addresses: [{ ...HOUSE, distance }] },
  ipGeocode: {
    proxy: false,
    ip: "203.0.113.9",
    address: {
      latitude: 48.99,
      longitude: -111.2,
      geometry: { type: "Point", coordinates: [-111.2, 48.99] },
      country: "United States",
      countryCode: "US",
      countryFlag: "🇺🇸",
    },
  },
  validateAddress: {
    address: {
      addressLabel: "1554 BOBOLINK PL",
      number: "1554",
      street: "BOBOLINK PL",
      city: "MERIDALE",
      stateCode: "MT",
      postalCode: "59999",
      county: "COTTONWOOD COUNTY",
      countryCode: "US",
      formattedAddress: "1554 BOBOLINK PL, MERIDALE MT 59999",
      metadata: { recordType: "S" },
    },
    result: { verificationStatus: "verified" },
  },
  distance: {
    routes: {
      geodesic: { distance: feet(18_055.4, "3.4 mi") },
      car: { ...WHOLE_WAY, geometry: lineFrom("ih~iHnr{eT") },
    },
  },
  matrix: { origins: [WEST], destinations: [EAST, NEAR], matrix: [CELLS] },
  cell: CELLS[1],
  match: {
    matchedPath: [
      [48.989981, -111.199208],
      [48.989993, -111.199208],
      [48.990005, -111.199207],
      [48.990017, -111.199206],
    ].map(([latitude, longitude], originalIndex) => ({ ...at(latitude, longitude), originalIndex })),
    ...{ roadAttributes: [piece(0), piece(1)], geometry: line("ypbm|An}`bsEgAC") },
    distance: feet(13.3, "13.3 ft"),
  },
  directions: {
    routes: [{ ...AROUND_CORNER, legs: [{ ...AROUND_CORNER, startLocation: START, endLocation: END, steps: STEPS }] }],
  },
  optimize: {
    route: {
      distance: feet(30_754.5, "5.8 mi"),
      duration: minutes(15.852, "16 mins"),
      legs: [
        {
          ...TO_TOWN,
          startLocation: WEST_ROAD,
          endLocation: NEAR_ROAD,
          startIndex: 0,
          endIndex: 1,
          geometry: lineFrom("y{wl|Ata}csE"),
        },
        {
          ...FROM_TOWN,
          startLocation: NEAR_ROAD,
          endLocation: EAST_ROAD,
          startIndex: 1,
          endIndex: 2,
          geometry: lineFrom("u`bm|AfobbsE"),
        },
      ],
    },
  },
};
