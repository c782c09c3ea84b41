/** The name of a temporary file of a layer, as `LayerResources.path` accepts it. @throws Error for a mistake of the layer */
export function temporaryName(name: string): string {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`"${name}" is not a valid name for a temporary file of a layer`);
  return name;
}
