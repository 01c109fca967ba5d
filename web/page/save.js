// The tab "save": the model, screenshots and videos, other formats, whole archives, links.
import { library, linkToView, showMessage, show, state, titleOf, worker } from "./app.js";
import { formats } from "./lib/index.js";
import { makeElement } from "./elements.js";
import { GLTF } from "./extensions.js";
import { STRINGS as T } from "./strings_later.js";
import { makeZip } from "./zip.js";

const TURNTABLE_SECONDS = 4;
const MIN_SECONDS = 2; // of a video; shorter clips repeat
const FPS = 30;

export function download(bytes, name, type = "application/octet-stream") {
  const link = makeElement("a", undefined, { download: name, href: URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const downloadAll = (files, name) => download(makeZip(files), `${name}.zip`, "application/zip");

// Runs a long task with a progress bar and a button to cancel it. `act` gets two functions: one sets the progress from
// 0 to 1, the other returns true once the task is cancelled.
async function withProgress(button, act) {
  const bar = makeElement("progress", undefined, { max: 1, value: 0, ariaLabel: T.progress });
  let stopped = false;
  const cancel = makeElement("button", T.cancel, { onclick: () => (stopped = true) });
  button.after(bar, cancel);
  button.disabled = true;
  try {
    return await act((share) => (bar.value = share), () => stopped);
  } finally {
    bar.remove();
    cancel.remove();
    button.disabled = false;
  }
}

// ---- Other formats ---------------------------------------------------------------------------

// Saves each part as its own model and reports the losses. Converts a glTF from its source, not from the model that is
// shown.
async function saveEncoded(format, button) {
  const { parts } = state.model;
  const name = titleOf();
  if (GLTF.test(state.entry.path) && parts.length === 1) {
    const { files, messages } = await worker.request("convert", { path: state.entry.path, format });
    if (files.length === 1) download(files[0][1], files[0][0]);
    else downloadAll(files, `${name}-${format}`);
    return showLosses(button, messages.map((message) => makeElement("li", message)));
  }
  const encoded = [];
  for (const part of parts) {
    const partName = parts.length > 1 ? part.name : name;
    encoded.push({ name: partName, ...(await part.encode(format, { name: partName })) });
  }
  const files = encoded.flatMap((one) => [[`${one.name}.${format}`, one.bytes], ...one.images]);
  if (files.length === 1) download(files[0][1], files[0][0]);
  else downloadAll(files, parts.length > 1 ? name : `${name}-${format}`);
  showLosses(button, encoded.flatMap(({ name: partName, bytes, losses }) => {
    const problems = [...new Set(losses.problems.map(({ code, message }) => message + (T.hints[code] ?? "")))].slice(0, 4);
    return [makeElement("li", T.encoded(`${partName}.${format}`, bytes.length, losses.maxError, losses.rmsError)), ...problems.map((message) => makeElement("li", message, { className: "quiet" }))];
  }));
}

function showLosses(button, items) {
  const losses = makeElement("ul", undefined, { className: "losses" });
  losses.append(...items);
  const choices = button.closest(".choices");
  choices.nextElementSibling?.classList.contains("losses") && choices.nextElementSibling.remove();
  choices.after(losses);
}

// ---- Videos ----------------------------------------------------------------------------------

// Calls `each` in every animation frame with the elapsed share of `seconds`, until the end or until stopped.
function animate(seconds, setProgress, stopped, each) {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const tick = () => {
      const share = Math.min((performance.now() - from) / 1000 / seconds, 1);
      if (!state.model) return reject(new Error(T.cannotRecord)); // the model was closed
      each(share);
      setProgress(share);
      if (share < 1 && !stopped()) requestAnimationFrame(tick);
      else setTimeout(resolve, 2000 / FPS); // records the last frame
    };
    requestAnimationFrame(tick);
  });
}

async function rotateOnce(setProgress, stopped) {
  const { azimuth } = show.camera;
  await animate(TURNTABLE_SECONDS, setProgress, stopped, (share) => (show.camera = { azimuth: azimuth + 360 * share }));
  show.camera = { azimuth };
}

async function playOnce(setProgress, stopped) {
  const { model } = state;
  const { playing } = show;
  const seconds = Math.max(model.clip?.duration || model.parts[0].frames / 10, 0.05) / model.playback.speed;
  const times = Math.ceil(MIN_SECONDS / seconds);
  let started = -1;
  await animate(seconds * times, setProgress, stopped, (share) => {
    const time = Math.floor(share * times);
    if (time > started && time < times) {
      started = time;
      show.seek(0);
      show.playing = true;
    }
    show.draw();
  });
  show.playing = playing;
}

async function recordVideo(button, act, name) {
  if (!show.camera) return showMessage(T.cannotRecord);
  if (typeof MediaRecorder !== "function" || !show.canvas.captureStream) return showMessage(T.noRecorder);
  const type = ["video/webm;codecs=vp8", "video/webm;codecs=vp9", "video/webm", "video/mp4"].find((one) => MediaRecorder.isTypeSupported(one));
  if (!type) return showMessage(T.noRecorder);
  const stream = show.canvas.captureStream(FPS);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
  const chunks = [];
  recorder.ondataavailable = (event) => chunks.push(event.data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  let stopped = true;
  try {
    stopped = await withProgress(button, async (setProgress, wasStopped) => {
      await act(setProgress, wasStopped);
      return wasStopped();
    });
  } finally {
    recorder.stop();
    await ended;
    for (const track of stream.getTracks()) track.stop();
  }
  const mime = type.split(";")[0];
  if (!stopped) download(new Blob(chunks, { type: mime }), `${name}.${mime.split("/")[1]}`);
}

// ---- Whole archives, links -------------------------------------------------------------------

// Appends the entry's index if the name is taken.
const nameOfGlb = (entry, i, taken) => {
  const name = (entry.player ?? entry.path).replace(/^([^:]*:|\.\/)/, "").replace(/\.[^./]*$/, "");
  return taken.some(([other]) => other === `${name}.glb`) ? `${name}-${i}.glb` : `${name}.glb`;
};

const saveAll = (button) => withProgress(button, async (setProgress, stopped) => {
  const members = [];
  const failed = [];
  for (const [i, entry] of library.models.entries()) {
    if (stopped()) return;
    try {
      members.push([nameOfGlb(entry, i, members), await worker.request("glb", { path: entry.player ?? entry.path })]);
    } catch (error) {
      failed.push(`${entry.path}: ${error.message}`);
    }
    setProgress((i + 1) / library.models.length);
  }
  if (failed.length) showMessage(failed.join(" "));
  if (members.length) downloadAll(members, "models");
});

async function copyLink() {
  if (!state.source) return showMessage(T.linkLocal);
  const link = await linkToView();
  history.replaceState(null, "", link);
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  showMessage(copied ? T.linkCopied : T.linkShown);
}

// ---- The panel -------------------------------------------------------------------------------

const frameOf = (model) => model.parts[0].pose.frameA;
const GROUPS = {
  model: {
    glb: async (button, model, name) => download(await model.toGlb({ name }), `${name}.glb`, "model/gltf-binary"),
    gltf: async (button, model, name) => downloadAll(await model.toGltf({ name }), `${name}-gltf`),
    obj: async (button, model, name) => downloadAll(await model.toObjFiles({ name, frame: frameOf(model) }), `${name}-obj`),
  },
  image: {
    png: async (button, model, name) => download(await show.screenshot(), `${name}.png`),
    turntable: (button, model, name) => recordVideo(button, rotateOnce, name),
    clip: (button, model, name) => recordVideo(button, playOnce, `${name}-${model.clip?.name ?? "all"}`),
  },
  formats: {}, // filled by savePanel()
  more: { link: copyLink, zip: saveAll },
};

export async function savePanel() {
  const encoders = (await formats()).map(({ name }) => [name, (button) => saveEncoded(name, button)]);
  return Object.entries({ ...GROUPS, formats: Object.fromEntries(encoders) }).flatMap(([group, actions]) => {
    const choices = makeElement("div", undefined, { className: "choices" });
    for (const [kind, act] of Object.entries(actions)) {
      const button = makeElement("button", T.saveAs[kind] ?? kind.toUpperCase());
      button.onclick = async () => {
        try {
          await act(button, state.model, titleOf());
        } catch (error) {
          showMessage(error.message);
        }
      };
      choices.append(button);
    }
    return [makeElement("h2", T.saveGroups[group]), choices];
  });
}
