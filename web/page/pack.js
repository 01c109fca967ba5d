/** Packs little-endian whole numbers, [value, size in bytes] each. */
export function pack(...fields) {
  const bytes = [];
  for (const [value, size] of fields) for (let i = 0; i < size; i++) bytes.push(Math.floor(value / 2 ** (8 * i)) & 255);
  return Uint8Array.from(bytes);
}
