// Instances of a keyframe mesh in three.js. Textures hold all frames and clips, and the vertex shader poses each
// instance. instances_webgpu.js has the same shader for WebGPURenderer. instances.d.ts is the manual.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DataArrayTexture,
  DataTexture,
  FloatType,
  Group,
  InstancedBufferAttribute,
  InstancedInterleavedBuffer,
  InstancedMesh,
  InterleavedBufferAttribute,
  Matrix4,
  MeshDepthMaterial,
  MeshDistanceMaterial,
  REVISION,
  RGBADepthPacking,
  RGBAFormat,
  RGIntegerFormat,
  Sphere,
  UnsignedIntType,
  Vector3,
} from "three";
import { LerpmeshError } from "./errors.js";
import { Model } from "./model.js";
import { KeyframeModel } from "./three.js";
import { WIDTH_BITS, boxOfFrames, readSkin, textureFrom } from "./three_parts.js";

const WIDTH = 1 << WIDTH_BITS;
const MAX_ROWS = 16384;
const MAX_EPOCH = 512; // seconds: single precision then has 0.06 ms
const STATE = { keyframeTo: [4, 0], keyframeFrom: [4, 4], keyframeFade: [2, 8] }; // attributes: size and offset
const STRIDE = 10;
const SKEW = 1.25; // the most that a tag stretches vectors, while it turns by at most 74 degrees between blended frames

/** @type {(message: string, code?: string) => never} */
const fail = (message, code = "bad-argument") => {
  throw new LerpmeshError({ code, message });
};
const clamp = (number) => Math.min(Math.max(number, 0), 1);

// ---- Textures ------------------------------------------------------------------------------------

function rowsFor(texels) {
  const rows = Math.max(Math.ceil(texels / WIDTH), 1);
  if (rows > MAX_ROWS) fail(`the frames need a texture of ${rows} rows, but at most ${MAX_ROWS} are possible`, "limit");
  return rows;
}

/** Texels of four floats, to which more are appended. */
class Texels {
  #count = 0;

  constructor() {
    this.texture = new DataTexture(new Float32Array(4 * WIDTH), WIDTH, 1, RGBAFormat, FloatType);
  }

