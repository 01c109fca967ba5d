// Errors.

/** An error: C's lm_error. */
export class LerpmeshError extends Error {
  constructor({ code, offset = 0, section = null, message }, options) {
    super(message, options);
    this.name = "LerpmeshError";
    this.code = code; // "bad-offset", ...: docs/reference/diagnostics.md; "trap", "disposed" are JavaScript's
    this.offset = offset; // byte in the file
    this.section = section;
  }
}

function describe(value) {
  if (typeof value?.then === "function") return "a promise: await it";
  if (Array.isArray(value)) return "an array";
  if (value === null || value === undefined) return String(value);
  const kind = typeof value === "object" ? (value.constructor?.name ?? "object") : typeof value;
  return `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`;
}

/** Returns the error for an argument of another type than `expected` says. */
export function unexpected(value, expected) {
  return new LerpmeshError({ code: "bad-argument", message: `expected ${expected}, not ${describe(value)}` });
}
