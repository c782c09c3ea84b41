import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { firstAtLeast } from "../../../common/sorted-numbers.ts";
import type { CachedParts } from "../../../frame/layer.ts";
import type { Selection } from "../../../osm/pbf/selection.ts";
import type { BlockSpan, CollectedBlock, SharedLinks } from "../jobs/collect-block.ts";
import { MemberStreets } from "../jobs/member-streets.ts";

/**
 * Results of the previous import for blocks of elements. They follow from the bytes of a block and from what is linked to its
 * elements: so much of the links is in the name of the part, found by the ids that the block has.
 */
export class CachedBlocks {
  readonly #parts: CachedParts;
  readonly #reads: string;
  readonly #digests: readonly Uint8Array[];
  readonly #links: SharedLinks;
  readonly #streets: MemberStreets;
  #numbered: string | undefined;

  constructor(parts: CachedParts, reads: Selection, digests: readonly Uint8Array[], links: SharedLinks) {
    this.#parts = parts;
    this.#reads = JSON.stringify(reads);
    this.#digests = digests;
    this.#links = links;
    this.#streets = new MemberStreets(links.streets);
  }

  find(block: number): CollectedBlock | undefined {
    const span = this.#parts.find(this.#spanKey(block));
    const bytes = span && this.#parts.find(this.#keyOf(block, deserialize(span) as BlockSpan));
    return bytes && (deserialize(bytes) as CollectedBlock);
  }

  keep(block: number, found: CollectedBlock): void {
    this.#parts.put(this.#spanKey(block), serialize(found.span));
    this.#parts.put(this.#keyOf(block, found.span), serialize(found));
  }

  #spanKey(block: number): Uint8Array {
    return this.#parts.key("span", this.#reads, this.#digests[block]);
  }

  #keyOf(block: number, { first, last, interpolates }: BlockSpan): Uint8Array {
    const { interpolated } = this.#links;
    const own = interpolated.slice(firstAtLeast(interpolated, first), firstAtLeast(interpolated, last + 1));
    const links = [this.#streets.between(first, last), own.join(), interpolates ? this.#hashOfNumbered() : ""];
    return this.#parts.key("collect", this.#reads, this.#digests[block], ...links);
  }

  /** Of all nodes with a number that lines run through: few blocks have such lines. */
  #hashOfNumbered(): string {
    if (this.#numbered !== undefined) return this.#numbered;
    const { ids, starts, bytes } = this.#links.numbered;
    const hash = createHash("sha256").update(ids.join()).update(starts.join()).update(Uint8Array.from(bytes));
    this.#numbered = hash.digest("hex");
    return this.#numbered;
  }
}
