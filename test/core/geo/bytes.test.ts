import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter, beginObject } from "../../../src/core/geo/bytes/bytes.ts";
import { packObject, unpackObject } from "../../../src/core/geo/bytes/packed.ts";
import { ProtobufReader } from "../../../src/core/geo/bytes/protobuf.ts";
import { seeded } from "../routing/graph/random-town.ts";

describe("numbers of variable length", () => {
  it("come back as they went in", () => {
    const random = seeded(2);
    const numbers = [0, 1, 127, 128, 16383, 16384, 2 ** 31, 2 ** 40, 2 ** 51];
    for (let i = 0; i < 500; i++) numbers.push(Math.floor(random() * 2 ** (random() * 50)));
    const out = new ByteWriter();
    for (const number of numbers) {
      out.unsigned(number);
      out.signed(number);
      out.signed(-number);
    }
    out.text("Straße 東京");
    const reader = new ByteReader(out.finish());
    for (const number of numbers) {
      expect(reader.unsigned()).toBe(number);
      expect(reader.signed()).toBe(number);
      expect(reader.signed() + number).toBe(0);
    }
    expect(reader.text()).toBe("Straße 東京");
    expect(() => reader.byte()).toThrow("ends before its time");
    expect(() => reader.unsigned()).toThrow("ends before its time");
  });
});

describe("a packed object", () => {
  const unpacked = (bytes: Uint8Array) => unpackObject(bytes, "PACK", [1, 1], "a packed object");

  it("comes back as it went in, empty or a million equal bytes; other bytes stay as they are", () => {
    for (const object of [new Uint8Array(0), new Uint8Array(1_000_000), Uint8Array.of(1, 2, 3)])
      expect(unpacked(packObject("PACK", 1, object))).toEqual(object);
    expect(unpacked(Uint8Array.of(1, 2, 3))).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("with a length that no object can have takes no memory", () => {
    const out = beginObject("PACK", 1);
    out.unsigned(4e9);
    out.bytes(new Uint8Array(20));
    expect(() => unpacked(out.finish())).toThrow("is damaged");
  });
});

describe("an int64 of Protocol Buffers", () => {
  it("is exact from −2^53 to 2^53, with its ten bytes below zero", () => {
    const random = seeded(6);
    const numbers = [0, 1, -1, -7, -128, -129, 2 ** 53, -(2 ** 53)];
    for (let i = 0; i < 500; i++) numbers.push(Math.round((random() - 0.5) * 2 ** (random() * 53)));
    for (const number of numbers) {
      const bytes: number[] = [];
      let rest = BigInt.asUintN(64, BigInt(number));
      for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
      bytes.push(Number(rest));
      expect(new ProtobufReader(Uint8Array.from(bytes)).int64()).toBe(number === 0 ? 0 : number);
    }
  });
});
