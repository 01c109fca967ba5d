export interface Outcome {
  /** The exit status. 0: success; 1: some files failed, the rest succeeded; 2: wrong arguments. */
  status: number;
  /** Standard output. */
  output: Uint8Array<ArrayBuffer>;
  /** Standard error. */
  messages: string;
  /** Written files: paths and bytes. */
  files: [string, Uint8Array<ArrayBuffer>][];
}

/**
 * Runs the command (without `render`) on files in memory: `run(["convert", "robot.glb", "-o", "robot.md3"],
 * [["robot.glb", blob]])`. The command is in the second module, which is fetched at the first call. It blocks its
 * thread, so run long tasks in a worker.
 */
export function run(args: string[], files?: Iterable<[string, Uint8Array | Blob]>): Promise<Outcome>;
