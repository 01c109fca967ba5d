// A stage: a canvas, or an OffscreenCanvas in a worker, on which the renderer of the command and the
// viewer draws models. stage.d.ts is the manual.

import { LerpmeshError } from "./errors.js";
import { Graphics } from "./graphics.js";
import { getEngine } from "./module.js";

export const SHADES = ["studio", "texture", "normals", "wire", "uv", "engine"];
const FLAGS = {
  box: 1,
  grid: 2,
  axes: 4,
  tags: 8,
  shadow: 16,
  vertexNormals: 32,
  glCommands: 64,
  twoSided: 256,
  backdrop: 512,
  dark: 1024,
  edges: 2048,
  light: 4096,
  eye: 8192,
};
const DARKEST = 1e-9; // C takes an exposure of 0 for 1
const LIGHT = 20; // floats: exposure, 1 if there is an environment, the environment (environment.js)
const FIELDS = ["x", "y", "z", "azimuth", "elevation", "distance", "fieldOfView", "radius"];

function flagsOf(options) {
  let flags = 0;
  for (const [name, flag] of Object.entries(FLAGS)) if (options[name]) flags |= flag;
  return flags;
}

function shadeOf({ shade = "studio" }) {
  const number = SHADES.indexOf(shade);
  if (number >= 0) return number;
  throw new LerpmeshError({
    code: "bad-argument",
    message: `there is no shading "${shade}"; choose one of ${SHADES.join(", ")}`,
  });
}

const LOST = { code: "graphics", message: "the browser dropped the canvas' WebGL context" };

export class Stage {
  #engine;
  #graphics;
  #pointer = 0;
  #uploaded = new Set(); // models
  #fence = null; // after the last draw()
  #lost = false;

