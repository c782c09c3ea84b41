/** What this project decided to do otherwise: rows of scenarios, and why (docs/decisions/routing.md). */
interface Difference {
  file: RegExp;
  /** All scenarios where absent. */
  scenario?: RegExp;
  /** All rows where absent: what is asked, blanks between the cells. */
  row?: RegExp;
  reason: string;
}

const FERRIES = "ferries have a timetable: boarding takes time, 20 km/h without a duration, and journeys begin on land";
const ONLY = "an only_* restriction holds from its first junction to its last";
const VOID = "an only_* restriction onto a road that cannot be entered is void";
const OLD_SPEEDS =
  "an older version: later ones, and this project, drive at the class speed, and width and lanes change weights";
const OLD_PRIVATE = "an older version: in car/access of later ones, gates with access=private open to residents";
const BOTH_ROADS = "a point at a junction is on both roads: it is reached on the one that is open to all";
const DOUBLE_WAYS = "two ways over the same nodes are one road, open to whom either is open";
const LEFT_TRACK = "a track on the left of a one-way street leads along with it, unless cycleway:left:oneway=-1";
const ONE_NUMBER = "a name that changes along one number is announced once";
const RAMP_FORKS = "both branches of a fork of ramps are announced";
const TURNING_STREET = 'a street that turns at a junction is "continue", as in later versions of the suite';
const AROUND_AT_ENDS = "journeys turn around at dead ends only";
const FERRY_SIDES = "of two roads from a ferry each has its side";
const PIER_SLIP = "a slip road that is, or leads onto, a ferry is announced as an exit";
const SEPARATE_LANES = "lanes that are mapped as roads of their own are not joined with those beside them";
const MIDDLE_LANE = "of two lanes onto three, the right one leads to the middle";
const AT_LIMIT = "the junctions are 30 m apart, which is the limit up to which two turns are one";
const OLD_BARRIERS = "an older version: in later ones, and here, unknown barriers and misspelled values are open";
const OLD_MOTORWAYS = "an older version, whose tables contradict each other: bikes on motorways with a cycleway";
const NO_HIGHWAY = "a way with bridge=movable and without highway is no road";
const NO_ROUND_WAY = "highway=mini_roundabout marks a node: a way with it is no road";
const TELL_LANES = "lanes before and in a roundabout are told";
const PRIVATE_DRIVES = "journeys begin and end where others' private drives begin (OSRM's profiles)";
const PSV = "access=psv closes a road to motor vehicles (OSRM's profiles)";
const GATES = "gates cost bikes and walkers no time";
const HEADINGS = "a heading is wanted, not demanded: the nearest road within 60° of it, or else the nearest one";
const TOP_SPEED = "points that demand more than 270 km/h are wrong";
const TIDIED = "tidying drops points less than 10 m from the one kept before, however soon they follow";
const BOTH_PLACES = "of two points at one place both are matched";
const SHORT_LIST = "six points, of which the list names five";
const TINY_END = "an end of 1 m is trimmed";

