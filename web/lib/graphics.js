// OpenGL for gl/, implemented with WebGL 2. C refers to objects by number; each context has an array of them.

const NUM_EXTENSIONS = 0x821d;
const PRIMITIVE_RESTART_FIXED_INDEX = 0x8d69;
const OBJECTS = ["Buffer", "Framebuffer", "Renderbuffer", "Texture", "VertexArray"];

/**
 * A canvas' context with the objects that C has numbers for. The constructor queries the context, which is fast only
 * before anything was drawn.
 */
export class Graphics {
  constructor(context) {
    this.gl = context;
    this.objects = [null]; // by number
    this.strings = new Map();
    // Only those that gl/ uses.
    this.extensions = ["EXT_texture_filter_anisotropic"]
      .filter((name) => context.getExtension(name))
      .map((name) => `GL_${name}`);
    const debug = context.getExtension("WEBGL_debug_renderer_info");
    this.renderer = String(
      (debug && context.getParameter(debug.UNMASKED_RENDERER_WEBGL)) || context.getParameter(context.RENDERER),
    );
  }

  add(object) {
    this.objects.push(object);
    return this.objects.length - 1;
  }

  remove(number) {
    const object = this.objects[number];
    this.objects[number] = null;
    return object;
  }
}

function textOf({ gl, renderer }, name) {
  return name === gl.VERSION ? "OpenGL ES 3.0 (WebGL 2.0)" : name === gl.RENDERER ? renderer : "";
}

/** Returns the module's import "gl". It draws on the current context, `engine.graphics`. */
export function graphicsImports(engine) {
  const g = () => engine.graphics;
  const gl = () => engine.graphics.gl;
  const object = (number) => g().objects[number] ?? null;
  const numbers = (at, count) => engine.array(Uint32Array, at, count);
  const setInt = (at, value) => engine.setPointer(at, value);
  const text = (at, length) => (length < 0 ? engine.string(at) : engine.decode(at, length));

  // Copies a string that C keeps into its memory, once.
  const copyString = (value) => {
    const { strings } = g();
    if (!strings.has(value)) strings.set(value, engine.copyText(value));
    return strings.get(value);
  };
  const log = (value, size, length, out) => {
    const bytes = new TextEncoder().encode(value ?? "").subarray(0, Math.max(size - 1, 0));
    if (size > 0) engine.view(out, bytes.length + 1).set([...bytes, 0]);
    if (length) setInt(length, bytes.length);
  };
  // Passes RGBA pixels as an array. `width`: the index of the argument width; height is the next one.
  const pixels = (width) => (args) => {
    const [type, from] = args.slice(7);
    const Type = { [gl().FLOAT]: Float32Array, [gl().SHORT]: Int16Array }[type] ?? Uint8Array;
    return [...args.slice(0, 8), from ? engine.array(Type, from, 4 * args[width] * args[width + 1]) : null];
  };

  const imports = {
    BufferData: (target, size, from, usage) =>
      gl().bufferData(target, from ? engine.view(from, size) : size, usage),
    BufferSubData: (target, offset, size, from) =>
      gl().bufferSubData(target, offset, engine.view(from, size)),
    CreateProgram: () => g().add(gl().createProgram()),
    CreateShader: (type) => g().add(gl().createShader(type)),
    // WebGL has fixed-index restart always enabled, and setting it is an error.
    Disable: (what) => what !== PRIMITIVE_RESTART_FIXED_INDEX && gl().disable(what),
    Enable: (what) => what !== PRIMITIVE_RESTART_FIXED_INDEX && gl().enable(what),
    // getError() would block until all drawing is done. If the GPU is out of memory, the browser drops the context and
    // reports that.
    GetError: () => 0,
    GetIntegerv: (name, out) => {
      const value = name === NUM_EXTENSIONS ? g().extensions.length : gl().getParameter(name);
      setInt(out, typeof value === "number" ? value : Math.max(g().objects.indexOf(value), 0));
    },
    GetProgramInfoLog: (number, size, length, out) => log(gl().getProgramInfoLog(object(number)), size, length, out),
    GetProgramiv: (number, name, out) => setInt(out, Number(gl().getProgramParameter(object(number), name))),
    GetShaderInfoLog: (number, size, length, out) => log(gl().getShaderInfoLog(object(number)), size, length, out),
    GetShaderiv: (number, name, out) => setInt(out, Number(gl().getShaderParameter(object(number), name))),
    GetString: (name) => copyString(textOf(g(), name)),
    GetStringi: (name, index) => copyString(g().extensions[index]),
    GetUniformLocation: (number, name) => {
      const location = gl().getUniformLocation(object(number), engine.string(name));
      return location ? g().add(location) : -1;
    },
    PrimitiveRestartIndex: () => {},
    ReadPixels: (x, y, width, height, format, type, to) =>
      gl().readPixels(x, y, width, height, format, type, engine.view(to, width * height * 4)),
    ShaderSource: (number, count, strings, lengths) => {
      let source = "";
      for (let i = 0; i < count; i++)
        source += text(numbers(strings, count)[i], lengths ? numbers(lengths, count)[i] | 0 : -1);
      gl().shaderSource(object(number), source);
    },
    TransformFeedbackVaryings: (number, count, names, mode) =>
      gl().transformFeedbackVaryings(object(number),
        [...numbers(names, count)].map((name) => engine.string(name)), mode),
    Uniform1fv: (location, count, from) => gl().uniform1fv(object(location), engine.floats(from, count)),
    Uniform3fv: (location, count, from) => gl().uniform3fv(object(location), engine.floats(from, 3 * count)),
    Uniform4fv: (location, count, from) => gl().uniform4fv(object(location), engine.floats(from, 4 * count)),
    UniformMatrix4fv: (location, count, transpose, from) =>
      gl().uniformMatrix4fv(object(location), transpose, engine.floats(from, 16 * count)),
  };
  for (const kind of OBJECTS) {
    imports[`Gen${kind}s`] = (count, out) => {
      for (let i = 0; i < count; i++) numbers(out, count)[i] = g().add(gl()[`create${kind}`]());
    };
    imports[`Delete${kind}s`] = (count, from) => {
      for (const number of numbers(from, count)) gl()[`delete${kind}`](g().remove(number));
    };
  }
  const direct = (name, convert) => {
    const method = name[0].toLowerCase() + name.slice(1);
    return (...args) => gl()[method](...convert(args));
  };
  const define = (names, convert) => {
    for (const name of names.split(" ")) imports[name] = direct(name, convert);
  };
  // These functions take objects as all arguments, as the first one, or as the last one.
  define("AttachShader BindVertexArray CompileShader DetachShader LinkProgram UseProgram", (args) => args.map(object));
  define("Uniform1f Uniform1i Uniform2f Uniform3f Uniform4f", ([location, ...values]) => [object(location), ...values]);
  define("BindBuffer BindFramebuffer BindRenderbuffer BindTexture FramebufferRenderbuffer",
    (args) => [...args.slice(0, -1), object(args.at(-1))]);
  define("DeleteProgram DeleteShader", ([number]) => [g().remove(number)]);
  define("TexImage2D", pixels(3));
  define("TexSubImage2D", pixels(4));
  // All other functions pass their arguments unchanged.
  return new Proxy(imports, { get: (known, name) => known[name] ?? direct(name, (args) => args) });
}
