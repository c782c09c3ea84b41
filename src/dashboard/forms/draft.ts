/** The values of a text that has one to a line, or separated by commas. */
export const listOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((value) => value.trim())
    .filter((value) => value !== "");

/** Copies the fields of a model from a value, where they have the type of the model; other fields are as in the model. */
export function fillModel<T extends object>(model: T, value: unknown): T {
  const given = (value ?? {}) as Record<string, unknown>;
  const fields = Object.entries(model).map(([name, usual]) => {
    const one = given[name];
    return [name, typeof one === typeof usual && Array.isArray(one) === Array.isArray(usual) ? one : usual];
  });
  return Object.fromEntries(fields) as T;
}
