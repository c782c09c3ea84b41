import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Progress } from "../common/progress.ts";
import type { PhaseTimes } from "../report/phase-times.ts";
import type { Parts, Workroom } from "./layer.ts";
import { LayerStage, type StagedState } from "./staging.ts";
import { partOf, type WorkFolder } from "./work-folder.ts";

/** What is remembered of a layer that is under way. */
interface Part {
  /** The steps that are done, in their order, with what they returned. */
  steps: { name: string; result: unknown }[];
  /** What the layer had written when the last of them ended. */
  stage: StagedState;
}

/**
 * The room of a layer in an import: its files lie in a folder of their own, and its steps are remembered together with what the
 * layer had written by then. An import that was interrupted takes up the stage as the last finished step left it.
 */
export class KeptRoom implements Workroom {
  readonly memory: number;
  readonly threads: number;
  readonly stage: LayerStage;
  readonly parts?: Parts;
  readonly #layer: string;
  readonly #work: WorkFolder;
  readonly #times: PhaseTimes | undefined;
  readonly #folder: string;
  readonly #done: Part["steps"];
  /** The steps of this run. */
  readonly #run: string[] = [];
  /** What the layer had written when the last step ended. */
  #written: string;

  private constructor(
    layer: string,
    work: WorkFolder,
    times: PhaseTimes | undefined,
    stage: LayerStage,
    { steps, written, parts }: { steps: Part["steps"]; written: string; parts: Parts | undefined },
  ) {
    if (parts) this.parts = parts;
    this.#layer = layer;
    this.#work = work;
    this.#times = times;
    this.#folder = join(work.folder, "room");
    this.stage = stage;
    this.#done = steps;
    this.#written = written;
    this.memory = work.memory;
    this.threads = work.threads;
  }

  static async open(layer: string, work: WorkFolder, times?: PhaseTimes, parts?: Parts): Promise<KeptRoom> {
    await mkdir(join(work.folder, "room"), { recursive: true });
    const pack = work.path(`${layer}.pack`);
    const part = work.recall<Part>(partOf(layer));
    const stage = part ? await LayerStage.resume(pack, layer, part.stage) : await LayerStage.create(pack, layer);
    const written = withoutAsked(part?.stage ?? (await stage.checkpoint()));
    return new KeptRoom(layer, work, times, stage, { steps: part?.steps ?? [], written, parts });
  }

  path(name: string): string {
    if (!/^[\w.-]+$/.test(name)) throw new Error(`"${name}" is no name for a file in a layer's room`);
    return join(this.#folder, name);
  }

  /** `name` without its layer: "graph" is shown as "roads: graph". */
  async step<T>(name: string, run: (progress: Progress) => Promise<T>): Promise<T> {
    const own = name.startsWith(`${this.#layer}: `) ? name : `${this.#layer}: ${name}`;
    if (this.#run.includes(own)) throw new Error(`the step "${own}" comes twice`);
    const known = this.#done[this.#run.length];
    if (known !== undefined && known.name !== own) throw new Error(`the step "${own}" comes where "${known.name}" was`);
    this.#run.push(own);
    if (known === undefined && withoutAsked(await this.stage.checkpoint()) !== this.#written) {
      // After an interruption it would be written, and counted, a second time.
      throw new Error(`the layer ${this.#layer} wrote or counted something outside its steps, before "${own}"`);
    }
    return this.#work.step(own, known, run, this.#times, async (result) => {
      const stage = await this.stage.checkpoint();
      this.#done.push({ name: own, result });
      this.#written = withoutAsked(stage);
      return { [partOf(this.#layer)]: { steps: this.#done, stage } satisfies Part };
    });
  }

  /** The layer is done: its files go. */
  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Which operator files a layer asks for may change between steps: asking again changes nothing. */
function withoutAsked({ asked: _, ...rest }: StagedState): string {
  return JSON.stringify(rest);
}
