// Encodes a film frame by frame with WebCodecs, also in a hidden tab. film.js fetches this file with mediabunny, which
// writes the containers (MPL 2.0; its sources: https://www.npmjs.com/package/mediabunny).
import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from "mediabunny";

// H.264 plays everywhere. The codecs of WebM follow by their speed.
const CODECS = ["avc", "vp8", "vp9", "av1"];

const { port1, port2 } = new MessageChannel();
/** Lets the page handle events. Unlike a timer, it does not wait in a hidden tab. */
const breathe = () => new Promise((resolve) => {
  port1.onmessage = resolve;
  port2.postMessage(null);
});

/**
 * Encodes `count` frames, which `drawAt(share)` draws on a canvas, as a video of `seconds`. Returns { blob, extension
 * }; null if the signal has aborted; undefined if the browser encodes no codec in this size.
 */
export async function encodeVideo(canvas, { count, seconds, bitrate, drawAt, setProgress, signal }) {
  const { width, height } = canvas;
  const codec = await getFirstEncodableVideoCodec(CODECS, { width, height, bitrate });
  if (!codec) return undefined;
  const format = codec === "avc" ? new Mp4OutputFormat({ fastStart: "in-memory" }) : new WebMOutputFormat();
  const output = new Output({ format, target: new BufferTarget() });
  const frames = new CanvasSource(canvas, { codec, bitrate });
  output.addVideoTrack(frames);
  await output.start();
  try {
    for (let i = 0; i < count; i++) {
      drawAt(i / count);
      await frames.add((i / count) * seconds, seconds / count);
      setProgress((i + 1) / count);
      await breathe();
      if (signal.aborted) return null;
    }
    await output.finalize();
  } finally {
    if (output.state !== "finalized") await output.cancel();
  }
  return {
    blob: new Blob([output.target.buffer], { type: format.mimeType }),
    extension: format.fileExtension.slice(1),
  };
}
