// The clips that a user can choose: one list, or for a player two, for legs and torso.

/** Returns the animated parts that have clips, and only one of those with the same clips: { part, names }. */
export function clipRowsOf(model) {
  const rows = [];
  for (const part of model.parts) {
    const names = [...new Set(model.clips.filter((clip) => clip.part === part.index).map((clip) => clip.name))];
    if (names.length && (part.frames > 1 || rows.length === 0) && !rows.some((row) => row.names.join("\0") === names.join("\0"))) rows.push({ part, names });
  }
  return rows;
}

/** Returns the clip of a row that plays while the model plays the clip `name`. */
export function clipInRow({ part, names }, name) {
  return [name, ...(name ?? "").split("+")].find((one) => names.includes(one)) ?? part.idle ?? names[0];
}

/**
 * Returns the name to play so that the row `index` plays `chosen`. A clip that both legs and torso have plays on both,
 * as in the games. Choosing another clip for one returns the other to a clip of its own.
 */
export function combineClips(rows, index, chosen, current) {
  const shared = (name) => rows.every(({ names }) => names.includes(name));
  if (rows.length === 1 || shared(chosen)) return chosen;
  const clips = rows.map((row, i) => {
    const clip = i === index ? chosen : clipInRow(row, current);
    return shared(clip) ? (row.part.idle && !shared(row.part.idle) ? row.part.idle : row.names.find((name) => !shared(name))) : clip;
  });
  return [...new Set(clips.filter(Boolean))].join("+");
}
