/** Clients without types of their own: tests read what they return field by field. */
declare module "@mapbox/mapbox-sdk/services/*" {
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types
  const service: (client: { accessToken: string; origin: string }) => any;
  export default service;
}

declare module "node-geocoder" {
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types
  const geocoder: (options: Record<string, unknown>) => any;
  export default geocoder;
}
