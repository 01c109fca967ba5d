// KeyframeInstances for WebGPURenderer and its fallback to WebGL 2: the shader of instances.js in three's node
// language.

import {
  Fn,
  If,
  Loop,
  attribute,
  float,
  int,
  ivec2,
  mat3,
  max,
  min,
  mix,
  mod,
  normalLocal,
  normalize,
  referenceAttribute,
  select,
  texture,
  textureLoad,
  uniform,
  uv,
  varying,
  vec2,
  vec3,
  vec4,
  vertexIndex,
} from "three/tsl";
import * as nodes from "three/webgpu";
import { LerpmeshError } from "./errors.js";
import { KeyframeInstances as Instances } from "./instances.js";
import { WIDTH_BITS } from "./three_parts.js";

/** Returns the node material of the same kind, with the same properties. */
function toNodeMaterial(material) {
  if (material.isNodeMaterial) return material;
  const Type = nodes[material.type.replace(/Material$/, "NodeMaterial")];
  if (!Type)
    throw new LerpmeshError({ code: "bad-argument", message: `WebGPURenderer has no material like ${material.type}` });
  const node = new Type();
  for (const key in material) if (!/^is|^(uuid|id|version|type)$/.test(key)) node[key] = material[key];
  return node;
}

const direction = (v, instead) => select(v.dot(v).greaterThan(1e-12), normalize(v), instead);
const placeOf = (at) => ivec2(at.bitAnd((1 << WIDTH_BITS) - 1), at.shiftRight(WIDTH_BITS));

// ---- Poses ---------------------------------------------------------------------------------------

/** Makes a function of the frame, with a fraction, at a time of a clip whose frames have different durations. */
const makeTimedFrame = (texel) => Fn(([times, count, played]) => {
  const low = int(0).toVar();
  const high = count.sub(1).toVar();
  Loop(low.lessThan(high), () => {
    const middle = high.sub(high.sub(low).div(2)).toVar();
    If(texel(times.add(middle)).x.lessThanEqual(played), () => {
      low.assign(middle);
    }).Else(() => {
      high.assign(middle.sub(1));
    });
  });
  const begin = texel(times.add(low)).x.toVar();
  const size = texel(times.add(low).add(1)).x.sub(begin).toVar();
  return float(low).add(select(size.greaterThan(0), min(played.sub(begin).div(size), 1), 0));
});

/** Makes a function of two frames and the weight of the second, as lm_clip_pose. */
function makePose(texel, time) {
  const timedFrame = makeTimedFrame(texel);
  return Fn(([clip, part, frames]) => {
    const at = int(clip.x).toVar();
    const range = texel(at.add(part.mul(2))).toVar();
    const loop = texel(at.add(part.mul(2)).add(1)).toVar();
    const played = clip.y.add(clip.z.mul(time)).mul(range.w).toVar();
    const frame = loop.x.toVar();
    If(loop.x.greaterThan(0).and(played.lessThan(loop.x)), () => {
      frame.assign(max(played, 0));
    }).ElseIf(loop.y.greaterThan(0), () => {
      frame.addAssign(mod(played.sub(loop.x), loop.y));
    });
    If(loop.w.greaterThanEqual(0), () => {
      frame.assign(timedFrame(at.add(int(loop.w)), int(range.z), frame));
    });
    const first = min(frame.floor(), range.z.sub(1)).toVar();
    const second = select(first.add(1).lessThan(range.z), first.add(1), loop.z);
    const shown = vec2(first, second).mul(range.y).add(range.x).clamp(0, float(frames).sub(1));
    return vec3(shown, min(frame.sub(first), 1));
  });
}

// ---- Vertices ------------------------------------------------------------------------------------

/** Makes a function that returns the vertex in a frame. */
function makeUnpack(texel, packed, { first, vertices, steps }) {
  const signed = (value, left, right) => float(int(value.shiftLeft(left)).shiftRight(right));
  return (frame) => {
    const bits = textureLoad(packed, placeOf(frame.mul(vertices).add(int(vertexIndex)).add(first))).xy.toVar();
    const scale = frame.mul(2).add(steps).toVar();
    const position = vec3(signed(bits.x, 16, 16), signed(bits.x, 0, 16), signed(bits.y, 16, 16));
    const at = vec2(signed(bits.y, 8, 24), signed(bits.y, 0, 24)).toVar();
    const height = float(127).sub(at.x.abs()).sub(at.y.abs()).toVar();
    const fold = max(height.negate(), 0).toVar();
    const folded = (one) => one.add(select(one.lessThan(0), fold, fold.negate()));
    return {
      position: position.mul(texel(scale).xyz).add(texel(scale.add(1)).xyz).toVar(),
      normal: normalize(vec3(folded(at.x), folded(at.y), height)).toVar(),
    };
  };
}

