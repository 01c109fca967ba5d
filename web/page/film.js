// Pictures, videos and animated WebP of the current model, in any size; zip archives.
import { LerpmeshError } from "../lib/errors.js";
import { makeElement } from "./elements.js";
import { show, showMessage, state } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

const TURNTABLE_SECONDS = 4;
export const MIN_SECONDS = 2; // of a video; shorter clips repeat
const [FPS, WEBP_FPS] = [30, 25];
const WEBP_QUALITY = 0.9;
const BITS_PER_PIXEL = 0.25;
// H.264 plays everywhere. Level 5.1 is enough for 4096 x 2304 pixels.
const VIDEO_TYPES = [
  "video/mp4;codecs=avc1.640033",
  "video/mp4;codecs=avc1.640028",
  "video/mp4",
  "video/webm;codecs=vp9",
  "video/webm;codecs=vp8",
  "video/webm",
];

const fail = (message) => new LerpmeshError({ code: "graphics", message });

/** Throws an error if the page cannot draw. */
export function requireGraphics() {
  if (!show.camera) throw show.graphicsError ?? fail(T.cannotDraw);
}

// Draws the current pose on a canvas of any size. If the picture is narrower than the view, it shows as much of the
// width.
function draw(canvas, { width, height, transparent }) {
  const { stage, model, options } = show;
  requireGraphics();
  const { distance } = stage.camera;
  const narrower = (stage.canvas.width / stage.canvas.height) / (width / height);
  if (narrower > 1) stage.camera = { distance: distance * narrower };
  try {
    const { pixels } = stage.screenshot(model, width, height, {
      ...options,
      ...(transparent && { backdrop: false }),
      seconds: model.seconds,
    });
    canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
  } finally {
    stage.camera = { distance };
  }
}

const makeCanvas = ({ width, height }) => makeElement("canvas", { width, height });
const toBlob = (canvas, type, quality) => new Promise((resolve) => canvas.toBlob(resolve, type, quality));

/** Makes a picture, a Blob. */
export function takePicture(size, type = "image/png") {
  const canvas = makeCanvas(size);
  draw(canvas, size);
  return toBlob(canvas, type);
}

// ---- Contents --------------------------------------------------------------------------------

// A film is { seconds, pose(share): poses the model at that share of the film, end(): restores what it changed }.

// Returns a function that plays on to a time in seconds, also over the end of the clip if that repeats.
function player(model) {
  let now = 0;
  return (time) => {
    model.playing = true;
    model.advance(time - now);
    model.playing = false;
    now = time;
  };
}

/** The model turns once. If it plays, it goes on. */
export function filmTurntable() {
  const { model } = state;
  const { playing } = show;
  const { azimuth } = show.camera;
  const play = player(model);
  show.playing = false;
  return {
    seconds: TURNTABLE_SECONDS,
    pose(share) {
      if (playing) play(TURNTABLE_SECONDS * share);
      show.stage.camera = { azimuth: azimuth + 360 * share }; // the view waits until the end
    },
    end() {
      show.camera = { azimuth };
      if (state.model === model) show.playing = playing;
    },
  };
}

/** The clip plays, several times if it is shorter than `atLeast` seconds. */
export function filmClip(atLeast = 0) {
  const { model } = state;
  const { playing } = show;
  const { position } = model;
  const once = Math.max(model.clip?.duration || model.parts[0].frames / 10, 0.05) / model.playback.speed;
  const times = Math.max(Math.ceil(atLeast / once), 1);
  let [play, started] = [null, -1];
  show.playing = false;
  return {
    seconds: once * times,
    pose(share) {
      const time = Math.min(Math.floor(share * times), times - 1);
      if (time > started) {
        model.position = 0;
        play = player(model);
        started = time;
      }
      play(once * (share * times - time));
    },
    end() {
      if (state.model !== model) return;
      show.seek(position);
      show.playing = playing;
    },
  };
}

// ---- Containers ------------------------------------------------------------------------------

// Packs little-endian whole numbers, [value, size in bytes] each.
function pack(...fields) {
  const bytes = [];
  for (const [value, size] of fields) for (let i = 0; i < size; i++) bytes.push(Math.floor(value / 2 ** (8 * i)) & 255);
  return Uint8Array.from(bytes);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 255];
  return ~crc >>> 0;
}

const UTF8 = 0x0800;
const DAY = 0x21; // the earliest date in zip, 1980-01-01

const [STORED, DEFLATED] = [0, 8];

// Compresses bytes, unless that gains nothing, as with images: [method, bytes].
async function deflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const deflated = new Uint8Array(await new Response(stream).arrayBuffer());
  return deflated.length < bytes.length ? [DEFLATED, deflated] : [STORED, bytes];
}

