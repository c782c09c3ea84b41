/**
 * Files of the Worker with regular expressions for which no analysis proves that their time grows with the text alone: how many, and the
 * reason why no caller can make it long. Write a new one so that the analysis proves it, or write a scanner; else count it here.
 */
export const PROOFS: readonly { reason: string; files: Readonly<Record<string, number>> }[] = [
  {
    reason:
      "Runs on an address or a query of at most 256 characters; test/growth/texts.test.ts measures the worst ones.",
    files: {
      "src/core/addresses/validate.ts": 2,
      "src/core/geocoding/parse/crossing-text.ts": 2,
      "src/core/geocoding/words/behind-number.ts": 4,
      "src/core/geocoding/habits/rewrite.ts": 5,
      "src/core/geocoding/words/house-number.ts": 6,
      "src/core/geocoding/words/normalise.ts": 3,
      "src/core/geocoding/north-america/special-line.ts": 7,
      "src/core/geocoding/north-america/split-address.ts": 1,
      "src/core/geocoding/north-america/tokens.ts": 4,
      "src/core/geocoding/search/parse-address.ts": 10,
      "src/core/geocoding/parse/parse-blocks.ts": 6,
      "src/core/geocoding/parse/parse-street.ts": 3,
      "src/core/geocoding/points/degrees.ts": 2,
      "src/core/geocoding/points/mgrs.ts": 1,
      "src/core/geocoding/points/plus-code.ts": 1,
      "src/core/geocoding/points/read-point.ts": 8,
      "src/core/geocoding/parse/postal-codes.ts": 1,
      "src/core/geocoding/parse/postal-forms.ts": 1,
      "src/core/geocoding/parse/take-country.ts": 1,
      "src/core/geocoding/parse/take-unit.ts": 3,
      "src/core/geocoding/parse/query.ts": 3,
      "src/core/places/category-words.ts": 3,
    },
  },
  {
    reason: "One class of characters.",
    files: {
      "src/worker/http/imports/read-table.ts": 1,
    },
  },
  {
    reason: "Runs on a setting of the operator.",
    files: {
      "src/worker/http/serve/callers/access.ts": 1,
    },
  },
  {
    reason: "Runs on at most 64 characters.",
    files: {
      "src/worker/wire/input/fields.ts": 1,
    },
  },
  {
    reason: "Runs on a length that was checked: a number and a unit of at most two characters.",
    files: {
      "src/core/maps/image/svg/svg-image.ts": 1,
    },
  },
  {
    reason: "Runs on text that this code writes.",
    files: {
      "src/core/maps/raster/vector-image.ts": 3,
      "src/worker/wire/traces/gpx.ts": 1,
    },
  },
  {
    reason: "Runs on a label of at most 200 characters.",
    files: {
      "src/core/maps/text/units.ts": 1,
    },
  },
  {
    reason: "Runs on a setting of at most 500 characters, once per message.",
    files: {
      "src/worker/objects/webhooks/sinks/bucket-sink.ts": 1,
    },
  },
  {
    reason: "Runs on imported data of a few words.",
    files: {
      "src/core/routing/guidance/junctions/names.ts": 2,
      "src/core/routing/guidance/text/translation.ts": 1,
    },
  },
];
