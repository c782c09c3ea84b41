import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Progress } from "../../common/progress.ts";
import type { PhaseTimes } from "../../report/phase-times.ts";
import type { CachedParts, LayerResources } from "../layer.ts";
import { type OutputState, StagedOutput } from "./staged-output.ts";
import { type StepFolder, unfinished } from "./step-folder.ts";
import { temporaryName } from "./temporary-name.ts";

/** State of a layer that is not finished. */
interface LayerState {
  /** The finished steps in order, with their results. */
  steps: { name: string; result: unknown }[];
  /** The output of the layer at the end of the last step. */
  stage: OutputState;
}

/**
 * The resources of a layer in an import, from the three stores: a step folder for its temporary files and finished steps,
 * its staged output, and the cached parts of earlier imports. Finished steps are remembered together with the state of the
 * output, so an interrupted import continues with the output of the last finished step.
 */
export class JobResources implements LayerResources {
  readonly memory: number;
  readonly threads: number;
  readonly output: StagedOutput;
  readonly parts?: CachedParts;
  readonly #layer: string;
  readonly #work: StepFolder;
  readonly #times: PhaseTimes | undefined;
  readonly #folder: string;
  readonly #done: LayerState["steps"];
  /** Names of the steps of this run. */
  readonly #run: string[] = [];
  /** State of the output at the end of the last step. */
  #written: string;

  private constructor(
    layer: string,
    work: StepFolder,
    times: PhaseTimes | undefined,
    output: StagedOutput,
    { steps, written, parts }: { steps: LayerState["steps"]; written: string; parts: CachedParts | undefined },
  ) {
    if (parts) this.parts = parts;
    this.#layer = layer;
    this.#work = work;
    this.#times = times;
    this.#folder = join(work.folder, TEMPORARY);
    this.output = output;
    this.#done = steps;
    this.#written = written;
    this.memory = work.memory;
    this.threads = work.threads;
  }

  static async open(layer: string, work: StepFolder, times?: PhaseTimes, parts?: CachedParts): Promise<JobResources> {
    await mkdir(join(work.folder, TEMPORARY), { recursive: true });
    const pack = work.path(`${layer}.pack`);
    const state = work.recall<LayerState>(unfinished(layer));
    const output = state ? await StagedOutput.resume(pack, layer, state.stage) : await StagedOutput.create(pack, layer);
    const written = withoutRequests(state?.stage ?? (await output.checkpoint()));
    return new JobResources(layer, work, times, output, { steps: state?.steps ?? [], written, parts });
  }

  path(name: string): string {
    return join(this.#folder, temporaryName(name));
  }

  /** `name` without the layer: "graph" is shown as "roads: graph". */
  async step<T>(name: string, run: (progress: Progress) => Promise<T>): Promise<T> {
    const fullName = name.startsWith(`${this.#layer}: `) ? name : `${this.#layer}: ${name}`;
    if (this.#run.includes(fullName)) throw new Error(`the step "${fullName}" comes twice`);
    const done = this.#done[this.#run.length];
    if (done !== undefined && done.name !== fullName)
      throw new Error(`the step "${fullName}" comes where "${done.name}" was`);
    this.#run.push(fullName);
    if (done === undefined && withoutRequests(await this.output.checkpoint()) !== this.#written) {
      // After an interruption it would be written and counted twice.
      throw new Error(`the layer ${this.#layer} wrote or counted something outside its steps, before "${fullName}"`);
    }
    return this.#work.step(fullName, done, run, this.#times, async (result) => {
      const stage = await this.output.checkpoint();
      this.#done.push({ name: fullName, result });
      this.#written = withoutRequests(stage);
      return { [unfinished(this.#layer)]: { steps: this.#done, stage } satisfies LayerState };
    });
  }

  /** Removes the temporary files of the layer, once it is done. */
  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The folder of the temporary files of a layer. */
const TEMPORARY = "temporary";

/** The state without the operator files that the layer requested: those may change between steps. */
function withoutRequests({ asked: _, ...rest }: OutputState): string {
  return JSON.stringify(rest);
}