/** Makes a zip archive, a Blob, of files: [name, bytes] each. */
export async function makeZip(members) {
  const [parts, directory] = [[], []];
  let offset = 0;
  for (const [name, bytes] of members) {
    const path = new TextEncoder().encode(name);
    const [method, packed] = await deflate(bytes);
    const common = [
      [20, 2],
      [UTF8, 2],
      [method, 2],
      [0, 2],
      [DAY, 2],
      [crc32(bytes), 4],
      [packed.length, 4],
      [bytes.length, 4],
      [path.length, 2],
      [0, 2],
    ];
    const head = pack([0x04034b50, 4], ...common);
    parts.push(head, path, packed);
    directory.push(pack([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), path);
    offset += head.length + path.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = pack(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [members.length, 2],
    [members.length, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  );
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

const nameOf = (bytes, at) => String.fromCharCode(...bytes.subarray(at, at + 4));

// Returns the chunks of a still image that hold its pixels: "ALPH", "VP8 " and "VP8L".
function imageChunks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at + 4, true);
    if (["ALPH", "VP8 ", "VP8L"].includes(nameOf(bytes, at))) chunks.push(bytes.subarray(at, end + (end & 1)));
    at = end + (end & 1);
  }
  return chunks;
}

const chunk = (name, parts) => {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return [new TextEncoder().encode(name), pack([size, 4]), ...parts, ...(size & 1 ? [new Uint8Array(1)] : [])];
};

const [ANIMATION, ALPHA] = [0x02, 0x10]; // flags of the file
const REPLACE = 0x02; // flag of a frame: it is not blended with the one before

// Makes a WebP that repeats forever, a Blob (https://developers.google.com/speed/webp/docs/riff_container). `stills`:
// the bytes of a WebP for each frame; `duration`: of a frame, in ms.
function makeAnimation(stills, width, height, duration) {
  const size = [
    [width - 1, 3],
    [height - 1, 3],
  ];
  const frames = stills.flatMap((still) =>
    chunk("ANMF", [pack([0, 3], [0, 3], ...size, [duration, 3], [REPLACE, 1]), ...imageChunks(still)]),
  );
  const body = [
    new TextEncoder().encode("WEBP"),
    ...chunk("VP8X", [pack([ANIMATION | ALPHA, 1], [0, 3], ...size)]),
    ...chunk("ANIM", [pack([0, 4], [0, 2])]),
    ...frames,
  ];
  return new Blob(chunk("RIFF", body), { type: "image/webp" });
}

// ---- Films -----------------------------------------------------------------------------------

// Calls `each` in every animation frame with the elapsed share of `seconds`, until the end or until the signal aborts.
function animate(seconds, setProgress, signal, each) {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const tick = () => {
      const share = Math.min((performance.now() - from) / 1000 / seconds, 1);
      try {
        each(share);
      } catch (error) {
        return reject(error);
      }
      setProgress(share);
      if (share < 1 && !signal.aborted) requestAnimationFrame(tick);
      else setTimeout(resolve, 2000 / FPS); // records the last frame
    };
    requestAnimationFrame(tick);
  });
}

// Poses the model for a film; fails if another model was opened meanwhile.
function poser(film) {
  const { model } = state;
  return (share) => {
    if (!model || state.model !== model) throw fail(T.otherModel);
    film.pose(share);
  };
}

// Records a video while it plays, in real time: the browser must draw the tab. Returns { blob, extension }, or null if
// the signal has aborted.
async function recordLive(canvas, { seconds, bitrate, drawAt, setProgress, signal }) {
  const supported = typeof MediaRecorder === "function" && canvas.captureStream;
  const type = supported ? VIDEO_TYPES.find((one) => MediaRecorder.isTypeSupported(one)) : null;
  if (!type) throw fail(T.noRecorder);
  showMessage(T.keepVisible);
  drawAt(0);
  const stream = canvas.captureStream(FPS);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: bitrate });
  const chunks = [];
  recorder.ondataavailable = (event) => chunks.push(event.data);
  const ended = new Promise((resolve, reject) => {
    recorder.onstop = resolve;
    recorder.onerror = (event) => reject(event.error ?? fail(T.noRecorder));
  });
  recorder.start();
  try {
    await Promise.race([animate(seconds, setProgress, signal, drawAt), ended]);
  } finally {
    if (recorder.state !== "inactive") recorder.stop();
    await ended;
    for (const track of stream.getTracks()) track.stop();
    showMessage(null);
  }
  const [mime] = type.split(";");
  return signal.aborted ? null : { blob: new Blob(chunks, { type: mime }), extension: mime.split("/")[1] };
}

/** Makes a video. Returns { blob, extension }, or null if the signal has aborted. */
export async function recordVideo(film, size, setProgress, signal) {
  const canvas = makeCanvas({ width: size.width & ~1, height: size.height & ~1 }); // codecs need even sizes
  const pose = poser(film);
  const drawAt = (share) => {
    pose(share);
    draw(canvas, canvas);
  };
  const { seconds } = film;
  const count = Math.max(Math.round(seconds * FPS), 1);
  const bitrate = canvas.width * canvas.height * FPS * BITS_PER_PIXEL;
  const options = { count, seconds, bitrate, drawAt, setProgress, signal };
  const made =
    typeof VideoEncoder === "function" ? await (await import("./video.js")).encodeVideo(canvas, options) : undefined;
  return made === undefined ? recordLive(canvas, options) : made;
}

/** Makes an animated WebP frame by frame. Returns { blob, extension }, or null if the signal has aborted. */
export async function recordWebp(film, size, setProgress, signal) {
  const canvas = makeCanvas(size);
  const count = Math.max(Math.round(film.seconds * WEBP_FPS), 1);
  const pose = poser(film);
  const stills = [];
  for (let i = 0; i < count; i++) {
    pose(i / count);
    draw(canvas, size);
    const still = await toBlob(canvas, "image/webp", WEBP_QUALITY);
    if (still?.type !== "image/webp") throw fail(T.noWebp);
    stills.push(new Uint8Array(await still.arrayBuffer()));
    setProgress((i + 1) / count);
    if (signal.aborted) return null;
  }
  return {
    blob: makeAnimation(stills, size.width, size.height, Math.round((1000 * film.seconds) / count)),
    extension: "webp",
  };
}
