/** Types whose words are no part of their name. */
const WORDS: Readonly<Record<string, string>> = {
  "campaign.sent": "was sent campaign",
  "campaign.held": "was held out of campaign",
  "user.entered_region_dma": "entered DMA",
  "user.exited_region_dma": "exited DMA",
};

/** "user.entered_geofence" → "entered geofence", as it stands between user and subject; a conversion keeps its name. */
export const typeWords = (type: string) =>
  WORDS[type] ??
  type
    .replace(/^user\./, "")
    .replace(/_region_/, "_")
    .replaceAll("_", " ");

const TYPES = /\b(?:user|campaign)\.[a-z]+(?:_[a-z]+)*/g;

/** A sentence of the API, with the types in it as words. */
export const withoutTypes = (sentence: string) => sentence.replace(TYPES, (type) => `“${typeWords(type)}”`);
