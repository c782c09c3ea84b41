/** A module of workerd for Workers with the compatibility flag `unsafe_module`. */
declare module "workerd:unsafe" {
  const unsafe: {
    /** Throws a Durable Object out of memory. Rejects if it is not there. */
    evict(stub: object, options: { webSockets?: "hibernate" | "close" }): Promise<void>;
  };
  export default unsafe;
}
