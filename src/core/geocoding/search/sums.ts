import weights from "./weights.json" with { type: "json" };

/** What speaks for or against a result; each feature has a weight (weights.json), and a score is the sum of the products. */
export type Feature = keyof typeof weights;
export type Evidence = Partial<Record<Feature, number>>;

/** The sum of logarithms. */
export function sumOf(evidence: Evidence): number {
  let sum = 0;
  for (const feature in evidence) sum += weights[feature as Feature] * (evidence[feature as Feature] ?? 0);
  return sum;
}

/** The part of the sum that is against countries and states that the text names: it costs more than any prior can give. */
export const areaContradictionOf = ({ otherCountry = 0, otherState = 0 }: Evidence): number =>
  -(weights.otherCountry * otherCountry + weights.otherState * otherState);

/** The part of the sum that is against regions that the text names. */
export const contradictionOf = ({
  otherCountry = 0,
  otherState = 0,
  otherTown = 0,
  strayStreet = 0,
  nested = 0,
}: Evidence): number =>
  -(
    weights.otherCountry * otherCountry +
    weights.otherState * otherState +
    weights.otherTown * otherTown +
    weights.strayStreet * strayStreet +
    weights.nested * nested
  );
