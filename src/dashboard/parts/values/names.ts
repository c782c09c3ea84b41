/** A record as far as it is named: by a person, by an app, else by its id. */
export interface Named {
  _id: string;
  description?: string;
  userId?: string;
  deviceId?: string;
  externalId?: string;
}

/** Whether a text leaves a mark: not of spaces and invisible characters alone (zero-width, fillers, the blank of Braille). */
export const isSeen = (text: string | undefined): text is string =>
  text !== undefined && /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** What to call a record wherever it is listed. A trip has the ids of its user, too. */
export const nameOfRecord = ({ _id, description, externalId, userId, deviceId }: Named): string =>
  [description, externalId, userId, deviceId].find(isSeen) ?? _id;