  /** Returns the index of the first of them. */
  append(floats) {
    const { texture } = this;
    const first = this.#count;
    this.#count += floats.length / 4;
    const height = rowsFor(this.#count);
    if (height > texture.image.height) {
      const data = new Float32Array(4 * WIDTH * height);
      data.set(texture.image.data);
      texture.dispose(); // its size changes
      texture.image = { data, width: WIDTH, height };
    }
    texture.image.data.set(floats, 4 * first);
    texture.needsUpdate = true;
    return first;
  }
}

/**
 * Returns a texture of the surfaces' frames, as lm_model_pack_frames packs them. Appends the frames' steps to `texels`.
 */
function packFrames(surfaces, texels) {
  const packed = surfaces.map(({ part, surface }) => {
    part.model.ask("pack_frames", part.index, surface.index);
    const { engine } = part.model;
    return [engine.result(), new Float32Array(engine.second().buffer)];
  });
  const height = rowsFor(packed.reduce((sum, [rows]) => sum + rows.length / 8, 0));
  const texture = new DataTexture(new Uint32Array(2 * WIDTH * height), WIDTH, height, RGIntegerFormat, UnsignedIntType);
  const bytes = new Uint8Array(texture.image.data.buffer);
  let at = 0;
  const places = packed.map(([rows, steps]) => {
    const first = at / 8;
    bytes.set(rows, at);
    at += rows.length;
    const padded = new Float32Array(steps.length / 3 * 4);
    for (let i = 0; i < steps.length / 3; i++) padded.set(steps.subarray(3 * i, 3 * i + 3), 4 * i); // scale, translate
    return { first, steps: texels.append(padded) };
  });
  texture.needsUpdate = true;
  return { texture, places };
}

/** Returns the tag that a part is attached to, in all frames: three texels each, axes with the origin in w. */
function packTag({ model, parent, parentTag }, texels) {
  const owner = model.parts[parent];
  let leader = owner;
  while (leader.sharesFrames) leader = model.parts[leader.parent];
  const floats = new Float32Array(12 * owner.frames);
  const origins = [];
  for (let frame = 0; frame < owner.frames; frame++) {
    model.poseFrames(Math.min(frame, leader.frames - 1), undefined, 0, leader.index);
    const [x, y, z, ...axes] = owner.tag(parentTag);
    origins.push(new Vector3(x, y, z));
    [x, y, z].forEach((one, i) => floats.set([...axes.slice(3 * i, 3 * i + 3), one], 12 * frame + 4 * i));
  }
  return { at: texels.append(floats), part: parent, frames: owner.frames, reach: new Sphere().setFromPoints(origins) };
}

/** Returns the tags that move a part, its own first. */
function linksOf(part, tags) {
  const links = [];
  for (let one = part; one.parent >= 0; one = one.model.parts[one.parent]) if (tags.has(one)) links.push(tags.get(one));
  return links;
}

/** Returns a sphere around a part in all poses of the model. */
function sphereOf(part, links) {
  const sphere = boxOfFrames(part, 0, part.frames).getBoundingSphere(new Sphere());
  if (sphere.isEmpty()) return sphere;
  for (const { reach } of links) {
    sphere.radius = SKEW * (sphere.center.length() + sphere.radius) + reach.radius; // the tag turns about its origin
    sphere.center.copy(reach.center);
  }
  return sphere;
}

// ---- Skins ---------------------------------------------------------------------------------------

async function readSkins(skins) {
  return Promise.all(skins.map(async (skin) => (skin instanceof Model || skin.pixels ? skin : readSkin(skin))));
}

function imageOf(skin, part, surface) {
  if (!(skin instanceof Model)) return part.index === 0 ? skin : null;
  const { texture = -1 } = skin.parts[part.index]?.materials[surface.index] ?? {};
  return texture >= 0 ? /** @type {any} */ (skin).image(texture) : null;
}

function scaleTo({ width, height, pixels }, to) {
  const from = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const scaled = new Uint32Array(to.width * to.height);
  for (let y = 0, i = 0; y < to.height; y++)
    for (let x = 0; x < to.width; x++, i++)
      scaled[i] = from[Math.floor((y * height) / to.height) * width + Math.floor((x * width) / to.width)];
  return new Uint8Array(scaled.buffer);
}

/** Returns an array texture of the own image and those of the skins, or null if there are none. */
function makeSkins(map, skins, part, surface) {
  const others = skins.map((skin) => imageOf(skin, part, surface));
  if (others.every((one) => one === null)) return null;
  const { width = 1, height = 1, data = new Uint8Array(4).fill(255) } = map?.image ?? {};
  if (!ArrayBuffer.isView(data)) fail("the model's texture has no pixels to combine with those of the skins");
  const own = { width, height, pixels: data };
  const layers = [own, ...others.map((one) => one ?? own)];
  const size = {
    width: Math.max(...layers.map((one) => one.width)),
    height: Math.max(...layers.map((one) => one.height)),
  };
  const pixels = new Uint8Array(4 * size.width * size.height * layers.length);
  layers.forEach((layer, i) => pixels.set(scaleTo(layer, size), 4 * size.width * size.height * i));
  const like = textureFrom({ ...size, pixels });
  const { colorSpace, wrapS, wrapT, magFilter, minFilter, generateMipmaps } = like;
  return Object.assign(new DataArrayTexture(pixels, size.width, size.height, layers.length), {
    colorSpace, wrapS, wrapT, magFilter, minFilter, generateMipmaps, format: RGBAFormat, needsUpdate: true,
  });
}

// ---- Shaders -------------------------------------------------------------------------------------

const VERTEX = /* glsl */ `
uniform highp usampler2D keyframes; // of all surfaces: frames of vertices
uniform highp sampler2D keyframeTexels; // steps of frames, tags, timelines
uniform float keyframeTime;
uniform mat4 keyframeBase;
uniform ivec4 keyframeSurface; // first texel of the frames and of their steps; vertices; frames
uniform int keyframePart;
uniform ivec3 keyframeLinks[LINKS + 1]; // tags: first texel; part and its frames
attribute vec4 keyframeTo, keyframeFrom; // clip: texel of its timelines; seconds at time 0, rate; skin
attribute vec2 keyframeFade; // from one to the other: its start and 1 / seconds
vec3 keyframePosition, keyframeNormal;

vec4 keyframeTexel(int at) {
  return texelFetch(keyframeTexels, PLACE(at), 0);
}

vec3 keyframeDirection(vec3 v, vec3 instead) {
  return dot(v, v) > 1e-12 ? normalize(v) : instead;
}

// Returns the frame, with a fraction, at a time of a clip whose frames have different durations.
float keyframeAt(int times, int count, float time) {
  int low = 0, high = count - 1;
  while (low < high) {
    int middle = high - (high - low) / 2;
    if (keyframeTexel(times + middle).x <= time) low = middle;
    else high = middle - 1;
  }
  float begin = keyframeTexel(times + low).x, size = keyframeTexel(times + low + 1).x - begin;
  return float(low) + (size > 0.0 ? min((time - begin) / size, 1.0) : 0.0);
}

// Returns two frames and the weight of the second, as lm_clip_pose.
vec3 keyframePose(vec4 clip, int part, int frames) {
  int at = int(clip.x);
  vec4 range = keyframeTexel(at + 2 * part); // first frame, step, count, frames per second
  vec4 loop = keyframeTexel(at + 2 * part + 1); // time before it, its period; its first frame; times
  float played = (clip.y + clip.z * keyframeTime) * range.w, time = loop.x;
  if (loop.x > 0.0 && played < loop.x) time = max(played, 0.0);
  else if (loop.y > 0.0) time += mod(played - loop.x, loop.y);
  float frame = loop.w < 0.0 ? time : keyframeAt(at + int(loop.w), int(range.z), time);
  float first = min(floor(frame), range.z - 1.0);
  float second = first + 1.0 < range.z ? first + 1.0 : loop.z;
  return vec3(clamp(range.x + range.y * vec2(first, second), 0.0, float(frames - 1)), min(frame - first, 1.0));
}

void keyframeUnpack(int frame, out vec3 position, out vec3 normal) {
  int at = keyframeSurface.x + frame * keyframeSurface.z + gl_VertexID;
  ivec2 bits = ivec2(texelFetch(keyframes, PLACE(at), 0).xy);
  vec4 scale = keyframeTexel(keyframeSurface.y + 2 * frame), origin = keyframeTexel(keyframeSurface.y + 2 * frame + 1);
  position = vec3(bits.x << 16 >> 16, bits.x >> 16, bits.y << 16 >> 16) * scale.xyz + origin.xyz;
  vec2 uv = vec2(bits.y << 8 >> 24, bits.y >> 24);
  normal = vec3(uv, 127.0 - abs(uv.x) - abs(uv.y));
  float fold = max(-normal.z, 0.0);
  normal = normalize(normal + vec3(uv.x < 0.0 ? fold : -fold, uv.y < 0.0 ? fold : -fold, 0.0));
}

void keyframeVertex(vec4 clip, out vec3 position, out vec3 normal) {
  vec3 pose = keyframePose(clip, keyframePart, keyframeSurface.w), p, n;
  keyframeUnpack(int(pose.x), position, normal);
  keyframeUnpack(int(pose.y), p, n);
  position = mix(position, p, pose.z);
  normal = keyframeDirection(mix(normal, n, pose.z), pose.z < 0.5 ? normal : n);
}

mat3x4 keyframeAxes(mat3x4 a, mat3x4 b, float t) {
  for (int i = 0; i < 3; i++) a[i] = vec4(
      keyframeDirection(mix(a[i].xyz, b[i].xyz, t), t < 0.5 ? a[i].xyz : b[i].xyz), mix(a[i].w, b[i].w, t));
  return a;
}

mat3x4 keyframeTagFrame(int at) {
  return mat3x4(keyframeTexel(at), keyframeTexel(at + 1), keyframeTexel(at + 2));
}

mat3x4 keyframeTag(vec4 clip, ivec3 link) {
  vec3 pose = keyframePose(clip, link.y, link.z);
  return keyframeAxes(keyframeTagFrame(link.x + 3 * int(pose.x)), keyframeTagFrame(link.x + 3 * int(pose.y)), pose.z);
}

void keyframeMain() {
  float weight = keyframeFade.y > 0.0 ? clamp((keyframeTime - keyframeFade.x) * keyframeFade.y, 0.0, 1.0) : 1.0;
  vec3 position, normal, p, n;
  keyframeVertex(keyframeTo, position, normal);
  if (weight < 1.0) {
    keyframeVertex(keyframeFrom, p, n);
    position = mix(p, position, weight);
    normal = keyframeDirection(mix(n, normal, weight), weight < 0.5 ? n : normal);
  }
  for (int i = 0; i < LINKS; i++) {
    mat3x4 tag = keyframeTag(keyframeTo, keyframeLinks[i]);
    if (weight < 1.0) tag = keyframeAxes(keyframeTag(keyframeFrom, keyframeLinks[i]), tag, weight);
    position = mat3(tag) * position + vec3(tag[0].w, tag[1].w, tag[2].w);
    normal = mat3(tag) * normal;
  }
  keyframePosition = (keyframeBase * vec4(position, 1.0)).xyz;
  keyframeNormal = normalize(mat3(keyframeBase) * normal);
}
`;

const SKIN_FRAGMENT = /* glsl */ `
#ifdef USE_MAP
  diffuseColor *= texture(keyframeSkins, vec3(vMapUv, keyframeSkin));
#endif
`;

/** Changes a material's shader: it poses the vertices and shows the instance's skin. */
function animate(material, uniforms, links, skins) {
  const before = material.onBeforeCompile;
  const key = material.customProgramCacheKey();
  material.onBeforeCompile = function (shader, renderer) {
    before.call(this, shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    const defines = `#define PLACE(at) ivec2(at & ${WIDTH - 1}, at >> ${WIDTH_BITS})\n#define LINKS ${links}\n`;
    shader.vertexShader = defines + VERTEX + (skins ? "flat varying float keyframeSkin;\n" : "") + shader.vertexShader
      .replace(/void main\(\) *{/, `$& keyframeMain(); ${skins ? "keyframeSkin = keyframeTo.w;" : ""}`)
      .replace("#include <beginnormal_vertex>", "$&\nobjectNormal = keyframeNormal;")
      .replace("#include <begin_vertex>", "$&\ntransformed = keyframePosition;");
    if (!skins) return;
    const fragment = shader.fragmentShader.replace("#include <map_fragment>", SKIN_FRAGMENT);
    const declared = "uniform highp sampler2DArray keyframeSkins;\nflat varying float keyframeSkin;\n";
    shader.fragmentShader = declared + fragment;
  };
  material.customProgramCacheKey = () => `keyframes ${links} ${skins !== null} ${key}`;
  return material;
}

// ---- Instances -----------------------------------------------------------------------------------

/** The instances of one surface. */
class SurfaceInstances extends InstancedMesh {
  constructor(owner, name, geometry) {
    super(geometry, undefined, 0);
    this.owner = owner;
    this.name = name;
  }

  computeBoundingSphere() {
    this.owner.computeBoundingSphere();
  }
  computeBoundingBox() {
    this.boundingBox = this.owner.computeBoundingSphere().getBoundingBox(new Box3());
  }
  raycast(raycaster, intersects) {
    this.owner.hit(raycaster, intersects, [this]);
  }
}

/** Returns the smallest common multiple of loops' periods; undefined: there is none below 1,000 loops. */
function commonPeriod(periods) {
  const fits = (whole) => periods.every((one) => Math.abs(whole / one - Math.round(whole / one)) < 1e-9);
  for (let loops = 1; loops < 1000; loops++) if (fits(loops * periods[0])) return loops * periods[0];
  return undefined;
}

/** A clip with a loop mode in the texture of texels: where its timelines are, and how the parts play it. */
class Timeline {
  parts = []; // { first, count } frames
  intro = 0; // seconds until all parts repeat or stop
  period; // after which all parts are the same again; 0: all stop; undefined: none

  constructor(name, mode, floats, parts) {
    this.name = name;
    this.mode = mode;
    const periods = [];
    for (let i = 0; i < parts; i++) {
      const [first, step, count, fps, intro, period] = floats.subarray(8 * i);
      this.parts.push({ first: Math.min(first, first + step * (count - 1)), count });
      this.intro = Math.max(this.intro, intro / fps);
      if (period > 0) periods.push(period / fps);
    }
    this.period = periods.length > 0 ? commonPeriod(periods) : 0;
  }

  /** Returns an earlier time that looks the same from now on, so that numbers stay small. */
  reduce(seconds, rate) {
    const { intro, period } = this;
    if (period === undefined || (intro > 0 && (rate < 0 || seconds < intro))) return seconds;
    if (period === 0) return rate < 0 ? seconds : Math.min(seconds, intro);
    return seconds - period * Math.floor((seconds - intro) / period);
  }
}

/** A pose of the sampled model: a clip at a time. */
class TimelinePose {
  constructor(model, timeline, seconds) {
    this.model = model;
    this.timeline = timeline;
    this.seconds = seconds;
  }

  show() {
    this.model.ask("pose_as", this.timeline.name, this.seconds, this.timeline.mode);
  }
  boxOf(part) {
    const range = this.timeline.parts[part.index];
    return (range.box ??= boxOfFrames(part, range.first, range.count));
  }
}

const matrix = new Matrix4();

/**
 * Many instances of a model, as InstancedMesh has: a Group with one InstancedMesh per surface. The GPU poses them:
 * while clips play, only `time` changes.
 */
export class KeyframeInstances extends Group {
  #model; // a KeyframeModel that is sampled for rays
  #meshes = [];
  #capacity;
  #count;
  #states = []; // { to, from: { timeline, phase, rate }, fade: { start, rate }, skin }
  #state; // the same for the GPU
  #timelines = new Map();
  #texels = new Texels();
  #disposables = [];
  #skins;
  #sphere; // around the model in all poses
  instanceColor; // once setColorAt() was called
  #time = 0;
  #epoch = 0; // time 0 of the GPU

  static async create(source, count, { units = 1, skins = [], material = (plain) => plain } = {}) {
    if (!Number.isInteger(count) || count < 0) fail(`${count} is not a number of instances`);
    const clone = source instanceof KeyframeModel ? source.clone(false) : null;
    try {
      const model = clone?.model ?? source;
      const [images] = await Promise.all([readSkins(skins), model.engine.loadMore()]);
      return new this(clone ?? new KeyframeModel(model, { units }), count, images, material);
    } catch (error) {
      clone?.dispose();
      throw error;
    }
  }

  /** @private */
  constructor(sampled, count, skins, material) {
    super();
    this.#model = sampled;
    this.#model.matrixAutoUpdate = false;
    this.model = this.#model.model;
    this.name = this.#model.name;
    this.#capacity = this.#count = count;
    this.#skins = skins.length + 1;
    this.instanceMatrix = new InstancedBufferAttribute(new Float32Array(16 * count), 16);
    this.#state = new InstancedInterleavedBuffer(new Float32Array(STRIDE * count), STRIDE);
    this.shader = { time: this.makeTime(), base: this.#model.base.matrix.clone(), texels: this.#texels.texture };
    this.#build(skins, material);
    const still = this.#timeline(this.model.restClip);
    for (let i = 0; i < count; i++) {
      matrix.identity().toArray(this.instanceMatrix.array, 16 * i);
      const to = { timeline: still, phase: 0, rate: 1 };
      this.#states.push({ to, from: to, fade: { start: 0, rate: 0 }, skin: 0 });
    }
    this.#writeAll();
  }

  #build(skins, material) {
    const surfaces = this.#model.surfaces.filter(({ part, surface }) => part.frames > 0 && surface.vertices > 0);
    const attached = this.model.parts.filter((part) => part.parent >= 0 && part.parentTag !== null);
    const tags = new Map(attached.map((part) => [part, packTag(part, this.#texels)]));
    const { texture, places } = packFrames(surfaces, this.#texels);
    this.shader.frames = texture;
    this.#disposables.push(this.#model, texture, this.#texels.texture);
    this.#sphere = new Sphere().makeEmpty();
    surfaces.forEach(({ part, surface, mesh }, i) => {
      const links = linksOf(part, tags);
      this.#sphere.union(sphereOf(part, links));
      const data = { ...places[i], vertices: surface.vertices, frames: part.frames, part: part.index, links };
      this.#addMesh(mesh, data, makeSkins(mesh.material.map, skins, part, surface), material);
    });
    this.#sphere.applyMatrix4(this.shader.base);
  }

  #addMesh(source, surface, skins, material) {
    const { attributes: { uv, position, normal }, index } = source.geometry;
    const geometry = new BufferGeometry();
    for (const [name, { array, itemSize }] of Object.entries({ uv, position, normal })) // of the first frame
      geometry.setAttribute(name, new BufferAttribute(array.slice(), itemSize));
    for (const [name, [size, offset]] of Object.entries(STATE))
      geometry.setAttribute(name, new InterleavedBufferAttribute(this.#state, size, offset));
    geometry.setIndex(new BufferAttribute(index.array, 1));
    const mesh = new SurfaceInstances(this, source.name, geometry);
    const plain = source.material.clone();
    if (skins && !plain.map)
      this.#disposables.push((plain.map = textureFrom({ width: 1, height: 1, pixels: new Uint8Array(4).fill(255) })));
    Object.assign(mesh, {
      source,
      instanceMatrix: this.instanceMatrix,
      count: this.#capacity,
      material: material(plain),
    });
    this.prepare(mesh, surface, skins);
    this.#disposables.push(geometry, mesh, mesh.material, ...(skins ? [skins] : []));
    this.#meshes.push(mesh);
    this.add(mesh);
  }

  /** @private Returns the uniform of the time. */
  makeTime() {
    return { value: 0 };
  }

  /** @private Makes a mesh's materials pose its vertices. */
  prepare(mesh, { first, steps, vertices, frames, part, links }, skins) {
    const { shader } = this;
    shader.frames.internalFormat = "RG32UI"; // which older versions of three.js do not derive
    const uniforms = {
      keyframes: { value: shader.frames },
      keyframeTexels: { value: shader.texels },
      keyframeTime: shader.time,
      keyframeBase: { value: shader.base },
      keyframeSurface: { value: [first, steps, vertices, frames] },
      keyframePart: { value: part },
      keyframeLinks: { value: [...links.flatMap((link) => [link.at, link.part, link.frames]), 0, 0, 0] },
      keyframeSkins: { value: skins },
    };
    mesh.customDepthMaterial = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
    mesh.customDistanceMaterial = new MeshDistanceMaterial();
    this.#disposables.push(mesh.customDepthMaterial, mesh.customDistanceMaterial);
    for (const one of [mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial])
      animate(one, uniforms, links.length, skins);
  }

  // ---- Time --------------------------------------------------------------------------------------

  get time() {
    return this.#time;
  }
  set time(time) {
    if (!Number.isFinite(time)) fail(`${time} is not a time`);
    this.#time = time;
    if (time < this.#epoch || time - this.#epoch > MAX_EPOCH) {
      this.#epoch = time;
      this.#writeAll();
    }
    this.shader.time.value = time - this.#epoch;
  }

  #timeline(name, loop) {
    const mode = loop === undefined ? 0 : loop ? 1 : 2;
    const key = `${mode} ${name}`;
    if (!this.#timelines.has(key)) {
      if (name !== null && !this.model.hasClip(name)) fail(`there is no clip "${name}"`);
      this.model.ask("pose_as", name, 0, mode);
      const floats = new Float32Array(this.model.engine.result().buffer);
      const timeline = new Timeline(name, mode, floats, this.model.parts.length);
      this.#timelines.set(key, Object.assign(timeline, { at: this.#texels.append(floats) }));
    }
    return this.#timelines.get(key);
  }

  #secondsOf({ phase, rate }) {
    return phase + rate * this.#time;
  }

  #weightOf({ fade }) {
    return fade.rate > 0 ? clamp((this.#time - fade.start) * fade.rate) : 1;
  }

  #write(index) {
    const { to, from, fade, skin } = this.#states[index];
    const place = ({ timeline, phase, rate }) => [timeline.at, timeline.reduce(phase + rate * this.#epoch, rate), rate];
    this.#state.array.set([...place(to), skin, ...place(from), 0, fade.start - this.#epoch, fade.rate], STRIDE * index);
    this.#state.needsUpdate = true;
  }

  #writeAll() {
    this.#states.forEach((_, i) => this.#write(i));
  }

  // ---- Instances ---------------------------------------------------------------------------------

  #check(index) {
    if (!Number.isInteger(index) || index < 0 || index >= this.#capacity)
      fail(`there is no instance ${index}: there are ${this.#capacity}`);
    return this.#states[index];
  }

  get count() {
    return this.#count;
  }
  set count(count) {
    if (!Number.isInteger(count) || count < 0 || count > this.#capacity)
      fail(`there cannot be ${count} instances: there is room for ${this.#capacity}`);
    this.#count = count;
    for (const mesh of this.#meshes) mesh.count = count;
    this.#forgetBounds();
  }

  setMatrixAt(index, transform) {
    this.#check(index);
    transform.toArray(this.instanceMatrix.array, 16 * index);
    this.instanceMatrix.needsUpdate = true;
    this.#forgetBounds();
  }

  getMatrixAt(index, target) {
    this.#check(index);
    return target.fromArray(this.instanceMatrix.array, 16 * index);
  }

  setColorAt(index, color) {
    this.#check(index);
    this.instanceColor ??= new InstancedBufferAttribute(new Float32Array(3 * this.#capacity).fill(1), 3);
    color.toArray(this.instanceColor.array, 3 * index);
    this.instanceColor.needsUpdate = true;
    for (const mesh of this.#meshes) mesh.instanceColor = this.instanceColor;
  }

  /**
   * @param {number} index
   * @param {string | null} clip
   * @param {{ fade?: number, rate?: number, time?: number, loop?: boolean }} [options]
   */
  setClipAt(index, clip, { fade = 0, rate = 1, time = 0, loop } = {}) {
    const state = this.#check(index);
    for (const [name, value] of Object.entries({ fade, rate, time }))
      if (!Number.isFinite(value)) fail(`${name} is ${value}`);
    const to = { timeline: this.#timeline(clip, loop), phase: time - rate * this.#time, rate };
    const from = this.#weightOf(state) < 0.5 ? state.from : state.to;
    Object.assign(
      state,
      fade > 0
        ? { to, from, fade: { start: this.#time, rate: 1 / fade } }
        : { to, from: to, fade: { start: 0, rate: 0 } },
    );
    this.#write(index);
  }

  getClipAt(index) {
    const { to } = this.#check(index);
    const { name, mode } = to.timeline;
    return { clip: name, time: this.#secondsOf(to), rate: to.rate, loop: [undefined, true, false][mode] };
  }

  setSkinAt(index, skin) {
    const state = this.#check(index);
    if (!Number.isInteger(skin) || skin < 0 || skin >= this.#skins)
      fail(`there is no skin ${skin}: there are ${this.#skins}`);
    state.skin = skin;
    this.#write(index);
  }

  getSkinAt(index) {
    return this.#check(index).skin;
  }

  // ---- Bounds and rays ---------------------------------------------------------------------------

  #forgetBounds() {
    for (const mesh of this.#meshes) mesh.boundingSphere = mesh.boundingBox = null;
  }

  computeBoundingSphere() {
    const sphere = new Sphere().makeEmpty();
    const one = new Sphere();
    for (let i = 0; i < this.count; i++) sphere.union(one.copy(this.#sphere).applyMatrix4(this.getMatrixAt(i, matrix)));
    for (const mesh of this.#meshes) mesh.boundingSphere = sphere;
    return sphere;
  }

  raycast(raycaster, intersects) {
    if (parseInt(REVISION, 10) < 170) return true; // it tests the meshes in any case
    this.hit(raycaster, intersects, this.#meshes);
    return false;
  }

  /** @private Tests the surfaces of the instances that a ray may hit. */
  hit(raycaster, intersects, meshes) {
    if (this.#disposables.length === 0) return;
    const sphere = new Sphere();
    for (let i = 0; i < this.count; i++) {
      this.#model.matrix.multiplyMatrices(this.matrixWorld, this.getMatrixAt(i, matrix));
      if (!raycaster.ray.intersectsSphere(sphere.copy(this.#sphere).applyMatrix4(this.#model.matrix))) continue;
      this.#pose(this.#states[i]);
      for (const mesh of meshes) {
        const first = intersects.length;
        mesh.source.raycast(raycaster, intersects);
        for (const found of intersects.slice(first)) Object.assign(found, { object: mesh, instanceId: i });
      }
    }
  }

  #pose(state) {
    const weight = this.#weightOf(state);
    const pose = (clip) => new TimelinePose(this.model, clip.timeline, this.#secondsOf(clip));
    this.#model.setRest(
      [
        { pose: pose(state.from), weight: 1 - weight },
        { pose: pose(state.to), weight },
      ].filter((one) => one.weight > 0),
    );
    this.#model.updateMatrixWorld(true);
  }

  /** @returns {never} */
  clone() {
    fail("instances cannot be cloned: create others of the same KeyframeModel");
  }

  dispose() {
    for (const one of this.#disposables.splice(0)) one.dispose();
  }
}
