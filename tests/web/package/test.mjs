// Tests the npm package as its users see it: its contents, four bundlers, the types, React, Babylon.js, PlayCanvas,
// publint, attw. `make test-web`.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const packed = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "lerpmesh-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const pass = (name) => console.log(`ok: ${name}`);
const bin = (name, ...args) => execFileSync(process.execPath, [join(here, "node_modules", ...name.split("/")), ...args], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

// Installs the package that npm would publish next to the bundlers' own node_modules.
const [tarball] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: packed, encoding: "utf8" }));
const files = tarball.files.map((file) => file.path).sort();
assert.deepEqual(files, readdirSync(packed).sort());
for (const name of ["index.js", "index.d.ts", "lerpmesh.wasm", "wasm.js", "more.js", "mesh.js", "view.js", "view.d.ts", "three.js", "babylon.js", "babylon.d.ts", "core.js", "core.d.ts", "core.wasm", "core_wasm.js", "more.wasm", "r3f.js", "r3f.d.ts", "instances.js", "instances_webgpu.js", "instances.d.ts", "command.js", "LICENSE", "README.md"])
  assert.ok(files.includes(name), `the package lacks ${name}`);
mkdirSync(join(folder, "node_modules"));
for (const name of readdirSync(join(here, "node_modules")))
  if (!name.startsWith(".")) symlinkSync(join(here, "node_modules", name), join(folder, "node_modules", name));
mkdirSync(join(folder, "node_modules/lerpmesh"));
execFileSync("tar", ["xzf", join(folder, tarball.filename), "-C", join(folder, "node_modules/lerpmesh"), "--strip-components=1"]);
for (const name of ["use.js", "use.ts", "r3f.mjs", "babylon.mjs", "pictures.js"]) cpSync(join(here, name), join(folder, name));
writeFileSync(join(folder, "package.json"), '{"type": "module", "dependencies": {"lerpmesh": "*"}}');
pass(`npm pack: ${files.length} files, ${tarball.size} bytes`);

const bytes = readFileSync(join(here, "../../../samples/tick.md2"));
async function works(bundler, path) {
  await import(pathToFileURL(path));
  assert.equal(await globalThis.lerpmeshFrames(bytes), 49, bundler);
  delete globalThis.lerpmeshFrames;
  pass(`${bundler}: ${readFileSync(path).length} bytes`);
}

const { build } = await import("esbuild");
await build({ entryPoints: [join(folder, "use.js")], bundle: true, format: "esm", minify: true, outfile: join(folder, "esbuild.mjs"), logLevel: "error" });
await works("esbuild", join(folder, "esbuild.mjs"));

const { rollup } = await import("rollup");
const { nodeResolve } = await import("@rollup/plugin-node-resolve");
const bundle = await rollup({ input: join(folder, "use.js"), plugins: [nodeResolve()], onwarn: (warning) => assert.fail(warning.message) });
await bundle.write({ file: join(folder, "rollup.mjs"), format: "es", inlineDynamicImports: true });
await works("rollup", join(folder, "rollup.mjs"));

const { default: webpack } = await import("webpack");
await new Promise((done, fail) => webpack({
  mode: "production", context: folder, entry: "./use.js", target: ["web", "es2022"], devtool: false,
  output: { path: folder, filename: "webpack.mjs", module: true, library: { type: "module" }, asyncChunks: false },
  experiments: { outputModule: true }, performance: false,
}, (error, stats) => (error || stats.hasErrors() ? fail(error ?? new Error(stats.toString())) : done())));
await works("webpack", join(folder, "webpack.mjs"));

const vite = await import("vite");
const options = { root: folder, logLevel: "error", configFile: false };
await vite.build({ ...options, build: { outDir: join(folder, "vite"), minify: true, lib: { entry: join(folder, "use.js"), formats: ["es"], fileName: () => "vite.mjs" } } });
await works("vite", join(folder, "vite/vite.mjs"));

// As its server delivers it to a browser.
const server = await vite.createServer({ ...options, server: { middlewareMode: true }, appType: "custom" });
const { frames } = await server.ssrLoadModule("/use.js");
assert.equal(await frames(bytes), 49);
await server.close();
pass("vite dev");

// Types compile with the rules of careful projects. Those of three.js and Babylon.js declare WebXR twice, so with them only
// errors in our files count.
const compile = (...args) => spawnSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--target", "es2022",
  "--module", "nodenext", "--lib", "es2022,dom", ...args], { cwd: folder, encoding: "utf8" }).stdout;
