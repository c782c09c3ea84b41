/** Options of a `select`; a third element disables one. */
export function Options({ of }: { of: readonly (readonly [value: string, text: string, disabled?: boolean])[] }) {
  return of.map(([value, text, disabled]) => (
    <option key={value} value={value} disabled={disabled}>
      {text}
    </option>
  ));
}

/** The values that a browser offers for an input whose `list` is this id. */
export function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
