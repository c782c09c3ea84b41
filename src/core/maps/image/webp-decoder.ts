/**
 * libwebp's decoder through its WebAssembly module (`webp-dec.wasm` of the package icodec), bound here instead of by
 * the package's script, which creates functions from strings, which a Worker may not do, and lets memory grow to 2 GB:
 * a WebP of 256 KB can request 600 MB of Huffman tables. Here memory is limited; beyond the limit libwebp fails. An
 * instance that failed, trapped or grew is discarded. The next WebP gets a new one, which costs about a millisecond.
 *
 * The letters below are the names that Emscripten generated in the version that package.json specifies; with another
 * version they may refer to other functions, and every test of WebP fails.
 */

type Exports = {
  w: WebAssembly.Memory;
  /** Runs the module's constructors. */
  x(): void;
  /** Functions, by the numbers that the module uses. */
  z: WebAssembly.Table;
  /** malloc and free. */
  A(bytes: number): number;
  B(address: number): void;
};

/** Red, green, blue, alpha of each pixel, colors not premultiplied by alpha. */
export interface WebpPixels {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** A module has 18 MB when it starts: enough for 1024 × 1024 pixels and some hundred groups of codes [bytes]. */
const MAX_MEMORY = 32 * 1024 * 1024;
const PAGE = 65536;

/**
 * Handles of JavaScript objects that the module requests by name, and of results of calls: any numbers that differ from
 * the constants.
 */
const PIXEL_ARRAY = 100;
const OTHER_NAME = 101;
const CALL_RESULT = 102;

/** Decodes WebP; one at a time, as every call ends before the next begins. */
class WebpDecoder {
  readonly #module: WebAssembly.Module;
  #instance: Instance | undefined;

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** Undefined if libwebp rejects it: damaged, animated, or too large. @throws any error of a trap */
  decode(file: Uint8Array): WebpPixels | undefined {
    const instance = this.#instance ?? new Instance(this.#module);
    this.#instance = undefined;
    const decoded = instance.decode(file);
    if (decoded && !instance.grew) this.#instance = instance;
    return decoded;
  }
}

class Instance {
  readonly #exports: Exports;
  /** Invoker and function of `decode`, as registered by embind. */
  #invoker = 0;
  #function = 0;
  #pixels: Uint8Array | undefined;
  #size: [width: number, height: number] = [0, 0];
  grew = false;

  constructor(module: WebAssembly.Module) {
    const calls = this.#calls();
    const a: Record<string, WebAssembly.ImportValue> = {};
    // The other imports register types and count references.
    for (const { name } of WebAssembly.Module.imports(module)) a[name] = calls[name] ?? (() => 0);
    this.#exports = new WebAssembly.Instance(module, { a }).exports as Exports;
    this.#exports.x();
  }

  decode(file: Uint8Array): WebpPixels | undefined {
    const { A: malloc, B: free, z: table } = this.#exports;
    // A std::string as embind passes it: its length, its bytes and a zero. The module copies it.
    const text = malloc(4 + file.length + 1);
    if (text === 0) return undefined;
    this.#view().setUint32(text, file.length, true);
    const bytes = new Uint8Array(this.#exports.w.buffer, text + 4, file.length + 1);
    bytes.set(file);
    bytes[file.length] = 0;
    const result = table.get(this.#invoker)(this.#function, text);
    free(text);
    const pixels = this.#pixels;
    this.#pixels = undefined;
    const [width, height] = this.#size;
    if (result !== CALL_RESULT || pixels?.length !== 4 * width * height) return undefined;
    return { pixels, width, height };
  }

  /** Created for each use: when memory grows, older views are detached. */
  #view(): DataView {
    return new DataView(this.#exports.w.buffer);
  }

  /**
   * Functions that the module imports; it finishes an image with `new ImageData(new Uint8ClampedArray(view), width,
   * height, 8)`.
   */
  #calls(): Record<string, (...numbers: number[]) => number> {
    return {
      // embind_register_function: name, types, their number, signature, invoker, function. There is one.
      j: (_name, _types, _count, _signature, invoker, target) => {
        this.#invoker = invoker;
        this.#function = target;
        return 0;
      },
      // emval_get_global
      e: (name) => (this.#text(name) === "Uint8ClampedArray" ? PIXEL_ARRAY : OTHER_NAME),
      // emval_call: arguments are 8 bytes apart; a view is its length and its address.
      i: (_caller, target, _destructors, values) => {
        const view = this.#view();
        const value = (i: number) => view.getUint32(values + i, true);
        if (target === PIXEL_ARRAY) this.#pixels = new Uint8Array(this.#exports.w.buffer, value(4), value(0)).slice();
        else this.#size = [value(8), value(16)];
        return CALL_RESULT;
      },
      // emscripten_memcpy_js
      t: (to, from, length) => {
        new Uint8Array(this.#exports.w.buffer).copyWithin(to >>> 0, from >>> 0, (from >>> 0) + (length >>> 0));
        return 0;
      },
      // emscripten_resize_heap
      s: (wanted) => this.#grow(wanted >>> 0),
      // abort and proc_exit
      u: () => never("abort"),
      p: () => never("exit"),
    };
  }

  #grow(bytes: number): number {
    if (bytes > MAX_MEMORY) return 0;
    this.grew = true;
    const { w: memory } = this.#exports;
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE));
    return 1;
  }

  #text(address: number): string {
    const bytes = new Uint8Array(this.#exports.w.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}

function never(why: string): never {
  throw new Error(`libwebp: ${why}`);
}

let decoder: WebpDecoder | undefined;

/** Starts the decoder; its compiled module is passed in, because a Worker cannot compile. Once per isolate. */
export function startWebpDecoder(module: WebAssembly.Module): void {
  decoder ??= new WebpDecoder(module);
}

/** undefined when it cannot be decoded, for whatever reason; the next one is not harmed. */
export function decodeWebp(file: Uint8Array): WebpPixels | undefined {
  if (!decoder) throw new Error("the decoder of WebP was not started");
  try {
    return decoder.decode(file);
  } catch {
    return undefined;
  }
}
