export interface Outcome {
  /** 0: done; 1: something in the files failed, the rest was done; 2: the arguments are wrong. */
  status: number;
  /** What it printed, and what it said on standard error. */
  output: Uint8Array;
  messages: string;
  /** What it wrote. */
  files: [string, Uint8Array][];
}

/**
 * Runs the command, but for `render`, on files in memory: `run(["convert", "robot.glb", "-o", "robot.md3"],
 * [["robot.glb", blob]])`. It is in the second module, which is fetched at the first call. Until it is done nothing
 * else runs: what may take long is for a worker.
 */
export function run(args: string[], files?: Iterable<[string, Uint8Array | Blob]>): Promise<Outcome>;