const DIFFERENCES: readonly Difference[] = [
  { file: /car\/ferry$/, scenario: /Use a ferry/, row: /^b [cd]/, reason: FERRIES },
  { file: /car\/ferry$/, scenario: /duration|ISO|Snapping/, reason: FERRIES },
  { file: /foot\/ferry$/, scenario: /duration/, reason: FERRIES },
  { file: /foot\/ferry$/, scenario: /Ferry route/, row: /^[ec]/, reason: FERRIES },
  { file: /bicycle\/ferry$/, scenario: /duration/, reason: FERRIES },
  { file: /car\/restrictions/, scenario: /Multi-Way overlapping single-way/, row: /^(a f|g e)/, reason: ONLY },
  { file: /car\/restrictions/, scenario: /Several only_ restrictions at the same segment/, row: /^c f/, reason: VOID },
  { file: /car\/maxspeed$/, scenario: /lower that way|higher than way/, row: /^a b/, reason: OLD_SPEEDS },
  { file: /car\/maxspeed$/, scenario: /Forward\/backward|narrow|[Ss]ingle lane/, reason: OLD_SPEEDS },
  { file: /car\/barrier$/, row: /access=private/, reason: OLD_PRIVATE },
  { file: /car\/destination$/, scenario: /street/, row: /^(a d|e b)/, reason: BOTH_ROADS },
  { file: /car\/destination$/, scenario: /becomes destination only/, row: /^d a/, reason: BOTH_ROADS },
  { file: /car\/destination$/, scenario: /becomes destination only/, row: /^(i b|b d|b i)/, reason: DOUBLE_WAYS },
  { file: /bicycle\/oneway$/, row: /cycleway:left=track/, reason: LEFT_TRACK },
  { file: /bicycle\/cycleway$/, row: /highway=motorway/, reason: OLD_MOTORWAYS },
  { file: /bicycle\/barrier$/, row: /some_tag/, reason: OLD_BARRIERS },
  { file: /bicycle\/access_node$/, row: /forestery/, reason: OLD_BARRIERS },
  { file: /car\/bridge$/, reason: NO_HIGHWAY },
  { file: /guidance\/mini-roundabout$/, scenario: /^one$/, reason: NO_ROUND_WAY },
  { file: /guidance\/anticipate-lanes2$/, scenario: /No Lanes for Roundabouts 2/, reason: TELL_LANES },
  { file: /car\/multi_via_restrictions$/, row: /^c [fg]/, reason: ONLY },
  { file: /gurka\/access$/, scenario: /RouteOnPrivateAccess/, reason: PRIVATE_DRIVES },
  { file: /gurka\/destination_only$/, scenario: /BeginEnd access=private/, reason: PRIVATE_DRIVES },
  { file: /gurka\/access$/, scenario: /Psv/, row: /^A H (bicycle|pedestrian)/, reason: PSV },
  { file: /gurka\/access$/, scenario: /AccessibleBarriers/, row: /bicycle/, reason: GATES },
  { file: /guidance\/new-name$/, scenario: /Ref (Extended|Removed)$/, row: /^a,c/, reason: ONE_NUMBER },
  { file: /guidance\/motorway$/, scenario: /Bifurcations/, row: /^a,[ef]/, reason: RAMP_FORKS },
  { file: /guidance\/anticipate-lanes$/, scenario: /same direction.*same street/, reason: TURNING_STREET },
  { file: /guidance\/collapse2?$/, scenario: /too wide/, reason: TURNING_STREET },
  { file: /guidance\/turn2?$/, scenario: /turning major road/, row: /^a,c/, reason: TURNING_STREET },
  { file: /guidance\/turn-lanes$/, scenario: /U-Turn Lane/, row: /^1 a/, reason: AROUND_AT_ENDS },
  { file: /guidance\/collapse-ferry$/, scenario: /Don't Detect.*Forks on Ferries/, reason: FERRY_SIDES },
  { file: /guidance\/dedicated-turn-roads$/, scenario: /ferry$/, reason: PIER_SLIP },
  { file: /guidance\/advanced-lanes$/, scenario: /Separate Turn Lanes/, row: /^a,[efg]/, reason: SEPARATE_LANES },
  { file: /guidance\/anticipate-lanes$/, scenario: /multiple hops/, row: /^a,f/, reason: MIDDLE_LANE },
  { file: /guidance\/turn-lanes$/, scenario: /too wide/, reason: AT_LIMIT },
  { file: /guidance\/staggered-intersections$/, scenario: /mode change/, row: /^a,g/, reason: TINY_END },
  { file: /testbot\/bearing_param$/, scenario: /simple/, row: /^(b c (180|79) |0 c (0|85|95|180))/, reason: HEADINGS },
  { file: /testbot\/bearing_param$/, scenario: /direction/, row: /^0 a (45|135|225|315)/, reason: HEADINGS },
  { file: /testbot\/matching$/, scenario: /outlier|too fast|speed below|Huge gap/, reason: TOP_SPEED },
  { file: /testbot\/matching$/, scenario: /dirty/, reason: TIDIED },
  { file: /testbot\/matching$/, scenario: /tidied split/, reason: BOTH_PLACES },
  { file: /testbot\/matching$/, scenario: /alternatives/, reason: SHORT_LIST },
];

/** `file`: without its ending; `row`: what is asked. */
export function differenceOf(file: string, title: string, row: string): string | undefined {
  return DIFFERENCES.find(
    (one) => one.file.test(file) && (!one.scenario || one.scenario.test(title)) && (!one.row || one.row.test(row)),
  )?.reason;
}
