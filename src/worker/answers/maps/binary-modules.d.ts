/** Types of the binary files that wrangler bundles: compiled WebAssembly, and bytes. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "*.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}
