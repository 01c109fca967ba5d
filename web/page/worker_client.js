// Requests to the worker.
import { LerpmeshError } from "./lib/module.js";
import { STRINGS as T } from "./strings.js";

export class WorkerClient {
  #worker = null; // started by the first request, so that it does not delay the first frame
  #pending = new Map(); // of requests
  #lastId = 0;

  #start() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data: { id, value, error, stopped, progress } }) => {
      const { resolve, reject, onProgress } = this.#pending.get(id);
      if (progress !== undefined) return onProgress?.(progress);
      this.#pending.delete(id);
      if (error) reject(error.code ? new LerpmeshError(error) : new Error(error.message));
      else resolve(stopped ? undefined : value);
    };
    this.#worker.onerror = (event) => { // the next request starts a new one
      this.#worker.terminate();
      this.#worker = null;
      for (const { reject } of this.#pending.values()) reject(new Error(event.message ?? T.workerFailed));
      this.#pending.clear();
    };
  }

  /** True while requests are unanswered. */
  get busy() {
    return this.#pending.size > 0;
  }

  /** Ends the worker. Its unanswered requests return undefined. */
  terminate() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { resolve } of this.#pending.values()) resolve();
    this.#pending.clear();
  }

  /** Sends a request. Returns a promise of the answer, whose `stop()` cancels the request unless it has started. */
  request(call, args = {}, onProgress = null) {
    if (!this.#worker) this.#start();
    const id = ++this.#lastId;
    const promise = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, onProgress }));
    promise.stop = () => this.#worker?.postMessage({ call: "stop", of: id });
    this.#worker.postMessage({ id, call, ...args });
    return promise;
  }
}
