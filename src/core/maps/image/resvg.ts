/**
 * resvg through its WebAssembly module (the package's own `index_bg.wasm`), bound here instead of by the package's
 * script, which instantiates only once: a module that trapped continues with corrupt memory ("memory access out of
 * bounds" for every later image), and memory that grew never shrinks. Here an instance is discarded after any trap, or
 * when it has grown, and the next image gets a new one, which costs about a millisecond.
 *
 * The names below are those that wasm-bindgen generated for the calls in the version that package.json specifies; with
 * another version a missing name throws at the first image, and every test of images fails.
 */

/** Image → pixels or file. Numbers of calls and objects are handles, because WebAssembly holds no JavaScript values. */
type Exports = {
  memory: WebAssembly.Memory;
  resvg_new(result: number, svg: number, options: number, optionsLength: number, fonts: number): void;
  resvg_render(result: number, resvg: number): void;
  renderedimage_width(image: number): number;
  renderedimage_height(image: number): number;
  renderedimage_pixels(image: number): number;
  renderedimage_asPng(result: number, image: number): void;
  __wbg_resvg_free(resvg: number): void;
  __wbg_renderedimage_free(image: number): void;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
};

/** An instance whose memory grew beyond this is discarded: 256 KB of SVG take about 10 MB [bytes]. */
const MAX_MEMORY = 24 * 1024 * 1024;
/** Size of a result on the module's stack: three numbers, aligned [bytes]. */
const RESULT = 16;

/** Numbers below are wasm-bindgen's own and are never given back. */
const RESERVED = 132;

/** A document was rejected, with resvg's message. */
export class ResvgError extends Error {}

/** Reads the result of drawing an image. */
export type Output<T> = (image: Drawn) => T;

/** A drawn image: valid only within the callback. */
interface Drawn {
  width: number;
  height: number;
  /** A copy: red, green, blue, alpha of each pixel. */
  pixels(): Uint8Array;
  /** As a PNG file. */
  png(): Uint8Array;
}

/** Draws SVG; one at a time, as every call ends before the next begins. */
export class Resvg {
  readonly #module: WebAssembly.Module;
  #instance: Instance | undefined;

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** @throws ResvgError for a rejected document; any other error costs the instance, not the isolate */
  draw<T>(svg: Uint8Array, output: Output<T>): T {
    this.#instance ??= new Instance(this.#module);
    const instance = this.#instance;
    try {
      return instance.draw(svg, output);
    } catch (error) {
      // A rejected document leaves the module intact; a trap does not.
      if (!(error instanceof ResvgError)) this.#instance = undefined;
      throw error;
    } finally {
      if (instance.memoryBytes > MAX_MEMORY) this.#instance = undefined;
    }
  }
}

/** One instance of the module, and the JavaScript values it was handed, by number. */
class Instance {
  readonly #exports: Exports;
  readonly #values: unknown[] = new Array(RESERVED);
  readonly #free: number[] = [];

  constructor(module: WebAssembly.Module) {
    const calls = this.#calls();
    const wbg: Record<string, WebAssembly.ImportValue> = {};
    for (const { name } of WebAssembly.Module.imports(module)) {
      wbg[name] = calls[name] ?? (() => never(name));
    }
    this.#exports = new WebAssembly.Instance(module, { wbg }).exports as Exports;
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  draw<T>(svg: Uint8Array, output: Output<T>): T {
    const wasm = this.#exports;
    const resvg = this.#result((result) => wasm.resvg_new(result, this.#put(svg), 0, 0, 0));
    // Nothing is freed after a throw: the instance goes, and its memory with it.
    const image = this.#result((result) => wasm.resvg_render(result, resvg));
    const out = output({
      width: wasm.renderedimage_width(image) >>> 0,
      height: wasm.renderedimage_height(image) >>> 0,
      pixels: () => this.#take(wasm.renderedimage_pixels(image)) as Uint8Array,
      png: () => this.#take(this.#result((result) => wasm.renderedimage_asPng(result, image))) as Uint8Array,
    });
    wasm.__wbg_renderedimage_free(image);
    wasm.__wbg_resvg_free(resvg);
    return out;
  }

  /** Calls a function that writes [value, error, whether it failed] to the given address. */
  #result(call: (result: number) => void): number {
    const at = this.#exports.__wbindgen_add_to_stack_pointer(-RESULT);
    call(at);
    const [value, error, failed] = new Int32Array(this.#exports.memory.buffer, at, 3);
    this.#exports.__wbindgen_add_to_stack_pointer(RESULT);
    if (failed) throw new ResvgError(String((this.#take(error) as Error).message));
    return value >>> 0;
  }

  #put(value: unknown): number {
    const handle = this.#free.pop() ?? this.#values.length;
    this.#values[handle] = value;
    return handle;
  }

  #take(handle: number): unknown {
    const value = this.#values[handle];
    this.#values[handle] = undefined;
    this.#free.push(handle);
    return value;
  }

  /** Functions that the module imports while it reads a document and returns pixels. */
  #calls(): Record<string, (...numbers: number[]) => unknown> {
    const text = (start: number, length: number) =>
      utf8.decode(new Uint8Array(this.#exports.memory.buffer, start >>> 0, length >>> 0));
    const at = <T>(handle: number) => this.#values[handle] as T;
    return {
      // An Error; below, a view of a buffer or a copy of other bytes.
      __wbg_new_28c511d9baebfa89: (start, length) => this.#put(new Error(text(start, length))),
      __wbindgen_string_new: (start, length) => this.#put(text(start, length)),
      __wbindgen_memory: () => this.#put(this.#exports.memory),
      __wbg_buffer_12d079cc21e14bdb: (handle) => this.#put(at<WebAssembly.Memory>(handle).buffer),
      __wbg_newwithbyteoffsetandlength_aa4a17c33a06e5cb: (buffer, start, length) =>
        this.#put(new Uint8Array(at<ArrayBuffer>(buffer), start >>> 0, length >>> 0)),
      __wbg_new_63b92bc8671ed464: (bytes) => this.#put(new Uint8Array(at<Uint8Array<ArrayBuffer>>(bytes))),
      __wbg_length_c20a40f15020d68a: (handle) => at<Uint8Array>(handle).length,
      __wbg_set_a47bac70306a19a7: (target, source, offset) =>
        at<Uint8Array>(target).set(at<Uint8Array>(source), offset >>> 0),
      __wbg_instanceof_Uint8Array_2b3bbecd033d19f6: (handle) => (at(handle) instanceof Uint8Array ? 1 : 0),
      __wbindgen_object_drop_ref: (handle) => void this.#take(handle),
      __wbindgen_throw: (start, length) => never(text(start, length)),
    };
  }
}

const utf8 = new TextDecoder();

function never(why: string): never {
  throw new Error(`resvg: ${why}`);
}