const plain = ["", "core", "environment", "node", "run", "stage", "view"].map((name) => `import "${join("lerpmesh", name)}";\n`);
writeFileSync(join(folder, "plain.ts"), plain.join(""));
assert.equal(compile("--types", "", "plain.ts"), "");
assert.deepEqual(compile("use.ts").split("\n").filter((line) => /^(node_modules\/lerpmesh\/|use\.ts)/.test(line)), []);
pass("types");

// So do the scripts, without the declarations beside them: they are checked against each other. instances_webgpu.js is
// left out, because the types of three.js' nodes lack much of what it calls.
const scripts = join(folder, "scripts");
mkdirSync(scripts);
for (const name of files.filter((one) => one.endsWith(".js") && one !== "instances_webgpu.js")) cpSync(join(packed, name), join(scripts, name));
writeFileSync(join(scripts, "workers.d.ts"), "declare class FileReaderSync { readAsArrayBuffer(blob: Blob): ArrayBuffer; }"); // lib "webworker" contradicts "dom"
assert.deepEqual(compile("--strict", "false", "--allowJs", "--checkJs", "--skipLibCheck", "--lib", "es2022,dom,dom.iterable,esnext.disposable", "--types", "node",
  ...readdirSync(scripts).map((name) => join(scripts, name))).split("\n").filter(Boolean), []);
pass("types of the scripts");

execFileSync(process.execPath, ["--input-type=module", "-e", 'await import("lerpmesh/instances"); await import("lerpmesh/instances/webgpu");'], { cwd: folder });
pass("instances in node");

// Node would load react-three-fiber with a second three.js, in CommonJS.
await build({ entryPoints: [join(folder, "r3f.mjs")], bundle: true, format: "esm", platform: "node", mainFields: ["module", "main"], define: { "process.env.NODE_ENV": '"development"' }, banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' }, outfile: join(folder, "bundle.mjs"), logLevel: "error" });
const { checkComponents } = await import(pathToFileURL(join(folder, "bundle.mjs")));
await checkComponents(join(here, "../../../samples"));
pass("react-three-fiber");

// Every export can be imported without a browser; test_web_api.mjs tests those that need no other package.
const { exports } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
for (const [name, target] of Object.entries(exports))
  if (target.default) execFileSync(process.execPath, ["--input-type=module", "-e", `globalThis.window = undefined; await import("${join("lerpmesh", name)}")`], { cwd: folder });
pass("imports on a server");

const { checkBabylon } = await import(pathToFileURL(join(folder, "babylon.mjs")));
await checkBabylon(join(here, "../../../samples"));
pass("Babylon.js in Node");

await build({ entryPoints: [join(folder, "pictures.js")], bundle: true, format: "esm", minify: true, outfile: join(folder, "bundle.js"), logLevel: "error" });
cpSync(join(here, "../../../examples/web/r3f.jsx"), join(folder, "r3f.jsx"));
await build({ entryPoints: [join(folder, "r3f.jsx")], bundle: true, format: "esm", jsx: "automatic", define: { "process.env.NODE_ENV": '"production"' }, outfile: join(folder, "r3f.js"), logLevel: "error" });
const { checkInBrowser } = await import("./browser.mjs");
const shown = await checkInBrowser({ source: join(here, "../../.."), installed: join(folder, "node_modules"), bundle: join(folder, "bundle.js"), r3f: join(folder, "r3f.js") });
pass(shown ? "Babylon.js, PlayCanvas and react-three-fiber in Chromium" : "skipped: Babylon.js, PlayCanvas and react-three-fiber: there is no Chromium");

execFileSync(process.execPath, [join(here, "node_modules/@biomejs/biome/bin/biome"), "lint", "--error-on-warnings", "web", "scripts"], { cwd: join(here, "../../.."), stdio: ["ignore", "ignore", "inherit"] });
pass("Biome");

const { publint } = await import("publint");
const { messages } = await publint({ pkgDir: join(folder, "node_modules/lerpmesh") });
assert.deepEqual(messages, []);
pass("publint");

// The modules themselves have no types: programs fetch them and pass them to useModule.
bin("@arethetypeswrong/cli/dist/index.js", join(folder, tarball.filename), "--profile", "esm-only", "--exclude-entrypoints", "lerpmesh.wasm", "more.wasm", "core.wasm");
pass("attw");

const out = execFileSync(process.execPath, [join(folder, "node_modules/lerpmesh/command.js"), "formats"], { encoding: "utf8" });
assert.match(out, /md3/);
pass("the command");
process.exit(); // the scheduler of React keeps a channel open
