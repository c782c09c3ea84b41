/** Options by their values, in the order of the words. Values that are whole numbers would be sorted: use pairs for them. */
export const choices = <T extends string>(words: Readonly<Record<T, string>>) =>
  Object.entries(words) as [value: T, text: string][];

/** Options whose text is their value. */
export const sameWords = <T extends string>(values: readonly T[]) => values.map((value) => [value, value] as const);

/** A list with a value, or without it. */
export const toggled = <T>(list: readonly T[], value: T, isOn: boolean) =>
  isOn ? [...list, value] : list.filter((one) => one !== value);