  /** `canvas` must not have a context yet. */
  static async on(canvas) {
    const context = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: true });
    if (!context)
      throw new LerpmeshError({
        code: "graphics",
        message: "drawing needs WebGL 2, which this browser does not support",
      });
    const graphics = new Graphics(context);
    return new Stage(await getEngine(), canvas, graphics);
  }

  constructor(engine, canvas, graphics) {
    this.#engine = engine;
    this.canvas = canvas;
    this.#graphics = graphics;
    this.#pointer = this.#call("stage_new");
    this.camera = { azimuth: 30, elevation: 15 };
  }

  #call(name, ...args) {
    if (this.lost) throw new LerpmeshError(LOST);
    return this.#engine.check(this.#callUnchecked(name, ...args));
  }

  #callUnchecked(name, ...args) {
    this.#engine.graphics = this.#graphics;
    return this.#engine.callWith(name, ...args);
  }

  #pointerOf(model) {
    if (model.engine !== this.#engine)
      throw new LerpmeshError({
        code: "trap",
        message: "the model and the stage belong to different instances: open the model again",
      });
    this.#uploaded.add(model);
    return model.pointer;
  }

  get lost() { // the event "webglcontextlost" comes later than the loss
    return (this.#lost ||= this.#graphics.gl.isContextLost());
  }

  get dead() {
    return this.#engine.dead;
  }

  get driver() {
    return this.#engine.string(this.#call("stage_driver", this.#pointer));
  }

  get #cameraFields() {
    return this.#engine.floats(this.#callUnchecked("stage_camera", this.#pointer), FIELDS.length);
  }

  get camera() {
    const values = this.#cameraFields;
    return Object.fromEntries(FIELDS.map((field, i) => [field, values[i]]));
  }

  set camera(camera) {
    const values = this.#cameraFields;
    FIELDS.forEach((field, i) => {
      if (Number.isFinite(camera[field])) values[i] = camera[field];
    });
  }

  aim(model, { aspect = this.canvas.width / this.canvas.height } = {}) {
    this.#aim(model, aspect, [model.seconds], () => {});
  }

  aimClip(model, { aspect = this.canvas.width / this.canvas.height } = {}) {
    const frames = model.clip?.count ?? model.frames.length;
    this.#aim(model, aspect, Array(frames).keys(), (frame) => (model.position = frame));
  }

  #aim(model, aspect, times, pose) {
    const scene = this.#pointerOf(model);
    this.#callUnchecked("stage_aim_begin", this.#pointer, aspect);
    for (const time of times) {
      pose(time);
      this.#call("stage_aim_pose", this.#pointer, scene, model.seconds);
    }
    this.#call("stage_aim_end", this.#pointer, scene);
  }

  rotate(azimuth, elevation) {
    this.#callUnchecked("stage_rotate", this.#pointer, azimuth, elevation);
  }

  zoom(factor) {
    this.#callUnchecked("stage_zoom", this.#pointer, factor);
  }

  pan(dx, dy) {
    this.#callUnchecked("stage_pan", this.#pointer, dx, dy, this.canvas.height);
  }

  #setLight({ exposure = 1, environment = null }) {
    if (!(exposure >= 0 && exposure < Infinity))
      throw new LerpmeshError({ code: "bad-argument", message: `the exposure ${exposure} is not a number from 0` });
    const light = this.#engine.floats(this.#call("stage_light", this.#pointer), LIGHT);
    light[0] = Math.max(exposure, DARKEST);
    light[1] = Number(Boolean(environment));
    if (environment) light.set(environment, 2);
  }

  draw(model, options = {}) {
    this.#setLight(options);
    const { width, height } = this.canvas;
    this.#call(
      "stage_draw",
      this.#pointer,
      this.#pointerOf(model),
      width,
      height,
      shadeOf(options),
      flagsOf(options),
      options.seconds ?? 0,
    );
    const { gl } = this.#graphics;
    gl.deleteSync(this.#fence);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  }

  get drawing() {
    const { gl } = this.#graphics;
    return this.#fence !== null && !this.lost && gl.getSyncParameter(this.#fence, gl.SYNC_STATUS) === gl.UNSIGNALED;
  }

  async read() {
    const { gl } = this.#graphics;
    const { width, height } = this.canvas;
    const pixels = new Uint8ClampedArray(4 * width * height);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, pixels.length, gl.STREAM_READ);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    while (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED)
      await new Promise((done) => setTimeout(done, 4));
    if (gl.isContextLost()) this.handleContextLoss();
    if (this.lost) throw new LerpmeshError(LOST);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, pixels);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.deleteBuffer(buffer);
    gl.deleteSync(fence);
    for (let row = 4 * width, top = 0, bottom = pixels.length - row; top < bottom; top += row, bottom -= row) {
      const upper = pixels.slice(top, top + row);
      pixels.copyWithin(top, bottom, bottom + row);
      pixels.set(upper, bottom);
    }
    return { width, height, pixels };
  }

  screenshot(model, width, height, options = {}, samples = 4) {
    this.#setLight(options);
    this.#call(
      "stage_image",
      this.#pointer,
      this.#pointerOf(model),
      width,
      height,
      samples,
      shadeOf(options),
      flagsOf(options),
      options.seconds ?? 0,
    );
    const pixels = new Uint8ClampedArray(this.#engine.result().buffer);
    this.#graphics.gl.bindFramebuffer(this.#graphics.gl.FRAMEBUFFER, null);
    return { width, height, pixels };
  }

  remove(model) {
    if (this.#uploaded.delete(model) && !this.#engine.dead)
      this.#callUnchecked("stage_remove", model.pointer, this.#pointer, this.lost);
  }

  handleContextLoss() {
    this.#lost = true;
  }

  dispose() {
    if (!this.#pointer) return;
    for (const model of [...this.#uploaded]) this.remove(model);
    if (!this.#engine.dead) {
      this.#callUnchecked("stage_free", this.#pointer, this.lost);
      for (const text of this.#graphics.strings.values()) this.#engine.call("free", text);
    }
    this.#pointer = 0;
  }
}
