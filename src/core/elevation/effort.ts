/**
 * How slopes change the time of walkers and bikes. A grade is the rise over the horizontal distance: 0.05 is 5 % up, −0.05 is 5 %
 * down in the direction of travel.
 */

/** Steeper grades do not change the result any more: they are cliffs or errors in the data. */
const MAX_GRADE = 0.6;

/** Of Tobler's function: the decrease per unit of grade, and the grade at which walkers are fastest. */
const TOBLER_SLOPE = 3.5;
const TOBLER_BEST_GRADE = -0.05;

/**
 * The time on foot on a grade, as a multiple of the time on the flat: Tobler's hiking function, W = 6 e^(−3.5 |S + 0.05|) km/h
 * (W. Tobler, "Three presentations on geographical analysis and modeling", NCGIA technical report 93-1, 1993), which fits
 * measurements of E. Imhof (1950). At 5.04 km/h on the flat, it agrees with the 5 km/h of the profile.
 */
export function walkingTime(grade: number): number {
  return Math.exp(TOBLER_SLOPE * (Math.abs(clamped(grade) - TOBLER_BEST_GRADE) + TOBLER_BEST_GRADE));
}

/** Rider, bike and luggage [kg]. */
const MASS_KG = 90;
const GRAVITY = 9.81;
/** Rolling resistance of a touring tire on asphalt. */
const ROLLING = 0.008;
/** Half the density of air × the drag area of an upright rider, 0.6 m² [kg/m]. */
const DRAG = 0.5 * 1.225 * 0.6;
/** Share of the power that reaches the wheel. */
const EFFICIENCY = 0.95;
/** On the flat, per unit of grade, and uphill at most [W]. */
const FLAT_WATTS = 150;
const WATTS_PER_GRADE = 2000;
const MAX_WATTS = 250;
/** Riders brake at this speed downhill. */
const MAX_DESCENT_KMH = 25;
/** Below this speed riders push the bike. */
const MIN_RIDING_KMH = 5;
const PUSHING_KMH = 4;

/**
 * The time by bike for a meter on a grade, in addition to the time on the flat [s]: negative downhill. From the power that the
 * resistance of slope, tires and air takes (J. C. Martin et al., "Validation of a mathematical model for road cycling power",
 * Journal of Applied Biomechanics 14, 1998; drag area of an upright rider: D. G. Wilson, "Bicycling Science", 2004). Everyday cyclists give
 * about 150 W on the flat and 250 W uphill, and reach 25 km/h on descents of 3 % (J. Parkin and J. Rotheram, "Design speeds and acceleration
 * characteristics of bicycle traffic", Transport Policy 17, 2010). Where riding is too slow for balance, the bike is pushed.
 */
export function ridingDelay(grade: number): number {
  const index = Math.round(clamped(grade) * STEPS_PER_UNIT) + MAX_GRADE * STEPS_PER_UNIT;
  delays ??= Float64Array.from({ length: 2 * MAX_GRADE * STEPS_PER_UNIT + 1 }, (_, i) =>
    delayAt(i / STEPS_PER_UNIT - MAX_GRADE),
  );
  return delays[index];
}

/** Of the table: tenths of a percent. */
const STEPS_PER_UNIT = 1000;
let delays: Float64Array | undefined;

function delayAt(grade: number): number {
  const ridden = ridingSpeed(grade);
  const seconds = ridden * 3.6 < MIN_RIDING_KMH ? (3.6 / PUSHING_KMH) * walkingTime(grade) : 1 / ridden;
  return seconds - 1 / ridingSpeed(0);
}

/** [m/s] */
function ridingSpeed(grade: number): number {
  const watts = EFFICIENCY * Math.min(MAX_WATTS, FLAT_WATTS + WATTS_PER_GRADE * Math.max(0, grade));
  const angle = Math.atan(grade);
  const force = MASS_KG * GRAVITY * (ROLLING * Math.cos(angle) + Math.sin(angle));
  // The power grows with the speed wherever it is positive, so there is one solution.
  let [low, high] = [0, MAX_DESCENT_KMH / 3.6];
  for (let i = 0; i < 40; i++) {
    const speed = (low + high) / 2;
    if (speed * (force + DRAG * speed * speed) < watts) low = speed;
    else high = speed;
  }
  return low;
}

const clamped = (grade: number): number => Math.max(-MAX_GRADE, Math.min(MAX_GRADE, grade));
