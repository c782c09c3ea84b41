/**
 * The globals that code of core may use besides those of the language: the part it needs of what Workers, browsers and Node.js have in
 * common (WinterTC's Minimum Common Web Platform API). Only the program of core includes this file; others have the types of their runtime.
 */

type BufferSource = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

// Text
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, bytes: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: ArrayBufferLike | ArrayBufferView): string;
}
declare function atob(text: string): string;
declare function btoa(text: string): string;

// URLs
declare class URLSearchParams {
  constructor(text?: string);
  get(name: string): string | null;
  set(name: string, value: string): void;
}
declare class URL {
  static canParse(url: string): boolean;
  constructor(url: string);
  hash: string;
  readonly host: string;
  readonly hostname: string;
  readonly href: string;
  readonly origin: string;
  readonly password: string;
  pathname: string;
  port: string;
  readonly protocol: string;
  readonly search: string;
  readonly searchParams: URLSearchParams;
  readonly username: string;
}
interface Headers {
  get(name: string): string | null;
  has(name: string): boolean;
}

// Bytes that arrive, and deflate
interface ReadableStream<T = Uint8Array<ArrayBuffer>> {
  getReader(): {
    read(): Promise<{ done: false; value: T } | { done: true; value?: undefined }>;
    cancel(): Promise<void>;
  };
  pipeThrough(through: CompressionStream): ReadableStream<Uint8Array<ArrayBuffer>>;
}
declare class CompressionStream {
  constructor(format: "deflate-raw" | "gzip");
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: { getWriter(): { write(bytes: BufferSource): Promise<void>; close(): Promise<void> } };
}
declare class DecompressionStream extends CompressionStream {}
declare class Response {
  constructor(body: ReadableStream | BufferSource);
  readonly body: ReadableStream | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

// Keys and hashes
interface CryptoKey {
  readonly algorithm: object;
}
interface CryptoKeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}
interface JsonWebKey {
  crv?: string;
  d?: string;
  e?: string;
  k?: string;
  kty?: string;
  n?: string;
  x?: string;
  y?: string;
}
type CryptoAlgorithm = string | { name: string; hash?: string; namedCurve?: string };
declare const crypto: {
  getRandomValues<T extends ArrayBufferView>(bytes: T): T;
  readonly subtle: {
    digest(algorithm: string, bytes: BufferSource): Promise<ArrayBuffer>;
    exportKey(format: "jwk", key: CryptoKey): Promise<JsonWebKey>;
    generateKey(algorithm: CryptoAlgorithm, isExtractable: boolean, uses: string[]): Promise<CryptoKeyPair>;
    importKey(
      format: "jwk" | "raw" | "spki",
      key: JsonWebKey | BufferSource,
      algorithm: CryptoAlgorithm,
      isExtractable: boolean,
      uses: string[],
    ): Promise<CryptoKey>;
    sign(algorithm: CryptoAlgorithm, key: CryptoKey, bytes: BufferSource): Promise<ArrayBuffer>;
    verify(algorithm: CryptoAlgorithm, key: CryptoKey, signature: BufferSource, bytes: BufferSource): Promise<boolean>;
  };
};

// Modules that are compiled before
declare namespace WebAssembly {
  type ImportValue = unknown;
  class Module {
    private readonly code;
    static imports(module: Module): { name: string }[];
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, ImportValue>>);
    readonly exports: Record<string, unknown>;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Table {
    get(index: number): (...parameters: number[]) => unknown;
  }
}

declare function structuredClone<T>(value: T): T;
declare function setTimeout(call: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
