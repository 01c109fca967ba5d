// Requests to the worker.
import { LerpmeshError } from "./lib/module.js";

export class Work {
  #worker = null; // started by the first request, so that it does not delay the first frame
  #open = new Map();
  #last = 0;

  #begin() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data: { id, value, error, stopped } }) => {
      const { resolve, reject } = this.#open.get(id);
      this.#open.delete(id);
      if (error) reject(error.code ? new LerpmeshError(error) : new Error(error.message));
      else resolve(stopped ? undefined : value);
    };
    this.#worker.onerror = (event) => { // the next request starts a new one
      this.#worker.terminate();
      this.#worker = null;
      for (const { reject } of this.#open.values()) reject(new Error(event.message ?? "the worker failed"));
      this.#open.clear();
    };
  }

  /** True while requests are unanswered. */
  get busy() {
    return this.#open.size > 0;
  }

  /** Sends a request. Returns a promise of the answer, whose `stop()` cancels the request unless it has started. */
  ask(call, args = {}) {
    if (!this.#worker) this.#begin();
    const id = ++this.#last;
    const promise = new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
    promise.stop = () => this.#worker?.postMessage({ call: "stop", of: id });
    this.#worker.postMessage({ id, call, ...args });
    return promise;
  }
}