/** Makes a function that assigns the vertex in a clip. */
function makeSample(unpack, poseOf, { part, frames }) {
  return (clip, position, normal) => {
    const pose = poseOf(clip, int(part), int(frames)).toVar();
    const [a, b] = [unpack(int(pose.x)), unpack(int(pose.y))];
    position.assign(mix(a.position, b.position, pose.z));
    normal.assign(direction(mix(a.normal, b.normal, pose.z), select(pose.z.lessThan(0.5), a.normal, b.normal)));
  };
}

// ---- Tags: three axes, with the origin in w ------------------------------------------------------

const blendAxes = (a, b, t) => a.map((one, i) => {
  const instead = select(t.lessThan(0.5), one.xyz, b[i].xyz);
  return vec4(direction(mix(one.xyz, b[i].xyz, t), instead), mix(one.w, b[i].w, t)).toVar();
});

function makeTag(texel, poseOf) {
  return (clip, { at, part, frames }) => {
    const pose = poseOf(clip, int(part), int(frames)).toVar();
    const frame = (number) => [0, 1, 2].map((i) => texel(int(number).mul(3).add(at + i)).toVar());
    return blendAxes(frame(pose.x), frame(pose.y), pose.z);
  };
}

// ---- Materials -----------------------------------------------------------------------------------

/** Builds the position of a vertex, and assigns its normal. */
function makePosition({ texels, frames, time, base }, surface) {
  const texel = (at) => textureLoad(texels, placeOf(at));
  const poseOf = makePose(texel, time);
  const sample = makeSample(makeUnpack(texel, frames, surface), poseOf, surface);
  const tagOf = makeTag(texel, poseOf);
  return Fn(() => {
    const [to, from, fade] = [
      attribute("keyframeTo", "vec4"),
      attribute("keyframeFrom", "vec4"),
      attribute("keyframeFade", "vec2"),
    ];
    const weight = select(fade.y.greaterThan(0), time.sub(fade.x).mul(fade.y).clamp(0, 1), 1).toVar();
    const [position, normal, p, n] = Array.from({ length: 4 }, () => vec3(0).toVar());
    sample(to, position, normal);
    If(weight.lessThan(1), () => {
      sample(from, p, n);
      position.assign(mix(p, position, weight));
      normal.assign(direction(mix(n, normal, weight), select(weight.lessThan(0.5), n, normal)));
    });
    for (const link of surface.links) {
      const tag = tagOf(to, link);
      If(weight.lessThan(1), () => {
        blendAxes(tagOf(from, link), tag, weight).forEach((axis, i) => tag[i].assign(axis));
      });
      const axes = mat3(...tag.map((axis) => axis.xyz));
      position.assign(axes.mul(position).add(vec3(...tag.map((axis) => axis.w))));
      normal.assign(axes.mul(normal));
    }
    const transform = referenceAttribute("instanceMatrix", "mat4").mul(base).toVar();
    const columns = mat3(transform);
    const sizes = vec3(...[0, 1, 2].map((i) => columns.element(i).dot(columns.element(i))));
    normalLocal.assign(normalize(columns.mul(normal.div(sizes))));
    return transform.mul(vec4(position, 1)).xyz;
  })();
}

/** Many instances of a model, for WebGPURenderer. */
export class KeyframeInstances extends Instances {
  /** @private */
  makeTime() {
    return uniform(0);
  }

  /** @private */
  prepare(mesh, surface, skins) {
    const { shader } = this;
    mesh.material = toNodeMaterial(mesh.material);
    mesh.material.positionNode = makePosition({ ...shader, base: uniform(shader.base) }, surface);
    if (!skins) return;
    const skin = varying(attribute("keyframeTo", "vec4").w).setInterpolation("flat");
    const { color } = mesh.material;
    mesh.material.colorNode = texture(skins, uv()).depth(int(skin)).mul(vec4(uniform(color), 1));
  }
}
