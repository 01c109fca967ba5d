// The tab "save": the model, screenshots and videos, other formats, whole archives, links.
import { library, linkToView, say, show, state, titleOf, work } from "./app.js";
import { formats } from "./lib/index.js";
import { make } from "./make.js";
import { OTHER } from "./kinds.js";
import { STRINGS as T } from "./strings.js";
import { makeZip } from "./zip.js";

const TURN_SECONDS = 4;
const LEAST_SECONDS = 2; // of a video; shorter clips repeat
const FRAMES_A_SECOND = 30;

export function download(bytes, name, type = "application/octet-stream") {
  const link = make("a", undefined, { download: name, href: URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const downloadAll = (files, name) => download(makeZip(files), `${name}.zip`, "application/zip");

// Runs a long task with a progress bar and a button to cancel it. `act` gets two functions: one reports progress from
// 0 to 1, the other returns true once the task is cancelled.
async function withProgress(button, act) {
  const bar = make("progress", undefined, { max: 1, value: 0, ariaLabel: T.progress });
  let stopped = false;
  const cancel = make("button", T.cancel, { onclick: () => (stopped = true) });
  button.after(bar, cancel);
  button.disabled = true;
  try {
    return await act((done) => (bar.value = done), () => stopped);
  } finally {
    bar.remove();
    cancel.remove();
    button.disabled = false;
  }
}

// ---- Other formats ---------------------------------------------------------------------------

// Saves each part as its own model and reports the losses. Converts another program's model from its source, not from
// the model that is shown.
async function saveEncoded(format, button) {
  const { parts } = state.model;
  const name = titleOf();
  if (OTHER.test(state.entry.path) && parts.length === 1) {
    const { files, messages } = await work.ask("convert", { path: state.entry.path, format });
    if (files.length === 1) download(files[0][1], files[0][0]);
    else downloadAll(files, `${name}-${format}`);
    return tellLosses(button, messages.map((message) => make("li", message)));
  }
  const made = [];
  for (const part of parts) {
    const of = parts.length > 1 ? part.name : name;
    made.push({ name: of, ...(await part.encode(format, { name: of })) });
  }
  const files = made.flatMap((one) => [[`${one.name}.${format}`, one.bytes], ...one.images]);
  if (files.length === 1) download(files[0][1], files[0][0]);
  else downloadAll(files, parts.length > 1 ? name : `${name}-${format}`);
  tellLosses(button, made.flatMap(({ name: of, bytes, losses }) => {
    const lost = [...new Set(losses.problems.map(({ code, message }) => message + (T.hints[code] ?? "")))].slice(0, 4);
    return [make("li", T.encoded(`${of}.${format}`, bytes.length, losses.maxError, losses.rmsError)), ...lost.map((message) => make("li", message, { className: "quiet" }))];
  }));
}

function tellLosses(button, items) {
  const told = make("ul", undefined, { className: "losses" });
  told.append(...items);
  const list = button.closest(".choices");
  list.nextElementSibling?.classList.contains("losses") && list.nextElementSibling.remove();
  list.after(told);
}

// ---- Videos ----------------------------------------------------------------------------------

// Calls `each` in every animation frame with the elapsed share of `seconds`, until the end or until stopped.
function pass(seconds, tell, stopped, each) {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const tick = () => {
      const share = Math.min((performance.now() - from) / 1000 / seconds, 1);
      if (!state.model) return reject(new Error(T.noPicture)); // the model was closed
      each(share);
      tell(share);
      if (share < 1 && !stopped()) requestAnimationFrame(tick);
      else setTimeout(resolve, 2000 / FRAMES_A_SECOND); // records the last frame
    };
    requestAnimationFrame(tick);
  });
}

async function turnOnce(tell, stopped) {
  const { azimuth } = show.camera;
  await pass(TURN_SECONDS, tell, stopped, (share) => (show.camera = { azimuth: azimuth + 360 * share }));
  show.camera = { azimuth };
}

async function playOnce(tell, stopped) {
  const { model } = state;
  const { playing } = show;
  const seconds = Math.max(model.clip?.duration || model.parts[0].frames / 10, 0.05) / model.how.speed;
  const times = Math.ceil(LEAST_SECONDS / seconds);
  let begun = -1;
  await pass(seconds * times, tell, stopped, (share) => {
    const time = Math.floor(share * times);
    if (time > begun && time < times) {
      begun = time;
      show.seek(0);
      show.playing = true;
    }
    show.draw();
  });
  show.playing = playing;
}

async function film(button, act, name) {
  if (!show.camera) return say(T.noPicture);
  if (typeof MediaRecorder !== "function" || !show.canvas.captureStream) return say(T.noFilm);
  const type = ["video/webm;codecs=vp8", "video/webm;codecs=vp9", "video/webm", "video/mp4"].find((one) => MediaRecorder.isTypeSupported(one));
  if (!type) return say(T.noFilm);
  const stream = show.canvas.captureStream(FRAMES_A_SECOND);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
  const chunks = [];
  recorder.ondataavailable = (event) => chunks.push(event.data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  let stopped = true;
  try {
    stopped = await withProgress(button, async (tell, wasStopped) => {
      await act(tell, wasStopped);
      return wasStopped();
    });
  } finally {
    recorder.stop();
    await ended;
    for (const track of stream.getTracks()) track.stop();
  }
  const bare = type.split(";")[0];
  if (!stopped) download(new Blob(chunks, { type: bare }), `${name}.${bare.split("/")[1]}`);
}

// ---- Whole archives, links -------------------------------------------------------------------

// Appends the entry's index if the name is taken.
const nameOfGlb = (entry, i, taken) => {
  const name = (entry.player ?? entry.path).replace(/^([^:]*:|\.\/)/, "").replace(/\.[^./]*$/, "");
  return taken.some(([other]) => other === `${name}.glb`) ? `${name}-${i}.glb` : `${name}.glb`;
};

const saveAll = (button) => withProgress(button, async (tell, stopped) => {
  const members = [];
  const failed = [];
  for (const [i, entry] of library.models.entries()) {
    if (stopped()) return;
    try {
      members.push([nameOfGlb(entry, i, members), await work.ask("glb", { path: entry.player ?? entry.path })]);
    } catch (error) {
      failed.push(`${entry.path}: ${error.message}`);
    }
    tell((i + 1) / library.models.length);
  }
  if (failed.length) say(failed.join(" "));
  if (members.length) downloadAll(members, "models");
});

async function copyLink() {
  if (!state.source) return say(T.linkLocal);
  const link = await linkToView();
  history.replaceState(null, "", link);
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  say(copied ? T.linkCopied : T.linkShown);
}

// ---- The panel -------------------------------------------------------------------------------

const frameOf = (model) => model.parts[0].pose.frameA;
const GROUPS = {
  model: {
    glb: async (button, model, name) => download(await model.toGlb({ name }), `${name}.glb`, "model/gltf-binary"),
    gltf: async (button, model, name) => downloadAll(await model.toGltf({ name }), `${name}-gltf`),
    obj: async (button, model, name) => downloadAll(await model.toObjFiles({ name, frame: frameOf(model) }), `${name}-obj`),
  },
  picture: {
    png: async (button, model, name) => download(await show.picture(), `${name}.png`),
    turn: (button, model, name) => film(button, turnOnce, name),
    clip: (button, model, name) => film(button, playOnce, `${name}-${model.clip?.name ?? "all"}`),
  },
  formats: {}, // filled by savePanel()
  more: { link: copyLink, zip: saveAll },
};

export async function savePanel() {
  const written = (await formats()).map(({ name }) => [name, (button) => saveEncoded(name, button)]);
  return Object.entries({ ...GROUPS, formats: Object.fromEntries(written) }).flatMap(([group, actions]) => {
    const choices = make("div", undefined, { className: "choices" });
    for (const [kind, act] of Object.entries(actions)) {
      const button = make("button", T.saveAs[kind] ?? kind.toUpperCase());
      button.onclick = async () => {
        try {
          await act(button, state.model, titleOf());
        } catch (error) {
          say(error.message);
        }
      };
      choices.append(button);
    }
    return [make("h2", T.saveGroups[group]), choices];
  });
}
