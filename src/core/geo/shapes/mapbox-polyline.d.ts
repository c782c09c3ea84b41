declare module "@mapbox/polyline" {
  const polyline: {
    encode(pairs: readonly (readonly [number, number])[], precision?: number): string;
    decode(encoded: string, precision?: number): [number, number][];
  };
  export default polyline;
}
